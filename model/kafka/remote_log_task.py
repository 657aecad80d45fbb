"""How far a task of the remote log has come.

RemoteLogManager schedules and cancels tasks. Cancelling sets a flag and interrupts the thread
that runs the task; the thread may continue until it tests either.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


class CopyTask(IntEnum):
    """A broker's RLMCopyTask: whether it is scheduled, and what it has found out since then."""

    NONE = 0
    SCHEDULED = 1
    LOG_START_FOUND = 2
    READY = 3


COPY_TASK = Lifecycle(
    CopyTask,
    [
        ("schedule", CopyTask.NONE, CopyTask.SCHEDULED),
        (
            "cancel",
            [CopyTask.SCHEDULED, CopyTask.LOG_START_FOUND, CopyTask.READY],
            CopyTask.NONE,
        ),
        ("restart", [CopyTask.LOG_START_FOUND, CopyTask.READY], CopyTask.SCHEDULED),
    ],
    source="RemoteLogManager.RLMCopyTask; a broker that restarts makes its tasks anew",
)
