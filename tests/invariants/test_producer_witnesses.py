"""Each witness of producers is seen in one state, and not in another; the ghost of batches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.invariants.changes import both, put
from tests.invariants.produced_states import SCOPE, forgets, in_flight, knows, made, stored, wrote
from tests.invariants.states import Change, nothing
from tierproof.invariants import producer_witnesses
from tierproof.invariants.producer_ghosts import note_committed_batches
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.language import NONE, Property

PROPERTIES = {
    name: entry for name, entry in vars(producer_witnesses).items() if isinstance(entry, Property)
}
TAKEN_BACK = both(put("committed.3.epoch", NONE), put("committed.3.is_noted", False))


def built(state: Any) -> None:
    """Broker 1 has begun its log after the first segment, and fetched nothing."""
    log = state.broker[1]
    log.starts_segment[0] = False
    log.log_end_offset = 2


LOCAL_START = put("broker.0.starts_segment.0", False)

SEEN: list[tuple[str, Change, Change]] = [
    # name, a state that shows it, one that does not
    ("leader_will_recognise_a_duplicate", in_flight(0, 0, 1), in_flight(0, 0, 2)),
    ("leader_will_recognise_a_duplicate", in_flight(0, 0, 1), in_flight(0, 1, 1)),
    (
        "leader_will_recognise_a_duplicate",
        in_flight(0, 0, 1),
        both(in_flight(0, 0, 1), forgets(0, 0)),
    ),
    (
        "leader_will_recognise_a_duplicate",
        in_flight(0, 0, 1),
        both(in_flight(0, 0, 1), put("elected_leader", 1)),
    ),
    (
        "leader_will_fence_a_zombie",
        both(in_flight(0, 0, 2), knows(0, 0, 1, 0)),
        both(in_flight(0, 1, 2), knows(0, 0, 1, 0)),
    ),
    (
        "leader_will_fence_a_zombie",
        both(in_flight(0, 0, 2), knows(0, 0, 1, 0)),
        both(in_flight(0, 0, 2), knows(0, 0, 1, 0), put("elected_leader", 1)),
    ),
    ("producer_is_forgotten", forgets(1, 0), nothing),
    (
        "producer_is_forgotten",
        forgets(1, 0),
        both(forgets(1, 0), put("broker.1.presumed_leader", NONE)),
    ),
    ("old_segment_is_copied", nothing, put("segment.0.object_exists", False)),
    ("old_segment_is_copied", nothing, put("segment.0.end_offset", 2)),
    ("topic_with_old_segments_is_tiered", nothing, put("is_tiered", False)),
    ("topic_with_old_segments_is_tiered", nothing, LOCAL_START),
    (
        "topic_with_old_segments_is_tiered",
        nothing,
        put("broker.0.settings.remote_storage_enable", False),
    ),
    ("snapshot_is_stored_with_producers", nothing, stored(0, {})),
    ("snapshot_is_stored_with_producers", nothing, put("segment.0.object_exists", False)),
    ("follower_begins_after_a_snapshot", built, nothing),
    ("follower_begins_after_a_snapshot", built, both(built, stored(0, {}))),
    ("follower_begins_after_a_snapshot", built, both(built, put("segment.0.end_offset", 2))),
    ("follower_begins_after_a_snapshot", built, both(built, put("broker.1.presumed_leader", 1))),
]


@pytest.mark.parametrize(("name", "shows", "other"), SEEN, ids=[row[0] for row in SEEN])
def test_a_state_that_a_witness_is_and_one_that_it_is_not(
    name: str, shows: Change, other: Change
) -> None:
    limits = [SCOPE] if "scope" in PROPERTIES[name].arguments else []
    assert PROPERTIES[name].function(made(shows), *limits)
    assert not PROPERTIES[name].function(made(other), *limits)


def test_every_witness_is_tried() -> None:
    assert {row[0] for row in SEEN} == set(PROPERTIES)


# -- the ghost


def noted(state: Any, offset: int) -> tuple[int, int, int, int]:
    """The batch that is noted at an offset."""
    written = state.committed[offset]
    return written.kind, written.producer, written.producer_epoch, written.sequence


def test_what_is_committed_is_noted_once_with_its_batch():
    state = made(wrote(3, 0, 3))
    note_committed_batches(state)
    assert noted(state, 3) == (BatchKind.DATA, 1, 0, 1)
    assert [written.is_noted for written in state.committed] == [True] * 4 + [False] * 2


def test_a_log_with_a_record_of_another_epoch_does_not_say_what_was_committed():
    other_epoch = both(TAKEN_BACK, put("committed.3.epoch", 1), wrote(3, 0, 3))
    state = made(other_epoch)
    note_committed_batches(state)
    assert not state.committed[3].is_noted
    state = made(other_epoch, put("broker.1.lineage.1", 3))
    note_committed_batches(state)
    assert noted(state, 3) == (BatchKind.DATA, 0, 0, 3)


def test_what_an_unclean_election_takes_back_can_be_committed_anew():
    state = made(put("committed.3.epoch", NONE))
    note_committed_batches(state)
    assert noted(state, 3) == (BatchKind.ABSENT, NONE, NONE, NONE)
    assert not state.committed[3].is_noted
