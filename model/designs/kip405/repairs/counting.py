"""Retention by size: repairs of ways to count a record twice, or to expire a newer one first."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.expiring import plan_by_size_and_time
from tierproof.model.designs.kip405.redefined import SUM_IS_THE_TASKS
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.kafka.expiration_task import (
    ExpiringReplica,
    is_below_log_start,
    is_counted,
    is_listed_in_lineage,
    next_real_epoch,
    plan_retention,
    surplus_bytes,
)
from tierproof.model.kafka.fields import LocalLog, SizedSegment
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_segments import bytes_between, floor_base, only_local_bytes
from tierproof.model.kafka.remote_metadata_cache import is_referenced
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant


def only_local_bytes_above(log: LocalLog) -> int:
    """UnifiedLog#onlyLocalLogSegmentsSize with `>`, as Kafka has it since KAFKA-20977."""
    for base in range(log.highest_remote_offset + 1, log.log_end_offset):
        if log.starts_segment[base]:
            return bytes_between(log.records, base, log.log_end_offset)
    return 0


COUNT_ABOVE = Variant(
    name="repair_count_local_above_the_highest_remote_offset",
    because="the highest remote offset is inclusive: the segment that begins there is copied",
    define={only_local_bytes: only_local_bytes_above},
    redefines={only_local_bytes: SUM_IS_THE_TASKS},
)


def is_counted_as_remote(log: ExpiringReplica, segment: Sequence[SizedSegment], id: int) -> bool:
    """As before, but not what the highest remote offset leaves to the local log."""
    end = segment[id].end_offset
    is_remote = end <= log.highest_remote_offset or end < log.local_log_start_offset
    return is_remote and is_counted(log, segment, id)


COUNT_UP_TO_HIGHEST = Variant(
    name="repair_count_remote_up_to_the_highest_remote_offset",
    because="the cache knows of a copy before the log does: both sides count it",
    define={is_counted: is_counted_as_remote},
    redefines={is_counted: SUM_IS_THE_TASKS},
)


def serves_reads(log: ExpiringReplica, id: int) -> bool:
    """The id serves reads in an epoch of the lineage: no other has taken its place."""
    epoch = next_real_epoch(log.lineage, NONE)
    while epoch != NONE:
        if is_referenced(log.cache, epoch, id):
            return True
        epoch = next_real_epoch(log.lineage, epoch)
    return False


COUNT_SERVING = Variant(
    name="repair_count_only_what_serves_reads",
    because="a segment that was copied twice counts twice, though only one copy serves reads",
    define={is_listed_in_lineage: serves_reads},
    redefines={is_listed_in_lineage: SUM_IS_THE_TASKS},
)


def local_bytes_from_the_log_start(log: ExpiringReplica, local_bytes: int) -> int:
    """What is only local: all from the log start's segment on, where nothing there is copied."""
    if log.highest_remote_offset >= log.log_start_offset:
        return local_bytes
    base = floor_base(log, log.log_start_offset)
    return bytes_between(log.records, base, log.log_end_offset)


def surplus_bytes_from_the_log_start(
    log: ExpiringReplica, segment: Sequence[SizedSegment], local_bytes: int
) -> int:
    """As before, but without segments of either tier that end below the log start."""
    most = log.settings.retention_bytes
    if most < 0:
        return 0
    total = local_bytes_from_the_log_start(log, local_bytes)
    for id in range(len(segment)):
        if is_counted(log, segment, id) and not is_below_log_start(segment[id], log):
            total += segment[id].bytes
    return max(total - most, 0)


COUNT_FROM_LOG_START = Variant(
    name="repair_count_from_the_log_start",
    because="what lies below the log start is deleted for that reason, and lowers no surplus then",
    define={surplus_bytes: surplus_bytes_from_the_log_start},
    redefines={surplus_bytes: SUM_IS_THE_TASKS},
)


def may_expire_by_size(log: ExpiringReplica, segment: Sequence[SizedSegment], id: int) -> bool:
    """Retention by size may take the id: it is copied, or its copy has begun."""
    if log.cache.state[id] not in (
        SegmentState.COPY_SEGMENT_STARTED,
        SegmentState.COPY_SEGMENT_FINISHED,
    ):
        return False
    is_own = is_in_lineage(segment[id], log.lineage, log.log_end_offset)
    return is_own and is_listed_in_lineage(log, id)


def older_local_bytes(log: ExpiringReplica, segment: Sequence[SizedSegment]) -> int:
    """What is local from the log start's segment on, before the first id that size may expire."""
    first = log.log_end_offset
    for id in range(len(segment)):
        if may_expire_by_size(log, segment, id):
            first = min(first, segment[id].start_offset)
    base = floor_base(log, log.log_start_offset)
    return bytes_between(log.records, base, max(base, first))


def plan_oldest_first(state: Partition, broker: int) -> None:
    """As before, but the surplus is of the oldest records: those that are local only wait."""
    replica = state.broker[broker]
    surplus = surplus_bytes(replica, state.segment, only_local_bytes(replica))
    older = older_local_bytes(replica, state.segment)
    plan_retention(replica, state.segment, max(surplus - older, 0), state.clock)


EXPIRE_OLDEST_FIRST = Variant(
    name="repair_expire_oldest_first",
    because="the surplus is taken from the first remote segment, whatever local records precede it",
    define={plan_by_size_and_time: plan_oldest_first},
)
