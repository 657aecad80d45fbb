"""The house itself: arrows between packages, sizes, names, leftovers."""
