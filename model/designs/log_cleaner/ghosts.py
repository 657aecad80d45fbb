"""Ghosts: what was committed, which the cleaner must not change for a reader."""

from tierproof.model.designs.log_cleaner.state import CompactedPartition, OptionalValue, Producer
from tierproof.model.kafka.keyed_log import BatchKind, Key, is_marker, last_stable_offset
from tierproof.model.language import history


def note_stable(state: CompactedPartition) -> None:
    """Note the records that have become stable; none of them has been cleaned yet."""
    end = last_stable_offset(state.log)
    for offset in range(state.noted_end, end):
        if state.log.batch[offset].kind == BatchKind.DATA:
            if ends_in_abort(state, offset):
                state.is_aborted[offset] = True
            else:
                record = state.log.record[offset]
                state.committed_offset[record.key] = offset
                state.committed_value[record.key] = record.value
    state.noted_end = end


def ends_in_abort(state: CompactedPartition, base: int) -> bool:
    """The next marker of the batch's producer is an ABORT."""
    batch = state.log.batch[base]
    for marker in range(base + 1, state.log.log_end_offset):
        ended = state.log.batch[marker]
        if is_marker(ended.kind) and ended.producer == batch.producer:
            return batch.is_transactional and ended.kind == BatchKind.ABORT
    return False


def note_client(state: CompactedPartition, key: Key, value: OptionalValue) -> None:
    """A record was appended."""
    note_stable(state)


def note_marker(state: CompactedPartition, producer: Producer, commits: bool) -> None:
    """A transaction has ended."""
    note_stable(state)


def note_cleaned(state: CompactedPartition) -> None:
    """Nothing need be remembered of an aborted record that is gone."""
    for offset in range(len(state.log.record)):
        if not state.log.record[offset].is_there:
            state.is_aborted[offset] = False


NOTES = history(
    client_appends_record=note_client,
    coordinator_ends_transaction=note_marker,
    cleaner_cleans_group=note_cleaned,
)
