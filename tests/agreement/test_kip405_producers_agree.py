"""KIP-405 with producers, and KIP-952: interpreted and compiled, they are the same."""

import pytest

from tests.agreement.test_designs_agree import counted
from tierproof.model.designs import kip405_producers, kip952
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

SHIPPED = kip405_producers.DESIGN
RESTARTED = SHIPPED.scope("restart").replace(leader_epochs=2, appends=0, sequences=2, shutdowns=0)
SMALL = {
    "as shipped": (SHIPPED, SHIPPED.scope("smoke")),
    "as shipped, restarted": (SHIPPED, RESTARTED),
    "as shipped, built on the remote tier": (
        SHIPPED,
        SHIPPED.scope("followers").replace(offsets=2, appends=0, retries=0),
    ),
    "as shipped, with transactions": (
        SHIPPED,
        SHIPPED.scope("smoke").replace(
            producers=1, appends=1, is_transactional=1, markers=1, epoch_bumps=1, producer_epochs=2
        ),
    ),
    "the proposal": (kip952.DESIGN, kip952.DESIGN.scope("smoke").replace(offsets=2)),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_topic_with_producers_has_the_same_counts_and_verdicts_in_both_executions(name):
    design, scope = SMALL[name]
    distinct, generated, violated = counted(design, scope)
    result = explore(design, scope, MemoryExecution)
    assert (result.distinct_states, result.generated_states) == (distinct, generated)
    claimed = {e.name for e in design.properties if e.kind is not PropertyKind.LIVENESS}
    broken = {entry.name for entry in result.properties if entry.occurrences}
    assert broken & claimed == violated
