"""Runs that are kept: a search goes on after any death, and what it has found can be asked."""
