"""What makes a state space big is counted, on spaces whose states are counted by hand."""

from __future__ import annotations

import json
from typing import Annotated

import numpy as np
import pytest

from tests.explorer.commands import tierproof
from tests.toys import clock, counter, two_phase_commit
from tierproof.model.language import GHOST, Array, Budget, Design, Record, State
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.layout import Layout
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.projecting import Projector
from tierproof.spark_explorer.sizing import survey
from tierproof.spark_explorer.sizing.parts import PartKind, parts_of
from tierproof.spark_explorer.sizing.size import Size, size

TWO_PHASE = "tests.toys.two_phase_commit:DESIGN"


def sized(design: Design, scope: str, **bounds: int) -> Size:
    return size(design, design.scope(scope).replace(**bounds), threads=2)


def states_of(design: Design, scope: str) -> list[tuple[int, ...]]:
    """The leaves of every reachable state, found by a search in CPython."""
    run = Interpreter(design, design.scope(scope))
    found = {tuple(one.leaves): one for one in run.initial_states()}
    frontier = list(found.values())
    while frontier:
        state = frontier.pop()
        for step in run.enabled(state):
            after = run.take(state, step)
            if tuple(after.leaves) not in found:
                found[tuple(after.leaves)] = after
                frontier.append(after)
    return list(found)


@pytest.fixture(scope="module")
def three() -> Size:
    return sized(two_phase_commit.DESIGN, "three")


def test_the_factor_of_each_part_is_that_of_a_projection_made_by_hand(three):
    states = states_of(two_phase_commit.DESIGN, "three")
    for one in three.parts:
        others = [at for at in range(len(states[0])) if at not in one.part.leaves]
        left = len({tuple(state[at] for at in others) for state in states})
        values = len({tuple(state[at] for at in one.part.leaves) for state in states})
        assert (one.left, one.values) == (left, values), one.part.name
        assert one.factor == pytest.approx(288 / left)
        assert one.is_exact
    assert {one.part.name for one in three.fields} >= {"rm[*]", "tm", "commit_sent"}


def test_an_actor_is_a_group_of_the_fields_that_it_alone_changes(three):
    paths = [placed.path for placed in two_phase_commit.DESIGN.layout(three_managers()).leaves]
    own = {one.part.name: [paths[at] for at in one.part.leaves] for one in three.groups}
    assert own["RM 1"] == ["rm[1]", "prepared_sent[1]"]
    assert own["TM"][0] == "tm"


def three_managers() -> two_phase_commit.Managers:
    return two_phase_commit.Managers(resource_managers=3)


class Desk(Record):
    lamp: bool
    drawer: bool


class Office(State):
    desk: Annotated[list[Desk], Array(2)]
    visits: Annotated[int, Budget(1)]
    calls: Annotated[int, Budget(1)]
    was_lit: Annotated[bool, GHOST]
    was_open: Annotated[bool, GHOST]


def test_records_budgets_and_ghosts_are_groups():
    found = {
        one.name: (one.kind, one.leaves) for one in parts_of(Layout(Office, None), {"Ann": (0, 4)})
    }
    assert found == {
        "desk[*].lamp": (PartKind.FIELD, (0, 2)),
        "desk[*].drawer": (PartKind.FIELD, (1, 3)),
        "visits": (PartKind.FIELD, (4,)),
        "calls": (PartKind.FIELD, (5,)),
        "was_lit": (PartKind.FIELD, (6,)),
        "was_open": (PartKind.FIELD, (7,)),
        "desk[0]": (PartKind.RECORD, (0, 1)),
        "desk[1]": (PartKind.RECORD, (2, 3)),
        "all budgets": (PartKind.BUDGETS, (4, 5)),
        "all ghosts": (PartKind.GHOSTS, (6, 7)),
        "Ann": (PartKind.ACTOR, (0, 4)),
    }


def test_a_group_of_the_leaves_of_a_field_is_not_measured_again():
    names = [one.name for one in parts_of(Layout(Office, None), {"Ann": (4,), "Bob": (0, 1)})]
    assert not {"Ann", "Bob"} & set(names)


def test_a_field_that_never_changes_has_one_value_and_no_part_in_the_size():
    (jumps,) = (one for one in sized(counter.DESIGN, "no_jumps").fields if one.part.name == "jumps")
    assert (jumps.values, jumps.factor) == (1, 1.0)


def test_actions_have_the_states_that_they_generate_and_reach_first(three):
    assert sum(one.generated for one in three.actions) == three.generated_states - 1
    assert sum(one.first_reached for one in three.actions) == three.distinct_states - 1
    aborts = next(one for one in three.actions if one.name == "tm_aborts")
    states = states_of(two_phase_commit.DESIGN, "three")
    assert aborts.enabled == sum(state[3] == two_phase_commit.TmState.INIT for state in states)


def test_a_design_that_only_goes_forward_has_no_cycle(three):
    assert three.cycles is not None
    assert (three.cycles.components, three.cycles.states) == (0, 0)


def test_a_clock_is_one_cycle_by_its_only_action():
    cycles = sized(clock.DESIGN, "half_day").cycles
    assert cycles is not None
    assert (cycles.components, cycles.states, cycles.largest) == (1, 12, 12)
    assert cycles.steps == {"clock_ticks": 12}


def test_a_step_that_leaves_its_component_is_on_no_cycle():
    """The budget of jumps is never given back; counting and falling go round."""
    cycles = sized(counter.DESIGN, "ten").cycles
    assert cycles is not None
    assert set(cycles.steps) == {"counter_counts", "counter_falls"}


def test_a_search_that_was_cut_is_measured_on_its_whole_levels():
    design = two_phase_commit.DESIGN
    found = size(design, design.scope("five"), max_states=1_000, threads=2)
    assert found.cut
    assert found.measured == sum(found.frontier_sizes)
    assert 1 < found.fields[0].factor <= found.measured


def test_cycles_that_would_take_too_long_are_left_out_with_the_reason(monkeypatch):
    monkeypatch.setattr(survey, "ROWS", 16)
    kept = survey.Surveyor.survey
    monkeypatch.setattr(survey.Surveyor, "survey", lambda self, _, fits: kept(self, 0, fits=fits))
    found = sized(two_phase_commit.DESIGN, "three")
    assert found.cycles is None
    assert found.no_cycles == survey.TOO_LONG
    assert 0 < found.surveyed < found.distinct_states


def test_without_memory_for_the_graph_a_sample_of_states_is_surveyed(monkeypatch):
    monkeypatch.setattr(survey, "SAMPLED", 40)
    monkeypatch.setattr(memory_left, "free_memory", lambda: 1 << 14)
    states = [np.arange(9, dtype=np.uint64).reshape(-1, 1), np.zeros((300, 1), np.uint64)]
    kernel = Kernel(counter.DESIGN, counter.DESIGN.scope("ten"))
    found = survey.survey_of(kernel, states, 1_000, 2, 9.0)
    assert found.no_cycles == survey.NO_MEMORY
    assert 30 < found.surveyed <= 42
    assert found.enabled["counter_counts"] > 0


def test_what_was_searched_is_not_lost_when_measuring_is_interrupted(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tierproof.spark_explorer.sizing.size.sizes_of", interrupted)
    found = sized(two_phase_commit.DESIGN, "three")
    assert (found.parts, found.not_measured) == ((), "interrupted")
    assert found.distinct_states == 288
    assert found.cycles is not None
    done = tierproof("size", TWO_PHASE, "--scope", "three")
    assert done.returncode == 3
    assert "No field is measured: interrupted" in done.stdout


def test_more_projections_than_a_table_holds_are_estimated_within_its_error():
    states = np.arange(100_000, dtype=np.uint64).reshape(-1, 1)
    count, is_exact = Projector(1 << 14).count([states], ~np.zeros(1, np.uint64))
    assert not is_exact
    assert count == pytest.approx(100_000, rel=0.06)


def test_as_many_projections_as_a_table_holds_are_counted():
    states = np.arange(100_000, dtype=np.uint64).reshape(-1, 1)
    mask = np.array([0xFFF], np.uint64)
    assert Projector(1 << 14).count([states[:7], states], mask) == (4096, True)


def test_the_command_prints_a_table_of_factors():
    done = tierproof("size", TWO_PHASE, "--scope", "three")
    assert done.returncode == 0
    assert "288 distinct states of 16 bits" in done.stdout
    assert [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("rm[*]")] == [
        ["rm[*]", "5.24"]
    ]
    assert "cycles: none" in done.stdout


def test_the_command_prints_everything_as_json():
    found = json.loads(tierproof("size", TWO_PHASE, "--scope", "three", "--json").stdout)
    assert found["fields"][0]["name"] == "rm[*]"
    assert found["fields"][0]["states_without_it"] == 55
    assert {one["name"] for one in found["groups"]} == {"TM", "RM 0", "RM 1", "RM 2"}
    assert sum(found["frontier_sizes"]) == 288


def test_the_command_says_that_the_search_was_cut():
    done = tierproof("size", TWO_PHASE, "--scope", "five", "--max-states", "500")
    assert done.returncode == 3
    assert "The search was cut: the limit of 500 states" in done.stdout
