"""The plugin beside a project's own modules and fixtures, in parallel, and where it is not used."""

import shutil

import pytest

from tests.pytest_plugin.projects import MODEL
from tierproof.spark_explorer.compiler import storage

pytest_plugins = ["pytester"]

HEAVY = ("numpy", "numba", "hypothesis", "tierproof.model", "tierproof.spark_explorer", "typer")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with packages that are called as rooms of tierproof are, and with its own tests."""
    pytester.makepyfile(model=MODEL, diagrams="LINES = 1", invariants="RULES = 2")
    pytester.makepyfile(**{"properties/__init__": "CLAIMS = 3", "conformance/__init__": ""})
    pytester.makeini("[pytest]\npythonpath = .\n")
    return pytester


def test_a_project_without_designs_pays_for_no_import(pytester):
    pytester.makepyfile(
        f"""
        import sys

        def test_nothing_heavy_was_imported():
            assert "tierproof.pytest_plugin" in sys.modules
            assert [name for name in {HEAVY!r} if name in sys.modules] == []
        """
    )
    # Hypothesis has a plugin of its own, which imports nothing of it before it is used.
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_names_of_the_projects_modules_are_its_own(project):
    project.makepyfile(
        **{
            "tests/test_room": """
            import diagrams, invariants, model, properties
            import conformance

            def test_own_modules(explore):
                explore(model.DESIGN, variants=model.REPAIR)
                explore(model.DESIGN, expected={"nobody_passes_a_locked_door": "VIOLATED"})
                assert (diagrams.LINES, invariants.RULES, properties.CLAIMS) == (1, 2, 3)
                assert "site-packages" not in model.__file__

            def test_a_failure_draws_by_our_diagrams(explore):
                explore(model.DESIGN)
            """
        }
    )
    found = project.runpytest_subprocess("tests")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["2. person: person_enters()"])


def test_a_fixture_of_the_project_comes_first(project):
    project.makeconftest(
        """
        import pytest

        @pytest.fixture
        def explore():
            return "mine"
        """
    )
    project.makepyfile("def test_it(explore):\n    assert explore == 'mine'")
    project.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.mark.slow
def test_workers_in_parallel_share_one_cache(project, monkeypatch):
    shutil.copytree(storage.folder() / "numba", project.path / "cache" / "numba")
    monkeypatch.setenv("TIERPROOF_CACHE", str(project.path / "cache"))
    project.makepyfile(
        """
        import pytest
        from model import *

        @pytest.mark.parametrize("number", range(12))
        def test_room(explore, number):
            assert explore(DESIGN, scope=Hall(people=4), variants=REPAIR).distinct_states == 10

        def test_threads_are_divided():
            import os
            from tierproof.pytest_plugin.exploring import threads
            assert threads() == max(1, os.cpu_count() // 2)
        """
    )
    found = project.runpytest_subprocess("-n", "2")
    found.assert_outcomes(passed=13)
    assert len(list((project.path / "cache" / "native").glob("*"))) == 1


def test_ctrl_c_in_a_search_stops_pytest(project):
    project.makepyfile(
        """
        from model import *
        from tierproof.pytest_plugin import exploring

        def test_interrupted(explore, monkeypatch):
            def search(*given, watch=None, **named):
                def interrupt(progress):
                    raise KeyboardInterrupt
                return real(*given, watch=interrupt, **named)

            real = exploring.search
            monkeypatch.setattr(exploring, "search", search)
            explore(DESIGN, variants=REPAIR)

        def test_never_run():
            pass
        """
    )
    found = project.runpytest_subprocess()
    assert found.ret == pytest.ExitCode.INTERRUPTED
    found.assert_outcomes()


ENDLESS = """
    import os, signal, threading
    from typing import Annotated
    from tierproof import Design, Range, Scope, State, action, initial

    class Cell(State):
        value: Annotated[int, Range(0, 3)]

    @initial
    def empty(state: Cell) -> None: ...

    @action()
    def cell_spins(state: Cell) -> None:
        while state.value == 0:
            state.value = 0
        state.value = 1

    CELL = Design(name="cell", title="A cell", state=Cell, initial=(empty,),
                  system=(cell_spins,), scopes={"only": Scope()})

    def test_spins(NAME):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
        NAME(CELL)

    def test_never_run():
        pass
"""


@pytest.mark.parametrize("name", ["explore", "drive"])
def test_ctrl_c_in_a_loop_that_does_not_end_stops_pytest(project, name):
    project.makepyfile(ENDLESS.replace("NAME", name))
    found = project.runpytest_subprocess(timeout=120)
    assert found.ret == pytest.ExitCode.INTERRUPTED
    found.assert_outcomes()


@pytest.mark.spark
@pytest.mark.slow
def test_spark_is_an_engine_too(project):
    project.makepyfile(
        **{
            "tests/test_room": """
            from model import *

            def test_room(explore):
                result = explore(DESIGN, scope="four", variants=REPAIR)
                assert (result.engine, result.distinct_states) == ("spark", 10)
            """
        }
    )
    found = project.runpytest_subprocess("tests", "--tierproof-engine", "spark")
    found.assert_outcomes(passed=1)
