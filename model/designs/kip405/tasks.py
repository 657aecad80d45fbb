"""Tasks of the remote log: scheduled by role, cancelled by a flag that nobody waits for."""

from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.state import Partition, RunStep
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.language import NONE


def schedule_tasks(state: Partition, broker: int) -> None:
    """RemoteLogManager#onLeadershipChange for a partition that the broker leads."""
    replica = state.broker[broker]
    assign_metadata(state, broker)
    replica.follower_task = False
    if replica.copy_task == CopyTask.NONE and not replica.settings.remote_log_copy_disable:
        replica.copy_task = CopyTask.SCHEDULED
    replica.expiration_task = True


def follow_remote_log(state: Partition, broker: int) -> None:
    """RemoteLogManager#onLeadershipChange for a partition that the broker follows."""
    cancel_copy_task(state, broker)
    cancel_expiration_task(state, broker)
    assign_metadata(state, broker)
    state.broker[broker].follower_task = True


def cancel_copy_task(state: Partition, broker: int) -> None:
    """RLMTask#cancel: remove the copy task, and set the flag of its running thread."""
    replica = state.broker[broker]
    replica.copy_task = CopyTask.NONE
    replica.copied_offset = NONE
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            state.segment[i].is_cancelled = True


def cancel_expiration_task(state: Partition, broker: int) -> None:
    """RLMTask#cancel: remove the expiration task, and set the flag of its running thread."""
    replica = state.broker[broker]
    replica.expiration_task = False
    if replica.run_step != RunStep.IDLE:
        replica.is_run_cancelled = True


def cancel_tasks(state: Partition, broker: int) -> None:
    """RemoteLogManager#stopPartitions, first half."""
    cancel_copy_task(state, broker)
    cancel_expiration_task(state, broker)
    state.broker[broker].follower_task = False
