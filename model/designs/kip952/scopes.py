"""The scopes of KIP-952 and its alternatives: one segment is from before Kafka 2.8."""

from tierproof.model.designs.kip405_producers.scopes import ALONE, PAIR

OLD_ALONE = ALONE.replace(old_end=1)
OLD_PAIR = PAIR.replace(old_end=1)
TIMED = OLD_ALONE.replace(is_size_limited=0, clock_ms=1, producer_ms=1, expiration_ms=2)

SCOPES = {
    # An old segment is to be copied, and the next one after it.
    "smoke": OLD_ALONE.replace(appends=0, sequences=2),
    # The leader crashes, or shuts down, and gets a retry.
    "restart": OLD_ALONE.replace(leader_epochs=3, restarts=1, shutdowns=1, retries=1),
    # The leader crashes, with the request of an older instance in flight.
    "zombies": OLD_ALONE.replace(
        leader_epochs=2, restarts=1, retries=1, zombies=1, producer_epochs=2
    ),
    # A follower loses its disk, builds on the copy of the old segment, may be elected, and gets
    # a retry.
    "followers": OLD_PAIR.replace(lost_disks=1, elections=1, retries=1),
    # Producers expire before the old segment is copied.
    "expiry": TIMED.replace(expiration_ms=1, retries=1),
    # Retention deletes records while producers live on.
    "retention": TIMED.replace(leader_epochs=2, restarts=1, retries=1),
    # The topic becomes tiered while retention may delete its old segment.
    "enabling": TIMED.replace(sequences=2, is_enabled_later=1),
    # Two old segments, of which the first may be removed when the second is copied.
    "two_old": OLD_ALONE.replace(
        offsets=4,
        producers=3,
        old_end=2,
        retention_bytes=5,
        leader_epochs=2,
        restarts=1,
        retries=1,
    ),
    # A broker crashes while the old segment is copied and removed, may be elected, and gets a
    # retry.
    "default": OLD_PAIR.replace(restarts=1, elections=1, leader_epochs=3, retries=1),
}

DELETED = ALONE.replace(appends=0, offsets=2, topic_deletions=1)

WITH_DELETION = {
    **SCOPES,
    # The topic is deleted while its first segment, which is not old, is copied.
    "deleted": DELETED,
}
"""For the alternative that waits."""

ENABLED_LATER = {
    # Retention may delete the old segment of a topic that is to become tiered.
    "smoke": TIMED.replace(sequences=2, is_enabled_later=1),
    # The leader crashes or shuts down while the topic becomes tiered, and gets a retry.
    "restart": SCOPES["restart"].replace(is_enabled_later=1),
    # Retention deletes records of a topic that becomes tiered, and the leader crashes.
    "retention": SCOPES["retention"].replace(is_enabled_later=1),
    # Two replicas, of which one may still have the old segment when the topic becomes tiered.
    "followers": OLD_PAIR.replace(
        is_enabled_later=1,
        is_size_limited=0,
        clock_ms=1,
        producer_ms=1,
        expiration_ms=2,
        elections=1,
        retries=1,
    ),
    # A broker crashes while the topic becomes tiered, may be elected, and gets a retry.
    "default": SCOPES["default"].replace(is_enabled_later=1),
    # The topic becomes tiered, and is deleted while its first segment is copied.
    "deleted": DELETED.replace(is_enabled_later=1),
}
"""For the alternative that refuses to enable tiering."""
