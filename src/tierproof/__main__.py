"""`python -m tierproof` is the command `tierproof`."""

from tierproof.command_line.entry import main

main()
