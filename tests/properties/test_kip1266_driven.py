"""KIP-1266, driven far beyond what can be explored: three brokers, five segment ids."""

import pytest

from tests.properties.walks import idle_share, in_proportion, of_walks, steady
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.state import Kip1266
from tierproof.model.designs.kip1266_migration import DESIGN as MIGRATION
from tierproof.model.language import Design
from tierproof.properties import check
from tierproof.register import register_of

LARGE = Kip1266(
    brokers=3,
    offsets=4,
    leader_epochs=1,
    segment_ids=5,
    elections=5,
    restarts=2,
    failed_copies=2,
    expirations=3,
    deletions=1,
    topic_records=16,
)
EXISTING = LARGE.replace(history=2, windows=2, deletions=0)


def findings_of(design: Design) -> tuple[str, ...]:
    """Known findings; whoever mends the design takes the name out."""
    return tuple(claim for finding in register_of(design).findings for claim in finding.claims)


@of_walks(3, 8)
def test_every_other_property_holds_at_large(walks: int) -> None:
    driven = check(DESIGN, LARGE, expected_violations=findings_of(DESIGN), settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 8)
    assert len(driven.never_taken) < len(DESIGN.actions) * idle_share(walks, 8)


@of_walks(3, 8)
@pytest.mark.parametrize(
    "scheme", [(), ("pull_request_uuid_and_state_in_key", "repair_tombstones_in_order")]
)
def test_with_the_repairs_every_property_holds_at_large(
    scheme: tuple[str, ...], walks: int
) -> None:
    driven = check(DESIGN.with_variants("repair_all", *scheme), LARGE, settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 8)


@of_walks(3, 8)
def test_with_a_backfill_every_property_of_the_migration_holds_at_large(walks: int) -> None:
    driven = check(MIGRATION.with_variant("repair_all"), EXISTING, settings=steady(walks))
    assert driven.distinct_states > in_proportion(60, walks, 8)
