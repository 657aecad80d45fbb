"""The scopes of KIP-952 and its alternatives: one segment is from before Kafka 2.8."""

from tierproof.model.designs.kip405_producers.scopes import ALONE, PAIR

SCOPES = {
    # A segment from before 2.8 is to be copied, and the next one after it.
    "smoke": ALONE.replace(offsets=3, appends=0, old_end=1),
    # The leader crashes, or shuts down, and gets a retry.
    "restart": ALONE.replace(leader_epochs=3, old_end=1, restarts=1, shutdowns=1, retries=1),
    # A follower loses its disk, builds on the copy of the old segment, and may be elected.
    "followers": PAIR.replace(old_end=1, lost_disks=1, elections=1, retries=1),
    # The topic becomes tiered while retention removes its segments.
    "enabling": ALONE.replace(old_end=1, is_enabled_later=1, clock_ms=1, producer_ms=1),
}
