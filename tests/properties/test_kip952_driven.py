"""KIP-952, driven beyond what can be explored: three brokers, producers and old segments."""

import pytest

import tests.properties.test_kip405_producers_driven as producers
from tierproof.model.designs.kip952 import DESIGN, REGENERATED
from tierproof.properties import check

LARGE = producers.LARGE.replace(
    sequences=4,
    copied=0,
    local_start=0,
    old_end=3,
    requests=1,
    epoch_bumps=1,
    shrinks=1,
    restarts=2,
    shutdowns=1,
    lost_disks=1,
)
"""A client has one batch in flight, and no record is deleted."""


def test_every_property_that_no_finding_claims_holds_at_large():
    claims = tuple(claim for finding in DESIGN.findings for claim in finding.claims)
    driven = check(DESIGN, LARGE, expected_violations=claims, settings=producers.STEADY)
    assert driven.distinct_states > 100


@pytest.mark.parametrize("requests", [1, 2])
def test_regenerated_and_repaired_every_property_holds_at_large(requests: int):
    repaired = REGENERATED.with_variants("repair_all")
    beside = ("committed_sequences_have_no_gap",) if requests > 1 else ()
    scope = LARGE.replace(requests=requests)
    driven = check(repaired, scope, expected_violations=beside, settings=producers.STEADY)
    assert driven.distinct_states > 100
