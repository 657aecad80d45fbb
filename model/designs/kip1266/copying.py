"""Copying a segment: STARTED, the object, FINISHED; failures, and what a retry leaves behind.

A publishing thread waits until its own broker has read what it published: here both are one
step, as if that consumer were quick. Other brokers read when they come to it.
"""

from typing import Any

from tierproof.model.designs.kip1266.metadata import (
    has_place_for_finished,
    has_place_for_metadata,
    has_read_all,
    is_consumer_alive,
    is_not_overtaken,
    is_writer_current,
    publish,
    publish_highest_offset,
    topic_takes_records,
)
from tierproof.model.designs.kip1266.state import COPYING, Broker, Kind, Kip1266, Step, Topic
from tierproof.model.kafka.remote_metadata_cache import (
    find_log_start_offset,
    highest_offset_for_epoch,
)
from tierproof.model.language import NONE, action, guard, limit


def free_segment_id(state: Any) -> int:
    """The first id that was never used, or NONE."""
    for i in range(len(state.segment)):
        if state.segment[i].copy_term == NONE:
            return i
    return NONE


def rest(me: Any, thread: int) -> None:
    """The thread is done with its segment, or gone."""
    me.thread[thread].step = Step.IDLE
    me.thread[thread].segment = NONE
    me.thread[thread].is_outdated = False


# -- a leader's first run


@guard
def is_new_leader(state: Topic, broker: Broker) -> bool:
    """The broker believes to lead, and its copy task has not run in this term."""
    me = state.broker[broker]
    return bool(me.is_leader and not me.has_begun)


@guard
def is_cache_ready(state: Topic, broker: Broker) -> bool:
    """The broker has read what was in the topic when it was assigned."""
    return bool(state.broker[broker].cache.is_initialized)


@guard
def is_cache_complete(state: Topic, broker: Broker) -> bool:
    """A repair: the broker has read all that is in the topic.

    Where writers are fenced, a leader that has done so once since its election knows all.
    """
    return bool(state.broker[broker].cache.is_initialized and has_read_all(state, broker))


@action(guards=[is_new_leader, is_cache_ready], actor="broker {broker}", to="remote_metadata")
def copy_task_begins(state: Topic, broker: Broker) -> None:
    """Take the log start and the cursor over from what the cache knows of the remote tier.

    **Who**: the copy task of a broker that believes to lead, in its first run.
    **Kafka**: RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, maybeUpdateCopiedOffset:
    without any segment the log starts where the local log does.
    **Left out**: that these are two steps.
    """
    me = state.broker[broker]
    lineage = state.segment[0].lineage
    found = me.local_log_start
    for i in range(len(state.segment)):
        if state.segment[i].copy_term != NONE:
            lineage = state.segment[i].lineage
            found = find_log_start_offset(me.cache, state.segment, lineage, me.local_log_start)
    me.log_start = max(me.log_start, found)
    me.next_to_copy = max(me.log_start, highest_offset_for_epoch(me.cache, 0) + 1)
    me.has_begun = True


# -- one copy


@guard
def has_begun_to_lead(state: Topic, broker: Broker) -> bool:
    """The broker believes to lead, and its tasks know where to go on."""
    me = state.broker[broker]
    return bool(me.is_leader and me.has_begun)


@guard
def has_no_copy(state: Topic, broker: Broker) -> bool:
    """A task copies one segment after the other."""
    return state.broker[broker].thread[COPYING].step == Step.IDLE


def next_to_copy(me: Any) -> int:
    """The first closed segment at or after the cursor that the local log still has."""
    return int(max(me.next_to_copy, me.log_start, me.local_log_start))


@guard
def has_segment_to_copy(state: Topic, broker: Broker, scope: Kip1266) -> bool:
    """A closed local segment lies at the cursor or after it."""
    at = next_to_copy(state.broker[broker])
    return bool(at < scope.offsets and not state.is_topic_deleted)


@limit
def has_free_segment_id(state: Topic) -> bool:
    """The scope has an id left for another attempt."""
    return free_segment_id(state) != NONE


@action(
    guards=[
        has_begun_to_lead,
        has_no_copy,
        is_cache_ready,
        is_consumer_alive,
        has_segment_to_copy,
        is_writer_current,
        topic_takes_records,
        has_free_segment_id,
        has_place_for_metadata,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def copy_task_publishes_started(state: Topic, broker: Broker) -> None:
    """Draw a new id for the next segment and publish COPY_SEGMENT_STARTED.

    **Who**: the copy task of a broker that believes to lead.
    **Kafka**: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#addRemoteLogSegmentMetadata.
    **Left out**: segments that another leader cut elsewhere.
    """
    me, id = state.broker[broker], free_segment_id(state)
    it, offset = state.segment[id], next_to_copy(me)
    it.start_offset = offset
    it.end_offset = offset
    it.lineage[0] = offset
    it.copy_term = me.term
    me.thread[COPYING].step = Step.STARTED
    me.thread[COPYING].segment = id
    publish(state, broker, id, Kind.COPY_SEGMENT_STARTED)


@guard
def has_started(state: Topic, broker: Broker) -> bool:
    """The thread has published COPY_SEGMENT_STARTED."""
    return state.broker[broker].thread[COPYING].step == Step.STARTED


@guard
def does_store_take_it(state: Topic, broker: Broker) -> bool:
    """Unless the store remembers that it was asked to delete the object."""
    at = state.broker[broker].thread[COPYING]
    return bool(not state.choices.does_store_remember or not state.segment[at.segment].was_deleted)


@action(
    guards=[has_started, is_consumer_alive, does_store_take_it],
    actor="broker {broker}",
    to="remote_store",
)
def copy_task_stores_object(state: Topic, broker: Broker) -> None:
    """The remote store has the object, whatever became of the metadata or the leadership.

    **Who**: the copying thread; a zombie's goes on.
    **Kafka**: RemoteStorageManager#copyLogSegmentData.
    **Left out**: partial copies.
    """
    at = state.broker[broker].thread[COPYING]
    state.segment[at.segment].object_exists = True
    at.step = Step.STORED


@guard
def has_stored(state: Topic, broker: Broker) -> bool:
    """The thread has stored the object."""
    return state.broker[broker].thread[COPYING].step == Step.STORED


@guard
def is_copy_current(state: Topic, broker: Broker) -> bool:
    """Where writers are fenced: the copy was begun in the broker's epoch."""
    return not state.broker[broker].thread[COPYING].is_outdated


@action(
    guards=[
        has_stored,
        is_consumer_alive,
        is_writer_current,
        is_copy_current,
        is_not_overtaken,
        topic_takes_records,
        has_place_for_finished,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def copy_task_publishes_finished(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish COPY_SEGMENT_FINISHED, and move the cursor past the segment.

    **Who**: the copying thread; nothing looks at the leadership, or whether caches take it.
    **Kafka**: RLMCopyTask#copyLogSegment, its last part.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    id = int(me.thread[COPYING].segment)
    publish(state, broker, id, Kind.COPY_SEGMENT_FINISHED)
    publish_highest_offset(state, broker, scope.offsets)
    me.next_to_copy = max(me.next_to_copy, state.segment[id].end_offset + 1)
    rest(me, COPYING)


# -- failures


@action(
    guards=[has_started, is_consumer_alive, does_store_take_it],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_copies",
)
def store_defers_copy(state: Topic, broker: Broker, is_stored: bool) -> None:
    """The store asks to try later, with the object stored or not: nothing is cleaned up.

    **Who**: the remote store.
    **Kafka**: RetriableRemoteStorageException of copyLogSegmentData; KIP-1266, scenario 3:
    "Network timeout", and then a retry with a new UUID.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    state.segment[me.thread[COPYING].segment].object_exists = is_stored
    rest(me, COPYING)


@action(
    guards=[has_started, is_consumer_alive, does_store_take_it],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_copies",
)
def store_fails_copy(state: Topic, broker: Broker, is_stored: bool) -> None:
    """The copy fails, with the object stored or not: the thread deletes what it began.

    **Who**: the remote store.
    **Kafka**: RemoteStorageException of copyLogSegmentData, RLMTask#deleteRemoteLogSegment.
    **Left out**: that a cancelled task does not clean up.
    """
    at = state.broker[broker].thread[COPYING]
    state.segment[at.segment].object_exists = is_stored
    at.step = Step.TO_DELETE


# -- the local log


@guard
def is_copied_as_far_as_known(state: Topic, broker: Broker) -> bool:
    """The cache says that the remote tier has what begins the local log."""
    me = state.broker[broker]
    return bool(highest_offset_for_epoch(me.cache, 0) >= me.local_log_start)


@action(guards=[is_copied_as_far_as_known], actor="broker {broker}")
def broker_removes_local_segment(state: Topic, broker: Broker) -> None:
    """Local retention removes the first local segment, as it is in the remote tier.

    **Who**: the log manager of any replica.
    **Kafka**: UnifiedLog#deleteOldSegments, up to highestOffsetInRemoteStorage.
    **Left out**: that this offset stays after the cache has forgotten it.
    """
    state.broker[broker].local_log_start += 1
