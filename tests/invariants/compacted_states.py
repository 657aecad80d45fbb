"""Hand-made states of a compacted, tiered topic, and what can be done to them."""

from __future__ import annotations

from typing import Any

from tests.invariants.changes import both, put
from tests.invariants.states import Change
from tierproof.model.designs.kip405.metadata import publish
from tierproof.model.designs.kip405.state import RecordKind
from tierproof.model.designs.kip1272 import DESIGN
from tierproof.model.designs.kip1272.state import CompactedPartition
from tierproof.model.designs.kip1272.written_records import (
    ABORTED,
    DELETED,
    DELETED_IN_TRANSACTION,
    UPDATED,
)
from tierproof.model.kafka.segment_versions import forget_record
from tierproof.model.language import Interpreter

RECORDS = {UPDATED: 2, DELETED: 3, ABORTED: 4, DELETED_IN_TRANSACTION: 4}
SCOPE = CompactedPartition(
    brokers=2,
    offsets=4,
    appends=2,
    topic_keys=2,
    segment_ids=6,
    leader_epochs=2,
    metadata_records=12,
    planned_deletions=6,
    elections=1,
    consumers=1,
)


def made(history: int, *changes: Change) -> Any:
    """How the scope with this history begins; then the changes."""
    end = RECORDS[history]
    scope = SCOPE.replace(history=history, copied=end, appends=4 - end)
    state = Interpreter(DESIGN, scope).initial_states()[0].copy_for("a test")
    for change in changes:
        change(state)
    return state


def gone_locally(broker: int, *offsets: int) -> Change:
    """The cleaner of the broker has removed these records from its log."""

    def change(state: Any) -> None:
        for offset in offsets:
            forget_record(state.broker[broker].records[offset])

    return change


def gone_remotely(*ids: int) -> Change:
    """The objects of these ids hold a version without their record."""

    def change(state: Any) -> None:
        for id in ids:
            forget_record(state.segment[id].records[id])

    return change


def local_from(broker: int, offset: int) -> Change:
    """Local retention has removed what lies below."""
    return put(f"broker.{broker}.local_log_start_offset", offset)


def cleaned(id: int, was_led: bool) -> Change:
    """A cleaner has uploaded the segment, as the elected leader or as a zombie."""
    return both(put(f"segment.{id}.is_cleaned", True), put(f"segment.{id}.was_led", was_led))


def claim(id: int, epoch: int, offset: int) -> Change:
    """The vector of the segment has this cleaner offset for an epoch."""
    return put(f"segment.{id}.cleaner_offsets.{epoch}", offset)


def serving(*ids: int) -> Change:
    """The cache of broker 0 reads these ids only."""
    return put("broker.0.cache.epoch.0.referenced", set(ids))


def says(id: int, kind: RecordKind) -> Change:
    """Another record of the metadata topic, which nobody has read."""

    def change(state: Any) -> None:
        publish(state, id, kind)

    return change


def begins_at_0(id: int) -> Change:
    """The segment covers the ones before it, too."""
    return both(put(f"segment.{id}.start_offset", 0), put(f"segment.{id}.lineage.0", 0))
