"""Fences of KIP-1266's repairs that stand in for others, or bear on safety beside other repairs."""

import pytest

from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.language.actions import GuardKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

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
    (claim,) = FENCES[name].protects
    scope = REPAIRED.scope(FENCES[name].scope)
    for design, verdict in ((REPAIRED, Verdict.HOLDS), (REPAIRED.without(name), Verdict.VIOLATED)):
        result = explore(design, scope, MemoryExecution, only=[claim], max_states=MOST_STATES)
        assert [one.verdict for one in result.properties if one.name == claim] == [verdict]
