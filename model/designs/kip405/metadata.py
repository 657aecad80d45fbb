"""The metadata topic: an append, and each broker that reads on at its own pace.

TopicBasedRemoteLogMetadataManager: a publisher waits until its own broker has read the record
that it published; other brokers read it later.
"""

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.state import Broker, BrokerState, Partition, RecordKind
from tierproof.model.kafka.remote_metadata_cache import (
    MetadataCache,
    apply_record,
    forget_all,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import fence, guard, limit


@limit
def has_place_for_metadata(state: Partition) -> bool:
    """The scope lets the metadata topic grow."""
    return state.metadata_end < len(state.metadata_topic)


def publish(state: Partition, segment: int, kind: RecordKind) -> int:
    """Append a record; the end of the topic, which the publisher waits to read."""
    record = state.metadata_topic[state.metadata_end]
    record.segment = segment
    record.kind = kind
    state.metadata_end += 1
    return state.metadata_end


def assign_metadata(state: Partition, broker: int) -> None:
    """ConsumerTask: read the partition from the beginning, unless it is assigned already."""
    replica = state.broker[broker]
    if not replica.is_metadata_assigned:
        replica.is_metadata_assigned = True
        replica.metadata_assigned_end = state.metadata_end
        replica.cache.is_initialized = state.metadata_end == 0


def end_waits(state: Partition, broker: int) -> None:
    """Release threads whose record this broker has read, before its position is reset."""
    replica = state.broker[broker]
    for i in range(len(state.segment)):
        copy = state.segment[i]
        if copy.copier == broker and copy.awaits <= replica.metadata_position:
            copy.awaits = 0
    if replica.run_awaits <= replica.metadata_position:
        replica.run_awaits = 0


def unassign_metadata(state: Partition, broker: int) -> None:
    """onStopPartitions, or the end of the process: forget the cache and the position."""
    replica = state.broker[broker]
    end_waits(state, broker)
    forget_all(replica.cache)
    replica.is_metadata_assigned = False
    replica.metadata_position = 0
    replica.metadata_assigned_end = 0


# -- caches that answer


@fence(protects="log_start_passes_only_what_may_go", scope="alone_restart")
def is_cache_ready(state: Partition, broker: Broker) -> bool:
    """The broker has read what was in the metadata topic when it was assigned (KAFKA-15181).

    To a cache that lags, remote segments do not exist: the first run of the copy task would
    move the log start to the local log, and the expiration task would delete what lies below.
    """
    return state.broker[broker].cache.is_initialized


# -- reading


@guard
def has_metadata_to_read(state: Partition, broker: Broker) -> bool:
    """The broker follows the partition's metadata and has not read to the end."""
    replica = state.broker[broker]
    return replica.is_metadata_assigned and replica.metadata_position < state.metadata_end


def pass_record(replica: BrokerState) -> None:
    """Move on; the cache is initialized once the broker has read what was assigned."""
    replica.metadata_position += 1
    if replica.metadata_position >= replica.metadata_assigned_end:
        replica.cache.is_initialized = True


@BROKER.action(guards=[has_metadata_to_read], to="remote_metadata")
def broker_reads_metadata(state: Partition, broker: Broker) -> None:
    """Apply the next record of the metadata topic to the cache.

    Kafka: ConsumerTask#processConsumerRecord, RemotePartitionMetadataStore. Left out: a
    consumer that closes after an unexpected exception.
    """
    replica = state.broker[broker]
    record = state.metadata_topic[replica.metadata_position]
    apply_record(replica.cache, state.segment, record.segment, record.kind)
    pass_record(replica)


def tracked_ids(cache: MetadataCache) -> set[int]:
    """All ids that the cache lists."""
    return {i for i in range(len(cache.state)) if cache.state[i] != SegmentState.ABSENT}
