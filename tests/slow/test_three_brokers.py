"""With a third broker the closed designs still hold: explored to the end, liveness included.

Most scopes have two brokers, as a third one makes a space ten to fifty times as big. What only a
second follower can do (be in sync while the other is not, be elected by its vote, build on what
another one left) is looked for here.
"""

import pytest

from tierproof.model.language import Design
from tierproof.register.isolation import causes, closed
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.search import explore

SCOPE = "three_brokers"
TAKEN = [
    design for name in DESIGNS if SCOPE in (design := Question(design=name).resolve()[0]).scopes
]


@pytest.mark.slow
@pytest.mark.parametrize("design", TAKEN, ids=lambda design: design.name)
def test_the_closed_design_holds_with_three_brokers(design: Design) -> None:
    whole = design.with_variants(*closed(design))
    found = explore(whole, whole.scope(SCOPE), MemoryExecution)
    excused = {claim for one in causes(design) if one.repair is None for claim in one.claims}
    assert {one.name for one in found.properties if one.verdict != "HOLDS"} <= excused
    known = isolation_file.read(design.name)[key_of(SCOPE, closed(design))]
    assert found.distinct_states == known["distinct_states"]
