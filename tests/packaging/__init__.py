"""The installed wheel, used in other projects."""
