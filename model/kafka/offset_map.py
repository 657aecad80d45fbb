"""The first pass of the log cleaner: the last offset of each key in a stretch of the log.

The map takes a number of distinct keys, floor(slots * load factor). Where it is full, the pass
ends, be it inside a batch, and the pass cleans up to there only: that is a partial pass.
Cleaner#buildOffsetMap, Cleaner#buildOffsetMapForSegment, SkimpyOffsetMap.
Left out: that keys are compared by their hash, throttling.
"""

from __future__ import annotations

from typing import Annotated

from tierproof.model.kafka.cleaner_transactions import (
    CleanedTransactions,
    collect_aborted,
    forget_transactions,
    reads_aborted_batch,
    reads_deletable_marker,
)
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    KeyedLog,
    KeyedScope,
    OptionalOffset,
    is_control,
)
from tierproof.model.kafka.local_segments import floor_base, next_base, segment_end
from tierproof.model.kafka.sized_segments import indexed_position
from tierproof.model.language import NONE, Array, Record


class KeyMap(Record):
    """SkimpyOffsetMap: the last offset of each key, and the latest offset that was read."""

    mapped_offset: Annotated[list[OptionalOffset], Array(KeyedScope.log_keys)]
    map_latest_offset: OptionalOffset


def forget_map(map: KeyMap) -> None:
    """SkimpyOffsetMap#clear."""
    for key in range(len(map.mapped_offset)):
        map.mapped_offset[key] = NONE
    map.map_latest_offset = NONE


def mapped_keys(map: KeyMap) -> int:
    """How many distinct keys the map holds."""
    return sum(offset != NONE for offset in map.mapped_offset)


def fill_map(
    map: KeyMap,
    read: CleanedTransactions,
    log: KeyedLog,
    first_dirty: int,
    end_offset: int,
    most_keys: int,
    index_interval_bytes: int,
) -> None:
    """Cleaner#buildOffsetMap of the segments that hold `first_dirty` to before `end_offset`.

    In the first of them reading begins where the offset index says, which may lie behind an
    ABORT marker whose transaction is collected all the same: the producer is then held to be
    aborting until its next one, and its committed batches are left out of the map.
    """
    forget_map(map)
    forget_transactions(read)
    base = floor_base(log, first_dirty)
    position = indexed_position(log, base, first_dirty, index_interval_bytes)
    collect_for_map(read, log, first_dirty, end_offset, position)
    while base != NONE and base < end_offset:
        end = min(segment_end(log, base), end_offset)
        if maps_segment(map, read, log, position, first_dirty, end, most_keys):
            return
        base = next_base(log, base)
        position = base


def collect_for_map(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int, position: int
) -> None:
    """Collect the aborted transactions of all segments, wherever reading begins (`position`)."""
    collect_aborted(read, log, start_offset, end_offset)


def maps_segment(
    map: KeyMap,
    read: CleanedTransactions,
    log: KeyedLog,
    position: int,
    first_dirty: int,
    end_offset: int,
    most_keys: int,
) -> bool:
    """Read a segment from `position` on into the map; whether that filled it.

    `end_offset` is the next segment's base, or the end of the stretch. Records below
    `first_dirty` are read past: their transactions count, and their keys do not.
    """
    for base in range(position, end_offset):
        batch = log.batch[base]
        if batch.kind == BatchKind.ABSENT:
            continue
        if is_control(batch.kind):
            reads_deletable_marker(read, log, base)
        elif not reads_aborted_batch(read, log, base) and maps_batch(
            map, log, base, first_dirty, most_keys
        ):
            return True
        if batch.last_offset >= first_dirty:
            map.map_latest_offset = batch.last_offset
    map.map_latest_offset = end_offset - 1
    return False


def maps_batch(map: KeyMap, log: KeyedLog, base: int, first_dirty: int, most_keys: int) -> bool:
    """Put the keyed records of a batch; whether the map had no room for one of them.

    A full map takes no record at all, not even one of a key that it has.
    """
    for offset in range(max(base, first_dirty), log.batch[base].last_offset + 1):
        record = log.record[offset]
        if record.is_there and record.key != NONE:
            if mapped_keys(map) >= most_keys:
                return True
            map.mapped_offset[record.key] = offset
            map.map_latest_offset = offset
    return False
