"""The engine's own compiled functions: the same for every design, compiled once by Numba."""

import os
from contextlib import suppress
from typing import Any

from tierproof.spark_explorer.compiler.storage import folder

# Numba reads this at import; no module of this package imports it before this line.
os.environ.setdefault("NUMBA_CACHE_DIR", str(folder() / "numba"))


def _leave_blas_out() -> None:
    """Avoid the slow import of SciPy, which Numba makes for a BLAS that is not used here."""
    import numba.np.linalg

    def missing() -> None:
        raise ImportError

    numba.np.linalg.ensure_blas = missing


def _keep_what_fits() -> None:
    """Go on without keeping compiled code where it cannot be written: a disk may become full."""
    from numba.core.caching import Cache

    save = Cache.save_overload

    def save_if_possible(self: Any, signature: Any, compiled: Any) -> None:
        with suppress(OSError):
            save(self, signature, compiled)

    Cache.save_overload = save_if_possible


_leave_blas_out()
_keep_what_fits()
