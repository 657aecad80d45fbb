"""The pytest plugin, in projects of its users."""
