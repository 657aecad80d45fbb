"""The scopes of KIP-405 with producers: what each is for."""

from tierproof.model.designs.kip405_producers.state import ProducedPartition

ALONE = ProducedPartition(
    brokers=1,
    offsets=3,
    appends=1,
    producers=2,
    leader_epochs=1,
    segment_ids=2,
    metadata_records=4,
    planned_deletions=2,
    is_size_limited=1,
    retention_bytes=3,
)
PAIR = ALONE.replace(
    brokers=2, leader_epochs=2, segment_ids=1, metadata_records=2, planned_deletions=1
)
REMOTE = PAIR.replace(copied=1, local_start=1, lost_disks=1, elections=1, retries=1)

SCOPES = {
    # A segment from before Kafka 2.8 is to be copied, and the next one after it.
    "smoke": ALONE.replace(appends=0, sequences=2, old_end=1),
    # The leader crashes, or shuts down, and gets a retry; one of its segments is old.
    "restart": ALONE.replace(leader_epochs=3, old_end=1, restarts=1, shutdowns=1, retries=1),
    # A follower loses its disk, builds on the remote tier, may be elected, and gets a retry.
    "followers": REMOTE,
    # The same, with the request of an older instance in flight.
    "zombies": REMOTE.replace(zombies=1, producer_epochs=2),
    # The same, with transactions that abort: the new leader gets a marker first.
    "markers": REMOTE.replace(is_transactional=1, markers=1, unanswered=0, retries=0),
    # A follower loses its disk when the first record is deleted, and begins after it.
    "deletions": REMOTE.replace(copied=0, local_start=0, segment_bytes=2, record_deletions=1),
    # A client has two batches in flight, of which one is late.
    "requests": ALONE.replace(
        offsets=4,
        appends=3,
        sequences=2,
        requests=2,
        unanswered=0,
        retries=1,
        segment_ids=1,
        metadata_records=2,
    ),
    # A producer expires, and its retry is late.
    "expiry": ALONE.replace(clock_ms=1, producer_ms=1, expiration_ms=1, retries=1),
    # Retention deletes the records of a producer that lives on, and the leader crashes.
    "retention": ALONE.replace(
        leader_epochs=2,
        clock_ms=1,
        producer_ms=1,
        expiration_ms=2,
        is_size_limited=0,
        restarts=1,
        retries=1,
    ),
    # Transactions commit or abort, another instance begins, and the leader crashes.
    "transactions": ALONE.replace(
        offsets=5,
        appends=3,
        producers=1,
        sequences=2,
        producer_epochs=2,
        is_transactional=1,
        markers=2,
        epoch_bumps=1,
        retries=1,
        restarts=1,
        leader_epochs=2,
        segment_ids=1,
        metadata_records=2,
        segment_bytes=2,
        retention_bytes=5,
    ),
    # A leader is replaced, and truncates what was not committed.
    "truncation": PAIR.replace(producers=1, sequences=3, elections=1, shrinks=1, retries=1),
    # The topic becomes tiered while it has an old segment.
    "enabling": ALONE.replace(
        old_end=1, is_enabled_later=1, is_size_limited=0, clock_ms=1, producer_ms=1
    ),
    # Retention deletes the old segment of a topic that becomes tiered, and the leader crashes.
    "old_deleted": ALONE.replace(
        leader_epochs=2,
        old_end=1,
        is_enabled_later=1,
        is_size_limited=0,
        clock_ms=1,
        producer_ms=1,
        expiration_ms=2,
        restarts=1,
        retries=1,
    ),
    # A broker crashes, or loses its disk, and may be elected, while batches are written.
    "default": REMOTE.replace(offsets=4, appends=2, sequences=2, restarts=1, leader_epochs=3),
    # The same with two elections: run by hand.
    "deep": REMOTE.replace(
        offsets=4, appends=2, sequences=2, restarts=1, elections=2, leader_epochs=4
    ),
}
