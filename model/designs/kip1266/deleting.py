"""Deleting a segment: DELETE_STARTED, the object, DELETE_FINISHED, and tombstones for its keys.

The expiration task deletes what is past its retention, a copy task the attempt that failed.
Tombstones follow asynchronously: the thread turns to other work.
"""

from tierproof.model.designs.kip1266.copying import (
    has_begun_to_lead,
    is_cache_ready,
    release_segment,
)
from tierproof.model.designs.kip1266.keys import key_to_tombstone
from tierproof.model.designs.kip1266.metadata import (
    PUBLISHES,
    has_place_for_metadata,
    is_consumer_alive,
    publish,
    topic_takes_records,
)
from tierproof.model.designs.kip1266.state import (
    BROKER,
    DELETER,
    EXPIRER,
    EXPIRING,
    Broker,
    BrokerState,
    Kind,
    TaskStep,
    ThreadIndex,
    Topic,
)
from tierproof.model.kafka.compacted_topic import NULL, append, is_live
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Actor, fence, guard

CLOCK = Actor("clock")

# -- what expires


@CLOCK.action(budget="expirations")
def retention_passes(state: Topic) -> None:
    """The oldest segment that was within its retention is past it.

    Kafka: retention.ms of the user topic.
    Left out: retention by size.
    """
    state.expired_end += 1


def may_be_deleted(state: Topic, segment: int) -> bool:
    """The segment is past its retention, or its topic is deleted."""
    return state.is_topic_deleted or state.segment[segment].end_offset < state.expired_end


def has_in_hand(leader: BrokerState, segment: int) -> bool:
    """A thread of the broker works on the segment: `segmentIdsBeingCopied`, and deletions."""
    return any(thread.segment == segment for thread in leader.thread)


@fence(protects="leader_serves_what_is_within_retention", scope="deletion")
def is_segment_due(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The cache lists the segment as expired, or as one whose deletion was not finished.

    The task deletes objects and moves the log start past them: of segments that are within
    their retention, readers would lose records. What a thread works on is left to it.
    """
    leader = state.broker[broker]
    known = leader.cache.state[segment]
    if known == SegmentState.ABSENT or has_in_hand(leader, segment):
        return False
    return known == SegmentState.DELETE_SEGMENT_STARTED or may_be_deleted(state, segment)


@guard
def is_oldest_due(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The task begins with the oldest segment that its cache lists."""
    leader = state.broker[broker]
    return not any(
        state.segment[i].start_offset < state.segment[segment].start_offset
        and leader.cache.state[i] != SegmentState.ABSENT
        and not has_in_hand(leader, i)
        for i in range(len(state.segment))
    )


def raise_log_start(state: Topic, broker: int, offset: int) -> None:
    """The log start moves at the broker, and with their next fetch at its followers."""
    for b in range(len(state.broker)):
        if b == broker or (state.elected_leader == broker and not state.broker[b].is_leader):
            replica = state.broker[b]
            replica.log_start = max(replica.log_start, offset)
            replica.local_log_start = max(replica.local_log_start, offset)


@EXPIRER.action(
    TaskStep.IDLE,
    TaskStep.TO_DELETE,
    guards=[has_begun_to_lead, is_cache_ready, is_consumer_alive, is_segment_due, is_oldest_due],
)
def expiration_task_chooses_segment(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Choose a segment that may be deleted, and move the log start past what has expired.

    Kafka: RLMExpirationTask#cleanupExpiredRemoteLogSegments; a segment in
    DELETE_SEGMENT_STARTED is always taken up again. The deletion of a topic
    (RemoteLogManager#deleteRemoteLogPartition) moves no log start.
    Left out: that a run plans several at once.
    """
    if may_be_deleted(state, segment) and not state.is_topic_deleted:
        raise_log_start(state, broker, state.segment[segment].end_offset + 1)
    state.broker[broker].thread[EXPIRING].segment = segment


# -- one deletion


@DELETER.action(TaskStep.TO_DELETE, TaskStep.DELETE_STARTED, guards=PUBLISHES, to="remote_metadata")
def task_publishes_delete_started(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_STARTED.

    Kafka: RemoteLogManager#deleteRemoteLogSegment; KIP-1266's scenario 4 has it after the deletion.
    """
    segment = state.broker[broker].thread[thread].segment
    publish(state, broker, segment, Kind.DELETE_SEGMENT_STARTED)


@DELETER.action(
    TaskStep.DELETE_STARTED,
    TaskStep.OBJECT_DELETED,
    guards=[is_consumer_alive],
    to="remote_store",
)
def task_deletes_object(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Delete the object.

    Kafka: RemoteStorageManager#deleteLogSegmentData.
    Left out: a store that refuses; a restart does the same to the metadata.
    """
    segment = state.segment[state.broker[broker].thread[thread].segment]
    segment.object_exists = False
    segment.was_deleted = True


@guard
def has_no_tombstones_left(state: Topic, broker: Broker) -> bool:
    """The broker has published the tombstones of the segment that it deleted before."""
    return next_tombstone(state, broker) == NONE


@DELETER.action(
    TaskStep.OBJECT_DELETED,
    TaskStep.IDLE,
    guards=[*PUBLISHES, has_no_tombstones_left],
    to="remote_metadata",
)
def task_publishes_delete_finished(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_FINISHED; tombstones follow, and the thread is free.

    Kafka: RemoteLogManager#deleteRemoteLogSegment; KIP-1266, Broker Write Path: "for the tombstone
    messages, the consumers will finish the consumption asynchronously".
    Left out: tombstones of two deletions under way at once.
    """
    deleter = state.broker[broker]
    segment = deleter.thread[thread].segment
    publish(state, broker, segment, Kind.DELETE_SEGMENT_FINISHED)
    release_segment(deleter.thread[thread])
    if deleter.writes_keys:
        deleter.to_tombstone = segment
        deleter.has_gone_to_tombstone = 0


# -- tombstones


def needs_tombstone(state: Topic, segment: int, key: int) -> bool:
    """The key of the deleted segment is still alive."""
    return is_live(state.metadata, key)


def next_tombstone(state: Topic, broker: int) -> int:
    """The number of the next key to tombstone, or NONE; keys that are gone are passed."""
    writer = state.broker[broker]
    if writer.to_tombstone == NONE:
        return NONE
    for n in range(writer.has_gone_to_tombstone, 8):
        key = key_to_tombstone(state, writer.to_tombstone, writer.term, n)
        if key != NONE and needs_tombstone(state, writer.to_tombstone, key):
            return n
    return NONE


@guard
def has_tombstone_to_publish(state: Topic, broker: Broker) -> bool:
    """A key of the deleted segment is still alive."""
    return next_tombstone(state, broker) != NONE


@BROKER.action(
    guards=[has_tombstone_to_publish, topic_takes_records, has_place_for_metadata],
    to="remote_metadata",
)
def broker_publishes_tombstone(state: Topic, broker: Broker) -> None:
    """Tombstone the next key with the same end offset and no bigger epoch than the broker's.

    The broker that deleted the segment does so, also when it no longer leads.

    Kafka: KIP-1266, Broker Write Path, scenario 4.
    Left out: how it knows the keys: here it tombstones those that the topic still has.
    """
    writer = state.broker[broker]
    n = next_tombstone(state, broker)
    key = key_to_tombstone(state, writer.to_tombstone, writer.term, n)
    writer.has_gone_to_tombstone = n + 1
    append(state.metadata, key, NULL)
    if next_tombstone(state, broker) == NONE:
        writer.to_tombstone = NONE
        writer.has_gone_to_tombstone = 0


SYSTEM = (
    expiration_task_chooses_segment,
    task_publishes_delete_started,
    task_deletes_object,
    task_publishes_delete_finished,
    broker_publishes_tombstone,
)
