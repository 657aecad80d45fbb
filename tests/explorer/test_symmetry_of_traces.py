"""Traces of a reduced search are steps of the design, in the names that its initial states have."""

from typing import Any

import pytest

from tests.toys import two_phase_commit
from tests.toys.pack import PACK, TIRED
from tierproof.model.language import Design, Interpreter, Trace
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore

MOST = 60
"""States after which a search has a trace of each kind: a level takes Spark seconds."""
WITHOUT_A_GUARD = two_phase_commit.ALIKE.without("commit_is_sent")


def check_trace(design: Design, name: str, trace: Trace) -> None:
    """Assert that CPython takes each step, and sees in the end what the search says."""
    interpreter = Interpreter(design, trace.scope)
    state = interpreter.initial_states()[trace.initial]
    before = state
    for step in trace.steps:
        assert interpreter.is_enabled(state, step)
        before, state = state, interpreter.take(state, step)
    assert state == trace.states[-1]
    checked = {entry.name: entry for entry in design.checked}
    if name not in checked:
        assert interpreter.unlawful_changes(before, state)
    elif checked[name].kind is PropertyKind.STEP:
        assert name in {one.name for one in interpreter.violated_by(before, trace.steps[-1], state)}
    elif checked[name].kind is PropertyKind.DEADLOCK:
        assert not interpreter.enabled(state)
    elif checked[name].kind is PropertyKind.WITNESS:
        assert checked[name].function(state)
    else:
        assert name in {one.name for one in interpreter.violated_in(state)}


def check_traces(design: Design, result: Result) -> list[str]:
    """Assert it of every trace; the names of what has one."""
    entries: tuple[Any, ...] = (*result.properties, *result.witnesses)
    found = [entry for entry in entries if entry.trace is not None]
    for entry in found:
        check_trace(design, entry.name, entry.trace)
    return [entry.name for entry in found]


TRACED = [
    (PACK, "three", ["not_all_bark_inside", "leader_changes_once", "a_ring_of_two"]),
    (TIRED, "three", ["deadlock_free"]),
    (
        WITHOUT_A_GUARD,
        "five",
        ["no_commit_beside_an_abort", "RmState_lifecycle", "everybody_committed"],
    ),
]


@pytest.mark.parametrize(("design", "scope", "names"), TRACED, ids=["pack", "tired", "commit"])
def test_each_trace_replays_in_cpython_and_shows_what_the_search_says(design, scope, names):
    result = explore(design, design.scope(scope), MemoryExecution)
    assert result.symmetry is not None
    assert result.symmetry.reduced
    assert check_traces(design, result) == names


@pytest.mark.parametrize(
    "ending",
    [{"first": True}, {"until": ("leader_changes_once",)}, {"max_states": MOST}],
    ids=["first", "until", "max_states"],
)
def test_so_do_the_traces_of_a_search_that_ends_early(ending):
    result = explore(PACK, PACK.scope("three"), MemoryExecution, **ending)
    assert result.cut
    assert "leader_changes_once" in check_traces(PACK, result)
    assert Verdict.HOLDS not in {entry.verdict for entry in result.properties}


@pytest.mark.spark
@pytest.mark.parametrize(("title", "design"), [("PACK", PACK), ("TIRED", TIRED)])
def test_so_do_the_traces_of_spark_which_are_those_of_memory(title, design):
    from tierproof.spark_explorer.spark.execution import SparkExecution

    question = Question(design=f"tests.toys.pack:{title}", scope="three")
    result = explore(
        design,
        design.scope("three"),
        lambda kernel: SparkExecution(kernel, question, master="local[2]", on_driver=0),
        max_states=MOST,
    )
    known = explore(design, design.scope("three"), MemoryExecution, max_states=MOST)
    assert check_traces(design, result) == check_traces(design, known)
    assert [one.trace for one in result.properties] == [one.trace for one in known.properties]
