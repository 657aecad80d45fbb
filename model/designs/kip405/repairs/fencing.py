"""A fence against zombies: remote metadata accepts records of the elected leader only.

A record of a broker that does not lead in the current epoch is refused, and its thread gives
up. Nothing in Kafka does this: the metadata topic accepts records of any broker. Left out: how
the fence knows the epoch.
"""

from tierproof.model.designs.kip405.actors import COPIER, EXPIRATION, REMOVAL
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    end_run,
    expiration_publishes_delete_started,
    has_deletion_planned,
)
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
