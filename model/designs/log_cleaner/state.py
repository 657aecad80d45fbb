"""One replica of a compacted partition, the cleaner's thread, and what was committed.

Every batch has one record and counts one byte, and index.interval.bytes is 0: so the offset
index has an entry for each batch but the first of a segment. A value is 0; NONE is a tombstone.
Times are told by delete horizons alone: NONE, AHEAD, or OVER.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.cleaner_transactions import CleanedTransactions
from tierproof.model.kafka.keyed_log import (
    KeyedLog,
    KeyedScope,
    OffsetEnd,
    OptionalOffset,
)
from tierproof.model.kafka.offset_map import KeyMap
from tierproof.model.language import (
    GHOST,
    Actor,
    Array,
    Budget,
    Index,
    Lifecycle,
    State,
    bound,
)

RECORD_BYTES = 1
INDEX_INTERVAL_BYTES = 0

OVER = 0
AHEAD = 1
"""A delete horizon: in the past, in the future. The clock always stands at 0, and horizons move."""


class CleanerScope(KeyedScope):
    """How much the offset map and a segment hold, and how often the broker crashes.

    `map_keys`: floor(slots * load factor), the distinct keys of a pass. `segment_records`: as
    many are grouped into one cleaned segment.
    """

    map_keys: int = bound(1, 1_000_000, default=1)
    segment_records: int = bound(1, 1_000_000, default=8)
    crashes: int = bound(0, 7, default=0)


Producer = Annotated[int, Index(CleanerScope.producers)]
OptionalValue = Annotated[int, Index(CleanerScope.log_values, optional=True)]


class CleanerStep(IntEnum):
    """How far the cleaner's thread is with a pass."""

    IDLE = 0
    CLEANING = 1
    """The offset map is filled; the groups from `next_base` on are to be cleaned."""


CLEANER = Actor(
    "cleaner",
    at="cleaner",
    life=Lifecycle(
        CleanerStep,
        [("the broker crashes", CleanerStep.CLEANING, CleanerStep.IDLE)],
        source="Cleaner#doClean",
    ),
)


class CompactedPartition(State):
    """The log, the pass that is running, and the checkpoint of the last one that ended.

    Ghosts: `committed_offset` and `committed_value` of each key are those of its last
    committed record below the last stable offset, be it still there or not; `noted_end` is
    that offset. `is_aborted` are the records of aborted transactions that are there.
    """

    log: KeyedLog
    cleaner: CleanerStep
    next_base: OffsetEnd
    map: KeyMap
    read: CleanedTransactions
    checkpoint: OffsetEnd

    crashes: Annotated[int, Budget(CleanerScope.crashes)]

    noted_end: Annotated[OffsetEnd, GHOST]
    committed_offset: Annotated[list[OptionalOffset], Array(KeyedScope.log_keys), GHOST]
    committed_value: Annotated[list[OptionalValue], Array(KeyedScope.log_keys), GHOST]
    is_aborted: Annotated[list[bool], Array(KeyedScope.offsets), GHOST]
