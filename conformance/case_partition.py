"""A partition of KIP-405 as a named case describes it, from which Replay continues.

The log, the remote segments and the times are set directly; reading the metadata topic, and
everything after, are steps of the design.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tierproof.conformance.lineage import fill
from tierproof.conformance.replaying import RETENTION_DEFAULTS, Replay
from tierproof.model.designs.kip405.metadata import publish
from tierproof.model.designs.kip405.state import RecordKind, TieredPartition
from tierproof.model.kafka.leader_epoch_lineage import set_entries_in_range

MOST_FAILURES = 10


class Copied(NamedTuple):
    """A finished remote segment; without a `lineage` it has that of the leader's log."""

    start_offset: int
    end_offset: int
    bytes: int = 1
    max_timestamp: int = 0
    lineage: Mapping[int, int] | None = None


def scope_of(
    lineage: Mapping[int, int], segments: Sequence[Copied], log_end_offset: int
) -> TieredPartition:
    """A scope large enough for a case and one more leader."""
    epochs = [*lineage, *(epoch for it in segments for epoch in it.lineage or ())]
    ids = max(1, len(segments))
    return TieredPartition(
        brokers=1,
        offsets=log_end_offset + 1,
        leader_epochs=max(epochs) + 2,
        segment_ids=ids,
        clock_ms=RETENTION_DEFAULTS["retention.ms"],
        record_bytes=1_000_000,
        segment_bytes=1_000_000,
        retention_bytes=1_000_000,
        metadata_records=4 * ids + 1,
        planned_deletions=ids * (max(epochs) + 2),
        elections=1,
        failed_deletes=MOST_FAILURES,
    )


def partition_with(
    segments: Sequence[Copied],
    *,
    settings: str = "",
    lineage: Mapping[int, int] | None = None,
    only_local_bytes: int = 1,
    now: int = 0,
) -> Replay:
    """A tiering leader with `segments` remote segments and one more record that is only local."""
    entries = {0: 0} if lineage is None else lineage
    local_start = max(it.end_offset for it in segments) + 1
    replay = Replay(scope_of(entries, segments, local_start + 1))
    replay.conf(f"remote.storage.enable=true;{settings}")
    state = replay.state.copy_for("the case")
    state.clock = now
    state.broker[0].records[local_start].bytes = only_local_bytes
    state.broker[0].records[local_start].timestamp = now
    put_log(state.broker[0], entries, local_start)
    for id, copied in enumerate(segments):
        put_segment(state, id, copied)
    replay.state = state.frozen_for("the case")
    replay.read_metadata()
    return replay


def put_log(me: Any, entries: Mapping[int, int], local_start: int) -> None:
    """A local log of one record, from `local_start`."""
    me.log_end_offset = me.high_watermark = local_start + 1
    me.local_log_start_offset = local_start
    me.starts_segment[0] = False
    me.starts_segment[local_start] = True
    for epoch in range(len(me.lineage)):
        me.lineage[epoch] = entries.get(epoch, -1)


def put_segment(state: Any, id: int, copied: Copied) -> None:
    """A remote segment whose copy is finished, in the store and in the metadata topic."""
    it = state.segment[id]
    it.start_offset, it.end_offset = copied.start_offset, copied.end_offset
    it.bytes, it.max_timestamp = copied.bytes, copied.max_timestamp
    it.object_exists = True
    if copied.lineage is None:
        log = state.broker[0].lineage
        set_entries_in_range(it.lineage, log, copied.start_offset, copied.end_offset + 1)
    else:
        fill(it.lineage, copied.lineage)
    publish(state, id, RecordKind.COPY_SEGMENT_STARTED)
    publish(state, id, RecordKind.COPY_SEGMENT_FINISHED)


def objects_of(replay: Replay) -> list[list[int]]:
    """[start, end] of each segment in the remote store."""
    return sorted(
        [it.start_offset, it.end_offset] for it in replay.state.segment if it.object_exists
    )
