"""The scopes of KIP-1272: what each is for. A record of a history is a segment at first."""

from tierproof.model.designs.kip1272.state import CompactedPartition
from tierproof.model.designs.kip1272.written_records import (
    ABORTED,
    ABORTED_BESIDE,
    COMMITTED,
    COMMITTED_BESIDE,
    DELETED,
    DELETED_IN_TRANSACTION,
    DELETED_LAST,
    DELETED_LATER,
    UPDATED,
    UPDATED_LATER,
)

PAIR = CompactedPartition(
    offsets=2,
    topic_keys=1,
    history=UPDATED,
    copied=2,
    segment_ids=4,
    leader_epochs=2,
    metadata_records=8,
    planned_deletions=4,
    retention_bytes=0,
)
ALONE = PAIR.replace(brokers=1, leader_epochs=1)
REMOTE = ALONE.replace(topic_keys=2, planned_deletions=2)

SIZED = REMOTE.replace(
    offsets=3,
    history=UPDATED_LATER,
    copied=3,
    local_start=3,
    has_compact_only=0,
    is_size_limited=1,
    retention_bytes=3,
    segment_ids=6,
    metadata_records=16,
    planned_deletions=4,
)

SCOPES = {
    # One leader: two segments of one key are cleaned, swapped and deleted.
    "smoke": ALONE.replace(segment_ids=5, metadata_records=14),
    # A key is deleted: its tombstone goes in a later pass.
    "deleted": REMOTE.replace(
        offsets=3,
        history=DELETED,
        copied=3,
        cleaned=1,
        segment_ids=8,
        metadata_records=20,
    ),
    # Several segments become one.
    "merging": REMOTE.replace(
        offsets=5,
        history=DELETED_LATER,
        copied=5,
        cleaned=2,
        local_start=5,
        segment_bytes=2,
        segment_ids=9,
        metadata_records=22,
    ),
    # A transaction was committed, and its data is skipped.
    "transactions": REMOTE.replace(
        offsets=4,
        history=COMMITTED,
        copied=4,
        cleaned=2,
        local_start=4,
        segment_ids=9,
        metadata_records=22,
    ),
    # The same, and the marker shares its segment with a record that is dirty.
    "committed_beside": REMOTE.replace(
        offsets=4,
        history=COMMITTED_BESIDE,
        copied=4,
        cleaned=1,
        local_start=4,
        segment_bytes=2,
        segment_ids=7,
        metadata_records=16,
    ),
    # A transaction was aborted.
    "aborted": REMOTE.replace(
        offsets=4,
        history=ABORTED,
        copied=4,
        cleaned=1,
        local_start=4,
        segment_ids=9,
        metadata_records=22,
    ),
    # The same, and the marker shares its segment with a record that is dirty.
    "aborted_beside": REMOTE.replace(
        offsets=4,
        history=ABORTED_BESIDE,
        copied=4,
        cleaned=1,
        local_start=4,
        segment_bytes=3,
        segment_ids=7,
        metadata_records=16,
    ),
    # A segment is clean, and none of its keys is dirty.
    "skipped": REMOTE.replace(
        offsets=3,
        history=UPDATED_LATER,
        copied=3,
        cleaned=2,
        local_start=3,
        segment_ids=6,
        metadata_records=16,
    ),
    # A key is deleted in a transaction.
    "deleted_in_transaction": REMOTE.replace(
        offsets=4,
        history=DELETED_IN_TRANSACTION,
        copied=4,
        cleaned=1,
        local_start=4,
        segment_ids=9,
        metadata_records=22,
    ),
    # Nothing is copied at first: the copy task and the cleaner meet.
    "uncopied": ALONE.replace(copied=0, segment_ids=3, metadata_records=12),
    # min.cleanable.dirty.ratio as it is by default; everything is in both tiers.
    "ratio": ALONE.replace(min_dirty_percent=50, keeps_local=1),
    # A third of the free disk is smaller than a segment.
    "disk": ALONE.replace(disk_bytes=2),
    # The leader crashes at each stage, and is elected again.
    "restart": ALONE.replace(
        leader_epochs=2, restarts=1, local_start=2, segment_ids=5, metadata_records=12
    ),
    # The store refuses to delete an old version, once.
    "interrupted": ALONE.replace(
        cleaned=1, failed_deletes=1, local_start=2, segment_ids=4, metadata_records=12
    ),
    # The leader changes amid a pass; everything is only remote.
    "zombie": PAIR.replace(elections=1, local_start=2),
    # The same, after a pass of the old leader: what a zombie claims may be rejected.
    "rejected": PAIR.replace(elections=1, local_start=2, cleaned=1),
    # The leader changes after the first of several segments is swapped.
    "claims": PAIR.replace(
        offsets=3,
        topic_keys=2,
        history=UPDATED_LATER,
        copied=3,
        cleaned=2,
        local_start=3,
        segment_ids=4,
        elections=1,
    ),
    # The same, and both leaders get through a pass.
    "irrevocable": PAIR.replace(
        offsets=3,
        topic_keys=2,
        history=UPDATED_LATER,
        copied=3,
        cleaned=2,
        local_start=3,
        segment_ids=5,
        metadata_records=10,
        elections=1,
    ),
    # A follower cleans its local segments, and is elected.
    "followers": PAIR.replace(
        offsets=3,
        topic_keys=2,
        history=DELETED,
        copied=3,
        local_start=1,
        keeps_local=1,
        segment_ids=3,
        metadata_records=6,
        elections=1,
    ),
    # What is copied and what is only local, when the leader changes.
    "copying": PAIR.replace(
        copied=1, cleaned=1, keeps_local=1, segment_ids=2, metadata_records=4, elections=1
    ),
    # A broker that led has a filter of a segment that the next leader compacts.
    "filters": PAIR.replace(
        offsets=3,
        topic_keys=2,
        history=DELETED_LAST,
        copied=3,
        local_start=3,
        segment_bytes=2,
        segment_ids=5,
        metadata_records=10,
        planned_deletions=2,
        elections=1,
    ),
    # Time passes on a topic that is only compacted.
    "expiry": ALONE.replace(
        offsets=3,
        topic_keys=2,
        history=UPDATED_LATER,
        copied=3,
        clock_ms=1,
        local_start=3,
        segment_ids=4,
        metadata_records=10,
    ),
    # A consumer walks from the remote tier to the local log.
    "consumer": REMOTE.replace(
        offsets=3,
        history=UPDATED_LATER,
        copied=2,
        local_start=2,
        keeps_local=1,
        segment_ids=5,
        metadata_records=12,
        consumers=1,
    ),
    # Retention deletes what the cleaner rewrites.
    "retention": ALONE.replace(
        has_compact_only=0, local_start=2, segment_ids=3, clock_ms=1, metadata_records=14
    ),
    # A limit on the size that the topic just fills, all of it remote; a key is updated.
    "sized": SIZED,
    # The same, and the topic is above the limit by a segment.
    "above_size": SIZED.replace(retention_bytes=2),
    # The cleanup.policy changes, and changes back.
    "policy": ALONE.replace(policy_changes=2, local_start=2, segment_ids=3, clock_ms=1),
    # A broker comes back with an old version, and is elected.
    "downgrade": PAIR.replace(
        elections=1, downgrades=1, local_start=1, segment_ids=2, metadata_records=4
    ),
    # The leader changes while both replicas have local segments.
    "default": PAIR.replace(elections=1, keeps_local=1),
    # The same, and local retention removes segments at any time: run by hand, safety only.
    "deep": PAIR.replace(elections=1),
}
