"""KIP-1272 as discussed, driven far beyond what can be explored: three brokers, twelve offsets."""

from hypothesis import settings

from tierproof.model.designs.kip1272 import DESIGN
from tierproof.model.designs.kip1272.state import CompactedPartition
from tierproof.properties import DRIVING, check

LARGE = CompactedPartition(
    brokers=3,
    offsets=7,
    appends=3,
    topic_keys=2,
    history=4,
    copied=2,
    local_start=1,
    segment_bytes=2,
    segment_ids=10,
    leader_epochs=6,
    metadata_records=40,
    planned_deletions=10,
    retention_bytes=4,
    clock_ms=2,
    disk_bytes=6,
    min_dirty_percent=1,
    elections=3,
    shrinks=2,
    restarts=2,
    lost_disks=1,
    failed_copies=2,
    failed_deletes=1,
    policy_changes=2,
    downgrades=1,
    consumers=1,
)
STEADY = settings(DRIVING, max_examples=40, stateful_step_count=60, derandomize=True, database=None)


def test_every_other_property_holds_at_large():
    driven = check(DESIGN, LARGE, expected_violations=(), settings=STEADY)
    assert driven.distinct_states > 500
    assert len(driven.never_taken) < len(DESIGN.actions) / 2
