"""What takes more than a few seconds."""
