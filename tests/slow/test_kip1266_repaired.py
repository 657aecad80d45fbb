"""KIP-1266 with all repairs, where the topic has room for what they add: every property holds.

The committed scopes are sized for the text, whose states are many more with a longer topic.
"""

import pytest

from tierproof.model.designs.kip1266 import DESIGN
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

ROOMY = {
    "default": ({"topic_records": 5}, 1_468_392),
    "two_copies": ({"topic_records": 5}, 195_298),
    "zombie": ({"topic_records": 7, "elections": 2, "restarts": 1}, 769_876),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMY)
def test_with_all_repairs_every_property_holds(name):
    bounds, distinct_states = ROOMY[name]
    scope = DESIGN.scope(name).replace(**bounds)
    result = explore(DESIGN.with_variant("repair_all"), scope, MemoryExecution)
    assert result.distinct_states == distinct_states
    assert {str(entry.verdict) for entry in result.properties} == {"HOLDS"}
    reached = {entry.name for entry in result.witnesses if entry.reached}
    assert {"topic_is_compacted", "segment_is_forgotten"} <= reached
