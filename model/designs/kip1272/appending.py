"""Records with keys, and what replicas do with them besides their bytes."""

from tierproof.model.designs.kip405.actors import LEADER
from tierproof.model.designs.kip405.local import believes_to_lead, has_place_for_a_record
from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import Broker, TieredPartition
from tierproof.model.designs.kip1272.state import CompactedTopic, OptionalKey
from tierproof.model.kafka.compacted_topic import accepts
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import (
    append_record,
    forget_records,
    needs_roll,
    roll,
)
from tierproof.model.kafka.segment_versions import (
    Kept,
    KeyedReplica,
    RecordType,
    forget_record,
    is_local,
)
from tierproof.model.language import NONE, guard


@guard
def topic_accepts(
    state: CompactedTopic, leader: Broker, key: OptionalKey, type: RecordType
) -> bool:
    """A marker has no key; any other record of a compacted topic has one."""
    if type in (RecordType.COMMIT, RecordType.ABORT):
        return key == NONE and has_open_transaction(state, leader)
    policy = state.broker[leader].settings.cleanup_policy
    return accepts(policy, key)


def has_open_transaction(state: CompactedTopic, broker: int) -> bool:
    """The producer's last record is of a transaction."""
    log = state.broker[broker]
    last = log.log_end_offset - 1
    return last >= 0 and is_local(log, last) and log.records[last].is_transactional


@guard
def belongs_to_transaction(
    state: CompactedTopic, leader: Broker, type: RecordType, is_transactional: bool
) -> bool:
    """While a transaction is open, every record is of it; a marker is not."""
    is_open = has_open_transaction(state, leader)
    if type in (RecordType.COMMIT, RecordType.ABORT):
        return not is_transactional
    return is_transactional or not is_open


@LEADER.action(
    guards=[believes_to_lead, has_place_for_a_record, topic_accepts, belongs_to_transaction]
)
def leader_appends_keyed_record(
    state: CompactedTopic,
    leader: Broker,
    key: OptionalKey,
    type: RecordType,
    is_transactional: bool,
    scope: TieredPartition,
) -> None:
    """Append a record with its key, in a new segment if the active one would get too big.

    Kafka: UnifiedLog#appendAsLeader. Left out: as in `leader_appends_record`; transactions of
    several producers.
    """
    log = state.broker[leader]
    if needs_roll(log, scope.record_bytes, scope.segment_bytes):
        roll(log)
    record = log.records[log.log_end_offset]
    record.key = key
    record.type = type
    record.is_transactional = is_transactional
    record.kept = Kept.KEPT
    append_record(log, scope.record_bytes, state.clock)
    raise_high_watermark(state, leader)


def fetch_key(state: CompactedTopic, follower: int) -> None:
    """The record that a fetch brings has a key; or the leader's cleaner has removed it."""
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    offset = log.log_end_offset
    if offset < leader.log_end_offset:
        log.records[offset].key = leader.records[offset].key
        log.records[offset].type = leader.records[offset].type
        log.records[offset].is_transactional = leader.records[offset].is_transactional
        log.records[offset].kept = leader.records[offset].kept


def forget_keyed_records(log: KeyedReplica, start_offset: int, end_offset: int) -> None:
    """The local log no longer has the records, nor their keys."""
    forget_records(log, start_offset, end_offset)
    for offset in range(start_offset, end_offset):
        forget_record(log.records[offset])


def note_committed_keys(state: CompactedTopic) -> None:
    """What was committed has the key that the record of its epoch had when it was committed."""
    for b in range(len(state.broker)):
        log = state.broker[b]
        for offset in range(log.log_end_offset):
            written, record = state.committed[offset], log.records[offset]
            is_new = written.epoch != NONE and not written.is_keyed
            is_same = epoch_for_offset(log.lineage, offset) == written.epoch
            if is_new and is_same and record.kept != Kept.GONE:
                written.key = record.key
                written.type = record.type
                written.is_transactional = record.is_transactional
                written.is_keyed = True
