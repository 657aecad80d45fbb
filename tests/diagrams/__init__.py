"""Drawings and reports, made of the toys and of small records; nothing is compiled here."""
