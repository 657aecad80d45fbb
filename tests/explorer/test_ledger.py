"""The ledger expects counts and verdicts, and says in a sentence what differs."""

from dataclasses import replace

import pytest

from tests.toys import jugs
from tierproof.register import ledger
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore

JUGS = {jugs.DESIGN.name: jugs.DESIGN}


@pytest.fixture(scope="module")
def result() -> Result:
    design = jugs.DESIGN
    scope = design.scope("three_and_five")
    return explore(design, scope, MemoryExecution, scope_name="three_and_five")


def test_what_was_recorded_is_expected(result, tmp_path):
    ledger.record([result], JUGS, tmp_path)
    entry = ledger.expected(result, ledger.read(tmp_path))
    assert entry is not None
    assert entry == ledger.entry_of(result)
    assert ledger.differences(result, entry) == []


def test_a_known_violation_is_expected(result):
    assert ledger.entry_of(result)["properties"]["never_four"] == "VIOLATED"


def test_the_length_of_a_shortest_counterexample_is_kept_and_one_that_changes_is_told(result):
    entry = ledger.entry_of(result)
    assert entry["steps"] == {"never_four": 6}
    longer = {**entry, "steps": {"never_four": 7}}
    assert ledger.differences(result, longer) == ["steps never_four: expected 7, found 6"]


def test_a_lasso_is_no_shortest_counterexample(result):
    first = result.properties[0]
    lasso = replace(first, trace=replace(first.trace, cycle_start=6))
    assert ledger.entry_of(replace(result, properties=(lasso,)))["steps"] == {}


def test_an_entry_from_before_lengths_were_kept_expects_none(result):
    entry = {name: value for name, value in ledger.entry_of(result).items() if name != "steps"}
    assert ledger.differences(result, entry) == []


def test_a_changed_count_is_told(result):
    entry = {**ledger.entry_of(result), "distinct_states": 1_234}
    assert ledger.differences(result, entry) == ["distinct_states: expected 1,234, found 16"]


def test_a_changed_verdict_and_a_new_property_are_told(result):
    entry = ledger.entry_of(result)
    entry = {**entry, "properties": {"never_four": "HOLDS"}}
    assert ledger.differences(result, entry) == [
        "properties never_four: expected HOLDS, found VIOLATED",
        "properties water_fits: expected None, found HOLDS",
    ]


def test_what_the_ledger_leaves_out_and_a_run_could_not_judge_is_no_difference(result):
    unknown = replace(result.properties[0], name="unknown", verdict=Verdict.INCOMPLETE)
    found = replace(result, properties=(*result.properties, unknown))
    assert ledger.differences(found, ledger.entry_of(result)) == []
    known = ledger.entry_of(replace(result, properties=(replace(unknown, verdict=Verdict.HOLDS),)))
    assert "properties unknown: expected HOLDS, found INCOMPLETE" in ledger.differences(
        found, known
    )


def test_a_cut_search_is_never_recorded(result, tmp_path):
    with pytest.raises(ValueError, match="was cut"):
        ledger.record([replace(result, cut="interrupted")], JUGS, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_no_ledger_expects_nothing(result, tmp_path):
    assert ledger.expected(result, ledger.read(tmp_path / "none")) is None
