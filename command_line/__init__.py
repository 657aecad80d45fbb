"""The command line: calls the other packages, and prints and draws their results."""
