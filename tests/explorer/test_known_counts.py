"""The engine counts what other tools published, or what can be counted by hand."""

import pytest

from tests.toys import clock, jugs, locks, two_phase_commit
from tierproof.model.language import Design
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore


def in_memory(design: Design, scope: str) -> Result:
    return explore(design, design.scope(scope), MemoryExecution, scope_name=scope)


@pytest.mark.parametrize(
    ("scope", "distinct", "generated", "depth"),
    [("three", 288, 1_146, 10), ("five", 8_832, 58_146, 16)],
)
def test_two_phase_commit_has_the_published_counts(scope, distinct, generated, depth):
    result = in_memory(two_phase_commit.DESIGN, scope)
    counts = (result.distinct_states, result.generated_states, result.depth)
    assert counts == (distinct, generated, depth)
    assert result.verdict is Verdict.HOLDS


def test_two_phase_commit_with_eight_managers_has_the_published_counts():
    result = in_memory(two_phase_commit.DESIGN, "eight")
    assert (result.distinct_states, result.generated_states) == (1_745_408, 18_507_778)


def test_generated_states_are_the_initial_ones_and_every_step():
    result = in_memory(two_phase_commit.DESIGN, "three")
    assert sum(result.actions.values()) == result.generated_states - 1


def test_frontiers_add_up_to_the_distinct_states():
    result = in_memory(two_phase_commit.DESIGN, "five")
    assert sum(result.frontier_sizes) == result.distinct_states
    assert len(result.frontier_sizes) == result.depth + 1


def test_a_clock_goes_round_once():
    result = in_memory(clock.DESIGN, "half_day")
    assert (result.distinct_states, result.generated_states, result.depth) == (12, 13, 11)


def test_the_jugs_have_sixteen_states_and_four_gallons_take_six_steps():
    result = in_memory(jugs.DESIGN, "three_and_five")
    assert (result.distinct_states, result.generated_states) == (16, 97)
    never_four, water_fits = result.properties
    assert never_four.verdict is Verdict.VIOLATED
    assert never_four.trace is not None
    assert len(never_four.trace) == 6
    assert never_four.trace.states[-1].big == 4
    assert water_fits.verdict is Verdict.HOLDS


def test_opposite_lock_orders_deadlock_after_two_steps():
    result = in_memory(locks.DESIGN, "two")
    deadlock = result.properties[0]
    assert (deadlock.name, deadlock.verdict) == ("deadlock_free", Verdict.VIOLATED)
    assert deadlock.trace is not None
    assert [str(step) for step in deadlock.trace.steps] == [
        "worker_takes_lock(worker=1)",
        "worker_takes_lock(worker=0)",
    ]


def test_the_variant_that_takes_locks_one_at_a_time_does_not_deadlock():
    result = in_memory(locks.DESIGN.with_variant("one_at_a_time"), "two")
    assert result.verdict is Verdict.HOLDS
    assert result.variants == ("one_at_a_time",)


def test_ablating_the_guard_that_keeps_decisions_single_breaks_the_commit():
    ablated = two_phase_commit.DESIGN.without("is_init")
    result = in_memory(ablated, "three")
    broken = {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}
    assert "no_commit_beside_an_abort" in broken
    assert "TmState_lifecycle" in broken
    assert result.dropped_guards == ("is_init",)
