"""Projects to run pytest in: a folder with a model, and tests for a pytest of their own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tierproof.pytest_plugin.driving
import tierproof.pytest_plugin.exploring
import tierproof.pytest_plugin.replays  # noqa: F401
from tests.pytest_plugin.projects import MODEL
from tierproof.model.language import Scope
from tierproof.spark_explorer.compiler import storage
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.__main__ import DESIGN
from tierproof.spark_explorer.search import explore

Run = Callable[..., pytest.RunResult]


@pytest.fixture(scope="session")
def cache() -> Path:
    """Where compiled code is kept; Pytester gives each of its runs another home."""
    return storage.folder()


@pytest.fixture(autouse=True)
def with_the_usual_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run of its own compiles the engine anew, which takes half a minute."""
    monkeypatch.setenv("TIERPROOF_CACHE", str(cache))


@pytest.fixture(scope="session")
def engine() -> None:
    """The engine, with all that it imports on the way: a run forgets what it imports itself."""
    explore(DESIGN, Scope(), MemoryExecution)
    explore(DESIGN.with_only(), Scope(), MemoryExecution, max_states=1)


@pytest.fixture
def run(engine: None, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs tests, given as source, in a project with the room; returns what pytest said."""
    # CPython's own cache takes a file saved twice in a second, as long as before, for unchanged.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    pytester.makepyfile(model=MODEL)
    pytester.makeini("[pytest]\npythonpath = .\n")

    def run_tests(source: str, *arguments: str) -> pytest.RunResult:
        imports = "import pytest\nfrom model import *\nfrom tierproof import Step\n"
        path = pytester.path / "test_room.py"
        path.write_text(imports + source)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)

    return run_tests
