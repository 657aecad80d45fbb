"""The command line: it asks the other rooms, and prints and draws what they answer."""
