"""Mutation testing of a design: every mutant explored, and what became of it."""
