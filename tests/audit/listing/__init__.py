"""A listing says of each object what its key says, and of each line whether it was understood."""
