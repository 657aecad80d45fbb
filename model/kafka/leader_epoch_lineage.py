"""The leader-epoch lineage: which leader wrote which offsets, and what follows for a segment.

A lineage is an array with one element for each leader epoch: the first offset that this
leader wrote, or NONE where the lineage has no entry of the epoch. So it is sorted by epoch
as in Kafka, and two equal lineages are equal states. A replica has one (its leader-epoch
cache), and each remote segment has one (its segmentLeaderEpochs).
LeaderEpochFileCache, RemoteLogManager#isRemoteSegmentWithinLeaderEpochs.
Left out: the checkpoint file and when it is flushed.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.scope import Lineage
from tierproof.model.language import NONE


class Within(IntEnum):
    """The answer of isRemoteSegmentWithinLeaderEpochs, or what it throws."""

    OUT_OF_LINEAGE = 0
    IN_LINEAGE = 1
    NO_SUCH_ELEMENT = 2
    """NoSuchElementException: one of the two lineages is empty."""


# -- reading: an epoch, or NONE


def next_epoch(lineage: Lineage, epoch: int) -> int:
    """The lowest epoch above `epoch` that has an entry, or NONE; from NONE, the earliest."""
    for e in range(epoch + 1, len(lineage)):
        if lineage[e] != NONE:
            return e
    return NONE


def previous_epoch(lineage: Lineage, epoch: int) -> int:
    """The highest epoch below `epoch` that has an entry, or NONE."""
    for e in range(epoch - 1, -1, -1):
        if lineage[e] != NONE:
            return e
    return NONE


def earliest_epoch(lineage: Lineage) -> int:
    """The first leader of the lineage, or NONE where it is empty."""
    return next_epoch(lineage, NONE)


def latest_epoch(lineage: Lineage) -> int:
    """The last leader of the lineage, or NONE where it is empty."""
    return previous_epoch(lineage, len(lineage))


def epoch_for_offset(lineage: Lineage, offset: int) -> int:
    """LeaderEpochFileCache#epochForOffset: who wrote `offset`, or NONE below the first entry.

    From the latest entry's start on it is the latest epoch, at and past the log end too.
    """
    found = NONE
    for e in range(len(lineage)):
        if lineage[e] != NONE and lineage[e] > offset:
            return found
        if lineage[e] != NONE:
            found = e
        if lineage[e] == offset:
            return e
    return found


def end_offset_for(lineage: Lineage, epoch: int, log_end_offset: int) -> tuple[int, int]:
    """LeaderEpochFileCache#endOffsetFor: (epoch, its end, exclusive); (NONE, NONE) if unknown.

    For an epoch without entry: the epoch before it, or itself if there is none, and the
    start of the next one.
    """
    if epoch == NONE:
        return NONE, NONE
    if epoch == latest_epoch(lineage):
        return epoch, log_end_offset
    later = next_epoch(lineage, epoch)
    if later == NONE:
        return NONE, NONE
    floor = previous_epoch(lineage, epoch + 1)
    return (epoch if floor == NONE else floor), lineage[later]


def epoch_end(lineage: Lineage, epoch: int, otherwise: int) -> int:
    """The start of the next epoch (exclusive end of this one); `otherwise` for the latest."""
    later = next_epoch(lineage, epoch)
    return otherwise if later == NONE else lineage[later]


def is_shadowed(lineage: Lineage, epoch: int) -> bool:
    """RemoteLogManager#buildFilteredLeaderEpochMap drops it: the next leader starts where it does.

    Such an epoch wrote nothing.
    """
    later = next_epoch(lineage, epoch)
    return later != NONE and lineage[later] == lineage[epoch]


# -- changing a lineage in place


def clear(lineage: Lineage) -> None:
    """LeaderEpochFileCache#clear: no entry is left."""
    for e in range(len(lineage)):
        lineage[e] = NONE


def copy_lineage(to: Lineage, lineage: Lineage) -> None:
    """Make `to` equal to `lineage`."""
    for e in range(len(lineage)):
        to[e] = lineage[e]


def assign(lineage: Lineage, epoch: int, start_offset: int) -> None:
    """LeaderEpochFileCache#assign: the leader of `epoch` writes from `start_offset` on.

    Nothing changes if `epoch` is the latest and `start_offset` is not below its start. Else
    entries that do not come before the new one, in epoch and in offset, are dropped.
    """
    latest = latest_epoch(lineage)
    if latest != NONE and latest == epoch and start_offset >= lineage[latest]:
        return
    _remove_from_end(lineage, epoch, start_offset)
    lineage[epoch] = start_offset


def truncate_from_start(lineage: Lineage, offset: int) -> None:
    """LeaderEpochFileCache#truncateFromStart: the entry in which `offset` lies now starts there."""
    rewritten = NONE
    for e in range(len(lineage)):
        if lineage[e] == NONE:
            continue
        if lineage[e] > offset:
            break
        rewritten = e
        lineage[e] = NONE
    if rewritten != NONE:
        lineage[rewritten] = offset


def truncate_from_end(lineage: Lineage, offset: int) -> None:
    """LeaderEpochFileCache#truncateFromEnd: drop entries that start at `offset` or later."""
    if offset >= 0:
        _remove_from_end(lineage, len(lineage), offset)


def _remove_from_end(lineage: Lineage, epoch: int, offset: int) -> None:
    """Drop entries from the latest on while the epoch, or the start offset, is not below."""
    for e in range(len(lineage) - 1, -1, -1):
        if lineage[e] == NONE:
            continue
        if e < epoch and lineage[e] < offset:
            return
        lineage[e] = NONE


def set_entries_in_range(to: Lineage, lineage: Lineage, start_offset: int, end_offset: int) -> None:
    """LeaderEpochFileCache#epochEntriesInRange: make `to` the lineage of [start, end).

    The first entry starts at `start_offset`, unless the whole lineage starts later.
    """
    copy_lineage(to, lineage)
    truncate_from_start(to, start_offset)
    truncate_from_end(to, end_offset)


def set_filtered(to: Lineage, lineage: Lineage) -> None:
    """RemoteLogManager#buildFilteredLeaderEpochMap: make `to` the lineage without shadowed epochs.

    `to` and `lineage` may be the same.
    """
    for e in range(len(lineage)):
        to[e] = NONE if is_shadowed(lineage, e) else lineage[e]


# -- a segment against the lineage of a leader


def is_in_lineage(segment: Segment, lineage: Lineage, log_end_offset: int) -> bool:
    """The segment was written by the leaders of `lineage`, which the expiration task filters.

    An exception counts as no.
    """
    return within_leader_epochs(segment, lineage, log_end_offset, True) == Within.IN_LINEAGE


def within_leader_epochs(
    segment: Segment, lineage: Lineage, log_end_offset: int, is_filtered: bool
) -> Within:
    """RemoteLogManager#isRemoteSegmentWithinLeaderEpochs.

    The segment's own lineage is always filtered; the leader's only if `is_filtered`, as
    Kafka's callers do before they call. Entries of the segment from before the leader's
    first do not count.
    """
    earliest = _next_entry(lineage, NONE, is_filtered)
    last = _previous_entry(segment.lineage, len(segment.lineage), True)
    if earliest == NONE or last == NONE:
        return Within.NO_SUCH_ELEMENT
    if last < earliest or last > _previous_entry(lineage, len(lineage), is_filtered):
        return Within.OUT_OF_LINEAGE
    epoch = first = _next_entry(segment.lineage, earliest - 1, True)
    while epoch != NONE:
        if not _is_entry(lineage, epoch, is_filtered):
            return Within.OUT_OF_LINEAGE
        if epoch == first and _starts_too_early(segment, lineage, epoch, is_filtered):
            return Within.OUT_OF_LINEAGE
        if _ends_elsewhere(segment, lineage, epoch, is_filtered):
            return Within.OUT_OF_LINEAGE
        epoch = _next_entry(segment.lineage, epoch, True)
    return Within.OUT_OF_LINEAGE if segment.end_offset >= log_end_offset else Within.IN_LINEAGE


def _starts_too_early(segment: Segment, lineage: Lineage, epoch: int, is_filtered: bool) -> bool:
    """The segment's first leader began before the lineage says that it did.

    Where it is the first entry of the lineage, the log start may have rewritten it.
    """
    has_earlier = _previous_entry(lineage, epoch, is_filtered) != NONE
    return has_earlier and segment.lineage[epoch] < lineage[epoch]


def _ends_elsewhere(segment: Segment, lineage: Lineage, epoch: int, is_filtered: bool) -> bool:
    """The next leader began elsewhere, or was another one; or the segment ends after its start."""
    successor = _next_entry(lineage, epoch, is_filtered)
    own = _next_entry(segment.lineage, epoch, True)
    if own == NONE:
        return successor != NONE and segment.end_offset >= lineage[successor]
    return successor != own or lineage[successor] != segment.lineage[own]


def _is_entry(lineage: Lineage, epoch: int, is_filtered: bool) -> bool:
    """The lineage has the epoch; one that is to be filtered does not have it if shadowed."""
    return lineage[epoch] != NONE and not (is_filtered and is_shadowed(lineage, epoch))


def _next_entry(lineage: Lineage, epoch: int, is_filtered: bool) -> int:
    for e in range(epoch + 1, len(lineage)):
        if _is_entry(lineage, e, is_filtered):
            return e
    return NONE


def _previous_entry(lineage: Lineage, epoch: int, is_filtered: bool) -> int:
    for e in range(epoch - 1, -1, -1):
        if _is_entry(lineage, e, is_filtered):
            return e
    return NONE
