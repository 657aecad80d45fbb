"""The engine's own compiled functions: the same for every design, compiled once by Numba."""


def _leave_blas_out() -> None:
    """Avoid the slow import of SciPy, which Numba makes for a BLAS that is not used here."""
    import numba.np.linalg

    def missing() -> None:
        raise ImportError

    numba.np.linalg.ensure_blas = missing


_leave_blas_out()
