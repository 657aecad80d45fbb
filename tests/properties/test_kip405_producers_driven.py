"""KIP-405 with producers, driven beyond what can be explored: three brokers, three producers."""

import pytest

from tests.properties.walks import in_proportion, of_walks, steady
from tierproof.model.designs.kip405_producers import DESIGN
from tierproof.model.designs.kip405_producers.state import ProducedPartition
from tierproof.properties import check

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
    leader_epochs=6,
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
"""No record is deleted: a follower that begins at the log start gets no producer state either."""
TRANSACTIONAL = LARGE.replace(is_transactional=1, markers=3)
EXPIRING = LARGE.replace(clock_ms=4, producer_ms=4, expiration_ms=4, copied=1, local_start=1)
OLD = EXPIRING.replace(copied=0, local_start=0, old_end=2, is_size_limited=0, restarts=2)

REPAIRED = DESIGN.with_variant("repair_all")


def test_the_closed_design_recognises_duplicates_and_fences_zombies_at_large():
    driven = check(REPAIRED, LARGE, settings=steady(3))
    assert driven.distinct_states > 100
    assert {"leader_will_recognise_a_duplicate", "leader_will_fence_a_zombie"} <= driven.witnesses


@of_walks(2, 3)
@pytest.mark.parametrize(
    "scope", [TRANSACTIONAL, EXPIRING, OLD], ids=["transactions", "expiry", "old"]
)
def test_with_all_repairs_every_property_holds_at_large(scope: ProducedPartition, walks: int):
    assert check(REPAIRED, scope, settings=steady(walks)).distinct_states > in_proportion(
        100, walks, 3
    )
