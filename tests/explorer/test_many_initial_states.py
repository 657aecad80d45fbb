"""Many initial states: counted, timed, shown while they are enumerated, and never made again."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.toys import dials
from tierproof.model.language import DesignError, Interpreter, within_bounds
from tierproof.spark_explorer.display import Point
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import beginning
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.progress import Phase, Progress
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate

CANDIDATES, STATES = 6**4, 6**3


def searched(**options: Any) -> Result:
    return explore(dials.DESIGN, dials.Dials(), MemoryExecution, **options)


@pytest.fixture
def begun(monkeypatch) -> list[int]:
    """The numbers of the candidates that the interpreter makes."""
    made: list[int] = []
    usual = Interpreter.begin

    def noted(self: Interpreter, number: int) -> Any:
        made.append(number)
        return usual(self, number)

    monkeypatch.setattr(Interpreter, "begin", noted)
    return made


@pytest.fixture
def in_small_blocks(monkeypatch) -> None:
    monkeypatch.setattr(beginning, "BLOCK", 100)


def test_a_result_counts_them():
    result = searched()
    assert (result.initial_states, result.frontier_sizes[0]) == (STATES, STATES)
    assert result.as_dict()["initial_states"] == STATES
    assert (result.initial_refusal, result.distinct_states) == ("", STATES + 1)


def test_the_time_to_enumerate_them_is_time_of_the_run(monkeypatch, in_small_blocks):
    usual = beginning.begin_candidates

    def slow(*given: Any) -> Any:
        time.sleep(0.05)
        return usual(*given)

    monkeypatch.setattr(beginning, "begin_candidates", slow)
    assert searched().seconds > 0.05 * CANDIDATES / 100


def test_compiled_and_interpreted_ones_give_the_same_result(monkeypatch):
    compiled = searched()
    monkeypatch.setattr(beginning, "WORTH_COMPILING", CANDIDATES + 1)
    interpreted = searched()
    for one, other in zip(compiled.properties, interpreted.properties, strict=True):
        assert (one.verdict, one.occurrences, one.trace) == (
            other.verdict,
            other.occurrences,
            other.trace,
        )
    assert compiled.frontier_sizes == interpreted.frontier_sizes
    assert compiled.generated_states == interpreted.generated_states


def test_a_trace_and_a_lasso_make_their_own_initial_state_alone(begun):
    result = searched()
    for entry in result.properties:
        assert entry.verdict is Verdict.VIOLATED
        assert entry.trace is not None
        assert len(entry.trace.states) == len(entry.trace) + 1
    assert len(begun) == len(result.properties)


def test_a_trace_that_nobody_told_its_initial_state_finds_it(begun):
    (trace, _) = (entry.trace for entry in searched().properties)
    assert trace is not None
    begun.clear()
    again = replace(trace)
    assert again.first == trace.first
    assert begun == list(range(begun[-1] + 1))


def test_random_walks_begin_in_any_of_them(begun):
    result = simulate(dials.DESIGN, dials.Dials(), seed=3, walks=500, depth=4)
    (violated,) = (entry for entry in result.properties if entry.verdict is Verdict.VIOLATED)
    assert violated.trace is not None
    assert violated.trace.states[-1].is_open
    assert result.initial_states == STATES
    assert len(begun) == 1


def test_progress_is_shown_while_they_are_enumerated(in_small_blocks):
    seen: list[Progress] = []
    searched(watch=seen.append)
    first = [point for point in seen if point.phase is Phase.INITIAL]
    assert [point.left for point in first] == list(range(CANDIDATES - 100, 0, -100))
    assert first[0].numbers == f"found 18  tried 100 of {CANDIDATES:,} candidates"
    assert first[0].where == "enumerating initial states"
    assert first[0].share == pytest.approx(100 / CANDIDATES)


def test_random_walks_show_it_too(in_small_blocks):
    seen: list[Point] = []
    simulate(dials.DESIGN, dials.Dials(), seed=3, walks=1, watch=seen.append)
    assert (seen[0].where, seen[-1].where) == ("enumerating initial states", "walking")


@pytest.fixture
def as_in_a_terminal() -> Iterator[None]:
    """A test run in the background ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_the_enumeration_in_a_result(in_small_blocks, as_in_a_terminal):
    def interrupt(progress: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    result = searched(watch=interrupt)
    assert result.cut == "interrupted"
    assert {entry.verdict for entry in result.properties} == {Verdict.INCOMPLETE}
    assert (result.distinct_states, result.depth) == (0, 0)


def test_a_limit_of_states_ends_the_enumeration(in_small_blocks):
    result = searched(max_states=50)
    assert result.cut == "the limit of 50 states"
    assert result.verdict is not Verdict.HOLDS
    assert 50 < result.initial_states < STATES


def test_a_limit_that_they_keep_does_not_cut():
    assert searched(max_states=STATES + 1).cut is None


@within_bounds
def shows_no_three(state: dials.Lock) -> bool:
    """The first dial does not show 3, or the second not 2."""
    return state.dial[0] != 3 or state.dial[1] != 2


def test_the_first_one_outside_the_bounds_is_an_error():
    bounded = replace(dials.DESIGN, bounds=shows_no_three)
    with pytest.raises(DesignError, match="an initial state is outside the bounds") as caught:
        explore(bounded, dials.Dials(), MemoryExecution)
    (state, *_) = (
        state
        for state in Interpreter(bounded, dials.Dials()).initial_states()
        if not shows_no_three.function(state)
    )
    assert str(caught.value).endswith(state.describe())


def test_no_identity_depends_on_how_they_are_made(monkeypatch):
    before = Kernel(dials.DESIGN, dials.Dials()).identity
    monkeypatch.setattr(beginning, "WORTH_COMPILING", CANDIDATES + 1)
    assert Kernel(dials.DESIGN, dials.Dials()).identity == before
