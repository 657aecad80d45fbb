"""KIP-952, driven beyond what can be explored: three brokers, producers and old segments."""

import pytest
from hypothesis import settings

from tierproof.model.designs.kip405_producers.state import ProducedPartition
from tierproof.model.designs.kip952 import DESIGN, REGENERATED
from tierproof.properties import DRIVING, check

LARGE = ProducedPartition(
    brokers=3,
    offsets=8,
    appends=4,
    producers=3,
    producer_epochs=3,
    sequences=4,
    old_end=3,
    segment_ids=6,
    leader_epochs=6,
    metadata_records=24,
    planned_deletions=6,
    is_size_limited=1,
    retention_bytes=8,
    zombies=1,
    unanswered=3,
    retries=4,
    epoch_bumps=1,
    elections=3,
    shrinks=1,
    restarts=2,
    shutdowns=1,
    lost_disks=1,
)
"""A client has one batch in flight, and no record is deleted."""

STEADY = settings(DRIVING, max_examples=3, stateful_step_count=50, derandomize=True, database=None)


def test_every_property_that_no_finding_claims_holds_at_large():
    claims = tuple(claim for finding in DESIGN.findings for claim in finding.claims)
    driven = check(DESIGN, LARGE, expected_violations=claims, settings=STEADY)
    assert driven.distinct_states > 100


@pytest.mark.parametrize("requests", [1, 2])
def test_regenerated_and_repaired_every_property_holds_at_large(requests: int):
    repaired = REGENERATED.with_variants("repair_all")
    beside = ("committed_sequences_have_no_gap",) if requests > 1 else ()
    scope = LARGE.replace(requests=requests)
    driven = check(repaired, scope, expected_violations=beside, settings=STEADY)
    assert driven.distinct_states > 100
