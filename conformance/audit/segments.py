"""What became of each segment: its records folded by the lifecycle of the model.

A record that the lifecycle forbids changes nothing, as Kafka drops it. Where all records of a
segment are legal they are folded together, by arrays; the others are stepped one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.history import NONE, History, Numbers
from tierproof.conformance.audit.tables import KINDS, SEGMENT, SEGMENT_UPDATE
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition

LEGAL = np.array([[is_valid_transition(a, b) for b in SegmentState] for a in SegmentState])
"""[state before, state of the record]: what the lifecycle says of it."""

STARTED = int(SegmentState.COPY_SEGMENT_STARTED)
FINISHED = int(SegmentState.COPY_SEGMENT_FINISHED)
DELETING = int(SegmentState.DELETE_SEGMENT_STARTED)
DELETED = int(SegmentState.DELETE_SEGMENT_FINISHED)


@dataclass(frozen=True)
class Segments:
    """One element a segment; rows are those of the history, -1 where there is none.

    `row[state]` is the last legal record of the state, `first_finished` the first legal
    COPY_SEGMENT_FINISHED, `before` (one element a record) the
    state that a record found. `start`, `end` (inclusive) and `bytes` are -1 if nothing says them.
    """

    place: Numbers
    state: Numbers
    row: dict[int, Numbers]
    first_finished: Numbers
    first_row: Numbers
    last_row: Numbers
    is_legal: Numbers
    before: Numbers
    description: Numbers
    start: Numbers
    end: Numbers
    bytes: Numbers

    def __len__(self) -> int:
        return len(self.state)

    @cached_property
    def is_live(self) -> Numbers:
        """Its copy has finished, and no deletion has begun."""
        return self.state == FINISHED


def segments_of(history: History) -> Segments:
    """The segments of a history, in the order of their numbers."""
    is_legal, before = _stepped(history)
    at = np.arange(len(history))
    rows = {
        state: _last(history, np.where(is_legal & (history.state == state), at, NONE))
        for state in (STARTED, FINISHED, DELETING, DELETED)
    }
    last_legal = _last(history, np.where(is_legal, at, NONE))
    describing = _last(history, np.where(history.description >= 0, at, NONE))
    description = np.where(describing >= 0, history.description[describing], NONE)
    return Segments(
        place=history.place[history.starts],
        state=np.where(last_legal >= 0, history.state[last_legal], 0),
        row=rows,
        first_finished=_first(
            history, np.where(is_legal & (history.state == FINISHED), at, len(history))
        ),
        first_row=history.starts,
        last_row=history.ends - 1,
        is_legal=is_legal,
        before=before,
        description=description,
        start=_described(history, description, "start_offset"),
        end=_described(history, description, "end_offset"),
        bytes=_described(history, description, "segment_bytes"),
    )


def _last(history: History, rows: Numbers) -> Numbers:
    """The highest element of each segment."""
    return np.maximum.reduceat(rows, history.starts) if len(history) else np.empty(0, np.int64)


def _first(history: History, rows: Numbers) -> Numbers:
    """The lowest element of each segment."""
    return np.minimum.reduceat(rows, history.starts) if len(history) else np.empty(0, np.int64)


def _described(history: History, description: Numbers, name: str) -> Numbers:
    if not len(history.described):
        return np.full(len(description), NONE)
    return np.where(description >= 0, history.described_column(name)[description], NONE)


def _stepped(history: History) -> tuple[Numbers, Numbers]:
    """For each record whether the lifecycle permits it, and the state that it found."""
    before = np.roll(history.state, 1)
    if not len(history):
        return np.empty(0, bool), before
    before[history.starts] = int(SegmentState.ABSENT)
    is_fit = _fits_its_kind(history.kind, history.state)
    is_legal = LEGAL[before, history.state] & is_fit
    if not is_legal.all():
        odd = np.unique(history.segment[~is_legal])
        states, fits = history.state, is_fit
        for segment in odd.tolist():
            _step_one(
                states, fits, is_legal, before, history.starts[segment], history.ends[segment]
            )
    return is_legal, before


def _step_one(
    states: Numbers, fits: Numbers, is_legal: Numbers, before: Numbers, start: int, end: int
) -> None:
    """Step a segment's records through the lifecycle; what it forbids changes nothing."""
    now = int(SegmentState.ABSENT)
    for row in range(start, end):
        before[row] = now
        target = int(states[row])
        is_legal[row] = bool(fits[row]) and is_valid_transition(now, target)
        if is_legal[row]:
            now = target


def _fits_its_kind(kind: Numbers, state: Numbers) -> Numbers:
    """A whole record starts a copy and an update does not; else Kafka throws."""
    is_start = state == STARTED
    update, whole = KINDS.index(SEGMENT_UPDATE), KINDS.index(SEGMENT)
    return ~((kind == update) & is_start) & ~((kind == whole) & ~is_start)


# -- the epochs of a segment


@dataclass(frozen=True)
class Stretches:
    """The part of a segment that one leader wrote: one element a segment and epoch.

    `last` is inclusive. Epochs that wrote nothing are left out. `is_last_epoch`: no later epoch of
    the segment.
    """

    segment: Numbers
    place: Numbers
    epoch: Numbers
    start: Numbers
    last: Numbers


def stretches_of(history: History, segments: Segments, chosen: Numbers) -> Stretches:
    """The stretches of the segments at the indexes `chosen` that are described."""
    chosen = chosen[segments.description[chosen] >= 0]
    described = history.described.take(pa.array(segments.description[chosen]))
    epochs = described["leader_epochs"].combine_chunks()
    starts = described["epoch_starts"].combine_chunks()
    lengths = np.asarray(pc.fill_null(pc.list_value_length(epochs), 0))
    lengths = lengths.astype(np.int64)
    segment = np.repeat(chosen, lengths)
    epoch = np.asarray(pc.list_flatten(epochs), np.int64)
    start = np.asarray(pc.list_flatten(starts), np.int64)
    after = np.roll(start, -1)
    is_last = np.append(np.diff(segment) != 0, True) if len(segment) else np.empty(0, bool)
    last = np.where(is_last, segments.end[segment], after - 1)
    holds = last >= start
    segment = segment[holds]
    return Stretches(segment, segments.place[segment], epoch[holds], start[holds], last[holds])
