"""Readings of the text, and repairs of ours."""

VARIANTS = ()
