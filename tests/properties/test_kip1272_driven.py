"""KIP-1272 as discussed, driven far beyond what can be explored: three brokers, ten segment ids."""

import pytest

from tests.properties.walks import in_proportion, of_walks, steady
from tierproof.model.designs import kip405
from tierproof.model.designs.kip1272 import DESIGN
from tierproof.model.designs.kip1272.state import CompactedPartition
from tierproof.model.designs.kip1272.written_records import DELETED_IN_TRANSACTION
from tierproof.properties import check
from tierproof.register import register_of

LARGE = CompactedPartition(
    brokers=3,
    offsets=7,
    appends=3,
    topic_keys=2,
    history=DELETED_IN_TRANSACTION,
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
# Known findings: `tierproof findings` shows them. Whoever mends a design takes the name out. Those
# of KIP-405 are still there when this design is repaired.
INHERITED = tuple(
    claim for finding in register_of(kip405.DESIGN).findings for claim in finding.claims
)
FINDINGS = tuple(claim for finding in register_of(DESIGN).findings for claim in finding.claims)

# What the small scopes show: a follower's cleaner knows its local log only and removes tombstones
# and markers of what is remote; claims are compared by offsets, and resolved before all are read;
# what is not copied is cleaned, while it is copied, too; a merged group is served half.
CLEANING = (
    "no_deleted_key_comes_back",
    "tombstones_outlive_what_they_delete",
    "markers_outlive_their_records",
    "new_leader_reads_all_claims",
    "accepted_claims_are_of_leaders",
    "leaders_claims_are_never_rejected",
    "cleaner_offset_is_remote",
    "object_is_of_one_version",
    "cleaned_keys_are_unique",
)


@pytest.mark.slow
def test_every_other_property_holds_at_large():
    driven = check(
        DESIGN,
        LARGE,
        expected_violations=INHERITED + FINDINGS + CLEANING,
        settings=steady(4, steps=80),
    )
    assert driven.distinct_states > 200
    assert len(driven.never_taken) < len(DESIGN.actions) / 2


@of_walks(2, 4)
def test_with_the_repairs_every_property_of_the_cleaner_holds_at_large(walks: int):
    repaired = DESIGN.with_variant("repair_all")
    driven = check(repaired, LARGE, expected_violations=INHERITED, settings=steady(walks, steps=80))
    assert driven.distinct_states > in_proportion(200, walks, 4)
