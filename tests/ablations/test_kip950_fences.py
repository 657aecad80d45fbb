"""KIP-950 in its smallest scope: the counts that the ledger expects, and what each fence is for."""

import pytest

from model.designs.kip950 import DESIGN
from model.language import Design
from spark_explorer import ledger
from spark_explorer.memory import MemoryExecution
from spark_explorer.results import Result, Verdict
from spark_explorer.search import explore


def explored(design: Design, scope: str) -> Result:
    return explore(design, design.scope(scope), MemoryExecution, scope_name=scope)


def violated(result: Result) -> set[str]:
    return {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}


def test_counts_verdicts_and_witnesses_are_those_of_the_ledger():
    result = explored(DESIGN, "smoke")
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


@pytest.mark.parametrize(
    ("guard", "claim", "scope"),
    [
        ("decides_on_remote_data", "disabling_decides_on_remote_data", "settings"),
        ("aligns_local_retention", "read_only_topic_has_one_retention", "settings"),
        ("has_stored", "served_segment_has_its_object", "smoke"),
        ("has_started", "metadata_comes_before_objects", "smoke"),
    ],
)
def test_a_fence_protects_its_property(guard, claim, scope):
    assert claim not in violated(explored(DESIGN, scope))
    assert claim in violated(explored(DESIGN.without(guard), scope))


def test_a_repair_makes_the_fencing_property_hold():
    scope = DESIGN.scope("smoke").replace(elections=1)
    names = {"only_the_leader_publishes_copies", "only_the_leader_deletes"}
    broken = explore(DESIGN, scope, MemoryExecution)
    repaired_design = DESIGN.with_variant("repair_fence_remote_metadata")
    repaired = explore(repaired_design, scope, MemoryExecution)
    assert names <= violated(broken)
    assert not names & violated(repaired)


def test_the_ledger_knows_every_property_of_the_design():
    known = ledger.read()[DESIGN.name]
    claimed = {entry.name for entry in DESIGN.properties}
    for scope in ("smoke", "default"):
        assert claimed <= set(known[scope]["properties"])
