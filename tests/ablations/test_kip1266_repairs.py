"""Fences of KIP-1266's repairs that stand in for others, or bear on safety beside other repairs."""

import pytest

from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.language.actions import GuardKind
from tierproof.register.ablation import parts_of
from tierproof.register.ablation.matrix import Ablating

REPAIRED = DESIGN.with_variant("repair_all")
MOST_STATES = 400_000
FENCES = {
    name: one
    for name, one in REPAIRED.guards.items()
    if one.kind is GuardKind.FENCE and one.protects and one != DESIGN.guards.get(name)
}


def test_the_fences_are_those_of_the_topic_of_leaders_of_the_scan_and_of_the_store() -> None:
    assert set(FENCES) == {
        "topic_takes_records",
        "is_cache_ready",
        "is_segment_due",
        "is_message_expired",
        "does_store_take_it",
    }


@pytest.mark.parametrize("name", FENCES)
def test_without_a_fence_what_it_protects_breaks(name: str) -> None:
    parts = parts_of(DESIGN, ["repair_all"], only=[name])
    (row,) = Ablating(DESIGN, is_brief=True, max_states=MOST_STATES).run(parts, watched=False).rows
    assert row.is_needed
    assert row.variants == ("repair_all",)
