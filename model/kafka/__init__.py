"""Kafka's mechanisms, one idea a module, written as plain functions of numbers and records.

Nothing here knows of a design: guards, effects and properties call these functions in
both executions, and each is held against recorded behaviour of the real classes alone.
"""
