"""A review writes its comparisons beside the results, and prints them."""

import json
from dataclasses import replace
from functools import partial

import pytest

from tests.toys import jugs
from tierproof.command_line import console, reviewing
from tierproof.command_line.reviewing import Review
from tierproof.model.language import Comparison, DesignError, Variant
from tierproof.register import Finding, Register, ledger, pages
from tierproof.register.registers import GIVEN
from tierproof.spark_explorer.question import find_design
from tierproof.spark_explorer.registry import DESIGNS

HERE = "tests.explorer.test_reviewing"
LID = Variant(
    name="repair_lid", because="Nobody pours.", drop=(jugs.big_to_small, jugs.small_to_big)
)
FOUR = Finding(
    name="four_is_reached",
    title="The big jug holds four",
    claims=("never_four",),
    scope="three_and_five",
    permitted_by="the puzzle",
    explanation="Fill, and pour.",
    repair=LID.name,
    fix="A lid, on the big jug.",
)
JUGS = replace(jugs.DESIGN, variants=(LID,))
LATER = replace(jugs.DESIGN, name="later", properties=jugs.DESIGN.properties[:1])
PAIR = Comparison(name="pair", title="Two jugs", introduction="Poured.", designs=("jugs", "later"))


@pytest.fixture(autouse=True)
def give(monkeypatch):
    """Give the jugs a register; that of the finding, unless another is given."""

    def given(*found):
        monkeypatch.setitem(GIVEN, "jugs", Register(findings=found))

    given(FOUR)
    return given


@pytest.fixture
def review(tmp_path, monkeypatch) -> Review:
    """A review of `jugs`, to be compared with `later`, which the ledger knows."""
    monkeypatch.setitem(DESIGNS, "jugs", f"{HERE}:JUGS")
    monkeypatch.setitem(DESIGNS, "later", f"{HERE}:LATER")
    monkeypatch.setattr(reviewing, "COMPARISONS", (PAIR,))
    known = {
        "later": {"three_and_five": {"verdict": "HOLDS", "properties": {"never_four": "HOLDS"}}}
    }
    monkeypatch.setattr(ledger, "read", lambda: known)
    return reviewing.review(
        scope="three_and_five",
        names=("jugs",),
        engine="memory",
        master=None,
        out=tmp_path,
        update=False,
        watched=False,
    )


def test_the_comparison_lies_beside_the_results(review, tmp_path):
    (found,) = json.loads((tmp_path / "comparison.json").read_text())
    cells = found["rows"][0]["cells"]
    assert cells["jugs"]["shortest"]["steps"] == 6
    assert cells["later"] == {**cells["later"], "verdict": "HOLDS", "held": ["three_and_five"]}
    text = (tmp_path / "comparison.md").read_text("utf-8")
    assert "prevented by A lid, on the big jug" in text
    assert "Two jugs" in (tmp_path / "review.html").read_text("utf-8")


def test_a_design_that_was_not_reviewed_is_told_from_the_ledger(review):
    (found,) = review.as_dict()["comparisons"]
    assert [column["reviewed"] for column in found["columns"]] == [("three_and_five",), ()]
    assert review.comparisons[0].columns[1].source == "from the ledger"


def test_people_see_a_table_of_what_is_violated(review, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    console.show_review(review)
    told = capsys.readouterr().out
    assert "(ledger)" in told
    (line,) = [line for line in told.splitlines() if line.startswith("never_four  ")]
    assert line.split() == ["never_four", "✗", "6", "three_and_five", "✓", "1", "scope"]
    assert "A lid, on the big jug" in told
    assert "\x1b[" not in told


def test_designs_that_no_comparison_names_are_not_compared(review, tmp_path):
    assert reviewing.compared_with((), {}, (PAIR,), tmp_path) == ()


def test_an_update_is_expected_from_then_on(tmp_path, monkeypatch):
    monkeypatch.setitem(DESIGNS, "jugs", f"{HERE}:JUGS")
    folder = tmp_path / "ledger"
    monkeypatch.setattr(ledger, "record", partial(ledger.record, folder=folder))
    read = ledger.read
    monkeypatch.setattr(ledger, "read", lambda at=folder: read(at))

    def reviewed(*, update: bool) -> Review:
        return reviewing.review(
            scope="three_and_five",
            names=("jugs",),
            engine="memory",
            master=None,
            out=tmp_path,
            update=update,
            watched=False,
        )

    assert not reviewed(update=False).is_as_expected
    assert reviewed(update=True).is_as_expected
    assert '"violated": {"never_four": 6}' in (folder / "jugs.json").read_text()
    assert reviewed(update=False).is_as_expected


# -- the register, without a search


def test_pages_are_written_anew_from_the_traces_that_are_kept(tmp_path, give):
    design = find_design(f"{HERE}:JUGS", tmp_path)
    pages.write(pages.register(design, f"{HERE}:JUGS", watched=False), tmp_path)
    before = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert "**Fix**: A lid, on the big jug." in before["four_is_reached.md"]
    assert json.loads(before["four_is_reached.json"])["claims"] == {
        "never_four": {"steps": 6, "cycle_start": None, "ended": "HOLDS"}
    }
    pages.write(pages.rewritten(design, tmp_path), tmp_path)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == before

    give(replace(FOUR, title="Four gallons"))
    pages.write(pages.rewritten(design, tmp_path), tmp_path)
    assert "# Four gallons\n" in (tmp_path / "four_is_reached.md").read_text("utf-8")


def test_what_claims_something_else_by_now_has_to_be_explored(tmp_path, give):
    pages.write(pages.register(JUGS, f"{HERE}:JUGS", watched=False), tmp_path)
    both = replace(FOUR, claims=("never_four", "water_fits"))
    give(both)
    with pytest.raises(DesignError, match="has changed since its trace was kept"):
        pages.rewritten(JUGS, tmp_path)
    give(FOUR)
    with pytest.raises(DesignError, match="has no trace"):
        pages.rewritten(JUGS, tmp_path / "elsewhere")


def test_a_kept_trace_leads_to_its_page_from_where_the_report_is(tmp_path):
    pages.write(pages.register(JUGS, f"{HERE}:JUGS", watched=False), tmp_path / "register" / "jugs")
    (found,) = pages.stored("jugs", tmp_path / "review", tmp_path / "register")
    assert found["page"] == "../register/jugs/four_is_reached.md"
    assert (found["name"], len(found["steps"])) == ("four_is_reached", 6)
    assert pages.stored("unknown", tmp_path, tmp_path) == []
