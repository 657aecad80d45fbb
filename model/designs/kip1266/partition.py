"""The deletion of the whole partition: a marker, all of its segments, a marker that stays.

In the text the marker stays for ever; `leader_tombstones_partition` is a repair.
"""

from typing import Any

from tierproof.model.designs.kip1266.clean_up import RecordPlace, has_clean_up
from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from tierproof.model.designs.kip1266.deleting import PUBLISHES, has_no_tombstones_left
from tierproof.model.designs.kip1266.keys import kind_of
from tierproof.model.designs.kip1266.metadata import (
    has_place_for_metadata,
    is_writer_current,
    publish_partition,
    publish_tombstone,
)
from tierproof.model.designs.kip1266.state import (
    Broker,
    Kind,
    Kip1266,
    PartitionDeletion,
    Step,
    Topic,
)
from tierproof.model.kafka.compacted_topic import NULL, latest
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.language import action, guard


@guard
def is_topic_there(state: Topic) -> bool:
    """The topic is not deleted yet."""
    return not state.is_topic_deleted


@action(guards=[is_topic_there], actor="user", to="controller", budget="deletions")
def user_deletes_topic(state: Topic) -> None:
    """Delete the user's topic: all of its remote segments may go.

    **Who**: a user.
    **Kafka**: ReplicationControlManager; every broker hears of it at once.
    **Left out**: brokers that hear of it later.
    """
    state.is_topic_deleted = True


@guard
def is_deletion_untold(state: Topic) -> bool:
    """The topic is deleted, and no broker has said so in the metadata topic."""
    is_untold = state.partition_deletion == PartitionDeletion.NOT_BEGUN
    return bool(state.is_topic_deleted and is_untold)


@action(
    guards=[is_deletion_untold, has_begun_to_lead, is_cache_ready, *PUBLISHES],
    actor="broker {broker}",
    to="remote_metadata",
)
def leader_publishes_partition_started(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish DELETE_PARTITION_STARTED.

    **Who**: the leader. Kafka as shipped never does.
    **Kafka**: KIP-1266, scenario 5.
    **Left out**: a leader that dies with the topic.
    """
    state.partition_deletion = PartitionDeletion.STARTED
    publish_partition(state, broker, Kind.DELETE_PARTITION_STARTED, scope.offsets)


@guard
def is_deletion_started(state: Topic) -> bool:
    """The deletion of the partition is told, and not finished."""
    return state.partition_deletion == PartitionDeletion.STARTED


def has_nothing_left(me: Any) -> bool:
    """The broker knows of no segment, and no thread of it is at one."""
    for i in range(len(me.cache.state)):
        if me.cache.state[i] != CachedState.UNKNOWN:
            return False
    return all(me.thread[t].step == Step.IDLE for t in range(len(me.thread)))


@guard
def has_deleted_segments(state: Topic, broker: Broker) -> bool:
    """Every segment that the broker knew of is deleted."""
    return has_nothing_left(state.broker[broker])


@action(
    guards=[
        is_deletion_started,
        has_begun_to_lead,
        is_cache_ready,
        has_deleted_segments,
        has_no_tombstones_left,
        *PUBLISHES,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def leader_publishes_partition_finished(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish DELETE_PARTITION_FINISHED: every cache forgets the partition.

    **Who**: the leader.
    **Kafka**: KIP-1266, scenario 5; RemotePartitionMetadataStore.
    **Left out**: nothing.
    """
    state.partition_deletion = PartitionDeletion.FINISHED
    publish_partition(state, broker, Kind.DELETE_PARTITION_FINISHED, scope.offsets)


# -- a repair: the partition's own keys go as well


def is_last_with_value(state: Any, n: int) -> bool:
    """Record n has a value, and no later record of its key lies in the topic."""
    it = state.metadata.record[n]
    return bool(it.value != NULL and latest(state.metadata, it.key) == n)


@guard
def is_told_deleted(state: Topic) -> bool:
    """The topic tells that the partition is deleted, with all of its segments."""
    for n in range(state.metadata.end):
        is_marker = kind_of(state.metadata.record[n].value) == Kind.DELETE_PARTITION_FINISHED
        if is_marker and is_last_with_value(state, n):
            return True
    return False


@guard
def is_partitions_own(state: Topic, place: RecordPlace) -> bool:
    """The record speaks of the partition, and is the last of its key."""
    if place >= state.metadata.end:
        return False
    kind = kind_of(state.metadata.record[place].value)
    return bool(kind >= Kind.DELETE_PARTITION_STARTED and is_last_with_value(state, place))


@guard
def is_nothing_hidden(state: Topic, place: RecordPlace) -> bool:
    """The marker goes as the last, since it hides whatever lies before it."""
    if kind_of(state.metadata.record[place].value) != Kind.DELETE_PARTITION_FINISHED:
        return True
    return all(not (n != place and is_last_with_value(state, n)) for n in range(state.metadata.end))


@action(
    guards=[
        has_begun_to_lead,
        has_clean_up,
        is_told_deleted,
        is_partitions_own,
        is_nothing_hidden,
        is_writer_current,
        has_place_for_metadata,
    ],
    actor="clean-up of broker {broker}",
    to="remote_metadata",
)
def leader_tombstones_partition(state: Topic, broker: Broker, place: RecordPlace) -> None:
    """Tombstone what the topic tells of a deleted partition: its marker, its highest offsets.

    **Who**: the clean-up of the leader.
    **Kafka**: ours; in KIP-1266, scenario 5, the "partition delete marker remains".
    **Left out**: that nobody leads a partition that is gone; the controller would have to name one.
    """
    publish_tombstone(state, broker, int(state.metadata.record[place].key))
