"""Proposals for retention by size: what counts where segments overlap, and what expires first."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.repairs.counting import COUNT_UP_TO_HIGHEST, serves_reads
from tierproof.model.designs.kip405.repairs.listing import LIST_REPLACED
from tierproof.model.kafka.expiration_task import STOP, is_counted
from tierproof.model.kafka.expiration_task import _plan_one as plan_one
from tierproof.model.kafka.fields import ExpiringReplica, SizedSegment
from tierproof.model.kafka.local_segments import bytes_between, floor_base, only_local_bytes
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

# -- a replaced segment is listed, and does not count

LIST_UNCOUNTED = Variant(
    name="proposal_list_replaced_segments_uncounted",
    because="a replaced segment that PR 23148 lists for its epochs counts in retention.bytes, too",
    parts=(LIST_REPLACED, COUNT_SERVING_IF_OVERLAPPING),
)

# -- older records that are only local lower the surplus first


def older_only_local_bytes(log: ExpiringReplica, start_offset: int) -> int:
    """What counts as local between the end of what the run has taken and this offset."""
    counted = log.log_end_offset
    while counted > 0 and bytes_between(log.records, counted, log.log_end_offset) < (
        only_local_bytes(log)
    ):
        counted -= 1
    taken_end = log.planned_log_start
    if taken_end <= log.log_start_offset:
        taken_end = floor_base(log, log.log_start_offset)
    begin = max(counted, taken_end)
    return bytes_between(log.records, begin, max(begin, start_offset))


def plan_one_oldest_first(
    log: ExpiringReplica, segment: Sequence[SizedSegment], id: int, surplus: int, now: int
) -> int:
    """As before, but first older records that are only local lower the surplus: they stay."""
    end_before = log.planned_log_start
    left = max(surplus - older_only_local_bytes(log, segment[id].start_offset), 0)
    result = plan_one(log, segment, id, left, now)
    is_taken = log.planned_log_start > end_before
    return result if is_taken or result == STOP else surplus


EXPIRE_OLDEST_FIRST = Variant(
    name="proposal_expire_oldest_first_segment_by_segment",
    because="the surplus is taken from the first remote segment, whatever local records precede it",
    define={plan_one: plan_one_oldest_first},
)

OF_SIZES: tuple[Variant, ...] = (
    COUNT_SERVING_IF_OVERLAPPING,
    LIST_UNCOUNTED,
    EXPIRE_OLDEST_FIRST,
)
