"""The pytest plugin: designs are explored, replayed and driven as tests. pytest finds it by itself.

    def test_my_design(explore):
        explore(DESIGN, scope="smoke", expected={"a_known_bug": "VIOLATED"})

    @pytest.mark.tierproof(designs=[DESIGN], scopes=["smoke", "default"], variants=[(), "repair"])
    def test_each(explore):
        explore()

A verdict other than the expected one fails, in both directions, and so does a search that was cut.
The failure shows the trace and ends with a test to paste. Nothing but pytest is imported until a
fixture is used, so that the plugin costs a project without designs next to nothing.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from tierproof.pytest_plugin import runs
from tierproof.pytest_plugin.cases import MARK, Case, Options, cases_of, why_refused

if TYPE_CHECKING:
    from tierproof.pytest_plugin.driving import Driver
    from tierproof.pytest_plugin.exploring import Explorer
    from tierproof.pytest_plugin.replays import Replayer


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `pytest` that begin with --tierproof."""
    group = parser.getgroup("tierproof", "designs checked by tierproof")
    group.addoption(
        "--tierproof-scope", metavar="NAME", help="The scope of tests that name no scope."
    )
    group.addoption(
        "--tierproof-engine",
        choices=("memory", "spark"),
        help="The engine of tests that name no engine. Default: memory.",
    )
    group.addoption(
        "--tierproof-profile", metavar="NAME", help="How far `drive` walks. Default: default."
    )
    group.addoption(
        "--tierproof-runs",
        metavar="FOLDER",
        help="Keep each search of `explore` there, and make none again that is kept.",
    )
    parser.addini("tierproof_runs", "The folder of --tierproof-runs, from that of this file on.")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark. Raises UsageError for a folder of runs that cannot be one."""
    config.addinivalue_line("markers", MARK)
    runs.configure(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the mark `tierproof`."""
    mark = metafunc.definition.get_closest_marker("tierproof")
    if mark is None or why_refused(metafunc.definition):
        return
    cases = cases_of(*mark.args, **mark.kwargs)
    metafunc.parametrize("tierproof_case", cases, ids=[one.title for one in cases], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose mark is refused: that is its own fault, and ends no collection."""
    if reason := why_refused(item):
        pytest.fail(f"{item.nodeid}: {reason}", pytrace=False)


@pytest.fixture
def tierproof_case(request: pytest.FixtureRequest) -> Case:
    """What the mark `tierproof` gives to this test; empty without the mark."""
    found: Case = getattr(request, "param", Case())
    return found


@pytest.fixture
def explore(request: pytest.FixtureRequest, tierproof_case: Case) -> Explorer:
    """Search a design in a scope, and compare every verdict with the expected one."""
    from tierproof.pytest_plugin.exploring import Explorer

    return Explorer(tierproof_case, _options(request))


@pytest.fixture
def replay(request: pytest.FixtureRequest) -> Replayer:
    """Take the steps of a trace again: fails if they still violate the property."""
    from tierproof.pytest_plugin.replays import Replayer

    return Replayer(_options(request))


@pytest.fixture
def drive(request: pytest.FixtureRequest, tierproof_case: Case) -> Driver:
    """Let Hypothesis walk a design at a scope that no search completes."""
    from tierproof.pytest_plugin.driving import Driver

    return Driver(tierproof_case, _options(request))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Show what Hypothesis found as `explore` shows it, also if a test calls `check` itself.

    Warn of a test that passes and has never called what it asks for.
    """
    told = ""
    try:
        found = yield
    except AssertionError as error:
        module = sys.modules.get("tierproof.properties.violation")
        if module is None or not isinstance(error, module.Violation):
            raise
        from tierproof.pytest_plugin.telling import told_violation

        told = told_violation(error, pyfuncitem.module.__name__)
    if told:
        pytest.fail(told, pytrace=False)
    _warn_of_unused(pyfuncitem)
    return found


def _warn_of_unused(item: pytest.Function) -> None:
    """Warn if the test has asked for a fixture of ours, and has never called it."""
    for name in ("explore", "replay", "drive"):
        if getattr(item.funcargs.get(name), "is_unused", None) is True:
            from tierproof.pytest_plugin.judging import NothingTested

            told = f"{item.nodeid} asks for `{name}` and never calls it: nothing was tested"
            line = item.function.__code__.co_firstlineno
            warnings.warn_explicit(NothingTested(told), NothingTested, str(item.path), line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker of pytest-xdist has counted to who started it."""
    runs.report_to_controller(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a worker of pytest-xdist has counted."""
    runs.add(node)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many searches were not made again."""
    if told := runs.summary(config.stash[runs.USES]):
        terminalreporter.write_line(told)


def _options(request: pytest.FixtureRequest) -> Options:
    config = request.config
    return Options(
        scope=config.getoption("tierproof_scope"),
        engine=config.getoption("tierproof_engine"),
        profile=config.getoption("tierproof_profile") or "default",
        folder=str(config.rootpath),
        module=request.module.__name__,
        runs=config.stash[runs.FOLDER],
        uses=config.stash[runs.USES],
    )
