"""Random walks find what a search finds, never say that anything holds, and can be taken again."""

from dataclasses import replace
from typing import Annotated, Any

import pytest

from tests.toys import clock, corridor, counter, jugs, locks, two_phase_commit
from tierproof.model.language import (
    Design,
    Index,
    Interpreter,
    Range,
    Scope,
    ScopeError,
    State,
    action,
    bound,
    initial,
    invariant,
    within_bounds,
)
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.progress import WalkProgress
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate


class Office(Scope):
    bells: int = bound(1, 99, default=99)
    last: int = bound(1, 99, default=5)


class Desk(State):
    rung: Annotated[int, Range(0, 99)]
    bell: Annotated[int, Index(Office.bells)]


@initial
def quiet(state: Desk) -> None:
    """Nothing rang."""


@action()
def clerk_sleeps(state: Desk) -> None:
    """Time passes."""
    state.rung += 1


@action()
def bell_rings(state: Desk, bell: Annotated[int, Index(Office.bells)]) -> None:
    """Any of the bells."""
    state.bell = bell
    state.rung += 1


@within_bounds
def is_office_hour(state: Desk, scope: Office) -> bool:
    """Few bells rang."""
    return state.rung < scope.last


@invariant()
def stays_in_office_hours(state: Desk, scope: Office) -> bool:
    """False in each state outside the bounds, and only there."""
    return state.rung < scope.last


OFFICE = Design(
    name="office",
    title="An office with many bells",
    state=Desk,
    initial=(quiet,),
    system=(clerk_sleeps, bell_rings),
    properties=(stays_in_office_hours,),
    bounds=is_office_hour,
    scopes={"only": Office()},
)


def walked(design: Design, scope: str, **options: Any) -> Result:
    given = {"seed": 1, "walks": 500, **options}
    return simulate(design, design.scope(scope), scope_name=scope, **given)


def entry(result: Result, name: str) -> PropertyResult:
    return next(entry for entry in result.properties if entry.name == name)


def found(result: Result) -> dict[str, Any]:
    """All that is in a result but its times."""
    told = result.as_dict()
    return {name: value for name, value in told.items() if "seconds" not in name}


@pytest.fixture(scope="module")
def counted() -> Result:
    return walked(counter.DESIGN, "ten")


# -- what is found


def test_a_planted_violation_is_found_and_ends_in_the_step_that_violates_it(counted):
    broken = entry(counted, "counts_by_one")
    assert broken.verdict is Verdict.VIOLATED
    assert broken.trace is not None
    assert broken.trace.steps[-1].action == "counter_jumps"


def test_a_broken_lifecycle_is_found(counted):
    law = entry(counted, "Phase_lifecycle")
    assert law.verdict is Verdict.VIOLATED
    assert law.trace is not None
    assert law.trace.steps[-1].action == "counter_falls"


def test_a_state_without_a_successor_is_found():
    result = walked(locks.DESIGN, "two")
    broken = entry(result, "deadlock_free")
    assert broken.trace is not None
    assert len(broken.trace) == 2
    assert not Interpreter(locks.DESIGN, locks.DESIGN.scope("two")).enabled(broken.trace.states[-1])
    assert result.sample is not None
    assert result.sample.at_rest == broken.occurrences == 500


def test_a_violated_invariant_is_violated_in_the_last_state_of_its_trace_only():
    result = walked(jugs.DESIGN, "three_and_five")
    broken = entry(result, "never_four")
    assert broken.trace is not None
    interpreter = Interpreter(jugs.DESIGN, jugs.DESIGN.scope("three_and_five"))
    violated = [
        any(one.name == "never_four" for one in interpreter.violated_in(state))
        for state in broken.trace.states
    ]
    assert violated == [False] * len(broken.trace) + [True]


@pytest.mark.parametrize(
    ("design", "scope"),
    [
        (counter.DESIGN, "ten"),
        (jugs.DESIGN, "three_and_five"),
        (locks.DESIGN, "two"),
        (two_phase_commit.DESIGN.without("is_init"), "three"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_walks_find_what_a_search_finds_in_no_fewer_steps(design, scope):
    searched = explore(design, design.scope(scope), MemoryExecution)
    result = walked(design, scope, walks=2_000, depth=50)
    for one, other in zip(searched.properties, result.properties, strict=True):
        assert (one.verdict is Verdict.VIOLATED) == (other.verdict is Verdict.VIOLATED)
        if one.trace is not None and other.trace is not None:
            assert len(one.trace) <= len(other.trace)
    assert [one.reached or None for one in searched.witnesses] == [
        one.reached for one in result.witnesses
    ]
    assert result.never_taken == searched.never_taken
    assert result.untaken_edges == searched.untaken_edges


def test_witnesses_are_counted_and_one_that_is_not_reached_is_open(counted):
    reached, missed = counted.witnesses
    assert reached.reached is True
    assert reached.occurrences > 0
    assert reached.trace is not None
    assert missed.reached is None
    assert missed.occurrences == 0


# -- what is never said


@pytest.mark.parametrize(
    ("design", "scope"),
    [
        (two_phase_commit.DESIGN, "three"),
        (clock.DESIGN, "half_day"),
        (corridor.DESIGN, "three"),
        (locks.DESIGN.with_variant("one_at_a_time"), "two"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_nothing_holds_though_every_state_was_seen(design, scope):
    result = walked(design, scope)
    assert {one.verdict for one in result.properties} == {Verdict.INCOMPLETE}
    assert result.verdict is Verdict.INCOMPLETE
    assert result.cut


def test_a_result_of_walks_that_says_holds_cannot_be_made(counted):
    held = replace(entry(counted, "value_is_counted"), verdict=Verdict.HOLDS)
    with pytest.raises(ValueError, match="value_is_counted holds"):
        replace(counted, properties=(held, entry(counted, "counts_by_one")))
    with pytest.raises(ValueError, match="that a design holds"):
        replace(counted, properties=(), cut=None)


def test_liveness_is_left_open_and_the_reason_is_given():
    result = walked(corridor.DESIGN, "three")
    (arrives,) = result.properties
    assert arrives.verdict is Verdict.INCOMPLETE
    assert "a walk ends" in arrives.reason


def test_a_trace_is_not_said_to_be_the_shortest(counted):
    traced = [one for one in (*counted.properties, *counted.witnesses) if one.trace is not None]
    assert traced
    assert not any(one.is_shortest for one in traced)
    searched = explore(counter.DESIGN, counter.DESIGN.scope("ten"), MemoryExecution)
    assert all(one.is_shortest for one in searched.properties if one.trace is not None)


# -- the same walks again


def test_a_seed_takes_the_same_walks_on_one_thread_and_on_two():
    alone = walked(two_phase_commit.DESIGN.without("is_init"), "five", threads=1)
    together = walked(two_phase_commit.DESIGN.without("is_init"), "five", threads=2)
    assert found(alone) == found(together)


def test_another_seed_takes_other_walks(counted):
    assert found(walked(counter.DESIGN, "ten", seed=2)) != found(counted)


def test_walks_ended_by_time_are_taken_again_by_their_number():
    timed = walked(two_phase_commit.DESIGN, "five", walks=None, seconds=0.2)
    assert timed.sample is not None
    again = walked(two_phase_commit.DESIGN, "five", walks=timed.sample.walks)
    assert again.generated_states == timed.generated_states
    assert again.actions == timed.actions


def test_every_initial_state_begins_some_walk():
    result = walked(corridor.DESIGN, "three")
    assert result.distinct_states == 6  # three, the door that is closed; and two, one place on


# -- how a walk goes on, and ends


def test_actions_are_as_likely_however_many_arguments_they_have():
    result = walked(OFFICE, "only", walks=2_000)
    assert 4_700 < result.actions["clerk_sleeps"] < 5_300
    assert sum(result.actions.values()) == 10_000


def test_a_walk_that_leaves_the_bounds_is_checked_there_and_ends():
    result = walked(OFFICE, "only")
    assert result.sample is not None
    assert result.sample.outside_bounds == 500
    assert entry(result, "stays_in_office_hours").occurrences == 500
    assert result.depth == 5


def test_a_walk_ends_at_the_greatest_depth():
    result = walked(clock.DESIGN, "half_day", depth=7)
    assert result.sample is not None
    assert (result.sample.at_depth, result.sample.steps, result.depth) == (500, 3_500, 7)
    assert result.distinct_states == 8


def test_a_budget_is_spent_once_in_a_walk(counted):
    assert 0 < counted.actions["counter_jumps"] <= 500
    assert walked(counter.DESIGN, "no_jumps").actions["counter_jumps"] == 0


@pytest.mark.parametrize("walks", [1, 7, 1_234])
def test_so_many_walks_are_taken(walks):
    result = walked(two_phase_commit.DESIGN, "three", walks=walks, depth=9)
    assert result.sample is not None
    assert result.sample.walks == walks
    assert result.sample.at_depth + result.sample.at_rest == walks
    assert result.sample.ended_by == f"the limit of {walks:,} walks"


def test_time_ends_the_walks():
    result = walked(two_phase_commit.DESIGN, "nine", walks=None, seconds=0.3)
    assert result.sample is not None
    assert result.sample.ended_by == "the limit of 0.3 seconds"
    assert result.seconds >= 0.3


@pytest.mark.parametrize(
    "option",
    [{"walks": 0}, {"depth": 0}, {"depth": 2_000_000}, {"seconds": 0.0}, {"seed": -1}],
    ids=str,
)
def test_an_option_out_of_its_limits_is_refused_with_its_value(option):
    ((name, value),) = option.items()
    with pytest.raises(ScopeError, match=f"{name}={value}"):
        walked(clock.DESIGN, "half_day", **option)


def test_an_interrupt_ends_in_a_result():
    def interrupt(progress: WalkProgress) -> None:
        raise KeyboardInterrupt

    result = walked(locks.DESIGN, "two", walks=None, seconds=600, watch=interrupt)
    assert result.sample is not None
    assert result.sample.ended_by == "Ctrl-C"
    assert result.sample.walks > 0
    assert entry(result, "deadlock_free").verdict is Verdict.VIOLATED


def test_progress_is_told():
    seen: list[WalkProgress] = []
    result = walked(locks.DESIGN, "two", watch=seen.append)
    assert seen[-1].steps == result.generated_states
    assert (seen[-1].walks, seen[-1].share, seen[-1].violated) == (500, 1.0, 1)


# -- what is counted


def test_a_few_distinct_states_are_counted_one_by_one():
    assert walked(jugs.DESIGN, "three_and_five").distinct_states == 16


def test_only_what_is_asked_for_is_reported():
    result = walked(counter.DESIGN, "ten", only=("counts_by_one", "breaks"))
    assert [one.name for one in result.properties] == ["counts_by_one"]
    assert [one.name for one in result.witnesses] == ["breaks"]
