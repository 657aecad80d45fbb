"""What is installed: the wheel, in other people's projects."""
