"""Compiled successors: the design's own functions, turned into machine code by Numba."""

import os

from spark_explorer.native.cache import folder

# Numba reads this when it is imported, which no module of this package does before now.
os.environ.setdefault("NUMBA_CACHE_DIR", str(folder() / "numba"))
