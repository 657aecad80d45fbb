"""What the stories of several findings begin with, and what several of them quote."""

from tierproof.model.language.findings import Passage

ONE_REPLICA = (
    "The topic is tiered and has one replica, on broker 0. Offset 0 is in a rolled segment, "
    "offset 1 in the active one. Nothing is copied yet."
)
TWO_REPLICAS = (
    "The topic is tiered and has two replicas in sync: broker 0 leads, broker 1 follows. Offset 0 "
    "is in a rolled segment, offset 1 in the active one. Nothing is copied yet."
)
LITTLE_IS_LOCAL = (
    " local.retention.bytes keeps one record on each broker; nothing of the topic has reached "
    "retention.ms or retention.bytes."
)
KRAFT = "Disablement - KRaft Backed Cluster"
STOP = Passage(
    "KIP-950",
    KRAFT,
    "If the disablement policy is set to delete, the Log start offset (LSO) is updated to match "
    "the Local Log Start Offset and the remote log is deleted by calling the "
    "RemoteStorageManager#deleteLogSegmentData().",
)
IN_ORDER_IS_ENOUGH = Passage(
    "KIP-950",
    "Rejected Alternatives",
    'The "tiered_epoch" is not necessary because raft protocol will keep the order for us. The '
    "broker can rely on the raft protocol and apply them in order, to get the expected results.",
)
UNTIL_THEN = (
    "Until then: set local.retention.ms=-2 and local.retention.bytes=-2; after "
    "log.retention.check.interval.ms set remote.log.copy.disable=true (in one request the two can "
    "race with local retention); disable with delete once retention.ms has passed. This is no way "
    "with retention.ms=-1, or where record times do not follow the offsets, as one old local "
    "segment expires the remote log there."
)
"""What an operator can do who has to disable a topic with delete."""
