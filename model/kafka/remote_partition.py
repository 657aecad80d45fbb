"""The deletion of a whole partition from the remote tier, as its metadata records tell it.

RemotePartitionDeleteState. Kafka's remote log manager never publishes such records: it
deletes segment by segment (RemoteLogManager#deleteRemoteLogPartition).
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


class PartitionDeletion(IntEnum):
    """RemotePartitionDeleteState; ABSENT is Kafka's null: nothing was published."""

    ABSENT = 0
    DELETE_PARTITION_MARKED = 1
    DELETE_PARTITION_STARTED = 2
    DELETE_PARTITION_FINISHED = 3


PARTITION_DELETION = Lifecycle(
    PartitionDeletion,
    [
        ("mark", PartitionDeletion.ABSENT, PartitionDeletion.DELETE_PARTITION_MARKED),
        (
            "start",
            PartitionDeletion.DELETE_PARTITION_MARKED,
            PartitionDeletion.DELETE_PARTITION_STARTED,
        ),
        (
            "finish",
            PartitionDeletion.DELETE_PARTITION_STARTED,
            PartitionDeletion.DELETE_PARTITION_FINISHED,
        ),
    ],
    source="RemotePartitionDeleteState#isValidTransition",
)
