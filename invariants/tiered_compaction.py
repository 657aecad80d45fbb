"""What a compacted topic in tiered storage owes its readers: values, tombstones, transactions.

A reader asks the elected leader, which serves an offset from its local log or from the object
that its cache finds. What was written, the ghost `committed` says. Readers are read_committed:
of a transaction that aborted they learn from the transaction index.
"""

from __future__ import annotations

from tierproof.invariants.fields import TieredCompactedTopic
from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    is_in_sync,
    is_led,
    removable_end,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import (
    RecordType,
    first_undecided_offset,
    has_record,
    is_aborted,
    is_marker,
    marker_after,
    record_in,
    source_of,
)
from tierproof.model.language import NONE, invariant, step_property

# -- what was written


def is_data(type: RecordType) -> bool:
    """The record is a value or a tombstone."""
    return type in (RecordType.VALUE, RecordType.TOMBSTONE)


def written_end(state: TieredCompactedTopic, offset: int) -> int:
    """The offset of the marker that ended the transaction of a record, or NONE."""
    for later in range(offset + 1, committed_end(state)):
        if not is_data(state.committed[later].type):
            return later
    return NONE


def was_aborted(state: TieredCompactedTopic, offset: int) -> bool:
    """The record belongs to a transaction that was aborted."""
    if not state.committed[offset].is_transactional:
        return False
    marker = written_end(state, offset)
    return marker != NONE and state.committed[marker].type == RecordType.ABORT


def was_decided(state: TieredCompactedTopic, offset: int) -> bool:
    """The record belongs to no transaction, or to one that was committed."""
    if not state.committed[offset].is_transactional:
        return True
    marker = written_end(state, offset)
    return marker != NONE and state.committed[marker].type == RecordType.COMMIT


def latest_written(state: TieredCompactedTopic, key: int) -> int:
    """The offset of the last record of a key that was committed, tombstones too; or NONE."""
    for offset in range(committed_end(state) - 1, -1, -1):
        written = state.committed[offset]
        if written.key == key and is_data(written.type) and was_decided(state, offset):
            return offset
    return NONE


# -- what a reader sees


def is_seen(state: TieredCompactedTopic, broker: int, offset: int) -> bool:
    """A reader of the broker gets a value or a tombstone at the offset."""
    source = source_of(state, broker, offset)
    if source == NONE:
        return False
    record = record_in(state, broker, source, offset)
    if not has_record(record) or is_marker(record):
        return False
    return not (record.is_transactional and is_aborted(state, broker, offset))


def latest_seen(state: TieredCompactedTopic, broker: int, key: int) -> int:
    """The offset of the last record of a key that a reader of the broker gets, or NONE.

    A reader who is read_committed gets nothing from the last stable offset on.
    """
    log = state.broker[broker]
    for offset in range(min(first_undecided_offset(log), committed_end(state)) - 1, -1, -1):
        if offset < log.log_start_offset:
            return NONE
        if is_seen(state, broker, offset) and key_at(state, broker, offset) == key:
            return offset
    return NONE


def key_at(state: TieredCompactedTopic, broker: int, offset: int) -> int:
    """The key of a record that a reader of the broker gets."""
    return record_in(state, broker, source_of(state, broker, offset), offset).key


def number_of_keys(state: TieredCompactedTopic) -> int:
    """How many keys the scope has."""
    return len(state.broker[0].offset_map)


def is_value_seen(state: TieredCompactedTopic, broker: int, key: int) -> bool:
    """To a reader of the broker the key has a value."""
    last = latest_seen(state, broker, key)
    if last == NONE:
        return False
    record = record_in(state, broker, source_of(state, broker, last), last)
    return record.type == RecordType.VALUE


@invariant(source="KIP-1272: LatestValue, of keys that were deleted", premise=is_led)
def no_deleted_key_comes_back(state: TieredCompactedTopic) -> bool:
    """A key whose last committed record is a tombstone has no value for a reader.

    Kafka believes it because the cleaner removes a tombstone only in a pass after the one that
    has removed all older records of its key. Checked below the last stable offset.
    """
    leader = current_leader(state)
    for key in range(number_of_keys(state)):
        last = latest_written(state, key)
        is_deleted = last != NONE and state.committed[last].type == RecordType.TOMBSTONE
        is_due = is_deleted and last < first_undecided_offset(state.broker[leader])
        if is_due and is_value_seen(state, leader, key):
            return False
    return True


@invariant(source="KIP-1272: LatestValue, Retained", premise=is_led)
def latest_values_are_read(state: TieredCompactedTopic) -> bool:
    """The last committed value of every key is the one that a reader gets.

    Kafka believes it because a pass keeps the record that its offset map has. Suspended for
    offsets that retention or a user allows to be removed. Checked below the last stable offset.
    """
    leader = current_leader(state)
    for key in range(number_of_keys(state)):
        last = latest_written(state, key)
        is_value = last != NONE and state.committed[last].type == RecordType.VALUE
        stable_end = first_undecided_offset(state.broker[leader])
        is_due = is_value and removable_end(state) <= last < stable_end
        if is_due and latest_seen(state, leader, key) != last:
            return False
    return True


@invariant(source="KIP-1272: Subset", premise=is_led)
def reads_bring_only_what_was_written(state: TieredCompactedTopic) -> bool:
    """A record that a reader gets was written at its offset, in no transaction that aborted.

    So no offset is served with two contents: a record is there, or it is not.
    """
    leader = current_leader(state)
    log = state.broker[leader]
    for offset in range(log.log_start_offset, min(log.high_watermark, committed_end(state))):
        if is_seen(state, leader, offset) and offset < first_undecided_offset(log):
            record = record_in(state, leader, source_of(state, leader, offset), offset)
            written = state.committed[offset]
            if record.key != written.key or record.type != written.type:
                return False
            if was_aborted(state, offset):
                return False
    return True


# -- what the cleaner promises


@invariant(source="KIP-1272: CleanMeaning", premise=is_led)
def cleaned_keys_are_unique(state: TieredCompactedTopic) -> bool:
    """Below the leader's cleaner offset a reader gets at most one record of a key.

    The next pass maps only what lies above, so what is left below stays. Suspended until a
    new leader has resolved its cleaner offset.
    """
    leader = current_leader(state)
    log = state.broker[leader]
    if log.is_cleaner_behind:
        return True
    for key in range(number_of_keys(state)):
        found = 0
        for offset in range(log.log_start_offset, log.cleaner_offset):
            if is_seen(state, leader, offset) and key_at(state, leader, offset) == key:
                found += 1
        if found > 1:
            return False
    return True


@invariant(source="KIP-1272: COBound", premise=is_led)
def cleaner_offset_is_remote(state: TieredCompactedTopic) -> bool:
    """The leader's cleaner offset is at most one past the remote log, and at most the stable end.

    A new leader removes its local segments below the offset, as the remote tier has them.
    Suspended until a new leader has resolved its cleaner offset.
    """
    log = state.broker[current_leader(state)]
    if log.is_cleaner_behind or not log.settings.remote_storage_enable:
        return True
    remote_end = log.log_start_offset
    for offset in range(log.log_start_offset, log.log_end_offset):
        if not is_finished_at(state, offset):
            break
        remote_end = offset + 1
    stable_end = first_undecided_offset(log)
    return log.cleaner_offset <= max(remote_end, log.log_start_offset) and (
        log.cleaner_offset <= stable_end
    )


def is_finished_at(state: TieredCompactedTopic, offset: int) -> bool:
    """The leader's cache has a finished segment of the offset, be it served or not."""
    cache = state.broker[state.elected_leader].cache
    return any(
        cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        and state.segment[i].start_offset <= offset <= state.segment[i].end_offset
        for i in range(len(state.segment))
    )


def holds(state: TieredCompactedTopic, broker: int, offset: int) -> bool:
    """The version that the broker serves of the offset has the record."""
    source = source_of(state, broker, offset)
    return source != NONE and has_record(record_in(state, broker, source, offset))


@step_property(source="KIP-1272: TombstoneDrop")
def tombstones_outlive_what_they_delete(
    before: TieredCompactedTopic, after: TieredCompactedTopic
) -> bool:
    """A tombstone is removed only if no replica in sync serves an older record of its key.

    Any replica in sync may lead next. Removed means that a broker's readers got it before the
    step, and can read the offset without getting it afterwards.
    """
    for b in range(len(after.broker)):
        for offset in range(committed_end(after)):
            written = after.committed[offset]
            if written.type != RecordType.TOMBSTONE or not was_decided(after, offset):
                continue
            is_removed = holds(before, b, offset) and not holds(after, b, offset)
            is_due = is_removed and source_of(after, b, offset) != NONE
            if is_due and has_older_record(after, written.key, offset):
                return False
    return True


def has_older_record(state: TieredCompactedTopic, key: int, end_offset: int) -> bool:
    """A replica in sync serves a record of the key below an offset."""
    for b in range(len(state.broker)):
        if is_in_sync(state, b):
            for offset in range(state.broker[b].log_start_offset, end_offset):
                if is_seen(state, b, offset) and key_at(state, b, offset) == key:
                    return True
    return False


# -- transactions


@invariant(source="KIP-1272: aborted records never influence the map")
def offset_maps_have_no_aborted_record(state: TieredCompactedTopic) -> bool:
    """The offset map of no cleaner has a record whose transaction was aborted."""
    return not any(
        offset != NONE and was_aborted(state, offset)
        for log in state.broker
        for offset in log.offset_map
    )


@invariant(source="KIP-1272: markers are kept while their data is readable", premise=is_led)
def markers_outlive_their_records(state: TieredCompactedTopic) -> bool:
    """Where a reader gets a record of a transaction, its marker is there, too.

    Without the marker a consumer cannot tell where the transaction ends. Checked below the
    last stable offset.
    """
    leader = current_leader(state)
    log = state.broker[leader]
    for offset in range(log.log_start_offset, min(log.high_watermark, committed_end(state))):
        source = source_of(state, leader, offset)
        if source != NONE and written_end(state, offset) != NONE:
            record = record_in(state, leader, source, offset)
            is_due = has_record(record) and record.is_transactional and not is_marker(record)
            if is_due and marker_after(state, leader, offset) != written_end(state, offset):
                return False
    return True
