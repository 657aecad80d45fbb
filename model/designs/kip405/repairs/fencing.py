"""A fence against zombies: remote metadata accepts records of the elected leader only.

A record of a broker that does not lead in the current epoch is refused, and its thread gives
up. Nothing in Kafka does this: the metadata topic accepts records of any broker. Left out: how
the fence knows the epoch.
"""

from tierproof.model.designs.kip405.actors import COPIER, EXPIRATION, REMOVAL
from tierproof.model.designs.kip405.cleaning_up import (
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    end_run,
    expiration_publishes_delete_finished,
    expiration_publishes_delete_started,
    has_deletion_planned,
)
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.state import (
    AttemptStep,
    Broker,
    Partition,
    RemovalStep,
    RunStep,
)
from tierproof.model.designs.kip405.stopping import end_removal, removal_publishes_delete_started
from tierproof.model.kafka.replica import is_leading
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, fence, guard


@fence(protects="only_the_leader_publishes_copies", scope="smoke")
def is_copied_by_the_leader(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to the elected leader, in its epoch.

    A zombie does not know what the new leader has deleted, or is copying itself.
    """
    return is_leading(state, state.segment[segment].copier)


@guard
def is_copied_by_a_zombie(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to a broker that does not lead."""
    return not is_leading(state, state.segment[segment].copier)


def may_delete(state: Partition, broker: int) -> bool:
    """The broker leads in its epoch, or was the last to lead a topic that is deleted."""
    was_last = state.is_topic_deleted and state.elected_leader == broker
    return was_last or is_leading(state, broker)


@fence(protects="only_the_leader_deletes", scope="smoke")
def deletes_as_leader(state: Partition, broker: Broker) -> bool:
    """The broker is the elected leader in its epoch; or was the last one of a deleted topic.

    A zombie moves its own log start only: the new leader's would promise what is deleted.
    """
    return may_delete(state, broker)


@guard
def deletes_as_zombie(state: Partition, broker: Broker) -> bool:
    """The broker is not the elected leader in its epoch, nor the last one of a deleted topic."""
    return not may_delete(state, broker)


@COPIER.action(
    (AttemptStep.CHOSEN, AttemptStep.STORED),
    AttemptStep.IDLE,
    guards=[is_copied_by_a_zombie],
    to="remote_metadata",
)
def metadata_refuses_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse a record of a copy by a broker that does not lead; the thread gives up."""
    release(state, segment)


@EXPIRATION.action(
    RunStep.DELETING,
    RunStep.IDLE,
    guards=[has_deletion_planned, deletes_as_zombie],
    to="remote_metadata",
)
def metadata_refuses_expiration(state: Partition, broker: Broker) -> None:
    """Refuse the first record of a deletion by a broker that does not lead: the run ends."""
    end_run(state, broker)


@REMOVAL.action(
    RemovalStep.STARTING_DELETES,
    RemovalStep.IDLE,
    guards=[deletes_as_zombie],
    to="remote_metadata",
)
def metadata_refuses_removal(state: Partition, broker: Broker) -> None:
    """Refuse the first record of a deletion by a broker that does not lead: the removal ends."""
    end_removal(state, broker)


FENCE = Variant(
    name="repair_fence_remote_metadata",
    because="a zombie copies and deletes as if it led: nothing asks for its epoch",
    fence={
        copy_publishes_started: is_copied_by_the_leader,
        copy_publishes_finished: is_copied_by_the_leader,
        expiration_publishes_delete_started: deletes_as_leader,
        removal_publishes_delete_started: deletes_as_leader,
    },
    add_system=(metadata_refuses_copy, metadata_refuses_expiration, metadata_refuses_removal),
)
"""For designs that have no thread of an earlier leader epoch."""

# -- a thread of an earlier epoch is fenced, too, even where its broker leads again


def cancel_threads(state: Partition, broker: int) -> None:
    """A broker that learns of an election cancels its threads, also where it leads again.

    Ours: RemoteLogManager#onLeadershipChange keeps the tasks of a leader that leads again.
    """
    for copy in state.segment:
        if copy.copier == broker:
            copy.is_cancelled = True
    replica = state.broker[broker]
    if replica.run_step != RunStep.IDLE:
        replica.is_run_cancelled = True


@fence(protects="every_object_is_tracked", scope="smoke")
def is_copy_current(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to the elected leader, and began in its present epoch.

    A thread that began before does not know what leaders in between have deleted.
    """
    copy = state.segment[segment]
    return is_leading(state, copy.copier) and not copy.is_cancelled


@guard
def is_copy_stale(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to a broker that does not lead, or began in an earlier epoch."""
    copy = state.segment[segment]
    return not (is_leading(state, copy.copier) and not copy.is_cancelled)


def is_run_of_leader(state: Partition, broker: int) -> bool:
    """The run began in the epoch in which the broker leads."""
    return may_delete(state, broker) and not state.broker[broker].is_run_cancelled


@fence(protects="metadata_records_are_legal_transitions", scope="deleted")
def finishes_as_leader(state: Partition, broker: Broker) -> bool:
    """The run began in the epoch in which the broker leads.

    The next leader takes the deletion up, and finishes it.
    """
    return is_run_of_leader(state, broker)


@guard
def finishes_as_zombie(state: Partition, broker: Broker) -> bool:
    """The run began in an earlier epoch, or its broker does not lead."""
    return not is_run_of_leader(state, broker)


@COPIER.action(
    (AttemptStep.CHOSEN, AttemptStep.STORED, AttemptStep.FAILED, AttemptStep.OBJECT_DELETED),
    AttemptStep.IDLE,
    guards=[is_copy_stale],
    to="remote_metadata",
)
def metadata_refuses_stale_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse a record of a copy that began in an earlier epoch; the thread gives up."""
    release(state, segment)


@EXPIRATION.action(
    RunStep.OBJECT_DELETED, RunStep.IDLE, guards=[finishes_as_zombie], to="remote_metadata"
)
def metadata_refuses_end_of_deletion(state: Partition, broker: Broker) -> None:
    """Refuse DELETE_SEGMENT_FINISHED of a run that began in an earlier epoch: the run ends."""
    end_run(state, broker)


FENCE_EPOCHS = Variant(
    name=FENCE.name,
    because=FENCE.because,
    parts=(FENCE,),
    drop=(metadata_refuses_copy,),
    first={broker_learns_leader: cancel_threads},
    fence={
        copy_publishes_started: is_copy_current,
        copy_publishes_finished: is_copy_current,
        copy_publishes_delete_started: is_copy_current,
        copy_publishes_delete_finished: is_copy_current,
        expiration_publishes_delete_finished: finishes_as_leader,
    },
    add_system=(metadata_refuses_stale_copy, metadata_refuses_end_of_deletion),
)
