"""The log cleaner: interpreted and compiled, its design and its repairs say the same."""

import pytest

from tests.agreement.test_designs_agree import counted
from tierproof.model.designs.log_cleaner import DESIGN
from tierproof.model.designs.log_cleaner.repairs import REPAIRS
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

SMALL = DESIGN.scope("ample").replace(offsets=2, crashes=1)
CLAIMED = [one.name for one in DESIGN.properties if one.kind is not PropertyKind.LIVENESS]


@pytest.mark.parametrize(
    ("variants", "bounds"),
    [
        ((), {"offsets": 3, "crashes": 0}),
        ((), {"map_keys": 1, "log_keys": 2}),
        ((), {"segment_records": 1, "producers": 2}),
        *(((one.name,), {"map_keys": 1}) for one in REPAIRS),
    ],
)
def test_both_executions_have_the_same_counts_and_no_violation(variants, bounds):
    design, scope = DESIGN.with_variants(*variants), SMALL.replace(**bounds)
    distinct, generated, violated = counted(design, scope)
    result = explore(design, scope, MemoryExecution, only=CLAIMED)
    assert (result.distinct_states, result.generated_states) == (distinct, generated)
    assert violated == {one.name for one in result.properties if one.occurrences} == set()
