"""What would become of this topic: KIP-1266's compaction, a year of growth, KIP-1272.

Compaction keeps the last record of a key, and what a tombstone names goes: the rule of
`model.kafka.compacted_topic`, here by arrays. Keys are those of `model.designs.kip1266`.
Today's records have no key; each gets the one that the proposal gives it. The leader epoch of a
writer is in no record: the latest epoch that the partition's segments had until then stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import NONE, History, Numbers
from tierproof.conformance.audit.segments import DELETED, FINISHED, STARTED, Segments
from tierproof.conformance.audit.writers import in_topic_order

DAY_MS = 86_400_000
WINDOW_DAYS = 30
READ_PER_SECOND = 50_000
"""Records that one ConsumerTask is taken to read in a second. An assumption, and said to be one."""


@dataclass(frozen=True)
class Compaction:
    """What a cleaned topic has, and which live segments a broker that reads it then lacks."""

    records: int = 0
    bytes: int = 0
    segments_lost: int = 0
    lost_bytes: int = 0

    def __add__(self, other: Compaction) -> Compaction:
        return Compaction(*(a + b for a, b in zip(_values(self), _values(other), strict=True)))


@dataclass(frozen=True)
class Facts:
    """Counts of a history; those of groups add up. `days` is day (epoch) -> (records, bytes).

    `standing_segments` are all but those whose deletion was over before the age, and
    `young_segments` those of them that are too young to be judged.
    """

    records: int
    bytes: int
    places: int
    segments: int
    live_segments: int
    live_bytes: int
    standing_segments: int
    young_segments: int
    transactional_segments: int
    days: dict[int, tuple[int, int]]
    as_written: Compaction
    uuid_and_state: Compaction
    self_contained: Compaction

    def __add__(self, other: Facts) -> Facts:
        mine, its = _values(self), _values(other)
        return Facts(*(_sum(a, b) for a, b in zip(mine, its, strict=True)))


def _sum(a: Any, b: Any) -> Any:
    if not isinstance(a, dict):
        return a + b
    days = set(a) | set(b)
    none = (0, 0)
    return {
        day: tuple(map(sum, zip(a.get(day, none), b.get(day, none), strict=True))) for day in days
    }


def _values(record: Any) -> list[Any]:
    return [getattr(record, one.name) for one in fields(record)]


def facts_of(history: History, segments: Segments, asked: Asked, *, is_listed: bool) -> Facts:
    """The facts of a history; `is_listed`: it was held against a bucket."""
    live = segments.is_live
    is_young = _young(history, segments, asked, is_listed)
    return Facts(
        records=len(history) + len(history.others),
        bytes=int(history.record_bytes.sum(dtype=np.int64))
        + int(pc.sum(history.others["record_bytes"]).as_py() or 0),
        places=len(history.places),
        segments=len(segments),
        live_segments=int(live.sum()),
        live_bytes=int(segments.bytes[live & (segments.bytes >= 0)].sum()),
        standing_segments=int((is_young | (segments.state != DELETED)).sum()),
        young_segments=int(is_young.sum()),
        transactional_segments=_transactional(history, segments),
        days=_days(history),
        **compactions(history, segments),
    )


def _young(history: History, segments: Segments, asked: Asked, is_listed: bool) -> Numbers:
    """Segments with a record after the age, or one that finished after the age of the listing."""
    is_young = history.appended_ms[segments.last_row] >= asked.oldest_young_ms
    if is_listed:
        finished_ms = history.appended_ms[segments.row[FINISHED]]
        is_young |= segments.is_live & (finished_ms >= asked.oldest_unlisted_ms)
    return is_young


def _transactional(history: History, segments: Segments) -> int:
    """Live segments whose records are known to be in aborted transactions."""
    description = segments.description[segments.is_live]
    described = history.described["txn_index_empty"].take(pa.array(description[description >= 0]))
    return int(pc.sum(pc.equal(described, False)).as_py() or 0)


def _days(history: History) -> dict[int, tuple[int, int]]:
    day = history.appended_ms // DAY_MS
    if not len(day):
        return {}
    known, rank = np.unique(day, return_inverse=True)
    records = np.bincount(rank)
    size = np.bincount(rank, weights=history.record_bytes)
    pairs = zip(known.tolist(), records.tolist(), size.tolist(), strict=True)
    return {one: (count, int(total)) for one, count, total in pairs}


# -- KIP-1266


def compactions(history: History, segments: Segments) -> dict[str, Compaction]:
    """What three ways of giving keys keep: the text's, pull request 22774's, and a repair's.

    `self_contained` is `repair_uuid_in_key` with `repair_self_contained_values`: a record of any
    state is as long as the one that describes its segment.
    """
    if not len(history):
        return dict.fromkeys(("as_written", "uuid_and_state", "self_contained"), Compaction())
    state, segment = history.state, history.segment
    written = _as_written(history, segments)
    deleted = segments.row[DELETED]
    gone = np.where(deleted >= 0, history.sequence[deleted], NONE)
    stays = history.sequence > gone[segment]
    by_state = _is_last(history, segment * 8 + state) & stays
    whole = np.zeros(len(history), bool)
    whole[segments.last_row] = True
    whole &= stays
    size = history.record_bytes.astype(np.int64)
    described = np.where(segments.description >= 0, _described_bytes(history, segments), 0)
    return {
        "as_written": _compaction(history, segments, written, size),
        "uuid_and_state": _compaction(history, segments, by_state, size),
        "self_contained": Compaction(
            int(whole.sum()), int(np.maximum(size[whole], described[segment[whole]]).sum())
        ),
    }


def _described_bytes(history: History, segments: Segments) -> Numbers:
    row = np.maximum(segments.row[STARTED], segments.first_row)
    return history.record_bytes[row].astype(np.int64)


def _as_written(history: History, segments: Segments) -> Numbers:
    """Which records the text's keys keep: partition, end offset and leader epoch of the writer."""
    end = segments.end[history.segment]
    epoch = _epochs(history, segments)
    name = _dense(history.place.astype(np.int64), end)
    key = _dense(name, epoch)
    sequence = history.sequence
    deleted = history.state == DELETED
    gone = np.full(int(name.max()) + 1, NONE)
    np.maximum.at(gone, name[deleted], sequence[deleted])
    of_gone = np.full(len(gone), NONE)
    at = np.flatnonzero(deleted & (gone[name] == sequence))
    of_gone[name[at]] = epoch[at]
    is_tombstoned = (sequence <= gone[name]) & (epoch <= of_gone[name])
    return _is_last(history, key) & ~is_tombstoned & (end >= 0)


def _epochs(history: History, segments: Segments) -> Numbers:
    """The latest epoch that a segment of the record's place had, up to the record."""
    last = np.zeros(len(history), np.int64)
    if len(history.described):
        epochs = history.described["leader_epochs"].combine_chunks()
        values = pc.list_flatten(epochs)
        lengths = np.asarray(pc.fill_null(pc.list_value_length(epochs), 0), np.int64)
        ends = np.cumsum(lengths)
        every = np.asarray(values, np.int64)
        highest = np.where(lengths > 0, every[np.maximum(ends - 1, 0)] if len(every) else 0, 0)
        has = history.description >= 0
        last[has] = highest[history.description[has]]
    order = in_topic_order(history)
    place = history.place[order].astype(np.int64)
    width = int(last.max()) + 1
    found = np.empty(len(history), np.int64)
    found[order] = np.maximum.accumulate(place * width + last[order]) - place * width
    return found


def _dense(first: Numbers, second: Numbers) -> Numbers:
    """Numbers for pairs of numbers."""
    _, rank = np.unique(second, return_inverse=True)
    _, found = np.unique(first * (int(rank.max()) + 1) + rank, return_inverse=True)
    return found


def _is_last(history: History, key: Numbers) -> Numbers:
    """Which records are the last of their key."""
    latest = np.full(int(key.max()) + 1, NONE)
    np.maximum.at(latest, key, history.sequence)
    return latest[key] == history.sequence


def _compaction(history: History, segments: Segments, kept: Numbers, size: Numbers) -> Compaction:
    """What a broker lacks: live segments whose description, or whose last state, is not kept."""
    has_description = np.zeros(len(segments), bool)
    has_description[history.segment[kept & (history.description >= 0)]] = True
    has_last = np.zeros(len(segments), bool)
    last = segments.last_row
    has_last[kept[last]] = True
    lost = segments.is_live & ~(has_description & has_last)
    return Compaction(
        int(kept.sum()),
        int(size[kept].sum()),
        int(lost.sum()),
        int(segments.bytes[lost & (segments.bytes >= 0)].sum()),
    )


# -- in a year


def growth(facts: Facts) -> dict[str, float] | None:
    """The rate of the last month, the size in a year, and the time to read it; None if too young.

    The rate is of the days up to the last record, at most WINDOW_DAYS of them.
    """
    if not facts.days:
        return None
    last = max(facts.days)
    first = max(min(facts.days), last - WINDOW_DAYS + 1)
    days = last - first + 1
    recent = [count for day, count in facts.days.items() if day >= first]
    records, size = (sum(one[n] for one in recent) / days for n in range(2))
    return {
        "days": days,
        "records_a_day": records,
        "bytes_a_day": size,
        "records_in_a_year": facts.records + 365 * records,
        "bytes_in_a_year": facts.bytes + 365 * size,
        "seconds_to_read": facts.records / READ_PER_SECOND,
        "seconds_to_read_in_a_year": (facts.records + 365 * records) / READ_PER_SECOND,
    }
