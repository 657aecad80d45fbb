"""The log cleaner, driven far beyond what can be explored: thirty offsets, three producers."""

import pytest

from tests.properties.walks import in_proportion, of_walks, steady
from tierproof.model.designs.log_cleaner import DESIGN
from tierproof.model.designs.log_cleaner.repairs import REPAIRS
from tierproof.model.designs.log_cleaner.state import CleanerScope
from tierproof.properties import check
from tierproof.register import register_of

LARGE = CleanerScope(
    offsets=30, log_keys=3, log_values=1, producers=3, map_keys=2, segment_records=6, crashes=3
)


@of_walks(4, 10)
def test_every_other_property_holds_at_large(walks: int) -> None:
    known = tuple(claim for finding in register_of(DESIGN).findings for claim in finding.claims)
    driven = check(DESIGN, LARGE, expected_violations=known, settings=steady(walks, steps=60))
    assert driven.distinct_states > in_proportion(300, walks, 10)
    assert driven.never_taken == ()


@of_walks(3, 10)
@pytest.mark.parametrize("repair", [variant.name for variant in REPAIRS])
def test_with_a_repair_every_property_holds_at_large(repair: str, walks: int) -> None:
    driven = check(DESIGN.with_variant(repair), LARGE, settings=steady(walks, steps=60))
    assert driven.distinct_states > in_proportion(300, walks, 10)
