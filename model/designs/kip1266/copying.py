"""Copying a segment: STARTED, the object, FINISHED; failures, and what a retry leaves behind.

A publishing thread waits until its own broker has read what it published: here both are one
step, as if that consumer were quick. Other brokers read at their own pace.
"""

from tierproof.model.designs.kip1266.metadata import (
    PUBLISHES,
    has_place_for_metadata,
    is_consumer_alive,
    publish,
    topic_takes_records,
)
from tierproof.model.designs.kip1266.state import (
    BROKER,
    COPIER,
    COPYING,
    Broker,
    BrokerState,
    Kind,
    Kip1266,
    TaskStep,
    Thread,
    Topic,
)
from tierproof.model.kafka.remote_metadata_cache import (
    find_log_start_offset,
    highest_offset_for_epoch,
)
from tierproof.model.language import NONE, fence, guard, limit


def free_segment_id(state: Topic) -> int:
    """The first id that was never used, or NONE."""
    for i in range(len(state.segment)):
        if state.segment[i].copy_term == NONE:
            return i
    return NONE


def release_segment(thread: Thread) -> None:
    """The thread no longer works on its segment."""
    thread.segment = NONE
    thread.is_outdated = False


# -- a leader's first run


@guard
def is_new_leader(state: Topic, broker: Broker) -> bool:
    """The broker believes to lead, and its copy task has not run in this term."""
    leader = state.broker[broker]
    return leader.is_leader and not leader.has_begun


@fence(protects="leader_serves_what_is_within_retention", scope="deletion")
def is_cache_ready(state: Topic, broker: Broker) -> bool:
    """The broker has read what was in the topic when it was assigned.

    A leader that begins before does not know the segments of the remote tier: it would take its
    log start from the first that it has read of, or from its local log, and give up the rest.
    """
    return state.broker[broker].cache.is_initialized


@BROKER.action(guards=[is_new_leader, is_cache_ready], to="remote_metadata")
def copy_task_begins(state: Topic, broker: Broker) -> None:
    """Take the log start and the cursor over from what the cache knows of the remote tier.

    Kafka: RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, maybeUpdateCopiedOffset:
    without any segment the log starts where the local log does.
    Left out: that these are two steps.
    """
    leader = state.broker[broker]
    lineage = state.segment[0].lineage
    found = leader.local_log_start
    for segment in state.segment:
        if segment.copy_term != NONE:
            lineage = segment.lineage
            found = find_log_start_offset(
                leader.cache, state.segment, lineage, leader.local_log_start
            )
    leader.log_start = max(leader.log_start, found)
    leader.next_to_copy = max(leader.log_start, highest_offset_for_epoch(leader.cache, 0) + 1)
    leader.has_begun = True


# -- one copy


@guard
def has_begun_to_lead(state: Topic, broker: Broker) -> bool:
    """The broker believes to lead, and its tasks have begun."""
    return state.broker[broker].is_leader and state.broker[broker].has_begun


def next_to_copy(leader: BrokerState) -> int:
    """The first closed segment at or after the cursor that the local log still has."""
    return max(leader.next_to_copy, leader.log_start, leader.local_log_start)


@guard
def has_segment_to_copy(state: Topic, broker: Broker, scope: Kip1266) -> bool:
    """A closed local segment lies at the cursor or after it."""
    return next_to_copy(state.broker[broker]) < scope.offsets and not state.is_topic_deleted


@limit
def has_free_segment_id(state: Topic) -> bool:
    """The scope has an id left for another attempt."""
    return free_segment_id(state) != NONE


@COPIER.action(
    TaskStep.IDLE,
    TaskStep.STARTED,
    guards=[
        has_begun_to_lead,
        is_cache_ready,
        is_consumer_alive,
        has_segment_to_copy,
        topic_takes_records,
        has_free_segment_id,
        has_place_for_metadata,
    ],
    to="remote_metadata",
)
def copy_task_publishes_started(state: Topic, broker: Broker) -> None:
    """Draw a new id for the next segment and publish COPY_SEGMENT_STARTED.

    Kafka: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#addRemoteLogSegmentMetadata.
    Left out: segments that another leader cut elsewhere.
    """
    leader, id = state.broker[broker], free_segment_id(state)
    segment, offset = state.segment[id], next_to_copy(leader)
    segment.start_offset = offset
    segment.end_offset = offset
    segment.lineage[0] = offset
    segment.copy_term = leader.term
    leader.thread[COPYING].segment = id
    publish(state, broker, id, Kind.COPY_SEGMENT_STARTED)


@COPIER.action(TaskStep.STARTED, TaskStep.STORED, guards=[is_consumer_alive], to="remote_store")
def copy_task_stores_object(state: Topic, broker: Broker) -> None:
    """Store the object, whatever became of the metadata or the leadership.

    Kafka: RemoteStorageManager#copyLogSegmentData; a zombie's thread continues.
    Left out: partial copies.
    """
    state.segment[state.broker[broker].thread[COPYING].segment].object_exists = True


@COPIER.action(TaskStep.STORED, TaskStep.IDLE, guards=PUBLISHES, to="remote_metadata")
def copy_task_publishes_finished(state: Topic, broker: Broker) -> None:
    """Publish COPY_SEGMENT_FINISHED, and move the cursor past the segment.

    Nothing looks at the leadership, nor whether caches take the record.

    Kafka: RLMCopyTask#copyLogSegment, its last part.
    """
    leader = state.broker[broker]
    id = leader.thread[COPYING].segment
    publish(state, broker, id, Kind.COPY_SEGMENT_FINISHED)
    leader.next_to_copy = max(leader.next_to_copy, state.segment[id].end_offset + 1)
    release_segment(leader.thread[COPYING])


# -- failures


@COPIER.action(
    TaskStep.STARTED,
    TaskStep.IDLE,
    guards=[is_consumer_alive],
    to="remote_store",
    budget="failed_copies",
)
def store_defers_copy(state: Topic, broker: Broker, is_stored: bool) -> None:
    """The store asks to try later, with the object stored or not: nothing is cleaned up.

    Kafka: RetriableRemoteStorageException of copyLogSegmentData; KIP-1266, scenario 3:
    "Network timeout", and then a retry with a new UUID.
    """
    thread = state.broker[broker].thread[COPYING]
    state.segment[thread.segment].object_exists = is_stored
    release_segment(thread)


@COPIER.action(
    TaskStep.STARTED,
    TaskStep.TO_DELETE,
    guards=[is_consumer_alive],
    to="remote_store",
    budget="failed_copies",
)
def store_fails_copy(state: Topic, broker: Broker, is_stored: bool) -> None:
    """The copy fails, with the object stored or not: the thread deletes what it began.

    Kafka: RemoteStorageException of copyLogSegmentData, RemoteLogManager#deleteRemoteLogSegment.
    Left out: that a cancelled task does not clean up.
    """
    state.segment[state.broker[broker].thread[COPYING].segment].object_exists = is_stored


# -- the local log


@fence(stays="Without it the local log start leaves the offsets of the scope.")
def is_copied_as_far_as_known(state: Topic, broker: Broker) -> bool:
    """The cache says that the remote tier has what begins the local log.

    Until its copy is finished, the local log has the only copy of a segment.
    """
    replica = state.broker[broker]
    return highest_offset_for_epoch(replica.cache, 0) >= replica.local_log_start


@BROKER.action(guards=[is_copied_as_far_as_known])
def broker_removes_local_segment(state: Topic, broker: Broker) -> None:
    """Local retention removes the first local segment, as it is in the remote tier.

    Kafka: UnifiedLog#deleteOldSegments, up to highestOffsetInRemoteStorage.
    Left out: that this offset stays after the cache has forgotten it.
    """
    state.broker[broker].local_log_start += 1


SYSTEM = (
    copy_task_begins,
    copy_task_publishes_started,
    copy_task_stores_object,
    copy_task_publishes_finished,
    broker_removes_local_segment,
)
ENVIRONMENT = (
    store_defers_copy,
    store_fails_copy,
)
