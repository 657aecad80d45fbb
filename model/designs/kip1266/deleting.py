"""Deleting a segment: DELETE_STARTED, the object, DELETE_FINISHED, and tombstones for its keys.

The expiration task does so with what retention lets go of, a copying thread with an attempt
that failed. Tombstones follow asynchronously: the thread goes on to other work.
"""

from typing import Any

from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready, rest
from tierproof.model.designs.kip1266.keys import nth_key, segment_of
from tierproof.model.designs.kip1266.metadata import (
    has_place_for_metadata,
    is_consumer_alive,
    is_writer_current,
    publish,
    publish_tombstone,
    topic_takes_records,
)
from tierproof.model.designs.kip1266.state import EXPIRING, Broker, Kind, Step, ThreadIndex, Topic
from tierproof.model.kafka.compacted_topic import is_live, latest
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, action, guard

# -- what expires


@action(actor="clock", budget="expirations")
def retention_passes(state: Topic) -> None:
    """The oldest segment that was within its retention is past it.

    **Who**: time.
    **Kafka**: retention.ms of the user topic.
    **Left out**: retention by size.
    """
    state.expired_end += 1


def may_go(state: Any, segment: int) -> bool:
    """The segment is past its retention, or its topic is deleted."""
    return bool(state.is_topic_deleted or state.segment[segment].end_offset < state.expired_end)


@guard
def has_no_deletion(state: Topic, broker: Broker) -> bool:
    """The expiration task deletes one segment after the other."""
    return state.broker[broker].thread[EXPIRING].step == Step.IDLE


@guard
def is_segment_due(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The cache lists the segment as expired, or as one whose deletion was not finished."""
    me = state.broker[broker]
    known = me.cache.state[segment]
    if known == CachedState.UNKNOWN or is_at_work_on(me, segment):
        return False
    return bool(known == CachedState.DELETE_SEGMENT_STARTED or may_go(state, segment))


def is_at_work_on(me: Any, segment: int) -> bool:
    """A thread of the broker has the segment in hand: `segmentIdsBeingCopied`, and deletions."""
    return any(me.thread[t].segment == segment for t in range(len(me.thread)))


@guard
def is_segment_due_or_given_up(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The same, and copies that nobody finished: where writers are fenced, nobody will."""
    me = state.broker[broker]
    known = me.cache.state[segment]
    if known == CachedState.UNKNOWN or is_at_work_on(me, segment):
        return False
    return bool(known != CachedState.COPY_SEGMENT_FINISHED or may_go(state, segment))


@guard
def is_oldest_due(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The task goes from the oldest segment that its cache lists."""
    me = state.broker[broker]
    for i in range(len(state.segment)):
        is_older = state.segment[i].start_offset < state.segment[segment].start_offset
        is_listed = me.cache.state[i] != CachedState.UNKNOWN
        if is_older and is_listed and not is_at_work_on(me, i):
            return False
    return True


def raise_log_start(state: Any, broker: int, offset: int) -> None:
    """The log start moves at the broker, and with its next fetch at those who follow it."""
    for b in range(len(state.broker)):
        if b == broker or (state.elected_leader == broker and not state.broker[b].is_leader):
            me = state.broker[b]
            me.log_start = max(me.log_start, offset)
            me.local_log_start = max(me.local_log_start, offset)


@action(
    guards=[
        has_begun_to_lead,
        has_no_deletion,
        is_cache_ready,
        is_consumer_alive,
        is_segment_due,
        is_oldest_due,
    ],
    actor="broker {broker}",
)
def expiration_task_chooses_segment(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Choose a segment that retention lets go of, and move the log start past it.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments; a segment in
    DELETE_SEGMENT_STARTED is always taken up again.
    **Left out**: that a run plans several at once.
    """
    me = state.broker[broker]
    if may_go(state, segment):
        raise_log_start(state, broker, int(state.segment[segment].end_offset) + 1)
    me.thread[EXPIRING].step = Step.TO_DELETE
    me.thread[EXPIRING].segment = segment


# -- one deletion


@guard
def is_about_to_delete(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has a segment to delete."""
    return state.broker[broker].thread[thread].step == Step.TO_DELETE


PUBLISHES = (is_consumer_alive, is_writer_current, topic_takes_records, has_place_for_metadata)
"""What every append by a thread that waits for its record asks."""


@guard
def is_deletion_current(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """Where writers are fenced: the thread took the segment up in the broker's epoch."""
    return not state.broker[broker].thread[thread].is_outdated


@action(
    guards=[is_about_to_delete, is_deletion_current, *PUBLISHES],
    actor="broker {broker}",
    to="remote_metadata",
)
def task_publishes_delete_started(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_STARTED.

    **Who**: the expiration task, or the copying thread whose copy failed.
    **Kafka**: RLMTask#deleteRemoteLogSegment; KIP-1266's scenario 4 has it after the deletion.
    **Left out**: nothing.
    """
    at = state.broker[broker].thread[thread]
    at.step = Step.DELETE_STARTED
    publish(state, broker, int(at.segment), Kind.DELETE_SEGMENT_STARTED)


@guard
def has_told_deletion(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has published DELETE_SEGMENT_STARTED."""
    return state.broker[broker].thread[thread].step == Step.DELETE_STARTED


@action(guards=[has_told_deletion, is_consumer_alive], actor="broker {broker}", to="remote_store")
def task_deletes_object(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Delete the object.

    **Who**: the thread.
    **Kafka**: RemoteStorageManager#deleteLogSegmentData.
    **Left out**: a store that refuses; a restart does the same to the metadata.
    """
    at = state.broker[broker].thread[thread]
    state.segment[at.segment].object_exists = False
    state.segment[at.segment].was_deleted = True
    at.step = Step.OBJECT_DELETED


@guard
def has_deleted_object(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has deleted the object."""
    return state.broker[broker].thread[thread].step == Step.OBJECT_DELETED


@guard
def has_no_tombstones_left(state: Topic, broker: Broker) -> bool:
    """The broker has published the tombstones of the segment that it deleted before."""
    return next_tombstone(state, broker) == NONE


@action(
    guards=[has_deleted_object, is_deletion_current, *PUBLISHES, has_no_tombstones_left],
    actor="broker {broker}",
    to="remote_metadata",
)
def task_publishes_delete_finished(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_FINISHED; tombstones are to follow, and the thread is free.

    **Who**: the thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment; KIP-1266, Broker Write Path: "for the tombstone
    messages, the consumers will finish the consumption asynchronously".
    **Left out**: tombstones of two deletions under way at once.
    """
    me = state.broker[broker]
    id = int(me.thread[thread].segment)
    publish(state, broker, id, Kind.DELETE_SEGMENT_FINISHED)
    rest(me, thread)
    if me.writes_keys:
        me.to_tombstone = id
        me.has_gone_to_tombstone = 0


# -- tombstones


def may_tombstone(state: Any, key: int, segment: int) -> bool:
    """Unless tombstones are conditional: the last value of the key is of the deleted segment."""
    if not state.choices.is_conditional:
        return True
    at = latest(state.metadata, key)
    return bool(segment_of(state.metadata.record[at].value) == segment)


def next_tombstone(state: Any, broker: int) -> int:
    """The next key that the broker has to tombstone, or NONE; keys that are gone are passed."""
    me = state.broker[broker]
    if me.to_tombstone == NONE:
        return NONE
    for n in range(me.has_gone_to_tombstone, 8):
        key = nth_key(state, me.to_tombstone, me.term, n)
        is_there = key != NONE and is_live(state.metadata, key)
        if is_there and may_tombstone(state, key, me.to_tombstone):
            return n
    return NONE


@guard
def has_tombstone_to_publish(state: Topic, broker: Broker) -> bool:
    """A key of the deleted segment is still alive."""
    return next_tombstone(state, broker) != NONE


@action(
    guards=[has_tombstone_to_publish, is_writer_current, has_place_for_metadata],
    actor="broker {broker}",
    to="remote_metadata",
)
def broker_publishes_tombstone(state: Topic, broker: Broker) -> None:
    """Tombstone the next key with the same end offset and no bigger epoch than the broker's.

    **Who**: the broker that deleted the segment, also when it has lost the leadership.
    **Kafka**: KIP-1266, Broker Write Path, scenario 4.
    **Left out**: how it knows the keys: here it tombstones those that the topic still has.
    """
    me = state.broker[broker]
    n = next_tombstone(state, broker)
    key = nth_key(state, me.to_tombstone, me.term, n)
    me.has_gone_to_tombstone = n + 1
    publish_tombstone(state, broker, key)
    if next_tombstone(state, broker) == NONE:
        me.to_tombstone = NONE
        me.has_gone_to_tombstone = 0
