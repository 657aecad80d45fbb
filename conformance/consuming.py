"""Requests of clients to the leader of a partition: records by offset, offsets by name or time.

ListOffsets is UnifiedLog#fetchOffsetByTimestamp, RemoteLogManager#findOffsetByTimestamp. Not
modelled: consumer groups and positions, batches, the size of a fetch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tierproof.conformance.replicas import Replicas
from tierproof.model.kafka.fetch_routing import FetchRoute
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    epoch_for_offset,
    is_in_lineage,
    latest_epoch,
    next_epoch,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_metadata_cache import next_listed
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE

NOT_FOUND = [NONE, NONE]


class Consumed(NamedTuple):
    """The number of records consumed, the number from the remote tier, and the start offset."""

    records: int
    remote: int
    start_offset: int


def consume(replicas: Replicas, offset: int, end_offset: int | None = None) -> Consumed:
    """Fetch one record after the other, up to `end_offset` or the last committed record.

    A consumer that begins before the log start is reset to it (auto.offset.reset=earliest).
    """
    leader = replicas.leader
    end = int(leader.high_watermark if end_offset is None else end_offset)
    start = offset
    if replicas.fetch(str(start)) == FetchRoute.OUT_OF_RANGE.name:
        start = int(leader.log_start_offset)
    routes = []
    for at in range(start, end):
        route = replicas.fetch(str(at))
        if route not in (FetchRoute.LOCAL.name, FetchRoute.REMOTE.name):
            break
        if route == FetchRoute.LOCAL.name and not first_base(leader) <= at < leader.high_watermark:
            break
        routes.append(route)
    return Consumed(len(routes), routes.count(FetchRoute.REMOTE.name), start)


def list_offset(replicas: Replicas, what: str, first_time: int) -> list[int]:
    """[leader epoch, offset] of an OffsetSpec; a time is `ts` or `ts+N`, ms after `first_time`."""
    me = replicas.leader
    if what.startswith("ts"):
        return offset_for_time(replicas, first_time + int(what.removeprefix("ts") or 0))
    offset = {
        "earliest": me.log_start_offset,
        "earliestLocal": me.local_log_start_offset,
        "latestTiered": me.highest_remote_offset,
        "latest": me.high_watermark,
    }[what]
    epochs = {"earliest": earliest_epoch(me.lineage), "latest": latest_epoch(me.lineage)}
    return [int(epochs.get(what, epoch_for_offset(me.lineage, offset))), int(offset)]


def offset_for_time(replicas: Replicas, timestamp: int) -> list[int]:
    """The first record at or after a time: in the remote tier, else in the local log."""
    me, times = replicas.leader, replicas.times
    if me.settings.remote_storage_enable:
        epoch = epoch_for_offset(me.lineage, me.log_start_offset)
        while epoch != NONE:
            if (found := remote_segment_for_time(replicas, epoch, timestamp)) is not None:
                start = max(int(found.start_offset), int(me.log_start_offset))
                offsets = range(start, int(found.end_offset) + 1)
                return first_of([at for at in offsets if times[at] >= timestamp], found.lineage)
            epoch = next_epoch(me.lineage, epoch)
    offsets = range(int(me.local_log_start_offset), int(me.high_watermark))
    return first_of([at for at in offsets if times[at] >= timestamp], me.lineage)


def remote_segment_for_time(replicas: Replicas, epoch: int, timestamp: int) -> Any:
    """The first listed segment of the epoch that may have a record at or after the time."""
    me, segment = replicas.leader, replicas.state.segment
    id = next_listed(me.cache, segment, epoch, NONE)
    while id != NONE:
        candidate = segment[id]
        if (
            candidate.max_timestamp >= timestamp
            and candidate.end_offset >= me.log_start_offset
            and is_in_lineage(candidate, me.lineage, me.log_end_offset)
            and me.cache.state[id] == SegmentState.COPY_SEGMENT_FINISHED
        ):
            return candidate
        id = next_listed(me.cache, segment, epoch, id)
    return None


def first_of(offsets: list[int], lineage: Any) -> list[int]:
    """[leader epoch, offset] of the first one, or NOT_FOUND."""
    return [int(epoch_for_offset(lineage, offsets[0])), offsets[0]] if offsets else NOT_FOUND
