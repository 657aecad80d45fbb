"""The second pass: what stays of each group of segments, and the swap of its versions.

The groups of the log are cleaned from its start to the end of the chunk: read from the local
log or from the remote tier, written to a new file, and swapped for the old segments. A group
that is in the remote tier is copied first (`swapping`). KIP-1272, "Algorithm Per Chunk",
"Swap Old/New Log Segment Files"; Cleaner#cleanSegments, UnifiedLog#replaceSegments.
"""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.mapping import cleans_whole_log, end_pass, forget_output
from tierproof.model.designs.kip1272.state import (
    CleanerStep,
    CompactedPartition,
    CompactedTopic,
    CompactingBroker,
)
from tierproof.model.kafka.cleaner_retention import (
    ends_at_high_watermark,
    gets_horizon,
    is_marker_deletable,
    is_marker_kept,
    is_record_kept,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.segment_versions import (
    LOCAL,
    Kept,
    KeyedRecord,
    RecordType,
    bytes_served,
    copy_record,
    forget_record,
    has_record,
    is_aborted,
    is_local,
    is_marker,
    marker_after,
    next_segment_start,
    record_in,
    serving_segment,
    source_of,
)
from tierproof.model.language import NONE, guard

# -- groups


def end_of_group(state: CompactedTopic, broker: int, most_bytes: int) -> int:
    """The end of the next group: segments that fit into one, at least the first."""
    log = state.broker[broker]
    end, used = log.group_start, 0
    while end < log.map_end:
        following = next_segment_start(state, broker, end)
        if following == NONE:
            return end
        used += bytes_served(state, broker, end, following)
        if end > log.group_start and used > most_bytes:
            return end
        end = following
    return end


def can_read_next_segment(state: CompactedTopic, broker: int) -> bool:
    """The pass can read its next segment: that of a follower reads local segments alone."""
    log = state.broker[broker]
    if not log.cleans_remote:
        return is_local(log, log.group_start)
    return source_of(state, broker, log.group_start) != NONE


@guard
def has_group_to_clean(state: CompactedTopic, broker: Broker) -> bool:
    """A group below the end of the chunk is left, and can be read."""
    log = state.broker[broker]
    return log.group_start < log.map_end and can_read_next_segment(state, broker)


# -- what stays of a record


def last_of_producer(state: CompactedTopic, broker: int) -> int:
    """The offset of the last data batch that the producer wrote, or NONE."""
    log, found = state.broker[broker], NONE
    for offset in range(log.log_start_offset, log.log_end_offset):
        source = source_of(state, broker, offset)
        if source != NONE:
            record = record_in(state, broker, source, offset)
            if record.kept != Kept.GONE and not is_marker(record):
                found = offset
    return found


def emptied(state: CompactedTopic, broker: int, offset: int) -> Kept:
    """What is left of a batch without its record: it may be needed for its offsets."""
    watermark = state.broker[broker].high_watermark
    if offset == last_of_producer(state, broker) or ends_at_high_watermark(offset, watermark):
        return Kept.EMPTY
    return Kept.GONE


def cleaned_marker(state: CompactedTopic, broker: int, offset: int, kept: Kept) -> Kept:
    """What is left of a marker."""
    log = state.broker[broker]
    has_type, is_stamped = kept != Kept.EMPTY, kept == Kept.STAMPED
    is_seen = offset in log.seen_markers or not cleans_whole_log(log)
    is_deletable = is_marker_deletable(has_type, is_seen)
    if not is_marker_kept(is_deletable, is_stamped and log.is_horizon_over):
        return emptied(state, broker, offset)
    return Kept.STAMPED if gets_horizon(is_stamped, False, is_deletable) else kept


def cleaned_data(state: CompactedTopic, broker: int, record: KeyedRecord, offset: int) -> Kept:
    """What is left of a data record."""
    log = state.broker[broker]
    if record.is_transactional and is_aborted(state, broker, offset):
        return emptied(state, broker, offset)
    is_tombstone, is_stamped = record.type == RecordType.TOMBSTONE, record.kept == Kept.STAMPED
    mapped = NONE if record.key == NONE else log.offset_map[record.key]
    is_kept = has_record(record) and is_record_kept(
        offset=offset,
        has_key=record.key != NONE,
        is_tombstone=is_tombstone,
        mapped_offset=mapped,
        map_latest_offset=log.map_end - 1,
        is_late=is_stamped and log.is_horizon_over,
    )
    if not is_kept:
        return emptied(state, broker, offset)
    is_new = gets_horizon(is_stamped, is_tombstone, False) and cleans_whole_log(log)
    return Kept.STAMPED if is_new else record.kept


def clean_offset(state: CompactedTopic, broker: int, offset: int) -> None:
    """Write what stays of one offset to the output."""
    log = state.broker[broker]
    record = record_in(state, broker, source_of(state, broker, offset), offset)
    copy_record(log.output[offset], record)
    if record.kept == Kept.GONE:
        return
    if is_marker(record):
        kept = cleaned_marker(state, broker, offset, record.kept)
    else:
        kept = cleaned_data(state, broker, record, offset)
    if kept == Kept.GONE:
        forget_record(log.output[offset])
        log.output[offset].bytes = 0
    log.output[offset].kept = kept


def see_transactions(state: CompactedTopic, broker: int) -> None:
    """CleanedTransactionMetadata: note the transactions of which the group has a batch."""
    log = state.broker[broker]
    for offset in range(log.group_start, log.group_end):
        record = record_in(state, broker, source_of(state, broker, offset), offset)
        if record.is_transactional and record.kept != Kept.GONE and not is_marker(record):
            marker = marker_after(state, broker, offset)
            if marker != NONE:
                log.seen_markers.add(marker)


# -- the bloom filter


def build_filters(state: CompactedTopic, broker: int, start_offset: int, end_offset: int) -> None:
    """Build a filter of each segment between the offsets that is downloaded."""
    log = state.broker[broker]
    for offset in range(start_offset, end_offset):
        source = source_of(state, broker, offset)
        if source not in (NONE, LOCAL):
            base = state.segment[source].start_offset
            if log.filters[base].segment != source:
                forget_filter(log, base)
                log.filters[base].segment = source
            add_to_filter(log, base, state.segment[source].records[offset])


def rebuild_filter(log: CompactingBroker) -> None:
    """The group is one segment now: its filter replaces those of the old segments."""
    for offset in range(log.group_start, log.group_end):
        forget_filter(log, offset)
    log.filters[log.group_start].segment = log.output_id
    for offset in range(log.group_start, log.group_end):
        add_to_filter(log, log.group_start, log.output[offset])


def add_to_filter(log: CompactingBroker, base: int, record: KeyedRecord) -> None:
    """The segment at `base` has the record's key."""
    if has_record(record) and record.key != NONE:
        log.filters[base].keys.add(record.key)


def forget_filter(log: CompactingBroker, base: int) -> None:
    """No filter is built of a segment that begins at `base`."""
    log.filters[base].segment = NONE
    log.filters[base].keys.clear()


def has_filter(state: CompactedTopic, broker: int, segment: int) -> bool:
    """The broker has a filter of this segment."""
    return state.broker[broker].filters[state.segment[segment].start_offset].segment == segment


@guard
def filter_says_no(state: CompactedTopic, broker: Broker) -> bool:
    """The next segment is only remote, and its filter has no key of the offset map."""
    log = state.broker[broker]
    if log.group_start >= log.map_end or not log.cleans_remote:
        return False
    source = source_of(state, broker, log.group_start)
    if source in (NONE, LOCAL) or not has_filter(state, broker, source):
        return False
    keys = log.filters[state.segment[source].start_offset].keys
    return all(log.offset_map[k] == NONE or k not in keys for k in range(len(log.offset_map)))


@CLEANER.action(CleanerStep.MAP_BUILT, guards=[filter_says_no], stutters=True)
def cleaner_skips_segment(state: CompactedTopic, broker: Broker) -> None:
    """Skip the next segment, of which the bloom filter says that it has no key of the map.

    KIP-1272: "Bloom Filter Index on Skip Optimization".
    """
    log = state.broker[broker]
    log.group_start = next_segment_start(state, broker, log.group_start)
    log.group_end = log.group_start


# -- one group


@CLEANER.action(
    CleanerStep.MAP_BUILT,
    CleanerStep.GROUP_CLEANED,
    guards=[has_group_to_clean],
    to="remote_store",
)
def cleaner_cleans_group(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> None:
    """Read the next group of segments, fetch those that are only remote, and write what stays.

    KIP-1272: "Algorithm Per Chunk"; Kafka: Cleaner#cleanSegments. A bloom filter may always
    say yes, so a group is cleaned even where no key of the map is in it.
    Left out: that a filter without keys, or asked for none, says no for certain; that adds
    passes, and hides none.
    """
    log = state.broker[broker]
    log.group_end = end_of_group(state, broker, scope.segment_bytes)
    see_transactions(state, broker)
    build_filters(state, broker, log.group_start, log.group_end)
    for offset in range(log.group_start, log.group_end):
        clean_offset(state, broker, offset)


@guard
def misses_next_segment(state: CompactedTopic, broker: Broker) -> bool:
    """The next segment below the end of the chunk cannot be read: it was deleted meanwhile."""
    log = state.broker[broker]
    return log.group_start < log.map_end and not can_read_next_segment(state, broker)


@CLEANER.action(
    CleanerStep.MAP_BUILT,
    CleanerStep.IDLE,
    guards=[misses_next_segment],
    to="remote_store",
)
def cleaner_misses_segment(state: CompactedTopic, broker: Broker) -> None:
    """Fail to read the next segment, and end the pass without a checkpoint.

    KIP-1272: "the operation will be aborted and retried later".
    """
    end_pass(state.broker[broker])


def is_group_remote(state: CompactedTopic, broker: int) -> bool:
    """The remote tier has a segment of the group, by what the broker has read."""
    log = state.broker[broker]
    return any(
        serving_segment(state, broker, offset) != NONE
        for offset in range(log.group_start, log.group_end)
    )


@guard
def has_only_local_versions(state: CompactedTopic, broker: Broker) -> bool:
    """The group is not in the remote tier, or the broker does not clean that."""
    return not state.broker[broker].cleans_remote or not is_group_remote(state, broker)


def swap_local_segments(log: CompactingBroker) -> None:
    """Replace the local segments of the group by one with the cleaned records.

    The new segment takes the base of the first one that is local.
    """
    first = max(log.group_start, log.local_log_start_offset, first_base(log))
    for offset in range(first, min(log.group_end, log.log_end_offset)):
        copy_record(log.records[offset], log.output[offset])
        if offset > first:
            log.starts_segment[offset] = False


def go_on_to_next_group(log: CompactingBroker) -> None:
    """Delete the temporary files; the next group comes."""
    log.group_start = log.group_end
    log.output_id = NONE
    log.is_output_copied = False
    forget_output(log)


@CLEANER.action(
    CleanerStep.GROUP_CLEANED,
    CleanerStep.MAP_BUILT,
    guards=[has_only_local_versions],
    stutters=True,
)
def cleaner_swaps_local_group(state: CompactedTopic, broker: Broker) -> None:
    """Swap the old local segments of the group for the cleaned one.

    Kafka: UnifiedLog#replaceSegments. Left out: the renames, of which LogLoader finishes those
    that a crash interrupts.
    """
    swap_local_segments(state.broker[broker])
    go_on_to_next_group(state.broker[broker])


@guard
def has_cleaned_all_groups(state: CompactedTopic, broker: Broker) -> bool:
    """Everything below the end of the chunk is cleaned."""
    return state.broker[broker].group_start >= state.broker[broker].map_end


@CLEANER.action(CleanerStep.MAP_BUILT, CleanerStep.IDLE, guards=[has_cleaned_all_groups])
def cleaner_writes_checkpoint(state: CompactedTopic, broker: Broker) -> None:
    """Advance the cleaner offset to the end of the chunk.

    Kafka: LogCleanerManager#doneCleaning, cleaner-offset-checkpoint.
    """
    log = state.broker[broker]
    log.cleaner_offset = log.map_end
    if log.cleans_remote:
        log.cleaner_offsets[log.cleaner_epoch] = log.map_end
    end_pass(log)
