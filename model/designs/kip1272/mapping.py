"""The first pass: which chunk of the log is cleaned next, and the last offset of each key in it.

KIP-1272, "Find the Dirty Logs to Clean" and "Chunked Two Pass Compaction"; LogCleanerManager,
Cleaner#buildOffsetMap. A follower's cleaner works on its local log alone.
"""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.state import (
    CleanerStep,
    CompactedPartition,
    CompactedTopic,
    CompactingBroker,
    Passed,
)
from tierproof.model.kafka.compacted_topic import is_compacted
from tierproof.model.kafka.copy_task import last_stable_offset
from tierproof.model.kafka.local_segments import bytes_between, first_base, floor_base
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.segment_versions import (
    Kept,
    bytes_served,
    forget_record,
    has_record,
    is_aborted,
    next_segment_start,
    record_in,
    source_of,
)
from tierproof.model.language import NONE, fence, guard

# -- what is dirty


def cleans_remote(state: CompactedTopic, broker: int) -> bool:
    """The broker cleans both tiers: it believes to lead a topic that it takes for tiered."""
    log = state.broker[broker]
    return presumes_to_lead(state, broker) and log.settings.remote_storage_enable


def log_start_for_cleaner(state: CompactedTopic, broker: int) -> int:
    """The first offset that the broker's cleaner cleans."""
    log = state.broker[broker]
    if cleans_remote(state, broker):
        return log.log_start_offset
    return max(log.log_start_offset, log.local_log_start_offset, first_base(log))


def first_dirty_offset(state: CompactedTopic, broker: int) -> int:
    """The checkpoint; the start of the log where the checkpoint lies outside it."""
    log, start = state.broker[broker], log_start_for_cleaner(state, broker)
    return log.cleaner_offset if start <= log.cleaner_offset <= log.log_end_offset else start


def first_uncleanable_offset(log: CompactingBroker) -> int:
    """The base of the segment with the last stable offset, or of the active segment."""
    stable = floor_base(log, last_stable_offset(log))
    return min(stable, floor_base(log, log.log_end_offset))


def chunk_bytes(scope: CompactedPartition) -> int:
    """ "min(log.segment.bytes, available_disk_space / 3)"."""
    return min(scope.segment_bytes, scope.disk_bytes // 3)


def chunk_end(state: CompactedTopic, broker: int, most_bytes: int) -> int:
    """The end of the next chunk: as many dirty segments as fit, and can be read."""
    end, used = first_dirty_offset(state, broker), 0
    limit = first_uncleanable_offset(state.broker[broker])
    while end < limit:
        following = next_segment_start(state, broker, end)
        if following == NONE or following > limit:
            return end
        used += bytes_served(state, broker, end, following)
        if not fits(used, most_bytes, end == first_dirty_offset(state, broker)):
            return end
        end = following
    return end


def fits(used: int, most_bytes: int, is_first: bool) -> bool:
    """The segments fit into the chunk, the last one included; `is_first`: it is the only one."""
    return used <= most_bytes


def total_bytes(state: CompactedTopic, broker: int) -> int:
    """ "localBytes + remoteBytes": the remote ones by the metadata that the broker has read."""
    log = state.broker[broker]
    local = bytes_between(log.records, first_base(log), log.log_end_offset)
    if not cleans_remote(state, broker):
        return local
    return local + sum(
        state.segment[i].bytes
        for i in range(len(state.segment))
        if log.cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
    )


# -- building the offset map


@guard
def is_topic_compacted(state: CompactedTopic, broker: Broker) -> bool:
    """The broker knows a cleanup.policy that contains compact."""
    return is_compacted(state.broker[broker].settings.cleanup_policy)


@guard
def has_chunk_to_clean(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> bool:
    """A dirty segment fits into a chunk."""
    log = state.broker[broker]
    is_there = log.presumed_leader != NONE
    start = first_dirty_offset(state, broker)
    return is_there and chunk_end(state, broker, chunk_bytes(scope)) > start


@guard
def is_dirty_enough(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> bool:
    """The dirty ratio exceeds min.cleanable.dirty.ratio."""
    log = state.broker[broker]
    dirty = bytes_served(
        state, broker, first_dirty_offset(state, broker), first_uncleanable_offset(log)
    )
    return dirty * 100 > scope.min_dirty_percent * total_bytes(state, broker)


@fence(stays="a pass from the broker's own checkpoint only cleans more, or less, than it has to")
def knows_what_is_clean(state: CompactedTopic, broker: Broker) -> bool:
    """A new leader has resolved the cleaner offset, and has removed what lies below it."""
    return not state.broker[broker].is_cleaner_behind


@guard
def delete_horizon_matters(state: CompactedTopic, broker: Broker, passed: Passed) -> bool:
    """delete.retention.ms is over only where something has a delete horizon."""
    if passed == 0:
        return True
    log = state.broker[broker]
    for offset in range(log_start_for_cleaner(state, broker), log.log_end_offset):
        source = source_of(state, broker, offset)
        if source != NONE and record_in(state, broker, source, offset).kept == Kept.STAMPED:
            return True
    return False


def cleans_whole_log(log: CompactingBroker) -> bool:
    """The pass may remove tombstones and markers: Kafka's cleaner takes its log for the whole.

    So it sets the delete horizons of tombstones, too.
    """
    return True


def build_offset_map(state: CompactedTopic, broker: int) -> None:
    """The last offset of each key in the chunk, without markers and aborted records."""
    log = state.broker[broker]
    for offset in range(first_dirty_offset(state, broker), log.map_end):
        source = source_of(state, broker, offset)
        record = record_in(state, broker, source, offset)
        is_out = record.is_transactional and is_known_aborted(state, broker, offset)
        if has_record(record) and record.key != NONE and not is_out:
            log.offset_map[record.key] = offset


def is_known_aborted(state: CompactedTopic, broker: int, offset: int) -> bool:
    """The aborted transactions that the first pass collects beforehand have the record."""
    return is_aborted(state, broker, offset)


@CLEANER.action(
    CleanerStep.IDLE,
    CleanerStep.MAP_BUILT,
    guards=[
        is_topic_compacted,
        knows_what_is_clean,
        has_chunk_to_clean,
        is_dirty_enough,
        delete_horizon_matters,
    ],
    to="remote_store",
)
def cleaner_builds_offset_map(
    state: CompactedTopic, broker: Broker, passed: Passed, scope: CompactedPartition
) -> None:
    """Choose the next chunk of dirty segments, fetch what is only remote, and map the keys.

    KIP-1272: "Algorithm Per Chunk"; Kafka: Cleaner#buildOffsetMap. Left out: a map that is
    full; a segment of the chunk that is deleted while it is fetched.
    """
    log = state.broker[broker]
    log.map_end = chunk_end(state, broker, chunk_bytes(scope))
    log.cleans_remote = cleans_remote(state, broker)
    log.cleaner_epoch = log.leader_epoch
    log.is_horizon_over = passed == 1 and cleans_whole_log(log)
    log.group_start = log_start_for_cleaner(state, broker)
    log.group_end = log.group_start
    build_offset_map(state, broker)


def end_pass(log: CompactingBroker) -> None:
    """Forget the chunk; the caller says that the thread is IDLE."""
    for k in range(len(log.offset_map)):
        log.offset_map[k] = NONE
    log.map_end = 0
    log.cleans_remote = False
    log.cleaner_epoch = 0
    log.is_horizon_over = False
    log.group_start = 0
    log.group_end = 0
    log.output_id = NONE
    log.is_output_copied = False
    log.seen_markers.clear()
    forget_output(log)


def forget_output(log: CompactingBroker) -> None:
    """The temporary files of the group are deleted."""
    for offset in range(len(log.output)):
        log.output[offset].bytes = 0
        log.output[offset].timestamp = 0
        forget_record(log.output[offset])
