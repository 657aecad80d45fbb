"""The scopes of KIP-405 with producers: what each is for."""

from tierproof.model.designs.kip405_producers.state import ProducedPartition

ALONE = ProducedPartition(
    brokers=1,
    offsets=3,
    appends=1,
    producers=2,
    sequences=2,
    leader_epochs=1,
    segment_ids=2,
    metadata_records=4,
    planned_deletions=2,
    retention_bytes=3,
)
PAIR = ProducedPartition(
    offsets=3,
    appends=1,
    producers=2,
    sequences=2,
    leader_epochs=2,
    segment_ids=1,
    metadata_records=2,
    planned_deletions=1,
    retention_bytes=3,
    is_size_limited=1,
)

SCOPES = {
    # A segment from before 2.8 is to be copied, and the next one after it.
    "smoke": ALONE.replace(offsets=3, appends=0, old_end=1),
    # The leader crashes, or shuts down, and gets a retry; one of its segments is old.
    "restart": ALONE.replace(leader_epochs=3, old_end=1, restarts=1, shutdowns=1, retries=1),
    # A follower loses its disk, builds on the remote tier, and may be elected.
    "followers": PAIR.replace(copied=1, local_start=1, lost_disks=1, elections=1, retries=1),
}
