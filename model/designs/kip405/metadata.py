"""The metadata topic: an append, and each broker that reads on at its own pace.

TopicBasedRemoteLogMetadataManager: whoever publishes waits until its own broker has read
what it published; others read it whenever they come to it.
"""

from typing import Any

from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.remote_metadata_cache import CachedState, apply_record, forget_all
from tierproof.model.language import action, guard, limit


@limit
def has_place_for_metadata(state: Partition) -> bool:
    """The scope lets the metadata topic grow."""
    return state.metadata_end < len(state.metadata_topic)


def publish(state: Any, segment: int, kind: int) -> int:
    """Append a record; the end of the topic that the publisher now waits for."""
    state.metadata_topic[state.metadata_end].segment = segment
    state.metadata_topic[state.metadata_end].kind = kind
    state.metadata_end += 1
    return int(state.metadata_end)


def assign_metadata(state: Any, broker: int) -> None:
    """ConsumerTask: the partition is read from the beginning, unless it is assigned already."""
    me = state.broker[broker]
    if not me.is_metadata_assigned:
        me.is_metadata_assigned = True
        me.metadata_assigned_end = state.metadata_end
        me.cache.is_initialized = state.metadata_end == 0


def end_waits(state: Any, broker: int) -> None:
    """A thread whose broker has read its record goes on, also if the place is forgotten then."""
    me = state.broker[broker]
    for i in range(len(state.segment)):
        it = state.segment[i]
        if it.copier == broker and it.awaits <= me.metadata_position:
            it.awaits = 0
    if me.run_awaits <= me.metadata_position:
        me.run_awaits = 0


def unassign_metadata(state: Any, broker: int) -> None:
    """onStopPartitions, or the end of the process: the cache and the place are forgotten."""
    me = state.broker[broker]
    end_waits(state, broker)
    forget_all(me.cache)
    me.is_metadata_assigned = False
    me.metadata_position = 0
    me.metadata_assigned_end = 0


@guard
def has_metadata_to_read(state: Partition, broker: Broker) -> bool:
    """The broker follows the partition's metadata and has not read to the end."""
    me = state.broker[broker]
    return bool(me.is_metadata_assigned and me.metadata_position < state.metadata_end)


def pass_record(me: Any) -> None:
    """The cache is initialized once the broker is past what was there at the assignment."""
    me.metadata_position += 1
    if me.metadata_position >= me.metadata_assigned_end:
        me.cache.is_initialized = True


def read_next_record(state: Any, broker: int) -> None:
    """Apply a record."""
    me = state.broker[broker]
    record = state.metadata_topic[me.metadata_position]
    apply_record(me.cache, state.segment, record.segment, record.kind)
    pass_record(me)


@action(guards=[has_metadata_to_read], actor="broker {broker}", to="remote_metadata")
def broker_reads_metadata(state: Partition, broker: Broker) -> None:
    """Apply the next record of the metadata topic to the cache.

    **Who**: the broker's consumer of the metadata topic.
    **Kafka**: ConsumerTask#processConsumerRecord, RemotePartitionMetadataStore.
    **Left out**: a consumer that closes after an unexpected exception.
    """
    read_next_record(state, broker)


def tracked_ids(cache: Any) -> int:
    """All ids that the cache lists, as bits."""
    found = 0
    for i in range(len(cache.state)):
        if cache.state[i] != CachedState.UNKNOWN:
            found |= 1 << i
    return found
