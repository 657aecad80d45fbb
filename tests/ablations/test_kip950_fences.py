"""KIP-950 in a small scope: the counts that the ledger expects, and what no repair mends."""

from tierproof.model.designs.kip950 import DESIGN
from tierproof.register import ledger
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore


def result_of(scope: str) -> Result:
    return explore(DESIGN, DESIGN.scope(scope), MemoryExecution, scope_name=scope)


def test_counts_verdicts_and_witnesses_are_those_of_the_ledger():
    result = result_of("smoke")
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


def test_every_repair_at_once_leaves_nothing_to_find():
    result = explore(DESIGN.with_variant("repair_all"), DESIGN.scope("smoke"), MemoryExecution)
    assert [one.name for one in result.properties if one.verdict is not Verdict.HOLDS] == []


def test_a_repaired_topic_that_is_tiered_again_is_copied_again():
    scope = DESIGN.scope("alone_again")
    result = explore(DESIGN.with_variant("repair_all"), scope, MemoryExecution)
    reached = {one.name for one in result.witnesses if one.reached}
    assert {"topic_is_tiered_again", "segment_is_copied_again"} <= reached


def test_the_ledger_knows_every_property_of_the_design():
    known = ledger.read()[DESIGN.name]
    claimed = {entry.name for entry in DESIGN.properties}
    for scope in ("smoke", "default"):
        assert claimed <= set(known[scope]["properties"])
