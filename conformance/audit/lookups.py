"""Which segments a lookup reaches, and which offsets they serve: RemoteLogLeaderEpochState.

The mechanism is that of `model.kafka.remote_metadata_cache`, for any number of segments: only
stretches that share offsets with another in their epoch can replace each other, so the others
serve all that they have. Groups of those that do are walked, record by record.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from tierproof.conformance.audit.history import NONE, History, Numbers
from tierproof.conformance.audit.segments import (
    DELETING,
    FINISHED,
    Segments,
    Stretches,
    stretches_of,
)


@dataclass
class Reached:
    """What lookups reach.

    `is_reached` and `is_listed` have one element a segment; `stretches` are those of every segment
    that once finished, sorted by place, epoch and start, `served_last` the last offset (inclusive)
    that a lookup finds in each, NONE if none. `replaced_by` names, for a segment that serves
    nothing in an epoch, the one that took its place.
    """

    is_reached: Numbers
    is_listed: Numbers
    stretches: Stretches
    served_last: Numbers
    replaced_by: dict[int, int] = field(default_factory=dict)


def reached_of(history: History, segments: Segments) -> Reached:
    """What the caches of all brokers reach once they have read the whole history."""
    finished = np.flatnonzero(segments.row[FINISHED] >= 0)
    stretches = _sorted(stretches_of(history, segments, finished))
    is_live = segments.is_live[stretches.segment]
    found = Reached(
        is_reached=np.zeros(len(segments), bool),
        is_listed=np.zeros(len(segments), bool),
        stretches=stretches,
        served_last=np.where(is_live, stretches.last, NONE),
    )
    walked = np.zeros(len(stretches.segment), bool)
    for start, end in _groups_with_overlaps(stretches):
        highest = _highest_before(history, segments, stretches, start, end)
        for cluster in _clusters(stretches, start, end):
            if is_live[cluster].any():
                _walk(history, segments, found, cluster, highest)
                walked[cluster] = True
    alone = is_live & ~walked
    found.is_reached[stretches.segment[alone]] = True
    found.is_listed[stretches.segment[alone]] = True
    return found


def _sorted(stretches: Stretches) -> Stretches:
    order = np.lexsort((stretches.start, stretches.epoch, stretches.place))
    return Stretches(
        segment=stretches.segment[order],
        place=stretches.place[order],
        epoch=stretches.epoch[order],
        start=stretches.start[order],
        last=stretches.last[order],
    )


def _groups_with_overlaps(stretches: Stretches) -> Iterator[tuple[int, int]]:
    """(start, end) of each epoch of a place in which two stretches share an offset."""
    count = len(stretches.segment)
    if not count:
        return
    is_new = (np.diff(stretches.place) != 0) | (np.diff(stretches.epoch) != 0)
    starts = np.flatnonzero(np.append(True, is_new))
    ends = np.append(starts[1:], count)
    shares = np.append((stretches.start[1:] <= stretches.last[:-1]) & ~is_new, False)
    odd = np.logical_or.reduceat(shares, starts)
    yield from zip(starts[odd].tolist(), ends[odd].tolist(), strict=True)


def _clusters(stretches: Stretches, start: int, end: int) -> list[Numbers]:
    """The stretches of a group that overlap, directly or through others, as lists of indexes."""
    reach = np.maximum.accumulate(stretches.last[start:end])
    is_first = np.append(True, stretches.start[start + 1 : end] > reach[:-1])
    bounds = np.append(np.flatnonzero(is_first), end - start) + start
    pairs = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return [np.arange(first, last) for first, last in pairs if last - first > 1]


# -- walking a cluster


@dataclass
class EpochIndex:
    """RemoteLogLeaderEpochState: `referenced` is offsetToId, start offset -> member.

    `overwritten` are in no list at all; `replaced_by` says who took a member's place.
    """

    referenced: dict[int, int] = field(default_factory=dict)
    unreferenced: set[int] = field(default_factory=set)
    overwritten: set[int] = field(default_factory=set)
    replaced_by: dict[int, int] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    """The keys of `referenced`, sorted."""

    def finish(self, member: int, start: int, last: int, highest: int) -> None:
        """handleSegmentWithCopySegmentFinishedState; `highest`: that of the epoch before."""
        if highest <= last:
            while self.starts and self.starts[-1] >= start:
                other = self.referenced.pop(self.starts.pop())
                self.unreferenced.add(other)
                self.replaced_by[other] = member
        overwritten = self.referenced.get(start)
        if overwritten is None:
            insort(self.starts, start)
        elif overwritten != member:
            self.overwritten.add(overwritten)
            self.replaced_by[overwritten] = member
        self.referenced[start] = member
        self.unreferenced.discard(member)
        self.overwritten.discard(member)
        self.replaced_by.pop(member, None)

    def start_delete(self, member: int, start: int) -> None:
        """handleSegmentWithDeleteSegmentStartedState: it is listed, also if it was in no list."""
        if self.referenced.get(start) == member:
            del self.referenced[start]
            self.starts.remove(start)
        self.unreferenced.add(member)
        self.overwritten.discard(member)

    def served(self, last: dict[int, int]) -> dict[int, int]:
        """Of each member that serves reads the last offset, inclusive, that a lookup finds in it.

        A lookup tries the member with the highest start at or below the offset, and no other.
        """
        found = {}
        for key, later in zip_longest(self.starts, self.starts[1:]):
            member = self.referenced[key]
            found[member] = last[member] if later is None else min(last[member], later - 1)
        return found


def _walk(
    history: History,
    segments: Segments,
    found: Reached,
    cluster: Numbers,
    highest: Callable[[int], int],
) -> None:
    """Apply the records of a cluster's segments in their order, and note what is reached."""
    stretches = found.stretches
    index = EpochIndex()
    start = dict(zip(cluster.tolist(), stretches.start[cluster].tolist(), strict=True))
    last = dict(zip(cluster.tolist(), stretches.last[cluster].tolist(), strict=True))
    for sequence, state, member in _events(history, segments, stretches, cluster):
        if state == FINISHED:
            index.finish(member, start[member], last[member], highest(sequence))
        else:
            index.start_delete(member, start[member])
    served = index.served(last)
    for member in cluster.tolist():
        segment = int(stretches.segment[member])
        found.served_last[member] = served.get(member, NONE)
        if not segments.is_live[segment]:
            found.served_last[member] = NONE
            continue
        found.is_reached[segment] |= member in served
        found.is_listed[segment] |= member not in index.overwritten
        if member in index.replaced_by:
            found.replaced_by[segment] = int(stretches.segment[index.replaced_by[member]])


def _events(
    history: History, segments: Segments, stretches: Stretches, cluster: Numbers
) -> list[tuple[int, int, int]]:
    """(place in the topic, state, member) of the legal records that a cache acts on, in order."""
    events = []
    for member in cluster.tolist():
        segment = int(stretches.segment[member])
        for row in range(segments.first_row[segment], segments.last_row[segment] + 1):
            state = int(history.state[row])
            if segments.is_legal[row] and state in (FINISHED, DELETING):
                events.append((int(history.sequence[row]), state, member))
    return sorted(events)


def _highest_before(
    history: History, segments: Segments, stretches: Stretches, start: int, end: int
) -> Callable[[int], int]:
    """A function that says how far an epoch had finished before a record of the topic."""
    sequence = history.sequence[segments.first_finished[stretches.segment[start:end]]]
    order = np.argsort(sequence, kind="stable")
    times = sequence[order]
    reach = np.maximum.accumulate(stretches.last[start:end][order])

    def before(moment: int) -> int:
        at = int(np.searchsorted(times, moment)) - 1
        return int(reach[at]) if at >= 0 else NONE

    return before
