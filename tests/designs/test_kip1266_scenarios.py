"""KIP-1266's five scenarios: the model takes them; where its tables are wrong, it says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.keys import WIDTH, kind_of, segment_of
from tierproof.model.designs.kip1266.scenarios import (
    DELETION,
    LEADERSHIP,
    NORMAL,
    PARTITION,
    RETRY,
    SCENARIOS,
    Scenario,
    begin,
    elect,
    finish,
    read,
    start,
)
from tierproof.model.designs.kip1266.state import Kind
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.remote_segment import SegmentState


def walk_of(scenario: Scenario, *variants: str) -> Walk:
    """A walk through KIP-1266 in the scope of a scenario."""
    return Walk(DESIGN, scenario.scope, *variants)


def restarted(walk: Walk, broker: int) -> Walk:
    """The broker begins anew, and reads all of the topic."""
    walk.take(act("broker_restarts", broker=broker))
    return walk.take(*read(broker, walk.state.metadata.end))


def told(state: Any) -> list[tuple[int, int, str, int]]:
    """The topic as the tables have it: end offset, epoch, state, id."""
    rows = []
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        kind = Kind(kind_of(it.value))
        is_marker = kind >= Kind.DELETE_PARTITION_STARTED
        epoch = -1 if is_marker else it.key % WIDTH
        id = -1 if is_marker or kind == Kind.TOMBSTONE else segment_of(it.value)
        rows.append((it.key // WIDTH, epoch, kind.name, id))
    return rows


def known(state: Any, broker: int, ignoring: tuple[int, ...] = ()) -> dict[int, str]:
    """The ids that a broker's cache has, with their states."""
    states = enumerate(state.broker[broker].cache.state)
    return {
        id: SegmentState(it).name
        for id, it in states
        if it != SegmentState.ABSENT and id not in ignoring
    }


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_topic_is_as_the_tables_say_at_every_stage(scenario: Scenario) -> None:
    walk = walk_of(scenario)
    for stage in scenario.stages:
        walk.take(*stage.steps)
        assert told(walk.state) == list(stage.topic), stage.name


@pytest.mark.parametrize(
    ("scenario", "broker", "really"),
    [
        (NORMAL, 0, {}),
        (LEADERSHIP, 0, {}),
        (RETRY, 0, {}),
        (DELETION, 0, {}),
        (PARTITION, 0, {}),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_broker_that_reads_the_compacted_topic_finds_nothing(
    scenario: Scenario, broker: int, really: dict[int, str]
) -> None:
    """What is left of a copied segment is an update, and an update without its base is dropped."""
    walk = restarted(walk_of(scenario).take(*scenario.steps), broker)
    assert known(walk.state, broker, scenario.ignoring) == really


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_with_self_contained_values_the_cache_result_is_the_promised_one(
    scenario: Scenario,
) -> None:
    walk = restarted(walk_of(scenario, "repair_self_contained_values").take(*scenario.steps), 0)
    assert known(walk.state, 0, scenario.ignoring) == scenario.promised


@pytest.mark.parametrize(
    ("scenario", "broker", "cached"),
    [
        (NORMAL, 0, NORMAL.promised),
        (LEADERSHIP, 1, LEADERSHIP.promised),
        (RETRY, 0, {0: "COPY_SEGMENT_STARTED", 1: "COPY_SEGMENT_FINISHED"}),
        (DELETION, 0, {0: "COPY_SEGMENT_FINISHED", 1: "COPY_SEGMENT_FINISHED"}),
        (PARTITION, 0, PARTITION.promised),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_broker_that_read_along_knows_what_the_history_says(
    scenario: Scenario, broker: int, cached: dict[int, str]
) -> None:
    """The failed attempt, and the copies that nobody deleted, are in it: not so in the tables."""
    walk = walk_of(scenario).take(*scenario.steps)
    walk.take(*read(broker, walk.state.metadata.end - walk.state.broker[broker].position))
    assert known(walk.state, broker, scenario.ignoring) == cached


def test_scenario_1_loses_the_log_to_a_leader_that_begins_anew() -> None:
    walk = restarted(walk_of(NORMAL).take(*NORMAL.steps), 0).take(begin())
    assert walk.state.broker[0].log_start == 1
    assert walk.state.segment[0].object_exists


@pytest.mark.parametrize(("order", "serves"), [((0, 1), 1), ((1, 0), 0)])
def test_scenario_2_serves_whatever_finished_last_not_the_higher_epoch(
    order: tuple[int, int], serves: int
) -> None:
    """ "selects UUID-B (epoch 4 > 3) for reads": the cache does not look at brokerLeaderEpoch."""
    walk = walk_of(LEADERSHIP).take(begin(), start(), *elect(1), begin(1), start(1))
    walk.take(*finish(order[0]), *finish(order[1]))
    walk.take(*read(1, walk.state.metadata.end - walk.state.broker[1].position))
    assert lookup(walk.state.broker[1].cache, walk.state.segment, 0, 0) == serves


def test_scenario_3_leaves_the_first_object_to_nobody() -> None:
    walk = walk_of(RETRY).take(*RETRY.steps)
    assert walk.state.segment[0].object_exists
    assert walk.state.replayed.state[0] == SegmentState.ABSENT


def test_scenario_4_forgets_two_copies_whose_objects_it_did_not_delete() -> None:
    walk = walk_of(DELETION).take(*DELETION.steps)
    assert [it.object_exists for it in walk.state.segment][:3] == [True, True, False]
    assert all(walk.state.replayed.state[i] == SegmentState.ABSENT for i in range(3))
