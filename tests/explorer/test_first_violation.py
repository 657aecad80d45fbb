"""`--first` ends with the level of the first violation, and reports all that is known then."""

import json

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.test_command_line import JUGS
from tests.toys import jugs, two_phase_commit
from tierproof.spark_explorer.cuts import FIRST
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate


def first(design, scope, **options):
    return explore(design, design.scope(scope), MemoryExecution, first=True, **options)


def test_the_search_ends_with_the_level_of_the_first_violation():
    ablated = two_phase_commit.DESIGN.without("is_init")
    whole = explore(ablated, ablated.scope("three"), MemoryExecution)
    ended = first(ablated, "three")
    assert ended.cut == FIRST
    assert ended.distinct_states < whole.distinct_states
    shortest = [entry.trace for entry in ended.properties if entry.trace is not None]
    assert min(map(len, shortest)) == min(
        len(entry.trace) for entry in whole.properties if entry.trace is not None
    )
    assert len(ended.frontier_sizes) <= min(map(len, shortest)) + 1
    assert Verdict.HOLDS not in {entry.verdict for entry in ended.properties}


def test_only_the_named_property_ends_the_search():
    ended = first(jugs.DESIGN, "three_and_five", only=("water_fits",))
    assert (ended.cut, ended.verdict) == (None, Verdict.HOLDS)
    ended = first(jugs.DESIGN, "three_and_five", only=("never_four",))
    assert (ended.cut, ended.verdict) == (FIRST, Verdict.VIOLATED)


def test_a_witness_ends_nothing_unless_it_is_named():
    ended = first(two_phase_commit.DESIGN, "three")
    assert (ended.cut, ended.distinct_states) == (None, 288)
    (witness, *_) = two_phase_commit.DESIGN.witnesses
    assert first(two_phase_commit.DESIGN, "three", only=(witness.name,)).cut == FIRST


def test_random_walks_end_with_the_first_violation():
    scope = jugs.DESIGN.scope("three_and_five")
    ended = simulate(jugs.DESIGN, scope, seed=1, seconds=60, first=True)
    assert ended.sample is not None
    assert ended.sample.ended_by == "the first violation"
    assert ended.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("engine", [(), ("--engine", "simulate")])
def test_the_command_exits_with_1(engine):
    done = tierproof("explore", JUGS, "--first", "--json", *engine)
    assert done.returncode == 1
    assert json.loads(done.stdout)["properties"][1]["verdict"] == "INCOMPLETE"
