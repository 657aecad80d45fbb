"""Sentences of KIP-1272 that several findings quote."""

from tierproof.model.language import Passage

_SWAP = "Swap Old/New Log Segment Files"

COPIED_UNDER_A_NEW_ID = Passage(
    "KIP-1272",
    _SWAP,
    "Upload the newly compacted segment to remote storage with a new RemoteLogSegmentId",
)

DELETED_BY_RETENTION = Passage(
    "KIP-1272",
    _SWAP,
    "Unreferenced segments are asynchronously deleted by the retention thread after "
    "validation (similar to local storage as well)",
)

AS_FOR_APPEND_ONLY = Passage(
    "KIP-1272",
    "Deletion of remote log segment file and indexes on total retention.ms trigger",
    "If the cleanup policy of the topic is compact,delete, the remote log segment file can also "
    "be removed when the condition is met. This is the same as for append-only logs;",
)
