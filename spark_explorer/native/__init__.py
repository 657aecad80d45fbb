"""The engine's own compiled functions: the same for every design, compiled once by Numba."""

import os

from tierproof.spark_explorer.compiler.storage import folder

# Numba reads this when it is imported, which no module of this package does before now.
os.environ.setdefault("NUMBA_CACHE_DIR", str(folder() / "numba"))


def _leave_blas_out() -> None:
    """Spare each start the import of SciPy, which Numba asks for a BLAS that nobody here uses."""
    import numba.np.linalg

    def missing() -> None:
        raise ImportError

    numba.np.linalg.ensure_blas = missing


_leave_blas_out()
