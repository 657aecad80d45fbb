"""Proposals against what is left of copies, and against those who act too late."""

from collections.abc import Sequence

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import REMOVAL
from tierproof.model.designs.kip405.copying import base_to_copy
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.metadata import is_cache_ready, tracked_ids, unassign_metadata
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.repairs.cleaning_up import (
    SPARE_COPIES,
    is_unfinished,
    plan_unfinished,
)
from tierproof.model.designs.kip405.repairs.topic_deletion import (
    store_fails_removal,
    store_loses_reply_of_removal,
)
from tierproof.model.designs.kip405.state import (
    Broker,
    Partition,
    RecordKind,
    RemoteSegment,
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
from tierproof.model.kafka.expiration_task import ExpiringReplica, precedes_lineage
from tierproof.model.kafka.expiration_task import _plan_one as plan_one
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, Variant, guard

# -- a deletion spares what another broker may still copy


def may_still_be_copied(log: ExpiringReplica, copy: RemoteSegment, id: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id, and the record is not older than the limit.

    Kafka: ours: eventTimestampMs. The limit is longer than any copy takes: here it has passed when
    no thread copies the id.
    """
    is_started = log.cache.state[id] == SegmentState.COPY_SEGMENT_STARTED
    return is_started and copy.copier != NONE


def plan_one_unless_in_copy(
    log: ExpiringReplica, segment: Sequence[RemoteSegment], id: int, surplus: int, now: int
) -> int:
    """As before, but pass over a segment that another broker may still copy."""
    if id not in log.copying and may_still_be_copied(log, segment[id], id):
        return surplus
    return plan_one(log, segment, id, surplus, now)


def precedes_lineage_unless_in_copy(log: ExpiringReplica, segment: RemoteSegment, id: int) -> bool:
    """As before, but not a segment that a broker may still copy."""
    return not may_still_be_copied(log, segment, id) and precedes_lineage(log, segment, id)


SPARE_UPLOADS = Variant(
    name="proposal_spare_copies_until_a_limit",
    because="a deletion that ends before the copy does leaves the object that is stored later",
    define={plan_one: plan_one_unless_in_copy, precedes_lineage: precedes_lineage_unless_in_copy},
    after=(SPARE_COPIES,),
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


def is_covered(state: Partition, broker: int, segment: int) -> bool:
    """The cache has finished segments with all offsets of the segment."""
    copy, known = state.segment[segment], state.broker[broker].cache.state
    return all(
        offset < copy.start_offset
        or offset > copy.end_offset
        or any(
            known[i] == SegmentState.COPY_SEGMENT_FINISHED
            and state.segment[i].start_offset <= offset <= state.segment[i].end_offset
            for i in range(len(state.segment))
        )
        for offset in range(len(state.broker[broker].records))
    )


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


def is_cut_off_and_covered(state: Partition, broker: int, segment: int) -> bool:
    """A copy that a crash has cut off, and whose offsets are copied again."""
    return is_cut_off(state, broker, segment) and is_covered(state, broker, segment)


def is_due_or_cut_off(state: Partition, broker: int, segment: int) -> bool:
    """The expiration task also deletes what a crash has cut off, now or after the next copy."""
    if is_due(state, broker, segment) or is_cut_off_and_covered(state, broker, segment):
        return True
    return is_cut_off(state, broker, segment) and base_to_copy(state, broker) != NONE


DELETE_CUT_OFF = Variant(
    name="proposal_delete_own_copies_from_before_the_start",
    because="a crash during an upload leaves an object that nobody deletes before retention",
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_cut_off, is_unfinished: is_cut_off_and_covered},
    redefines={is_due: TASK_DECIDES},
)

OF_COPIES: tuple[Variant, ...] = (
    SPARE_UPLOADS,
    DELETE_BY_TASK,
    DELETE_CUT_OFF,
)
