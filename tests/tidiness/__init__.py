"""The source code itself: imports between packages, sizes, names, leftovers."""
