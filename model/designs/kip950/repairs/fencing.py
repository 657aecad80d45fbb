"""KIP-405's fences of remote metadata and of the store: by the epoch in which a thread began.

KIP-405 tells a thread of an earlier epoch by its flag of a cancelled one. Here a disable cancels
threads, too, which then clean up in the present epoch. So a broker that learns of an election
forgets what its threads were about: a copy that it no longer lists, a run without a plan.
"""

from tierproof.model.designs.kip405.actors import COPIER, EXPIRATION, REMOVAL
from tierproof.model.designs.kip405.cleaning_up import (
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_stores_object,
    release,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.expiring import (
    end_run,
    expiration_publishes_delete_finished,
)
from tierproof.model.designs.kip405.repairs import cleaning_up, fencing
from tierproof.model.designs.kip405.repairs.fencing import (
    deletes_as_leader,
    deletes_as_zombie,
    may_delete,
    metadata_refuses_copy,
)
from tierproof.model.designs.kip405.state import (
    AttemptStep,
    Broker,
    Partition,
    RemovalStep,
    RunStep,
)
from tierproof.model.designs.kip405.stopping import (
    end_removal,
    is_to_remove,
    removal_publishes_delete_finished,
)
from tierproof.model.designs.kip950.publisher import broker_applies_leadership
from tierproof.model.designs.kip950.state import RecordCount, Topic
from tierproof.model.kafka.cluster_log import ClusterRecordKind
from tierproof.model.kafka.replica import is_leading
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard

# -- threads of an earlier epoch


def cancel_threads(state: Partition, broker: int) -> None:
    """A broker that learns of an election cancels its threads, also where it leads again.

    Ours: RemoteLogManager#onLeadershipChange keeps the tasks of a leader that leads again. A
    removal ends at once: if the broker leads, it takes the deletion up in the new epoch.
    """
    replica = state.broker[broker]
    replica.copying = set()
    for copy in state.segment:
        if copy.copier == broker:
            copy.is_cancelled = True
    if replica.run_step != RunStep.IDLE:
        replica.is_run_cancelled = True
        replica.planned_end = replica.planned_next
    if replica.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
        replica.removal_step = RemovalStep.IDLE


def cancel_threads_of_earlier_epochs(state: Topic, broker: Broker, records: RecordCount) -> None:
    """A broker that is about to apply an election cancels its threads."""
    position, is_elected_anew = state.broker[broker].position, False
    for n in range(position, min(position + records, state.cluster_end)):
        if state.cluster_log[n].kind == ClusterRecordKind.LEADERSHIP:
            is_elected_anew = True
    if is_elected_anew:
        cancel_threads(state, broker)


def began_in_this_epoch(state: Topic, segment: int) -> bool:
    """The copying thread belongs to the elected leader, and began in its present epoch."""
    copier = state.segment[segment].copier
    return is_leading(state, copier) and segment in state.broker[copier].copying


@guard
def is_copy_current(state: Topic, segment: SegmentId) -> bool:
    """The copying thread belongs to the elected leader, and began in its present epoch.

    A thread that began before does not know what leaders in between have deleted.
    """
    return began_in_this_epoch(state, segment)


@guard
def is_copy_stale(state: Topic, segment: SegmentId) -> bool:
    """The copying thread belongs to a broker that does not lead, or began in an earlier epoch."""
    return not began_in_this_epoch(state, segment)


def is_run_of_leader(state: Topic, broker: int) -> bool:
    """The broker leads, or was the last to lead, and the run began in that epoch."""
    replica = state.broker[broker]
    return may_delete(state, broker) and replica.planned_next < replica.planned_end


@guard
def finishes_as_leader(state: Topic, broker: Broker) -> bool:
    """The run began in the epoch in which the broker leads.

    The next leader takes the deletion up, and finishes it.
    """
    return is_run_of_leader(state, broker)


@guard
def finishes_as_zombie(state: Topic, broker: Broker) -> bool:
    """The run began in an earlier epoch, or its broker does not lead."""
    return not is_run_of_leader(state, broker)


# -- remote metadata


@COPIER.action(
    (AttemptStep.CHOSEN, AttemptStep.STORED, AttemptStep.FAILED, AttemptStep.OBJECT_DELETED),
    AttemptStep.IDLE,
    guards=[is_copy_stale],
    to="remote_metadata",
)
def metadata_refuses_stale_copy(state: Topic, segment: SegmentId) -> None:
    """Refuse a record of a copy that began in an earlier epoch; the thread gives up."""
    release(state, segment)


@EXPIRATION.action(
    RunStep.OBJECT_DELETED, RunStep.IDLE, guards=[finishes_as_zombie], to="remote_metadata"
)
def metadata_refuses_end_of_deletion(state: Topic, broker: Broker) -> None:
    """Refuse DELETE_SEGMENT_FINISHED of a run that began in an earlier epoch: the run ends."""
    end_run(state, broker)


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


FENCE_RECORDS = Variant(
    name="fence_records_by_epoch",
    because=fencing.FENCE.because,
    parts=(fencing.FENCE,),
    drop=(metadata_refuses_copy,),
    fence={
        copy_publishes_started: is_copy_current,
        copy_publishes_finished: is_copy_current,
        copy_publishes_delete_started: is_copy_current,
        copy_publishes_delete_finished: is_copy_current,
        expiration_publishes_delete_finished: finishes_as_leader,
        removal_publishes_delete_finished: deletes_as_leader,
    },
    add_system=(
        metadata_refuses_stale_copy,
        metadata_refuses_end_of_deletion,
        metadata_refuses_end_of_removal,
    ),
)
"""What every design of KIP-950 has in common: how brokers learn of elections differs."""
FENCE = Variant(
    name=fencing.FENCE.name,
    because=fencing.FENCE.because,
    parts=(FENCE_RECORDS,),
    first={broker_applies_leadership: cancel_threads_of_earlier_epochs},
)

# -- the store


@COPIER.action(AttemptStep.STARTED, AttemptStep.IDLE, guards=[is_copy_stale], to="remote_store")
def store_refuses_copy(state: Topic, segment: SegmentId) -> None:
    """Refuse an object of a copy that began in an earlier epoch; the thread gives up.

    Kafka: ours; whether its task was cancelled is not asked.
    """
    release(state, segment)


FENCE_STORE = Variant(
    name=cleaning_up.FENCE_STORE.name,
    because=cleaning_up.FENCE_STORE.because,
    fence={
        copy_stores_object: is_copy_current,
        store_loses_reply_of_copy: is_copy_current,
    },
    add_system=(store_refuses_copy,),
)
