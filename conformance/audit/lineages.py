"""Segments that the newest leader of their partition does not read: out of its lineage.

No record has a leader's lineage, but the segments of the latest epochs show it. It is put
together from the latest epoch down, and each segment that contradicts it is held against it by
the rule of the model, `within_leader_epochs`. Where epochs rise with offsets there is nothing to
hold: such partitions are told apart by arrays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from tierproof.conformance.audit.groups import highest_so_far
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.lookups import Reached
from tierproof.conformance.audit.segments import Segments, Stretches
from tierproof.conformance.lineage import LineageQuestion, answer_to, scope_for

Lineage = dict[int, int]
"""Epoch -> start offset, in the order of epochs."""


def out_of_lineage(history: History, segments: Segments, reached: Reached) -> dict[int, Lineage]:
    """Live segments that are out of the lineage -> the lineage of the newest leader."""
    found: dict[int, Lineage] = {}
    stretches = reached.stretches
    is_live = segments.is_live[stretches.segment]
    live = np.flatnonzero(is_live)
    for rows in _contradicting(stretches.place[live], stretches, live):
        by_segment = _by_segment(stretches, rows)
        lineage = newest_lineage(
            [(own, int(segments.end[segment])) for segment, own in by_segment.items()]
        )
        ordered, log_end = sorted(lineage), 1 + int(segments.end[list(by_segment)].max())
        for segment, own in by_segment.items():
            start, end = int(segments.start[segment]), int(segments.end[segment])
            if not _fits_plainly(own, end, lineage, ordered) and not is_within(
                own, start, end, lineage, log_end
            ):
                found[segment] = lineage
    return found


def _contradicting(place: Numbers, stretches: Stretches, live: Numbers) -> Iterator[Numbers]:
    """The stretches of each place in which a later epoch begins below the end of an earlier one."""
    if not len(live):
        return
    reach, is_new = highest_so_far(place, stretches.last[live])
    is_other_epoch = np.append(False, np.diff(stretches.epoch[live]) != 0) & ~is_new
    goes_back = is_other_epoch & (stretches.start[live] <= np.append(-1, reach[:-1]))
    firsts = np.flatnonzero(is_new)
    odd = np.logical_or.reduceat(goes_back, firsts)
    ends = np.append(firsts[1:], len(live))
    for first, end in zip(firsts[odd].tolist(), ends[odd].tolist(), strict=True):
        yield live[first:end]


def _by_segment(stretches: Stretches, rows: Numbers) -> dict[int, Lineage]:
    found: dict[int, Lineage] = {}
    for row in rows.tolist():
        epochs = found.setdefault(int(stretches.segment[row]), {})
        epochs[int(stretches.epoch[row])] = int(stretches.start[row])
    return found


def newest_lineage(segments: Sequence[tuple[Lineage, int]]) -> Lineage:
    """The lineage that (epochs, end offset) of segments show, from the latest epoch down.

    The start of a segment's first epoch is cut at the segment, so an earlier segment may take it
    further down. What contradicts later epochs is passed over.
    """
    found: Lineage = {}
    for epochs, end in sorted(segments, key=lambda one: (max(one[0]), one[1]), reverse=True):
        if found:
            lowest, last = min(found), max(epochs)
            is_below = last < lowest and end < found[lowest]
            continues = last == lowest and epochs[last] <= found[lowest]
            if not is_below and not continues:
                continue
        found = {**found, **epochs}
    return dict(sorted(found.items()))


def _fits_plainly(epochs: Lineage, end: int, lineage: Lineage, ordered: list[int]) -> bool:
    """Every epoch of the segment is in the lineage, and ends where the lineage has it end."""
    for epoch, start in epochs.items():
        if epoch not in lineage or start < lineage[epoch]:
            return False
        at = bisect_right(ordered, epoch)
        if at == len(ordered):
            continue
        later = ordered[at]
        if later in epochs:
            if epochs[later] != lineage[later]:
                return False
        elif end >= lineage[later] or max(epochs) > epoch:
            return False
    return True


def is_within(epochs: Lineage, start: int, end: int, lineage: Lineage, log_end: int) -> bool:
    """RemoteLogManager#isRemoteSegmentWithinLeaderEpochs, answered by the model.

    Offsets and epochs are numbered anew, in their order: the model's domains are small.
    """
    bounds = sorted({start, end + 1, log_end, *epochs.values(), *lineage.values()})
    number = {offset: n for n, offset in enumerate(bounds)}
    epoch = {e: n for n, e in enumerate(sorted({*epochs, *lineage}))}
    question = LineageQuestion(
        number[start],
        number[end + 1] - 1,
        {epoch[e]: number[s] for e, s in epochs.items()},
        number[log_end],
        {epoch[e]: number[s] for e, s in lineage.items()},
    )
    return answer_to(question, scope_for([question]), is_filtered=True) == "true"
