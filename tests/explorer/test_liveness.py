"""Liveness: fair cycles, final states that wait for a goal, and the limits of a scope."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.explorer.searched_pictures import EVERYWHERE, drawn, nodes_of, searched
from tests.toys import corridor, mutex
from tests.toys import fair_digraph as toy
from tests.toys.fair_digraph import FREE, STRONG, WEAK, Picture
from tierproof.model.language import Step
from tierproof.model.language.errors import FunctionRaised
from tierproof.register import ledger
from tierproof.spark_explorer import liveness
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict
from tierproof.spark_explorer.search import explore


def judged(edges: dict[toy.Edge, int], goal: list[int], **more) -> PropertyResult:
    picture = Picture(edges, goal, **{"premise": EVERYWHERE, **more})
    return searched(picture).properties[0]


def test_a_weakly_fair_step_that_stays_enabled_is_taken():
    entry = judged({(0, WEAK, 0): 1, (1, WEAK, 0): 2}, goal=[2])
    assert entry.verdict is Verdict.HOLDS
    assert entry.premise_states == 3


def test_a_step_that_is_not_fair_may_never_be_taken():
    entry = judged({(0, WEAK, 0): 1, (1, FREE, 0): 2}, goal=[2])
    assert entry.verdict is Verdict.VIOLATED
    assert nodes_of(entry) == ([0], [1])
    assert entry.trace is not None
    assert entry.trace.cycle_start == len(entry.trace) == 1


def test_an_end_without_the_goal_violates_it():
    assert nodes_of(judged({(0, WEAK, 0): 1}, goal=[2])) == ([0], [1])


TO_AND_FRO: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, FREE, 0): 0}


def test_weak_fairness_does_not_help_a_step_that_is_disabled_again_and_again():
    entry = judged({**TO_AND_FRO, (1, WEAK, 1): 2}, goal=[2])
    assert entry.verdict is Verdict.VIOLATED
    assert nodes_of(entry) == ([], [0, 1, 0])
    assert entry.occurrences == 2


def test_strong_fairness_does():
    assert judged({**TO_AND_FRO, (1, STRONG, 1): 2}, goal=[2]).verdict is Verdict.HOLDS


def test_each_colour_is_fair_by_itself():
    """Colour 0 goes to and fro for ever, and that is no excuse for colour 1."""
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 0): 0}
    edges |= {(0, WEAK, 1): 2, (1, WEAK, 1): 2}
    assert judged(edges, goal=[2]).verdict is Verdict.HOLDS
    del edges[1, WEAK, 1]
    assert judged(edges, goal=[2]).verdict is Verdict.VIOLATED


ROUND: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 1): 0}


def test_a_strongly_fair_step_divides_a_component_until_one_without_it_is_left():
    """0, 1 and 2 are one component; only 0 and 1 can be cycled without enabling the way out."""
    edges: dict[toy.Edge, int] = {**ROUND, (1, FREE, 1): 2, (2, WEAK, 0): 0}
    entry = judged({**edges, (2, STRONG, 0): 3}, goal=[3])
    assert entry.verdict is Verdict.VIOLATED
    assert nodes_of(entry) == ([], [0, 1, 0])
    assert entry.occurrences == 2


def test_a_cycle_visits_what_fairness_requires():
    """The shortest cycle, 0 and 1, never takes the strongly fair way to 2 that 0 enables."""
    edges: dict[toy.Edge, int] = {**ROUND, (0, STRONG, 1): 2, (2, WEAK, 1): 0}
    entry = judged(edges, goal=[5])
    assert nodes_of(entry)[1] in ([0, 2, 0], [0, 1, 0, 2, 0])
    assert entry.trace is not None
    assert Step("token_moves_strongly", (("colour", 1),)) in entry.trace.steps


def test_the_goal_is_awaited_only_after_the_premise():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 0): 2, (0, FREE, 0): 3}
    assert judged(edges, goal=[2], premise=[1]).verdict is Verdict.HOLDS
    assert judged(edges, goal=[2], premise=[3]).verdict is Verdict.VIOLATED


def test_a_goal_that_was_reached_is_not_awaited_any_more():
    assert judged({(0, WEAK, 0): 1, (1, WEAK, 0): 2}, goal=[1], premise=[0]).verdict is (
        Verdict.HOLDS
    )


def test_a_premise_that_never_held_is_vacuous():
    entry = judged({(0, WEAK, 0): 1}, goal=[1], premise=[4])
    assert (entry.verdict, entry.is_vacuous) == (Verdict.HOLDS, True)


def test_a_step_that_changes_nothing_is_no_progress():
    assert judged({(0, WEAK, 0): 0}, goal=[1]).verdict is Verdict.VIOLATED


# -- a goal that is to stay


def kept(edges: dict[toy.Edge, int], goal: list[int], **more) -> PropertyResult:
    picture = Picture(edges, goal, **{"premise": EVERYWHERE, **more})
    return searched(picture).properties[1]


def test_a_goal_that_comes_and_goes_is_reached_and_not_kept():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 0): 0}
    assert judged(edges, goal=[1]).verdict is Verdict.HOLDS
    entry = kept(edges, goal=[1])
    assert (entry.verdict, entry.occurrences) == (Verdict.VIOLATED, 2)
    assert nodes_of(entry) == ([], [0, 1, 0])


def test_a_goal_that_is_left_and_reached_for_good_is_kept():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, FREE, 0): 2, (2, WEAK, 0): 3}
    assert kept(edges, goal=[1, 3]).verdict is Verdict.HOLDS
    assert kept({**edges, (3, FREE, 0): 2}, goal=[1, 3]).verdict is Verdict.VIOLATED


def test_a_goal_that_fairness_makes_the_token_leave_is_not_kept():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, STRONG, 0): 2, (2, WEAK, 0): 0}
    entry = kept(edges, goal=[0, 1])
    assert (entry.verdict, nodes_of(entry)) == (Verdict.VIOLATED, ([0, 1], [2, 0, 1, 2]))


def test_before_the_premise_a_goal_may_come_and_go():
    edges: dict[toy.Edge, int] = {(0, FREE, 0): 1, (1, FREE, 0): 0, (0, FREE, 1): 2}
    assert kept(edges, goal=[1, 2], premise=[2]).verdict is Verdict.HOLDS
    assert kept(edges, goal=[1, 2], premise=[1]).verdict is Verdict.VIOLATED


# -- the limits of a scope


def test_an_end_at_which_a_limit_blocks_a_fair_step_is_counted_and_no_violation():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 0): 2}
    entry = judged(edges, goal=[2], refused=[(1, WEAK, 0)])
    assert (entry.verdict, entry.limited_states, entry.trace) == (Verdict.HOLDS, 1, None)


def test_so_is_an_end_whose_fair_step_leads_out_of_the_bounds():
    edges: dict[toy.Edge, int] = {(0, WEAK, 0): 1, (1, WEAK, 0): 2}
    entry = judged(edges, goal=[2], outside=[2])
    assert (entry.verdict, entry.limited_states) == (Verdict.HOLDS, 1)


def test_a_limit_excuses_no_end_that_would_be_one_without_it():
    edges: dict[toy.Edge, int] = {(0, FREE, 0): 1, (1, WEAK, 0): 2}
    entry = judged(edges, goal=[2], refused=[(1, WEAK, 0)])
    assert (entry.verdict, entry.occurrences, entry.limited_states) == (Verdict.VIOLATED, 1, 1)
    assert nodes_of(entry) == ([], [0])


def test_what_stands_behind_a_limit_may_rely_on_it():
    """The next door raises where there is none: that end is excused, those at a door are not."""
    design = corridor.DESIGN
    (entry,) = explore(design, design.scope("three"), MemoryExecution).properties
    assert (entry.verdict, entry.occurrences, entry.limited_states) == (Verdict.VIOLATED, 2, 1)
    assert entry.trace is not None
    assert (entry.trace.initial, len(entry.trace)) == (1, 0)


def test_limits_that_hide_too_much_to_be_tested_leave_it_incomplete(monkeypatch):
    monkeypatch.setattr("tierproof.spark_explorer.native.graph.MOST_INTERPRETED", 0)
    design = corridor.DESIGN
    (entry,) = explore(design, design.scope("three"), MemoryExecution).properties
    assert (entry.verdict, entry.reason[:26]) == (Verdict.INCOMPLETE, "guards that rely on a limi")


def test_a_goal_that_raises_is_named_with_the_state():
    design = replace(corridor.DESIGN, properties=(corridor.next_place_can_be_seen,))
    with pytest.raises(FunctionRaised, match="next_place_can_be_seen"):
        explore(design, design.scope("three"), MemoryExecution)


# -- designs

IN_TWO, IN_BREAKING = (
    {
        "first_comes_in": Verdict.VIOLATED,
        "first_comes_in_if_taking_is_strongly_fair": strong,
        "lock_is_used": Verdict.VIOLATED,
    }
    for strong in (Verdict.HOLDS, Verdict.VIOLATED)
)


def locked(scope: str, **options) -> Result:
    design = mutex.DESIGN
    return explore(design, design.scope(scope), MemoryExecution, scope_name=scope, **options)


@pytest.mark.parametrize(("scope", "verdicts"), [("two", IN_TWO), ("breaking", IN_BREAKING)])
def test_who_waits_starves_unless_the_taking_is_strongly_fair(scope, verdicts):
    """And nothing helps once the lock is broken, by a fault that its budget allows once."""
    found = {e.name: e.verdict for e in locked(scope).properties if e.kind == "liveness"}
    assert found == verdicts


def test_starvation_is_a_lasso_round_the_one_who_waits():
    trace = next(e.trace for e in locked("two").properties if e.name == "first_comes_in")
    assert trace is not None
    assert (len(trace), trace.cycle_start) == (4, 1)
    assert trace.states[1] == trace.states[4]
    assert {dict(step.arguments)["worker"] for step in trace.steps[1:]} == {1}


def test_a_liveness_property_can_be_asked_for_alone():
    result = locked("two", only=["first_comes_in_if_taking_is_strongly_fair"])
    (entry,) = result.properties
    assert (entry.verdict, result.verdict) == (Verdict.HOLDS, Verdict.HOLDS)
    assert entry.fairness == "weakly fair: every system action; strongly fair: worker_takes_lock"


def test_what_is_not_asked_for_costs_nothing(monkeypatch):
    monkeypatch.setattr("tierproof.spark_explorer.liveness.Connector", None)
    assert locked("two", only=["deadlock_free"]).verdict is Verdict.HOLDS


def test_a_liveness_property_is_told_as_any_other():
    record = locked("two").as_dict()["properties"][1]
    assert (record["kind"], record["verdict"]) == ("liveness", "VIOLATED")
    assert (record["trace_length"], record["trace"]["cycle_start"]) == (4, 1)
    assert record["fairness"] == "weakly fair: every system action"


def test_one_that_is_incomplete_is_not_written_into_the_ledger(tmp_path, monkeypatch):
    monkeypatch.setattr(memory_left, "free_memory", lambda: 0)
    result = locked("two")
    assert result.cut is None
    with pytest.raises(ValueError, match="first_comes_in is INCOMPLETE, as the graph of 8 states"):
        ledger.record([result], {}, tmp_path)


@pytest.mark.spark
@pytest.mark.parametrize("on_driver", [0, 2, 10_000])
def test_spark_judges_as_memory_does_wherever_the_states_are_kept(on_driver):
    from tierproof.spark_explorer.spark.execution import SparkExecution

    design, question = mutex.DESIGN, Question(design="tests.toys.mutex:DESIGN", scope="three")
    result = explore(
        design,
        design.scope("three"),
        lambda kernel: SparkExecution(kernel, question, master="local[2]", on_driver=on_driver),
    )
    assert result.as_dict()["properties"] == locked("three").as_dict()["properties"]


# -- what a result says


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", [1, 2])
def test_nothing_holds_where_the_limit_falls_on_the_end_of_a_level(threads, limit):
    picture = Picture({(0, WEAK, 0): 1, (1, WEAK, 0): 2, (2, WEAK, 0): 3}, goal=[3], premise=[0])
    result = searched(picture, threads, max_states=limit)
    assert (result.cut, result.verdict) == (f"the limit of {limit} states", Verdict.INCOMPLETE)


def test_a_search_that_was_cut_never_holds():
    picture = Picture({(0, WEAK, 0): 1, (1, WEAK, 0): 2}, goal=[2], premise=[0])
    result = searched(picture, max_states=2)
    assert result.properties[0].verdict is Verdict.INCOMPLETE
    assert "the limit of 2 states" in result.properties[0].reason


def test_a_graph_that_does_not_fit_is_incomplete_and_says_why(monkeypatch):
    monkeypatch.setattr(memory_left, "free_memory", lambda: 0)
    result = searched(Picture({(0, WEAK, 0): 1, (1, WEAK, 0): 2}, goal=[2], premise=[0]))
    assert result.cut is None
    assert (result.properties[0].verdict, result.verdict) == (Verdict.INCOMPLETE,) * 2
    assert "more than the machine has left" in result.properties[0].reason


@pytest.mark.parametrize(("bytes_more", "times"), [(1 << 20, 1), (0, 2)])
def test_levels_are_read_once_if_memory_has_room_for_them(bytes_more, times, monkeypatch):
    """Beside the graph: else its states are numbered first, and read again to be connected."""
    read: list[int] = []

    class Levels(list[Array]):
        def __iter__(self) -> Iterator[Array]:
            read.append(len(self))
            return super().__iter__()

    picture = Picture({(0, WEAK, 0): 1, (1, WEAK, 0): 2}, goal=[2], premise=[0])
    known, states = searched(picture), MemoryExecution.states
    room = liveness._bytes_needed(known.distinct_states, known.generated_states) + bytes_more
    monkeypatch.setattr(MemoryExecution, "states", lambda self: Levels(states(self)))
    monkeypatch.setattr(memory_left, "free_memory", lambda: room)
    assert without_seconds(searched(picture)) == without_seconds(known)
    assert len(read) == times


def without_seconds(result: Result) -> dict[str, object]:
    return {name: one for name, one in result.as_dict().items() if "seconds" not in name}


@pytest.mark.parametrize("seed", range(6))
def test_the_number_of_threads_changes_no_trace(seed):
    one, three = (searched(drawn(seed), threads).as_dict()["properties"] for threads in (1, 3))
    assert one == three
