"""Accusations that the lifecycle of a segment shows: what may not follow, and what never ended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.accusations import of_rows
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.segments import DELETED, DELETING, FINISHED, STARTED, Segments
from tierproof.model.kafka.remote_segment import SegmentState

ABSENT = int(SegmentState.ABSENT)
ATTEMPTS = 3
"""So many attempts of one start, none finished, are no accident."""
WORDS = {int(state): state.name for state in SegmentState} | {ABSENT: "nothing"}


def forbidden(history: History, segments: Segments) -> Iterator[pa.Table]:
    """Records that the lifecycle of the model forbids, each with the state that it found."""
    rows = np.flatnonzero(~segments.is_legal)
    before, state = segments.before[rows], history.state[rows]
    is_described = segments.description[history.segment[rows]] >= 0
    is_unknown = (before == ABSENT) & (state != STARTED) & ~is_described
    is_late = ((before == DELETING) | (before == DELETED)) & (state == FINISHED)
    is_repeated = (before == DELETED) & (state == DELETING)
    is_other = ~(is_unknown | is_late | is_repeated)
    for name, chosen in (
        ("late_copy", rows[is_late]),
        ("deletion_repeated", rows[is_repeated]),
        ("illegal_transition", rows[is_other]),
    ):
        yield of_rows(name, history, segments, chosen, _after(history, segments, chosen))
    odd = np.flatnonzero(history.is_impossible)
    words = ["its offsets or leader epochs cannot be"] * len(odd)
    yield of_rows("impossible_record", history, segments, odd, words)
    yield _not_described(history, segments, rows[is_unknown])


def _after(history: History, segments: Segments, rows: Numbers) -> list[str]:
    pairs = zip(segments.before[rows].tolist(), history.state[rows].tolist(), strict=True)
    return [f"{WORDS[state]} follows {WORDS[before]}" for before, state in pairs]


def _not_described(history: History, segments: Segments, rows: Numbers) -> pa.Table:
    """One accusation a segment; one whose deletion is over does no harm."""
    segment = np.unique(history.segment[rows])
    last = segments.last_row[segment]
    last = last[history.state[last] != DELETED]
    words = [f"{WORDS[state]}, and no record says what it is" for state in history.state[last]]
    return of_rows("not_described", history, segments, last, words)


# -- what never ended


def unended(history: History, segments: Segments, asked: Asked) -> Iterator[pa.Table]:
    """Copies and deletions that began before the age and did not end."""
    is_gone = is_deleted_topic(history, asked)[segments.place]
    is_old = history.appended_ms[segments.last_row] < asked.oldest_young_ms
    rest = np.flatnonzero(is_gone & is_old & (segments.state != DELETED))
    rows = segments.last_row[rest]
    words = [
        f"the topic id is gone, and its last record is {WORDS[s]}" for s in history.state[rows]
    ]
    yield of_rows("deleted_topic_remains", history, segments, rows, words)
    deleting = np.flatnonzero((segments.state == DELETING) & is_old & ~is_gone)
    rows = segments.row[DELETING][deleting]
    words = [f"for {age}" for age in ages(history.appended_ms[rows], asked)]
    yield of_rows("deletion_unfinished", history, segments, rows, words)
    yield from _copies(history, segments, asked, ~is_gone & is_old)


def is_deleted_topic(history: History, asked: Asked) -> Numbers:
    """Of each place whether its topic id is gone."""
    return np.isin(history.places.topic_id, np.array(sorted(asked.deleted_ids), dtype=object))


def _copies(
    history: History, segments: Segments, asked: Asked, is_judged: Numbers
) -> Iterator[pa.Table]:
    never = (segments.row[FINISHED] < 0) & (segments.description >= 0) & is_judged
    failing, attempts = _tried_again(segments, np.flatnonzero(never))
    is_failing = np.zeros(len(segments), bool)
    is_failing[failing] = True
    last, counts = _last_attempts(history, segments, failing, attempts)
    words = [f"{count} attempts, none finished" for count in counts.tolist()]
    yield of_rows("copies_fail", history, segments, segments.first_row[last], words)
    open_copies = np.flatnonzero((segments.state == STARTED) & is_judged & ~is_failing)
    rows = segments.row[STARTED][open_copies]
    newest = np.full(len(history.places), -1)
    began = segments.row[STARTED] >= 0
    np.maximum.at(newest, segments.place[began], history.sequence[segments.row[STARTED][began]])
    is_newest = history.sequence[rows] == newest[segments.place[open_copies]]
    hangs = is_newest & ~is_covered(segments, open_copies)
    for name, chosen in (("copy_hangs", rows[hangs]), ("copy_left", rows[~hangs])):
        words = [f"for {age}" for age in ages(history.appended_ms[chosen], asked)]
        yield of_rows(name, history, segments, chosen, words)


def _tried_again(segments: Segments, never: Numbers) -> tuple[Numbers, Numbers]:
    """Of segments that never finished those of a start with many attempts; the attempts of each."""
    never = never[~is_covered(segments, never)]
    order = never[np.lexsort((segments.start[never], segments.place[never]))]
    if not len(order):
        return order, order
    place, start = segments.place[order], segments.start[order]
    is_first = np.append(True, (np.diff(place) != 0) | (np.diff(start) != 0))
    group = np.cumsum(is_first) - 1
    counts = np.bincount(group)[group]
    many = counts >= ATTEMPTS
    return order[many], counts[many]


def _last_attempts(
    history: History, segments: Segments, failing: Numbers, counts: Numbers
) -> tuple[Numbers, Numbers]:
    """The last attempt of each start in `failing`, which is sorted by place and start."""
    if not len(failing):
        return failing, counts
    sequence = history.sequence[segments.first_row[failing]]
    order = np.lexsort((sequence, segments.start[failing], segments.place[failing]))
    failing, counts = failing[order], counts[order]
    place, start = segments.place[failing], segments.start[failing]
    is_last = np.append((np.diff(place) != 0) | (np.diff(start) != 0), True)
    return failing[is_last], counts[is_last]


def is_covered(segments: Segments, chosen: Numbers) -> Numbers:
    """Of each chosen segment whether one that once finished has its start offset."""
    finished = np.flatnonzero((segments.row[FINISHED] >= 0) & (segments.description >= 0))
    if not len(chosen) or not len(finished):
        return np.zeros(len(chosen), bool)
    finished = finished[np.isin(segments.place[finished], segments.place[chosen])]
    both = np.concatenate([finished, chosen])
    asks = np.repeat([0, 1], [len(finished), len(chosen)])
    order = np.lexsort((asks, segments.start[both], segments.place[both]))
    place = segments.place[both[order]].astype(np.int64)
    ends, rank = np.unique(segments.end[both], return_inverse=True)
    reach = np.where(asks[order] == 0, rank[order] + 1, 0)
    reach = np.maximum.accumulate(place * (len(ends) + 1) + reach) - place * (len(ends) + 1)
    highest = np.where(reach > 0, ends[reach - 1], -1)
    found = np.empty(len(both), bool)
    found[order] = highest >= segments.start[both[order]]
    return found[len(finished) :]


def ages(times: Numbers, asked: Asked) -> list[str]:
    """How long ago each time was, in words."""
    return [age_in_words(asked.now_ms - int(time)) for time in times.tolist()]


def age_in_words(milliseconds: int) -> str:
    """A duration in its largest unit, as `3 days`."""
    for unit, size in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)):
        count = milliseconds // size
        if count >= 1:
            return f"{count} {unit}" + "s" * (count > 1)
    return f"{max(milliseconds, 0) // 1000} s"
