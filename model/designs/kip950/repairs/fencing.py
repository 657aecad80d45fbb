"""KIP-405's fences of remote metadata and of the store, by the elected leader alone."""

from tierproof.model.designs.kip405 import repairs
from tierproof.model.designs.kip405.actors import COPIER, REMOVAL
from tierproof.model.designs.kip405.cleaning_up import (
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
)
from tierproof.model.designs.kip405.copying import (
    copy_stores_object,
    release,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.repairs import cleaning_up
from tierproof.model.designs.kip405.repairs.fencing import (
    deletes_as_leader,
    deletes_as_zombie,
    is_copied_by_a_zombie,
    is_copied_by_the_leader,
)
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import (
    end_removal,
    is_to_remove,
    removal_publishes_delete_finished,
)
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant


@COPIER.action(
    (AttemptStep.FAILED, AttemptStep.OBJECT_DELETED),
    AttemptStep.IDLE,
    guards=[is_copied_by_a_zombie],
    to="remote_metadata",
)
def metadata_refuses_clean_up(state: Topic, segment: SegmentId) -> None:
    """Refuse a record of a clean-up by a broker that does not lead; the thread gives up.

    Kafka: ours, as `metadata_refuses_copy`.
    """
    release(state, segment)


@REMOVAL.action(
    RemovalStep.FINISHING_DELETES,
    RemovalStep.IDLE,
    guards=[is_to_remove, deletes_as_zombie],
    to="remote_metadata",
)
def metadata_refuses_end_of_removal(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Refuse DELETE_SEGMENT_FINISHED of a broker that does not lead: the new leader deletes.

    Kafka: ours, as `metadata_refuses_removal`.
    """
    end_removal(state, broker)


FENCE = Variant(
    name=repairs.FENCE.name,
    because=repairs.FENCE.because,
    parts=(repairs.FENCE,),
    fence={
        copy_publishes_delete_started: is_copied_by_the_leader,
        copy_publishes_delete_finished: is_copied_by_the_leader,
        removal_publishes_delete_finished: deletes_as_leader,
    },
    add_system=(metadata_refuses_clean_up, metadata_refuses_end_of_removal),
)


@COPIER.action(
    AttemptStep.STARTED, AttemptStep.IDLE, guards=[is_copied_by_a_zombie], to="remote_store"
)
def store_refuses_copy(state: Topic, segment: SegmentId) -> None:
    """Refuse an object of a broker that does not lead; the thread gives up.

    Kafka: ours; whether its task was cancelled is not asked.
    """
    release(state, segment)


FENCE_STORE = Variant(
    name=cleaning_up.FENCE_STORE.name,
    because=cleaning_up.FENCE_STORE.because,
    fence={
        copy_stores_object: is_copied_by_the_leader,
        store_loses_reply_of_copy: is_copied_by_the_leader,
    },
    add_system=(store_refuses_copy,),
)
