"""The deletion of the whole partition: a marker, all of its segments, a marker that stays."""

from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from tierproof.model.designs.kip1266.deleting import has_no_tombstones_left
from tierproof.model.designs.kip1266.metadata import PUBLISHES, publish_partition
from tierproof.model.designs.kip1266.state import (
    LEADER,
    Broker,
    Kind,
    Kip1266,
    PartitionDeletion,
    TaskStep,
    Topic,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Actor, fence, guard

USER = Actor("user")


@guard
def is_topic_there(state: Topic) -> bool:
    """The topic is not deleted yet."""
    return not state.is_topic_deleted


@USER.action(guards=[is_topic_there], to="controller", budget="deletions")
def user_deletes_topic(state: Topic) -> None:
    """Delete the user's topic: all of its remote segments may be deleted.

    Kafka: ReplicationControlManager; every broker learns it at once.
    Left out: brokers that learn it later.
    """
    state.is_topic_deleted = True


@fence(protects="leader_serves_what_is_within_retention", scope="deletion")
def is_topic_deleted(state: Topic) -> bool:
    """The topic is deleted.

    DELETE_PARTITION_FINISHED makes every cache forget all segments, also those within their
    retention: the leader of a topic that lives would no longer serve them.
    """
    return state.is_topic_deleted


@LEADER.action(
    PartitionDeletion.NOT_BEGUN,
    PartitionDeletion.STARTED,
    guards=[is_topic_deleted, has_begun_to_lead, is_cache_ready, *PUBLISHES],
    to="remote_metadata",
)
def leader_publishes_partition_started(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish DELETE_PARTITION_STARTED. Kafka as shipped never does.

    Kafka: KIP-1266, scenario 5.
    Left out: a leader that dies with the topic.
    """
    publish_partition(state, broker, Kind.DELETE_PARTITION_STARTED, scope.offsets)


@fence(stays="Where a topic is deleted, what it protects is violated with it, too.")
def has_deleted_segments(state: Topic, broker: Broker) -> bool:
    """The broker knows of no segment any more, and no thread of it works on one.

    Once every cache has forgotten the partition, nobody deletes the objects that are left.
    """
    leader = state.broker[broker]
    return all(known == SegmentState.ABSENT for known in leader.cache.state) and all(
        thread.step == TaskStep.IDLE for thread in leader.thread
    )


@LEADER.action(
    PartitionDeletion.STARTED,
    PartitionDeletion.FINISHED,
    guards=[
        has_begun_to_lead,
        is_cache_ready,
        has_deleted_segments,
        has_no_tombstones_left,
        *PUBLISHES,
    ],
    to="remote_metadata",
)
def leader_publishes_partition_finished(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish DELETE_PARTITION_FINISHED: every cache forgets the partition.

    Kafka: KIP-1266, scenario 5; RemotePartitionMetadataStore.
    """
    publish_partition(state, broker, Kind.DELETE_PARTITION_FINISHED, scope.offsets)


SYSTEM = (
    leader_publishes_partition_started,
    leader_publishes_partition_finished,
)
