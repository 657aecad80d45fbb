"""Exhaustive search of a Design: compiled successors, one loop, memory and Spark executions."""
