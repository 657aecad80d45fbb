"""Each witness of a compacted, tiered topic is seen in one state, and not in another."""

from __future__ import annotations

import pytest

from tests.invariants.changes import both, put
from tests.invariants.compacted_states import (
    begins_at_0,
    cleaned,
    gone_locally,
    gone_remotely,
    local_from,
    made,
    says,
    serving,
)
from tests.invariants.states import Change
from tierproof.invariants import compaction_witnesses
from tierproof.model.designs.kip405.state import RecordKind
from tierproof.model.designs.kip1272.written_records import DELETED
from tierproof.model.language import Property

PROPERTIES = {
    name: entry for name, entry in vars(compaction_witnesses).items() if isinstance(entry, Property)
}
ELECTED_ELSEWHERE = put("elected_leader", 1)
REPLACED = both(cleaned(1, was_led=True), begins_at_0(1), serving(1, 2))
PAST = both(put("broker.0.group_start", 1), put("broker.0.map_end", 2), local_from(0, 3))
FILTERED = put("broker.0.filters.0.segment", 0)
CLAIMS = both(put("segment.0.cleaner_offsets.0", 2), put("segment.1.cleaner_offsets.0", 1))
REJECTED = both(cleaned(0, was_led=False), CLAIMS, serving(1, 2))
LATER = put("segment.1.cleaner_offsets.1", 2)
DELETION = both(
    says(0, RecordKind.DELETE_SEGMENT_STARTED), says(0, RecordKind.DELETE_SEGMENT_FINISHED)
)
GAP = both(local_from(0, 2), gone_remotely(1))

SEEN: list[tuple[str, Change, Change]] = [
    # name, a state that shows it, one that does not
    (
        "cleaned_version_is_read_from_remote",
        both(cleaned(0, True), local_from(0, 1)),
        cleaned(0, True),
    ),
    (
        "cleaned_version_is_read_from_remote",
        both(cleaned(0, True), local_from(0, 1)),
        local_from(0, 1),
    ),
    (
        "cleaned_version_is_read_from_remote",
        both(cleaned(0, True), local_from(0, 1)),
        both(cleaned(0, True), local_from(0, 1), gone_remotely(0)),
    ),
    ("tombstone_leaves_the_remote_tier", gone_locally(0, 0, 1), gone_locally(1, 0, 1)),
    (
        "tombstone_leaves_the_remote_tier",
        gone_locally(0, 1),
        both(gone_locally(0, 1), put("committed.2.key", 0)),
    ),
    ("filter_skips_a_segment", both(PAST, FILTERED), PAST),
    (
        "filter_skips_a_segment",
        both(PAST, FILTERED),
        both(PAST, FILTERED, put("segment.0.cleaner_offsets.0", 2)),
    ),
    ("filter_skips_a_segment", both(PAST, FILTERED), both(PAST, FILTERED, local_from(0, 0))),
    ("old_version_is_deleted", both(REPLACED, DELETION), REPLACED),
    ("old_version_is_deleted", both(REPLACED, DELETION), both(DELETION, serving(1, 2))),
    ("zombie_claim_is_rejected", both(REJECTED, LATER), REJECTED),
    ("zombie_claim_is_rejected", both(REJECTED, LATER), both(REJECTED, LATER, cleaned(0, True))),
    ("zombie_claim_is_rejected", both(REJECTED, LATER), both(REJECTED, LATER, serving(0, 1, 2))),
    (
        "follower_is_ahead_of_the_remote_tier",
        gone_locally(1, 0),
        both(gone_locally(1, 0), gone_remotely(0)),
    ),
    ("follower_is_ahead_of_the_remote_tier", gone_locally(1, 0), gone_locally(0, 0)),
    (
        "group_becomes_one_segment",
        both(cleaned(2, True), begins_at_0(2), serving(2)),
        both(begins_at_0(2), serving(2)),
    ),
    (
        "group_becomes_one_segment",
        both(cleaned(2, True), begins_at_0(2), serving(2)),
        both(cleaned(2, True), serving(2)),
    ),
    (
        "consumer_crosses_a_gap",
        both(GAP, put("consumer_position", 3)),
        both(GAP, put("consumer_position", 2)),
    ),
    (
        "consumer_crosses_a_gap",
        both(GAP, put("consumer_position", 3)),
        both(local_from(0, 2), put("consumer_position", 3)),
    ),
]


@pytest.mark.parametrize(("name", "shows", "other"), SEEN, ids=[row[0] for row in SEEN])
def test_a_state_that_a_witness_is_and_one_that_it_is_not(
    name: str, shows: Change, other: Change
) -> None:
    assert PROPERTIES[name].function(made(DELETED, shows))
    assert not PROPERTIES[name].function(made(DELETED, other))


@pytest.mark.parametrize("name", sorted({row[0] for row in SEEN} - {"zombie_claim_is_rejected"}))
def test_a_witness_asks_the_elected_leader(name: str) -> None:
    shows = next(row[1] for row in SEEN if row[0] == name)
    state = made(DELETED, shows, ELECTED_ELSEWHERE)
    assert PROPERTIES[name].function(state) == (name == "filter_skips_a_segment")


def test_every_witness_is_tried() -> None:
    assert {row[0] for row in SEEN} == set(PROPERTIES)
