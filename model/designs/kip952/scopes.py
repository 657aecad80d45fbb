"""The scopes of KIP-952 and its alternatives: one segment is from before Kafka 2.8."""

from tierproof.model.designs.kip405_producers.scopes import ALONE, PAIR

OLD_ALONE = ALONE.replace(old_end=1)
OLD_PAIR = PAIR.replace(old_end=1)

SCOPES = {
    # An old segment is to be copied, and the next one after it.
    "smoke": OLD_ALONE.replace(appends=0, sequences=2),
    # The leader crashes, or shuts down, and gets a retry.
    "restart": OLD_ALONE.replace(leader_epochs=3, restarts=1, shutdowns=1, retries=1),
    # The same, with the request of an older instance in flight.
    "zombies": OLD_ALONE.replace(
        leader_epochs=2, restarts=1, retries=1, zombies=1, producer_epochs=2
    ),
    # A follower loses its disk, builds on the copy of the old segment, may be elected, and gets
    # a retry.
    "followers": OLD_PAIR.replace(lost_disks=1, elections=1, retries=1),
    # A leader is replaced, and truncates what was not committed.
    "truncation": OLD_PAIR.replace(producers=1, sequences=3, elections=1, shrinks=1, retries=1),
    # Producers expire before the old segment is copied.
    "expiry": OLD_ALONE.replace(clock_ms=1, producer_ms=1, expiration_ms=1, retries=1),
    # Retention deletes records while producers live on.
    "retention": OLD_ALONE.replace(
        leader_epochs=2,
        clock_ms=1,
        producer_ms=1,
        expiration_ms=2,
        is_size_limited=0,
        retries=1,
        restarts=1,
    ),
    # The topic becomes tiered while retention may delete its old segment.
    "enabling": OLD_ALONE.replace(
        is_enabled_later=1,
        is_size_limited=0,
        clock_ms=1,
        producer_ms=1,
        expiration_ms=2,
        sequences=2,
    ),
}
