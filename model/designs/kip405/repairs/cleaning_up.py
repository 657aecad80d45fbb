"""Copies that nobody finishes: the store refuses zombies, and the leader deletes what is left."""

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import (
    copy_stores_object,
    release,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.repairs.fencing import (
    is_copy_current,
    is_copy_stale,
)
from tierproof.model.designs.kip405.repairs.taking_over import ASK_ANEW
from tierproof.model.designs.kip405.state import AttemptStep, Partition
from tierproof.model.kafka.expiration_task import (
    ExpiringReplica,
    is_planned,
    plan_deletion,
    precedes_lineage,
)
from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant


@COPIER.action(AttemptStep.STARTED, AttemptStep.IDLE, guards=[is_copy_stale], to="remote_store")
def store_refuses_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse an object of a copy that began in an earlier epoch; the thread gives up."""
    release(state, segment)


FENCE_STORE = Variant(
    name="repair_fence_remote_store",
    because="the store takes an object whose metadata is deleted already",
    fence={
        copy_stores_object: is_copy_current,
        store_loses_reply_of_copy: is_copy_current,
    },
    add_system=(store_refuses_copy,),
)


def is_unfinished(state: Partition, broker: int, id: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id, and only an older leader may be copying it.

    The broker knows its own copies, and the leader epoch in which the others began.
    """
    log, copier = state.broker[broker], state.segment[id].copier
    if log.cache.state[id] != SegmentState.COPY_SEGMENT_STARTED or id in log.copying:
        return False
    return copier == NONE or state.broker[copier].leader_epoch < log.leader_epoch


def plan_unfinished(state: Partition, broker: int) -> None:
    """Plan the deletion of copies that nobody finishes, too."""
    log = state.broker[broker]
    for i in range(len(state.segment)):
        has_place = log.planned_end < len(log.planned)
        if has_place and is_unfinished(state, broker, i) and not is_planned(log, i):
            plan_deletion(log, i)


def is_due_or_unfinished(state: Partition, broker: int, segment: int) -> bool:
    """The expiration task also deletes copies that nobody finishes."""
    return is_due(state, broker, segment) or is_unfinished(state, broker, segment)


DELETE_UNFINISHED = Variant(
    name="repair_delete_unfinished_copies",
    because="a copy that ends before COPY_SEGMENT_FINISHED leaves an object that nobody deletes",
    parts=(ASK_ANEW,),
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_unfinished},
    redefines={is_due: TASK_DECIDES},
)


def precedes_lineage_and_is_copied(log: ExpiringReplica, segment: Segment, id: int) -> bool:
    """As before, but not a segment that a thread of this broker is copying."""
    return id not in log.copying and precedes_lineage(log, segment, id)


def plan_deletion_once(log: ExpiringReplica, id: int) -> None:
    """Put the segment at the end of the plan, unless it is there."""
    if not is_planned(log, id):
        plan_deletion(log, id)


PLAN_ONCE = Variant(
    name="repair_plan_a_deletion_once",
    because="a deletion that dangles is planned once for each leader epoch of its segment",
    define={plan_deletion: plan_deletion_once},
)


SPARE_COPIES = Variant(
    name="repair_old_epochs_spare_running_copies",
    because="the clean-up of old epochs deletes a segment while its own broker copies it",
    define={precedes_lineage: precedes_lineage_and_is_copied},
)
