"""Histories of designs that disable in stages: what a disable permits to delete, who has stopped.

Below `legal_end` records may be gone, and so may segments of a tiered epoch below
`deleted_below`. `stopped_in` of a broker is the tiered epoch in which its process last stopped
the partition.
"""

from __future__ import annotations

from tierproof.invariants.fields import DisablingTopic
from tierproof.invariants.histories import note_committed_records
from tierproof.invariants.legal_removal import note_legal_removal
from tierproof.model.kafka.tiered_state import DisableStep, Tiering
from tierproof.model.language import NONE, History

# -- legal_end


def note_deleted_topic(state: DisablingTopic) -> None:
    """What the elected leader does not hold locally may be gone while the topic is deleted."""
    if state.tiering == Tiering.DELETED:
        note_legal_removal(state, state.elected_leader)


def note_leaders_removal(state: DisablingTopic, broker: int) -> None:
    """The elected leader gives up records of a topic that is disabled with delete."""
    if broker == state.elected_leader:
        note_deleted_topic(state)


def note_learned_delete(state: DisablingTopic, broker: int) -> None:
    """The elected leader has learned of a disable with delete, perhaps of an earlier one."""
    is_deleted = state.broker[broker].tiering == Tiering.DELETED
    if broker == state.elected_leader and is_deleted:
        note_legal_removal(state, broker)


LEGAL_END = History(
    first={
        "broker_restarts": note_deleted_topic,
        "lone_leader_restarts": note_deleted_topic,
        "broker_loses_disk": note_deleted_topic,
        "operator_removes_broker": note_deleted_topic,
    },
    also={
        "broker_raises_start_to_delete": note_leaders_removal,
        "thread_raises_log_start": note_leaders_removal,
    },
)
LEGAL_END_IN_KRAFT = History(
    also={
        "controller_alters_config": note_deleted_topic,
        "controller_changes_policy": note_deleted_topic,
        "broker_applies_settings": note_learned_delete,
    }
)
LEGAL_END_IN_ZOOKEEPER = History(
    also={
        "controller_writes_config": note_deleted_topic,
        "controller_writes_policy": note_deleted_topic,
        "broker_reads_settings": note_learned_delete,
    }
)

# -- committed

COMMITTED_IN_KRAFT = History(also={"broker_applies_leadership": note_committed_records})

# -- deleted_below


def note_deleted_epochs(state: DisablingTopic) -> None:
    """The tiered state is written; a disable with delete ends all earlier tiered epochs."""
    if state.tiering == Tiering.DELETED:
        state.deleted_below = state.tiered_epoch


DELETED_BELOW_IN_KRAFT = History(also={"controller_alters_config": note_deleted_epochs})
DELETED_BELOW_IN_ZOOKEEPER = History(also={"controller_writes_tiered_state": note_deleted_epochs})

# -- stopped_in


def note_stopped(state: DisablingTopic, broker: int) -> None:
    """stopPartitions has returned, or has its segments deleted by others."""
    state.broker[broker].stopped_in = state.tiered_epoch


def note_stopped_unless_it_waits(state: DisablingTopic, broker: int, thread: int) -> None:
    """stopPartitions has returned, unless the thread waits for a removal."""
    if state.broker[broker].thread[thread].step != DisableStep.WAITING_FOR_REMOVAL:
        note_stopped(state, broker)


def note_new_process(state: DisablingTopic, broker: int) -> None:
    """A process that begins has stopped nothing."""
    state.broker[broker].stopped_in = NONE


STOPPED_IN = History(
    also={
        "thread_cancels_copy": note_stopped,
        "thread_stops_partition": note_stopped_unless_it_waits,
        "thread_ends_removal": note_stopped,
        "broker_restarts": note_new_process,
        "lone_leader_restarts": note_new_process,
        "broker_loses_disk": note_new_process,
        "operator_removes_broker": note_new_process,
    }
)

IN_ANY_CLUSTER = (LEGAL_END, STOPPED_IN)
IN_KRAFT = (LEGAL_END_IN_KRAFT, DELETED_BELOW_IN_KRAFT, COMMITTED_IN_KRAFT)
IN_ZOOKEEPER = (LEGAL_END_IN_ZOOKEEPER, DELETED_BELOW_IN_ZOOKEEPER)
