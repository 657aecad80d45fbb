"""Ctrl-C ends a search whose design has a loop that does not end, and says which loop it is.

Compiled code runs without Python, which would hear of the signal only afterwards.
"""

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Timer

import pytest

from tests.explorer.commands import heeds_signals
from tests.toys import endless, two_phase_commit
from tierproof.spark_explorer.display import Point
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import stopping
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.stopping import stop_all
from tierproof.spark_explorer.progress import Progress
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.watching import BEGINNING, Watching

ROOT = Path(__file__).parents[2]
LOOPS = {
    "effect": (endless.EFFECT, "step walker_turns_round() ", "`while state.place != 0:`"),
    "range": (endless.RANGE, "step walker_counts() ", "`range(state.place, 1 << 60)`"),
    "steps of three": (
        endless.STEPS_OF_THREE,
        "step walker_counts_by_threes() ",
        "`range(1 << 60, state.place, -3)`",
    ),
    "guard": (endless.GUARD, "a guard or a property ", "`range(1 << 60)`"),
    "invariant": (endless.INVARIANT, "a guard or a property ", "`range(state.place, 1 << 60)`"),
}


@pytest.fixture(autouse=True)
def is_impatient(monkeypatch):
    """Loops are left sooner: the searches below are in one, and there is nothing to wait for."""
    monkeypatch.setattr(stopping, "PATIENCE_SECONDS", 0.2)


@pytest.fixture
def stopped_soon():
    """As Ctrl-C, half a second before which a search stood before the loop."""
    begun: list[Timer] = []

    def watch(point: Point) -> None:
        if not begun and point.where != "level 0":
            begun.append(Timer(0.5, stop_all))
            begun[0].start()

    yield watch
    begun[0].join()


def searched(design, watch, **options) -> Result:
    return explore(design, design.scope("only"), MemoryExecution, watch=watch, **options)


def walked(design, watch) -> Result:
    return simulate(design, design.scope("only"), seed=1, seconds=60, watch=watch)


@pytest.mark.parametrize("where", LOOPS)
def test_a_search_that_is_stopped_in_a_loop_names_it_with_the_way_to_it(where, stopped_soon):
    design, who, loop = LOOPS[where]
    result = searched(design, stopped_soon)
    assert result.cut is not None
    assert result.cut.startswith(f"interrupted, as {who}has not ended: ")
    assert "tests/toys/endless.py:" in result.cut
    assert result.cut.endswith(f"{loop}; reached by walker_goes_on(); walker_goes_on()")
    assert (result.depth, result.distinct_states) == (2, 3)
    assert result.verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("where", LOOPS)
def test_walks_that_are_stopped_in_a_loop_name_it_too(where, stopped_soon):
    design, who, loop = LOOPS[where]
    result = walked(design, stopped_soon)
    assert result.sample is not None
    assert f"Ctrl-C, as {who}has not ended: " in result.sample.ended_by
    assert loop in result.sample.ended_by
    assert "walker_goes_on()" in result.sample.ended_by
    assert result.verdict is Verdict.INCOMPLETE
    assert result.fault is None


def test_a_goal_that_does_not_end_is_left_and_not_judged(stopped_soon):
    result = searched(endless.GOAL, stopped_soon)
    assert result.distinct_states == 6
    (goal,) = result.properties
    assert (goal.verdict, goal.reason) == (Verdict.INCOMPLETE, "interrupted")


def test_the_next_search_of_the_same_process_is_whole(stopped_soon):
    searched(endless.EFFECT, stopped_soon)
    toy = two_phase_commit.DESIGN
    assert explore(toy, toy.scope("three"), MemoryExecution).distinct_states == 288


def test_searches_on_threads_are_stopped_by_those_who_watch_them():
    with Watching(visible=False) as watching, ThreadPoolExecutor(2) as pool:
        watches = [watching.search("toy") for _ in range(2)]
        designs = (endless.EFFECT, endless.RANGE)
        found = list(map(pool.submit, [searched] * 2, designs, watches))
        while not all(watch.point.startswith("level 1") for watch in watches):
            time.sleep(0.1)
        time.sleep(0.5)
        watching.interrupt()
        cuts = [one.result().cut or "" for one in found]
    assert all(cut.startswith("interrupted, as step") for cut in cuts)


@pytest.mark.parametrize("begin", [searched, walked])
def test_a_search_that_was_interrupted_before_it_began_ends_too(begin):
    """It compiles for seconds, in which no signal reaches it."""
    with Watching(visible=False) as watching, ThreadPoolExecutor(1) as pool:
        watch = watching.search("toy")
        watching.interrupt()
        result = pool.submit(begin, endless.EFFECT, watch).result()
    assert result.verdict is Verdict.INCOMPLETE


def test_a_search_that_makes_way_is_stopped_between_two_states():
    def watch(progress: Progress) -> None:
        if progress.level == 12:
            stop_all()

    toy = two_phase_commit.DESIGN
    result = explore(toy, toy.scope("eight"), MemoryExecution, watch=watch)
    assert result.cut == "interrupted"
    assert result.depth in (12, 13)


def test_what_is_explored_is_the_same_whether_it_can_be_stopped_or_not():
    """Else every exploration that is kept would have to be made anew."""
    kernel = Kernel(endless.EFFECT, endless.EFFECT.scope("only"))
    assert kernel.identity == Kernel(endless.EFFECT, endless.EFFECT.scope("only")).identity
    assert "load volatile" in kernel.module.text


SIGNALS = (signal.SIGINT, signal.SIGTERM)
ENGINES = {
    "memory": ("level 1", "cut: interrupted, as step walker_turns_round() has not ended"),
    "simulate": ("walking", "ended by Ctrl-C, as step walker_turns_round() has not ended"),
}


def in_a_terminal(*command: str) -> subprocess.Popen[str]:
    """A command that is under way, as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heeds_signals,
    )


def pressed(process: subprocess.Popen[str], number: signal.Signals, until: str) -> tuple[int, str]:
    """The status and output of a command that gets a signal once its errors have these words."""
    with process:
        assert process.stderr is not None
        too_late = Timer(120, process.kill)  # else these words might never come, nor the end
        too_late.start()
        for line in process.stderr:
            if until in line:
                break
        too_late.cancel()
        process.send_signal(number)
        try:
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
        return process.returncode, " ".join(out.split())


OTHER_PAIRS = {("memory", signal.SIGTERM), ("simulate", signal.SIGINT)}
"""Each signal and each engine has a process by default; these two take seconds more."""


@pytest.mark.parametrize(
    ("engine", "number"),
    [
        pytest.param(*pair, marks=[pytest.mark.slow] if pair in OTHER_PAIRS else [])
        for pair in product(ENGINES, SIGNALS)
    ],
)
def test_a_command_is_ended_with_what_it_has_seen(engine, number):
    under_way, told = ENGINES[engine]
    command = ("tierproof", "explore", "tests.toys.endless:EFFECT", "--engine", engine)
    status, out = pressed(in_a_terminal(*command), number, under_way)
    assert status == 3
    assert told in out
    assert "INCOMPLETE" in out


def test_a_search_of_which_nothing_is_heard_says_so():
    watch = Watching(visible=False).search("toy")
    assert watch.line == f"toy: {BEGINNING}"
    watch.heard -= 35
    assert watch.line == f"toy: {BEGINNING}  (nothing new for 35 s)"
