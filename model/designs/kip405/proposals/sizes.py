"""Proposals for retention by size: what counts where segments overlap, and what expires first."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.repairs.counting import COUNT_UP_TO_HIGHEST, serves_reads
from tierproof.model.designs.kip405.repairs.listing import LIST_REPLACED
from tierproof.model.kafka.expiration_task import _plan_one as plan_one
from tierproof.model.kafka.expiration_task import (
    is_below_log_start,
    is_counted,
    is_past_time,
)
from tierproof.model.kafka.fields import ExpiringReplica, SizedSegment
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Variant

# -- where finished segments overlap, only what serves reads counts


def has_overlap(log: ExpiringReplica, segment: Sequence[SizedSegment]) -> bool:
    """Two finished segments hold the same offset."""
    finished = SegmentState.COPY_SEGMENT_FINISHED
    for one in range(len(segment)):
        for other in range(one):
            is_each_finished = log.cache.state[one] == finished == log.cache.state[other]
            begins = segment[one].start_offset <= segment[other].end_offset
            ends = segment[other].start_offset <= segment[one].end_offset
            if is_each_finished and begins and ends:
                return True
    return False


def is_counted_if_it_serves(log: ExpiringReplica, segment: Sequence[SizedSegment], id: int) -> bool:
    """As with that repair; but where finished segments overlap, only what serves reads."""
    end = segment[id].end_offset
    is_remote = end <= log.highest_remote_offset or end < log.local_log_start_offset
    serves = not has_overlap(log, segment) or serves_reads(log, id)
    return is_remote and serves and is_counted(log, segment, id)


COUNT_SERVING_IF_OVERLAPPING = Variant(
    name="proposal_count_what_serves_reads_if_segments_overlap",
    because="a segment that was copied twice counts twice, though only one copy serves reads",
    after=(COUNT_UP_TO_HIGHEST,),
    define={is_counted: is_counted_if_it_serves},
)
"""A sum over all segments, as KAFKA-20026 has it, stays where none overlap."""

# -- a finished segment that lies within another one does not count


def lies_within(one: SizedSegment, other: SizedSegment, is_after: bool) -> bool:
    """The other segment has all offsets of the one; of two with equal bounds the later does."""
    is_in = other.start_offset <= one.start_offset and one.end_offset <= other.end_offset
    is_as_long = one.start_offset <= other.start_offset and other.end_offset <= one.end_offset
    return is_in and (is_after or not is_as_long)


def is_counted_if_outermost(log: ExpiringReplica, segment: Sequence[SizedSegment], id: int) -> bool:
    """As with that repair, but not what lies within another segment that counts."""
    end = segment[id].end_offset
    is_remote = end <= log.highest_remote_offset or end < log.local_log_start_offset
    if not is_remote or not is_counted(log, segment, id):
        return False
    return not any(
        i != id and is_counted(log, segment, i) and lies_within(segment[id], segment[i], i < id)
        for i in range(len(segment))
    )


COUNT_OUTERMOST = Variant(
    name="proposal_count_no_segment_within_another",
    because="a segment that was copied twice counts twice, though only one copy serves reads",
    after=(COUNT_UP_TO_HIGHEST,),
    define={is_counted: is_counted_if_outermost},
)
"""Sorted by start offset, longest first: one that ends at or below the highest end so far."""

# -- a replaced segment is listed, and does not count

LIST_UNCOUNTED = Variant(
    name="proposal_list_replaced_segments_uncounted",
    because="a replaced segment that PR 23148 lists for its epochs counts in retention.bytes, too",
    parts=(LIST_REPLACED, COUNT_SERVING_IF_OVERLAPPING),
)

# -- retention by size passes over copies that are not finished


def plan_one_if_finished(
    log: ExpiringReplica, segment: Sequence[SizedSegment], id: int, surplus: int, now: int
) -> int:
    """As before, but an unfinished copy, which does not count, is not taken for its size."""
    is_unfinished = log.cache.state[id] == SegmentState.COPY_SEGMENT_STARTED
    is_due = is_below_log_start(segment[id], log) or is_past_time(segment[id], log, now)
    if is_unfinished and id not in log.copying and not is_due:
        return surplus
    return plan_one(log, segment, id, surplus, now)


TAKE_FINISHED = Variant(
    name="proposal_size_takes_finished_segments_only",
    because="the surplus is taken from the first remote segment, though it does not count",
    define={plan_one: plan_one_if_finished},
)

OF_SIZES: tuple[Variant, ...] = (
    COUNT_SERVING_IF_OVERLAPPING,
    COUNT_OUTERMOST,
    LIST_UNCOUNTED,
    TAKE_FINISHED,
)
