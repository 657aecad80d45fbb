"""Numba's `njit` for the functions of this room, which run without the interpreter's lock.

Code is kept in the sealed files of the engine, and compiled anew when any module here has changed.
"""

from tierproof.spark_explorer.native import keeping

njit = keeping.njit_of(__package__, nogil=True)
