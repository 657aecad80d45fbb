"""Retention by size counts each record once: three ways to count one twice, and a repair of each."""

from collections.abc import Sequence

from tierproof.model.kafka.expiration_task import is_counted, is_listed_in_lineage, next_real_epoch
from tierproof.model.kafka.fields import ExpiringReplica, LocalLog, SizedSegment
from tierproof.model.kafka.local_segments import bytes_between, only_local_bytes
from tierproof.model.kafka.remote_metadata_cache import is_referenced
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
)
