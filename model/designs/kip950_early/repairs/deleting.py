"""Who deletes the remote log of a disabled topic, and until when: KIP-950's repairs, here."""

from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.metadata import (
    assign_metadata,
    broker_reads_metadata,
    tracked_ids,
    unassign_metadata,
)
from tierproof.model.designs.kip405.restarting import lone_leader_restarts
from tierproof.model.designs.kip405.state import RemovalStep
from tierproof.model.designs.kip950.repairs.deleting import (
    DELETE_UNTIL_NOTHING_IS_LEFT,
    ZOMBIES_DISABLE_AS_FOLLOWERS,
    has_segment_left,
    leads_while_it_disables,
)
from tierproof.model.designs.kip950_early.controller import controller_completes
from tierproof.model.designs.kip950_early.learning import (
    broker_applies_leadership,
    broker_applies_settings,
    broker_reads_settings,
)
from tierproof.model.designs.kip950_early.state import Controller, Topic
from tierproof.model.designs.kip950_early.stopping import (
    RETURNED,
    disables_as_leader,
    thread_ends_removal,
    thread_stops_partition,
)
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import Tiering
from tierproof.model.language import Variant, guard


def owes_a_deletion(state: Topic, broker: int) -> bool:
    """The broker leads a deleted topic, and no thread of it stops the partition or removes."""
    replica = state.broker[broker]
    is_idle = replica.removal_step == RemovalStep.IDLE and all(
        thread.step in RETURNED for thread in replica.thread
    )
    return presumes_to_lead(state, broker) and replica.tiering == Tiering.DELETED and is_idle


def read_what_is_left(state: Topic, broker: int) -> None:
    """A leader of a deleted topic reads the metadata topic, if it lists a segment.

    Left out: that the broker must read it in order to know.
    """
    is_assigned = state.broker[broker].is_metadata_assigned
    if owes_a_deletion(state, broker) and not is_assigned and has_segment_left(state):
        assign_metadata(state, broker)


def delete_what_is_left(state: Topic, broker: int) -> None:
    """A leader of a deleted topic that has read all metadata deletes what it lists."""
    replica = state.broker[broker]
    if not owes_a_deletion(state, broker) or replica.metadata_position < state.metadata_end:
        return
    if not replica.is_metadata_assigned or replica.expiration_task:
        return
    replica.removal_list = tracked_ids(replica.cache)
    replica.to_remove = replica.removal_list
    if replica.to_remove:
        replica.removal_step = RemovalStep.STARTING_DELETES
    else:
        unassign_metadata(state, broker)


@guard
def is_nothing_left(state: Topic, controller: Controller) -> bool:
    """The topic is retained, or its leader has reported that no segment is left."""
    return state.tiering != Tiering.DELETED or not has_segment_left(state)


IN_KRAFT = Variant(
    name=DELETE_UNTIL_NOTHING_IS_LEFT.name,
    because=DELETE_UNTIL_NOTHING_IS_LEFT.because,
    fence={controller_completes: is_nothing_left},
    also={
        broker_applies_leadership: read_what_is_left,
        broker_applies_settings: read_what_is_left,
        thread_stops_partition: read_what_is_left,
        thread_ends_removal: read_what_is_left,
        lone_leader_restarts: read_what_is_left,
        broker_reads_metadata: delete_what_is_left,
    },
)
IN_ZOOKEEPER = Variant(
    name=DELETE_UNTIL_NOTHING_IS_LEFT.name,
    because=DELETE_UNTIL_NOTHING_IS_LEFT.because,
    fence={controller_completes: is_nothing_left},
    also={
        broker_learns_leader: read_what_is_left,
        broker_reads_settings: read_what_is_left,
        thread_stops_partition: read_what_is_left,
        thread_ends_removal: read_what_is_left,
        lone_leader_restarts: read_what_is_left,
        broker_reads_metadata: delete_what_is_left,
    },
)
ASK_BEFORE_DISABLING = Variant(
    name=ZOMBIES_DISABLE_AS_FOLLOWERS.name,
    because=ZOMBIES_DISABLE_AS_FOLLOWERS.because,
    define={disables_as_leader: leads_while_it_disables},
)
