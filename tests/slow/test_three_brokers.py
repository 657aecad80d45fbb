"""With a third broker the closed designs still hold: explored to the end, liveness included.

Most scopes have two brokers, as a third one makes a space ten to fifty times as big. What only a
second follower can do (be in sync while the other is not, be elected by its vote, build on what
another one has left) is looked for here. `tierproof explore kip950 --scope smoke --set brokers=3`
takes one of them, without the repairs.
"""

import pytest

from tierproof.register.isolation import closed, excused
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

TAKEN = [
    ("kip405", "smoke", 2_648_124),
    ("kip405", "in_sync", 343_746),
    ("kip405", "deleted", 459_982),
    ("kip405", "size_copied_twice", 1_254_368),
    ("kip405", "truncated", 2_343_420),
    ("kip950", "smoke", 1_520_683),
    ("kip950", "again", 2_079_965),
    ("kip1266", "default", 1_742_482),
    ("kip1266_migration", "default", 506_024),
    ("kip1272", "zombie", 694_189),
    ("kip1272", "rejected", 390_601),
    ("kip405_producers", "default", 710_241),
]
"""Design, scope, and the distinct states of the closed design there with three brokers."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope", "states"), TAKEN)
def test_the_closed_design_holds_with_three_brokers(name: str, scope: str, states: int) -> None:
    design, _ = Question(design=name).resolve()
    whole = design.with_variants(*closed(design))
    found = explore(whole, whole.scope(scope).replace(brokers=3), MemoryExecution)
    assert {one.name for one in found.properties if one.verdict != "HOLDS"} <= excused(design)
    assert found.distinct_states == states
