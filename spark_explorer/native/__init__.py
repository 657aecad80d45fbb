"""Compiled successors: the design's own functions, turned into machine code by Numba."""
