"""Audit of a real cluster: its remote log metadata held against the model and the bucket.

Read-only. ``tables`` says what is read, ``reading`` reads it, and the rest judges it.
"""
