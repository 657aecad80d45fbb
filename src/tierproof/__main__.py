"""`python -m tierproof` is the command `tierproof`."""

from tierproof.command_line.cli import main

main()
