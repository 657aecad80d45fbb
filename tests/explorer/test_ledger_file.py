"""A line of the ledger says what differs from HOLDS, and means the whole entry."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.toys import jugs
from tierproof.register import ledger
from tierproof.register.json_file import Unreadable
from tierproof.register.ledger.file import entries_in, text_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore

BUCKETS = jugs.DESIGN.scope("three_and_five").replace(small=2, big=4)
DESIGN = replace(jugs.DESIGN, scopes={"buckets": BUCKETS, **jugs.DESIGN.scopes})
NAMES = {one.name for one in DESIGN.properties}


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """The jugs, then the buckets, which are declared first."""
    return [
        explore(DESIGN, DESIGN.scope(name), MemoryExecution, scope_name=name)
        for name in ("three_and_five", "buckets")
    ]


@pytest.fixture
def folder(results, tmp_path):
    ledger.record(results, {"jugs": DESIGN}, tmp_path)
    return tmp_path


def line_of(folder, scope: str) -> dict[str, Any]:
    return json.loads((folder / "jugs.json").read_text())["scopes"][scope]


def rewrite(folder, scope: str, **changed) -> None:
    path = folder / "jugs.json"
    written = json.loads(path.read_text())
    line = written["scopes"][scope] | changed
    written["scopes"][scope] = {name: value for name, value in line.items() if value is not None}
    path.write_text(json.dumps(written))


def differences(folder, result: Result) -> list[str]:
    entry = ledger.expected(result, ledger.read(folder))
    assert entry is not None
    return ledger.differences(result, entry)


def test_what_is_written_is_read_again(folder, results):
    known = ledger.read(folder)["jugs"]
    assert known == {result.scope: ledger.entry_of(result) for result in results}


def test_scopes_are_written_a_line_each_as_the_design_declares_them(folder):
    lines = (folder / "jugs.json").read_text().splitlines()
    begins = [line.split(":")[0] for line in lines if "distinct_states" in line]
    assert begins == ['  "buckets"', '  "three_and_five"']


def test_a_line_leaves_out_what_holds(folder):
    assert line_of(folder, "three_and_five")["violated"] == {"never_four": 6}
    assert "water_fits" not in str(line_of(folder, "three_and_five"))
    assert "not_judged" not in line_of(folder, "three_and_five")


def test_one_scope_recorded_anew_changes_nothing_else(folder, results):
    before = (folder / "jugs.json").read_text()
    ledger.record(results[:1], {"jugs": DESIGN}, folder)
    assert (folder / "jugs.json").read_text() == before


def test_a_violation_that_the_line_lacks_is_told(folder, results):
    rewrite(folder, "three_and_five", violated=None)
    assert differences(folder, results[0]) == [
        "properties never_four: expected HOLDS, found VIOLATED",
        "steps never_four: expected None, found 6",
    ]


def test_a_violation_that_is_none_any_more_is_told(folder, results):
    rewrite(folder, "three_and_five", violated={"never_four": 6, "water_fits": "lasso"})
    assert differences(folder, results[0]) == [
        "properties water_fits: expected VIOLATED, found HOLDS"
    ]


def test_a_length_that_was_not_kept_is_not_compared(folder, results):
    rewrite(folder, "three_and_five", violated={"never_four": None})
    assert differences(folder, results[0]) == []


def test_what_was_not_judged_does_not_hold(folder, results):
    rewrite(folder, "three_and_five", not_judged=["water_fits"])
    assert differences(folder, results[0]) == ["properties water_fits: expected None, found HOLDS"]


def test_a_property_of_which_only_one_scope_knows_is_not_judged_in_the_others(folder, results):
    first = results[0].properties[0]
    new = replace(results[0], properties=(*results[0].properties, replace(first, name="new")))
    ledger.record([new], {"jugs": DESIGN}, folder)
    assert line_of(folder, "buckets")["not_judged"] == ["new"]
    assert ledger.read(folder)["jugs"]["buckets"] == ledger.entry_of(results[1])


def test_a_property_that_the_design_lost_is_told(folder, results):
    fewer = replace(results[0], properties=results[0].properties[:1])
    (kept,) = fewer.properties
    (lost,) = NAMES - {kept.name}
    assert any(
        sentence.startswith(f"properties {lost}:") for sentence in differences(folder, fewer)
    )


def test_a_changed_bound_is_told_and_so_is_a_new_one(folder, results):
    wider = replace(results[0], bounds={**results[0].bounds, "big": 6, "cups": 0})
    assert differences(folder, wider) == [
        "bounds big: expected 5, found 6",
        "bounds cups: expected None, found 0",
    ]
    ledger.record([wider], {"jugs": DESIGN}, folder)
    assert ledger.read(folder)["jugs"]["buckets"] == ledger.entry_of(results[1])


def test_a_line_that_speaks_of_an_unknown_name_is_refused(folder):
    rewrite(folder, "buckets", violated={"nobody": 3})
    with pytest.raises(Unreadable, match=r"'buckets' has unknown names: \['nobody'\]"):
        ledger.read(folder)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_committed_file_is_as_record_would_write_it(name):
    text = (ledger.FOLDER / f"{name}.json").read_text("utf-8")
    assert text_of(entries_in(text), Question(design=name).resolve()[0]) == text


def test_every_committed_file_is_of_a_design():
    assert {path.name for path in ledger.FOLDER.glob("*.json")} == {
        f"{name}.json" for name in DESIGNS
    }
