"""What nobody controls: time, and brokers that lose their memory."""

from typing import Any

from model.designs.kip950.controller import copy_settings, is_not_elected, note_legal_removal
from model.designs.kip950.copying import release_copier
from model.designs.kip950.publisher import finish_batch, schedule_tasks, stop_all_tasks
from model.designs.kip950.state import Broker, Partition
from model.kafka.local_log import open_log
from model.kafka.remote_log_task import DeleteStep
from model.kafka.replica import high_watermark
from model.language import NONE, action, guard


@guard
def has_committed_segment_to_expire(state: Partition) -> bool:
    """A committed segment is younger than topic retention."""
    return state.expired_end < high_watermark(state)


@action(guards=[has_committed_segment_to_expire], actor="time", budget="expirations")
def time_expires_segment(state: Partition) -> None:
    """The oldest segment that topic retention protected gets too old.

    **Who**: the clock.
    **Kafka**: retention.ms against the largest timestamp of a segment.
    **Left out**: timestamps out of order, retention by size.
    """
    state.expired_end += 1


def forget_memory(state: Any, broker: int) -> None:
    """Everything that lives in the process: tasks, threads, cursors."""
    stop_all_tasks(state, broker)
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            release_copier(state, i)
    me = state.broker[broker]
    me.expiring = NONE
    me.delete_step = DeleteStep.IDLE
    me.highest_remote_offset = NONE


@action(guards=[is_not_elected], actor="broker {broker}", budget="restarts", stutters=True)
def broker_restarts(state: Partition, broker: Broker) -> None:
    """The broker crashes and comes back with the newest metadata already in its first image.

    **Who**: a broker that does not lead any more: a crashed leader is fenced first.
    **Kafka**: BrokerMetadataPublisher#initializeManagers loads the logs under the settings
    of the first image, so that the handler sees no change in them.
    **Left out**: log start checkpoints that lag behind, unflushed records.
    """
    me = state.broker[broker]
    forget_memory(state, broker)
    copy_settings(me.settings, state.settings)
    me.tiering = state.tiering
    me.presumed_leader = state.elected_leader
    me.leader_epoch = state.leader_epoch
    if not state.settings.remote_storage_enable:
        note_legal_removal(state, state.elected_leader)
    open_log(me, me.settings.remote_storage_enable)
    if me.settings.remote_storage_enable:
        schedule_tasks(state, broker)
    me.batch = state.metadata_end - me.position
    finish_batch(state, broker)
