"""Tasks of the remote log: scheduled by role, cancelled by a flag that nobody waits for."""

from typing import Any

from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.state import RunStep
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.language import NONE


def schedule_tasks(state: Any, broker: int) -> None:
    """RemoteLogManager#onLeadershipChange for a partition that the broker leads."""
    me = state.broker[broker]
    assign_metadata(state, broker)
    me.follower_task = False
    if me.copy_task == CopyTask.NONE and not me.settings.remote_log_copy_disable:
        me.copy_task = CopyTask.SCHEDULED
    me.expiration_task = True


def follow_remote_log(state: Any, broker: int) -> None:
    """RemoteLogManager#onLeadershipChange for a partition that the broker follows."""
    cancel_copy_task(state, broker)
    cancel_expiration_task(state, broker)
    assign_metadata(state, broker)
    state.broker[broker].follower_task = True


def cancel_copy_task(state: Any, broker: int) -> None:
    """RLMTask#cancel: the task goes, a thread at work for it is told."""
    me = state.broker[broker]
    me.copy_task = CopyTask.NONE
    me.copied_offset = NONE
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            state.segment[i].is_cancelled = True


def cancel_expiration_task(state: Any, broker: int) -> None:
    """RLMTask#cancel: the task goes, a thread at work for it is told."""
    me = state.broker[broker]
    me.expiration_task = False
    if me.run_step != RunStep.IDLE:
        me.is_run_cancelled = True


def cancel_tasks(state: Any, broker: int) -> None:
    """RemoteLogManager#stopPartitions, first half."""
    cancel_copy_task(state, broker)
    cancel_expiration_task(state, broker)
    state.broker[broker].follower_task = False
