"""Fences of KIP-1266's repairs that bear on safety only where all repairs are in place."""

import pytest

from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.language.actions import GuardKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

REPAIRED = DESIGN.with_variant("repair_all")
FENCES = [
    one
    for name, one in REPAIRED.guards.items()
    if one.kind is GuardKind.FENCE and one.protects and one != DESIGN.guards.get(name)
]


def test_there_are_fences_of_the_store_and_of_new_leaders() -> None:
    assert [one.name for one in FENCES] == ["is_cache_ready", "does_store_take_it"]


@pytest.mark.parametrize("name", ["is_cache_ready", "does_store_take_it"])
def test_without_a_fence_what_it_protects_breaks(name: str) -> None:
    (fence,) = [one for one in FENCES if one.name == name]
    (claim,) = fence.protects
    scope = REPAIRED.scope(fence.scope)
    for design, verdict in ((REPAIRED, Verdict.HOLDS), (REPAIRED.without(name), Verdict.VIOLATED)):
        result = explore(design, scope, MemoryExecution, only=[claim])
        assert [one.verdict for one in result.properties if one.name == claim] == [verdict]
