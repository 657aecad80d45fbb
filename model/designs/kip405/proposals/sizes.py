"""Proposals for retention by size: what counts where segments overlap, and what expires first."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.redefined import SUM_IS_THE_TASKS
from tierproof.model.designs.kip405.repairs.counting import COUNT_UP_TO_HIGHEST
from tierproof.model.designs.kip405.repairs.listing import LIST_REPLACED
from tierproof.model.kafka.expiration_task import (
    ExpiringReplica,
    is_below_log_start,
    is_counted,
    is_past_time,
)
from tierproof.model.kafka.expiration_task import _plan_one as plan_one
from tierproof.model.kafka.fields import SizedSegment
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Variant

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
    redefines={is_counted: SUM_IS_THE_TASKS},
)
"""Sorted by start offset, longest first: one that ends at or below the highest end so far."""

# -- a replaced segment is listed, and does not count

LIST_UNCOUNTED = Variant(
    name="proposal_list_replaced_segments_uncounted",
    because="a replaced segment that PR 23148 lists for its epochs counts in retention.bytes, too",
    parts=(LIST_REPLACED, COUNT_OUTERMOST),
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
    COUNT_OUTERMOST,
    LIST_UNCOUNTED,
    TAKE_FINISHED,
)
