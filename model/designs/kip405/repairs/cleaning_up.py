"""Copies that nobody finishes: the store refuses zombies, and the leader deletes what is left."""

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import copy_stores_object, release
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.repairs.fencing import (
    is_copied_by_a_zombie,
    is_copied_by_the_leader,
)
from tierproof.model.designs.kip405.state import AttemptStep, Partition
from tierproof.model.kafka.expiration_task import is_planned, plan_deletion
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant


@COPIER.action(
    AttemptStep.STARTED, AttemptStep.IDLE, guards=[is_copied_by_a_zombie], to="remote_store"
)
def store_refuses_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse an object of a broker that does not lead; the thread gives up."""
    release(state, segment)


FENCE_STORE = Variant(
    name="repair_fence_remote_store",
    because="the store takes an object whose metadata is deleted already",
    fence={copy_stores_object: is_copied_by_the_leader},
    add_system=(store_refuses_copy,),
)


def is_unfinished(state: Partition, broker: int, id: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id that no thread of this broker copies."""
    log = state.broker[broker]
    return log.cache.state[id] == SegmentState.COPY_SEGMENT_STARTED and id not in log.copying


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
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_unfinished},
)
