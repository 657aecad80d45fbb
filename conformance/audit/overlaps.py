"""Segments that share offsets: retention by size counts the bytes of both, now or in the past."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.accusations import of_rows
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.lineages import Lineage
from tierproof.conformance.audit.lookups import Reached
from tierproof.conformance.audit.segments import DELETING, FINISHED, Segments


def overlaps(
    history: History,
    segments: Segments,
    reached: Reached,
    strange: dict[int, Lineage],
    asked: Asked,
    is_judged: Numbers,
) -> Iterator[pa.Table]:
    """Overlaps of live segments, and those that ended with a deletion; `strange` do not count."""
    yield _counting(history, segments, reached, strange, asked, is_judged)
    yield _over(history, segments)


def _counting(
    history: History,
    segments: Segments,
    reached: Reached,
    strange: dict[int, Lineage],
    asked: Asked,
    is_judged: Numbers,
) -> pa.Table:
    """Listed live segments whose offsets an earlier-starting one has, with the bytes of these."""
    counts = segments.is_live & reached.is_listed & (segments.end >= segments.start)
    counts &= is_judged[segments.place]
    counts[list(strange)] = False
    chosen = np.flatnonzero(counts)
    order = chosen[
        np.lexsort((-segments.end[chosen], segments.start[chosen], segments.place[chosen]))
    ]
    rows, twice, words = [], [], []
    for first, end in _odd_places(segments, order):
        group = order[first:end]
        for segment, shared, since in _shared(history, segments, group):
            if since >= asked.oldest_young_ms:
                continue
            length = int(segments.end[segment] - segments.start[segment] + 1)
            rows.append(int(segments.row[FINISHED][segment]))
            twice.append(int(segments.bytes[segment]) * shared // length)
            words.append(f"{shared:,} of its {length:,} offsets are in another that counts")
    return of_rows(
        "overlap", history, segments, np.array(rows, np.int64), words, bytes=np.array(twice, int)
    )


def _shared(history: History, segments: Segments, group: Numbers) -> Iterator[tuple[int, int, int]]:
    """(segment, its offsets that one before it has, since when both are finished)."""
    before, before_ms = -1, 0
    finished = history.appended_ms[segments.row[FINISHED][group]].tolist()
    starts, ends = segments.start[group].tolist(), segments.end[group].tolist()
    for segment, start, end, at_ms in zip(group.tolist(), starts, ends, finished, strict=True):
        shared = min(end, before) - start + 1
        if shared > 0:
            yield segment, shared, max(at_ms, before_ms)
        if end > before:
            before, before_ms = end, at_ms


def _odd_places(segments: Segments, order: Numbers) -> Iterator[tuple[int, int]]:
    """(start, end) in `order` of the places where a segment begins within another."""
    place, start, end = segments.place[order], segments.start[order], segments.end[order]
    if not len(order):
        return
    is_new = np.append(True, np.diff(place) != 0)
    shares = np.append(False, start[1:] <= end[:-1]) & ~is_new
    firsts = np.flatnonzero(is_new)
    odd = np.logical_or.reduceat(shares, firsts)
    ends = np.append(firsts[1:], len(order))
    yield from zip(firsts[odd].tolist(), ends[odd].tolist(), strict=True)


def _over(history: History, segments: Segments) -> pa.Table:
    """Segments that were live together with another of their offsets until one was deleted."""
    once = np.flatnonzero(
        (segments.row[FINISHED] >= 0) & (segments.end >= segments.start) & (segments.start >= 0)
    )
    order = once[np.lexsort((-segments.end[once], segments.start[once], segments.place[once]))]
    finished = history.sequence[segments.first_finished[order]]
    deleting = segments.row[DELETING][order]
    ended = np.where(deleting >= 0, history.sequence[deleting], len(history))
    rows, words = [], []
    for first, end in _odd_places(segments, order):
        holder = first
        for at in range(first + 1, end):
            segment, other = int(order[at]), int(order[holder])
            shares = segments.start[segment] <= segments.end[other]
            together = finished[at] < ended[holder] and finished[holder] < ended[at]
            is_over = deleting[at] >= 0 or deleting[holder] >= 0
            if shares and together and is_over:
                rows.append(int(segments.row[FINISHED][segment]))
                words.append(f"as {history.segment_ids[other].as_py()} until a deletion began")
            if segments.end[segment] > segments.end[other]:
                holder = at
    return of_rows("overlap_is_over", history, segments, np.array(rows, np.int64), words)
