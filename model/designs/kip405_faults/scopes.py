"""The scopes of KIP-405 beneath faults: what each is for."""

from tierproof.model.designs.kip405_faults.state import FaultyPartition

PAIR = FaultyPartition(
    offsets=2,
    segment_ids=1,
    leader_epochs=2,
    retention_bytes=1,
    metadata_records=2,
    planned_deletions=1,
)
ALONE = PAIR.replace(brokers=1, leader_epochs=1)

SCOPES = {
    # No fault at all: a segment is copied, and the leader may change.
    "smoke": PAIR.replace(elections=1),
    # The metadata topic loses a replica, and then its leader; the partition's leader restarts.
    "lost_metadata": ALONE.replace(
        leader_epochs=2, restarts=1, metadata_shrinks=1, metadata_losses=1
    ),
    # The same while the partition's leader changes.
    "lost_metadata_elected": PAIR.replace(elections=1, metadata_shrinks=1, metadata_losses=1),
    # The store never answers a copy, and another partition waits for the broker's only copier.
    "hung_copy": ALONE.replace(copier_threads=1, is_shared=1, hung_copies=1, metadata_records=4),
    # The same with two copiers, one for each of the partitions.
    "hung_copy_of_two": ALONE.replace(copier_threads=2, is_shared=1, hung_copies=1),
    # The store never answers the second copy, and the first one expires.
    "hung_and_expired": ALONE.replace(
        offsets=3,
        segment_ids=2,
        clock_ms=1,
        retention_bytes=3,
        copier_threads=1,
        hung_copies=1,
        metadata_records=7,
    ),
    # A follower gives up its metadata manager, and may be elected.
    "failed_start": PAIR.replace(failed_starts=1, elections=1, leader_epochs=3),
    # A leader without followers gives up its metadata manager.
    "alone_failed_start": ALONE.replace(failed_starts=1, leader_epochs=3),
    # For `kafka_17020_follower_rolls_by_itself`: a record is written to a new segment.
    "own_rolls": PAIR.replace(appends=1, leader_epochs=1, own_rolls=1),
    # A follower loses its disk while the controller is about to take it in sync; it may lead.
    "slow_request": PAIR.replace(
        offsets=1, leader_epochs=2, elections=1, shrinks=1, lost_disks=1, slow_requests=1
    ),
    # For `lagging_followers`: a record is written that a follower is slow to fetch.
    "lagging": PAIR.replace(offsets=1, appends=1, leader_epochs=1),
    # One of each fault, while the partition's leader changes.
    "default": PAIR.replace(
        leader_epochs=3,
        elections=1,
        metadata_shrinks=1,
        metadata_losses=1,
        hung_copies=1,
        failed_starts=1,
    ),
}
