"""Proposals against what is left of copies, and against those who act too late."""

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import EXPIRATION, REMOVAL
from tierproof.model.designs.kip405.expiring import (
    expiration_deletes_object,
    expiration_publishes_delete_started,
    expiration_task_plans_retention,
    has_deletion_planned,
    has_read_own_deletion,
    is_run_not_cancelled,
    planned_segment,
)
from tierproof.model.designs.kip405.metadata import is_cache_ready, tracked_ids, unassign_metadata
from tierproof.model.designs.kip405.repairs.cleaning_up import (
    is_due_or_unfinished,
    is_unfinished,
    plan_unfinished,
)
from tierproof.model.designs.kip405.repairs.counting import COUNT_SERVING
from tierproof.model.designs.kip405.repairs.listing import LIST_REPLACED
from tierproof.model.designs.kip405.repairs.topic_deletion import (
    store_fails_removal,
    store_loses_reply_of_removal,
)
from tierproof.model.designs.kip405.state import (
    Broker,
    Partition,
    RecordKind,
    RemovalStep,
    RunStep,
)
from tierproof.model.designs.kip405.stopping import (
    broker_learns_deletion,
    delete_local_log,
    end_removal,
    removal_goes_on_to_objects,
)
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, Variant, guard

# -- a deletion ends only after the copy


def has_read_end_of_copy(state: Partition, broker: int, segment: int) -> bool:
    """The broker has read COPY_SEGMENT_FINISHED of the segment, also after its deletion began.

    Kafka: ours: RemoteLogMetadataCache drops such a late record, and has to remember it.
    """
    return any(
        state.metadata_topic[n].segment == segment
        and state.metadata_topic[n].kind == RecordKind.COPY_SEGMENT_FINISHED
        for n in range(state.broker[broker].metadata_position)
    )


@guard
def is_copy_over(state: Partition, broker: Broker) -> bool:
    """COPY_SEGMENT_FINISHED of the segment that the run deletes is read: its object is stored."""
    return has_read_end_of_copy(state, broker, planned_segment(state, broker))


@guard
def may_be_copied_still(state: Partition, broker: Broker) -> bool:
    """COPY_SEGMENT_FINISHED of the segment that the run deletes is not read."""
    return not has_read_end_of_copy(state, broker, planned_segment(state, broker))


@guard
def is_deletion_new(state: Partition, broker: Broker) -> bool:
    """The cache does not have the segment that the run deletes in DELETE_SEGMENT_STARTED."""
    id = planned_segment(state, broker)
    return state.broker[broker].cache.state[id] != SegmentState.DELETE_SEGMENT_STARTED


@guard
def is_deletion_taken_up(state: Partition, broker: Broker) -> bool:
    """The cache has the segment that the run deletes in DELETE_SEGMENT_STARTED."""
    id = planned_segment(state, broker)
    return state.broker[broker].cache.state[id] == SegmentState.DELETE_SEGMENT_STARTED


@EXPIRATION.action(
    RunStep.DELETING,
    RunStep.DELETE_STARTED,
    guards=[
        has_read_own_deletion,
        has_deletion_planned,
        is_run_not_cancelled,
        is_deletion_taken_up,
    ],
)
def expiration_takes_deletion_up(state: Partition, broker: Broker) -> None:
    """Delete a segment in DELETE_SEGMENT_STARTED once more, without publishing that again.

    Kafka: ours: RLMTask#deleteRemoteLogSegment, which publishes it in every run.
    """


@EXPIRATION.action(
    RunStep.DELETE_STARTED,
    RunStep.DELETING,
    guards=[has_read_own_deletion, may_be_copied_still],
    to="remote_store",
)
def expiration_deletes_unfinished_copy(state: Partition, broker: Broker) -> None:
    """Delete what there is, publish nothing: a later run deletes what is stored later.

    Kafka: ours: RLMTask#deleteRemoteLogSegment.
    """
    state.segment[planned_segment(state, broker)].object_exists = False
    state.broker[broker].planned_next += 1


FINISH_AFTER_COPY = Variant(
    name="proposal_finish_deletion_after_copy",
    because="a deletion that ends before the copy does leaves the object that is stored later",
    fence={
        expiration_publishes_delete_started: is_deletion_new,
        expiration_deletes_object: is_copy_over,
    },
    add_system=(expiration_takes_deletion_up, expiration_deletes_unfinished_copy),
)


# -- a task deletes the remote log of a deleted topic


def hand_over_removal(state: Partition, broker: int) -> None:
    """Drop the replica; a leader's task is to delete the remote log, and has listed nothing yet."""
    replica = state.broker[broker]
    leads = presumes_to_lead(state, broker) and replica.settings.remote_storage_enable
    cancel_tasks(state, broker)
    if leads:
        replica.removal_step = RemovalStep.STARTING_DELETES
    else:
        unassign_metadata(state, broker)
    delete_local_log(state, broker)


@guard
def has_listed_removal(state: Partition, broker: Broker) -> bool:
    """The task has listed what it deletes."""
    return state.broker[broker].removal_list != set()


@guard
def has_not_listed_removal(state: Partition, broker: Broker) -> bool:
    """The task has not listed yet what it deletes."""
    return state.broker[broker].removal_list == set()


@guard
def has_no_cancelled_thread(state: Partition, broker: Broker) -> bool:
    """No thread of the broker copies or expires: the cancelled tasks have ended."""
    is_copying = any(copy.copier == broker for copy in state.segment)
    return not is_copying and state.broker[broker].run_step == RunStep.IDLE


@REMOVAL.action(
    RemovalStep.STARTING_DELETES,
    (RemovalStep.STARTING_DELETES, RemovalStep.IDLE),
    guards=[has_not_listed_removal, has_no_cancelled_thread, is_cache_ready],
)
def removal_lists_segments(state: Partition, broker: Broker) -> None:
    """List the segments once the cancelled tasks have ended; without any, the task ends.

    A cancelled task ends once its broker has read what it published: the list has all of that.

    Kafka: ours: a task in place of RemoteLogManager#deleteRemoteLogPartition (KAFKA-15313).
    Left out: an interrupt that ends the wait of a cancelled task for its own record.
    """
    replica = state.broker[broker]
    replica.removal_list = tracked_ids(replica.cache)
    replica.to_remove = replica.removal_list
    if replica.removal_list == set():
        end_removal(state, broker)
        replica.removal_step = RemovalStep.IDLE


DELETE_BY_TASK = Variant(
    name="proposal_task_deletes_remote_log",
    because="stopPartitions deletes once, what it happens to list, and forgets the partition",
    effect={broker_learns_deletion: hand_over_removal},
    fence={removal_goes_on_to_objects: has_listed_removal},
    add_system=(removal_lists_segments,),
    # In the slots of the actions that end the removal: these stay at their edge.
    drop=(stopping.store_fails_removal, stopping.store_loses_reply_of_removal),
    add_environment=(store_fails_removal, store_loses_reply_of_removal),
)

# -- the expiration task deletes copies that a crash of its own broker has cut off


def is_cut_off(state: Partition, broker: int, segment: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id; no thread copies it, and its record is old.

    Old: it lies in what the topic had when the broker was assigned, and so began before the
    broker's start. A record also has its brokerId, which the state lacks: that is exact for
    one broker, and of several it spares those copies of others that still run.
    """
    log = state.broker[broker]
    if log.cache.state[segment] != SegmentState.COPY_SEGMENT_STARTED or segment in log.copying:
        return False
    return state.segment[segment].copier == NONE and any(
        state.metadata_topic[n].segment == segment
        and state.metadata_topic[n].kind == RecordKind.COPY_SEGMENT_STARTED
        for n in range(log.metadata_assigned_end)
    )


DELETE_CUT_OFF = Variant(
    name="proposal_delete_own_copies_from_before_the_start",
    because="a crash during an upload leaves an object that nobody deletes before retention",
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_unfinished, is_unfinished: is_cut_off},
)

# -- a replaced segment is listed, and does not count

LIST_UNCOUNTED = Variant(
    name="proposal_list_replaced_segments_uncounted",
    because="a replaced segment that PR 23148 lists for its epochs counts in retention.bytes, too",
    parts=(LIST_REPLACED, COUNT_SERVING),
)

OF_COPIES: tuple[Variant, ...] = (
    FINISH_AFTER_COPY,
    DELETE_BY_TASK,
    DELETE_CUT_OFF,
    LIST_UNCOUNTED,
)
