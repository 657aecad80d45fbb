"""The scopes of KIP-405: what each is for. Scopes of equal array lengths share compiled code."""

from tierproof.model.designs.kip405.state import TieredPartition

ALONE = TieredPartition(
    brokers=1,
    offsets=3,
    segment_bytes=2,
    segment_ids=2,
    leader_epochs=2,
    clock_ms=2,
    retention_bytes=3,
    metadata_records=7,
    planned_deletions=2,
)
PAIR = TieredPartition(
    offsets=2,
    segment_ids=1,
    leader_epochs=2,
    retention_bytes=1,
    metadata_records=4,
    planned_deletions=2,
)
TWO_SEGMENTS = TieredPartition(
    brokers=1,
    offsets=5,
    segment_bytes=2,
    segment_ids=2,
    leader_epochs=1,
    is_size_limited=1,
    retention_bytes=5,
    metadata_records=6,
    planned_deletions=2,
)

SCOPES = {
    # One segment to copy, then to expire by time, and the leader may change in between.
    "smoke": PAIR.replace(elections=1, clock_ms=1),
    # A leader without followers, a segment of two records, a store that fails.
    "alone": ALONE.replace(failed_copies=1, failed_deletes=1, record_deletions=1, time_lookups=1),
    # The same with a limit on the size that the topic just fills.
    "alone_size": ALONE.replace(is_size_limited=1, failed_copies=1, failed_deletes=1),
    # The leader crashes, and is elected again.
    "alone_restart": ALONE.replace(restarts=1),
    # A user deletes records of a leader that is elected again, while it copies them.
    "alone_elected": ALONE.replace(record_deletions=1, elections=1),
    # The topic is deleted.
    "alone_deleted": ALONE.replace(topic_deletions=1, failed_deletes=1),
    # A segment of two leader epochs, and a store that fails.
    "alone_two_epochs": ALONE.replace(
        appends=2,
        segment_ids=1,
        retention_bytes=9,
        clock_ms=0,
        elections=1,
        failed_copies=1,
        failed_deletes=1,
        planned_deletions=3,
    ),
    # A limit on the size that the topic just fills, and a leader change.
    "size": TieredPartition(
        offsets=3,
        segment_bytes=2,
        segment_ids=1,
        leader_epochs=2,
        elections=1,
        is_size_limited=1,
        retention_bytes=3,
        metadata_records=4,
        planned_deletions=2,
    ),
    # The same, where two leaders may copy the same segment.
    "size_copied_twice": TieredPartition(
        offsets=3,
        segment_bytes=2,
        segment_ids=2,
        leader_epochs=2,
        elections=1,
        is_size_limited=1,
        retention_bytes=3,
        metadata_records=6,
        planned_deletions=2,
    ),
    # Two segments of two records under a limit on the size.
    "size_of_two": TWO_SEGMENTS,
    # The same, half as large: a user deletes records, and the rest fits into the limit.
    "size_deletions": TWO_SEGMENTS.replace(
        retention_bytes=3, record_deletions=1, metadata_records=10
    ),
    # Three segments, two of them above a limit on the size, and a store that refuses to delete one.
    "size_refused": TieredPartition(
        brokers=1,
        offsets=7,
        segment_bytes=2,
        segment_ids=3,
        leader_epochs=1,
        is_size_limited=1,
        retention_bytes=3,
        failed_deletes=1,
        metadata_records=13,
        planned_deletions=3,
    ),
    # A topic above its limit, of which nothing is copied yet; the leader changes amid a copy.
    "size_elected": TieredPartition(
        offsets=3,
        segment_ids=2,
        leader_epochs=2,
        elections=1,
        is_size_limited=1,
        retention_bytes=2,
        failed_copies=1,
        metadata_records=4,
        planned_deletions=2,
    ),
    # A segment of one record, under a limit on the size.
    "size_of_one": TieredPartition(
        brokers=1,
        offsets=2,
        segment_ids=1,
        leader_epochs=1,
        is_size_limited=1,
        retention_bytes=2,
        metadata_records=4,
        planned_deletions=2,
    ),
    # A follower is slow, or comes back with an empty disk, while a record is written.
    "followers": PAIR.replace(appends=1, shrinks=1, lost_disks=1, elections=1),
    # A broker crashes, gets in sync again, and may be elected; segments expire.
    "default": PAIR.replace(restarts=1, elections=1, clock_ms=1),
    # A broker crashes after a user has deleted records.
    "restart": PAIR.replace(restarts=1, elections=1, record_deletions=1),
    # A user deletes records, and the leader changes.
    "deletions": PAIR.replace(elections=1, record_deletions=1),
    # The topic is deleted while the leader changes.
    "deleted": PAIR.replace(topic_deletions=1, elections=1),
    # Two segments, copied and expired by brokers that change places: run by hand, safety only.
    "deep": PAIR.replace(
        offsets=3,
        segment_ids=2,
        metadata_records=6,
        elections=1,
        clock_ms=1,
        shrinks=1,
    ),
    # For `unclean_elections`: two records are written after a follower has fallen behind.
    "unclean": TieredPartition(
        offsets=3,
        appends=2,
        segment_ids=2,
        leader_epochs=2,
        elections=1,
        shrinks=1,
        retention_bytes=1,
        metadata_records=4,
        planned_deletions=1,
    ),
    # Five records: what leaders before have copied lies over each other, in one setting each.
    "overlaps": TieredPartition(
        brokers=1,
        offsets=5,
        segment_ids=3,
        segment_bytes=4,
        leader_epochs=3,
        clock_ms=2,
        retention_bytes=1,
        metadata_records=12,
        planned_deletions=4,
    ),
    # One record in the active segment, which nobody fills: local retention keeps nothing.
    "idle": TieredPartition(
        brokers=1,
        offsets=1,
        segment_ids=1,
        leader_epochs=1,
        clock_ms=1,
        retention_bytes=0,
        metadata_records=4,
        planned_deletions=2,
    ),
    # One record, of an unclean leader's epoch 1, and an election that brings the old leader back.
    "truncated": TieredPartition(
        offsets=1,
        segment_ids=2,
        leader_epochs=3,
        elections=1,
        retention_bytes=0,
        metadata_records=6,
        planned_deletions=4,
    ),
    # One record, written while two elections follow each other: an old leader of epoch 1 is left.
    "elected_twice": TieredPartition(
        offsets=1,
        appends=1,
        segment_ids=1,
        leader_epochs=3,
        elections=2,
        shrinks=1,
        retention_bytes=0,
        metadata_records=4,
        planned_deletions=1,
    ),
    # A follower falls behind, a user deletes records, the follower comes back and may lead.
    "in_sync": TieredPartition(
        offsets=1,
        appends=1,
        segment_ids=1,
        leader_epochs=3,
        elections=2,
        shrinks=1,
        record_deletions=1,
        retention_bytes=1,
        metadata_records=1,
        planned_deletions=1,
    ),
}
