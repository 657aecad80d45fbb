"""How far a task of the remote log has come.

A task is what RemoteLogManager schedules and cancels; the thread that it runs on is told
of the cancellation and goes on or is interrupted.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


class CopyTask(IntEnum):
    """A broker's RLMCopyTask: whether it is scheduled, and which of its once-only steps it made."""

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
