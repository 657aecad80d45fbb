"""KIP-1266, repaired: interpreted and compiled, its topic and its migration say the same."""

import pytest

from tests.agreement.test_designs_agree import SMALL, counted
from tierproof.model.designs import kip1266_migration
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

REPAIRED = {
    "kip1266": SMALL["kip1266 repaired"],
    "kip1266_migration": (
        kip1266_migration.DESIGN.with_variant("repair_all"),
        kip1266_migration.DESIGN.scope("smoke"),
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param("kip1266", marks=pytest.mark.slow), "kip1266_migration"]
)
def test_a_repaired_topic_has_the_same_counts_and_no_violation_in_both_executions(name):
    design, scope = REPAIRED[name]
    distinct, generated, violated = counted(design, scope)
    claimed = [e.name for e in design.properties if e.kind is not PropertyKind.LIVENESS]
    result = explore(design, scope, MemoryExecution, only=claimed)
    assert (result.distinct_states, result.generated_states) == (distinct, generated)
    assert violated == set()
    assert not any(entry.occurrences for entry in result.properties)
