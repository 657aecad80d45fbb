"""Compiled functions are kept on disk one by one; code of several processes works together."""

from pathlib import Path

import pytest
from numba import njit

from spark_explorer.native import cache


@pytest.fixture
def symbol_in(monkeypatch):
    """A function: the name in the symbol of code that is kept in a folder, or was kept there."""

    def twice(number):
        return 2 * number

    def symbol(folder: Path) -> str:
        monkeypatch.setattr(cache, "_functions", lambda: folder)
        kept = cache.keep(njit(twice), "twice of an integer")
        assert kept(21) == 42
        (compiled,) = kept.overloads.values()
        return str(compiled.fndesc.qualname)

    return symbol


def test_code_that_two_processes_compile_has_two_symbols(symbol_in, tmp_path_factory):
    """Numba numbers record types as they come, so that two processes can name two layouts alike."""
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    assert symbol_in(first) != symbol_in(second)


def test_code_that_was_kept_is_loaded_with_its_symbol(symbol_in, tmp_path):
    """Whoever calls it from code that is kept as well finds it."""
    assert symbol_in(tmp_path) == symbol_in(tmp_path)
