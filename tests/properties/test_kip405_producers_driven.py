"""KIP-405 with producers, driven beyond what can be explored: three brokers, three producers."""

from hypothesis import settings

from tierproof.model.designs.kip405_producers import DESIGN
from tierproof.model.designs.kip405_producers.state import ProducedPartition
from tierproof.properties import DRIVING, check

LARGE = ProducedPartition(
    brokers=3,
    offsets=8,
    appends=4,
    producers=3,
    producer_epochs=3,
    sequences=6,
    copied=2,
    local_start=2,
    segment_ids=6,
    leader_epochs=5,
    metadata_records=24,
    planned_deletions=6,
    is_size_limited=1,
    retention_bytes=8,
    zombies=1,
    unanswered=3,
    requests=3,
    retries=4,
    epoch_bumps=2,
    elections=3,
    shrinks=2,
    restarts=1,
    lost_disks=2,
)
"""Producers neither expire nor lose batches to retention, which are findings of their own."""

# A follower that builds on the remote tier knows no producer: it leads, appends what is committed,
# what overtook another batch or is a zombie's, and copies what it does not know.
BUILT_ON_REMOTE_TIER = (
    "replicas_of_equal_logs_know_the_same_producers",
    "local_snapshots_are_right",
    "leader_knows_every_producer",
    "each_batch_is_committed_once",
    "committed_sequences_have_no_gap",
    "committed_producer_epochs_never_decrease",
    "leader_accepts_the_next_batch",
    "copied_snapshots_are_right",
)

STEADY = settings(DRIVING, max_examples=6, stateful_step_count=50, derandomize=True, database=None)


def test_every_other_property_holds_at_large():
    driven = check(DESIGN, LARGE, expected_violations=BUILT_ON_REMOTE_TIER, settings=STEADY)
    assert driven.distinct_states > 200
    assert {"leader_will_recognise_a_duplicate", "leader_will_fence_a_zombie"} <= driven.witnesses


def test_with_followers_that_keep_the_snapshot_every_property_holds_at_large():
    repaired = DESIGN.with_variant("repair_followers_keep_the_snapshot")
    driven = check(repaired, LARGE, settings=STEADY)
    assert driven.distinct_states > 200
