"""A review writes its comparisons beside the results, and prints them."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.register import giving
from tests.toys import jugs
from tierproof.command_line import console, reviewing
from tierproof.command_line.reviewing import Review
from tierproof.model.language import Comparison, DesignError, Variant
from tierproof.register import Finding, Severity, ledger, searches, traces
from tierproof.register.json_file import Unreadable
from tierproof.register.traces import Broken
from tierproof.spark_explorer.registry import DESIGNS

HERE = "tests.explorer.test_reviewing"
LID = Variant(
    name="repair_lid", because="A lid, on the big jug.", drop=(jugs.big_to_small, jugs.small_to_big)
)
FOUR = Finding(
    name="four_is_reached",
    title="The big jug holds four",
    severity=Severity.COST,
    claims=("never_four",),
    scope="three_and_five",
    repair=LID.name,
)
JUGS = replace(jugs.DESIGN, variants=(LID,))
LATER = replace(jugs.DESIGN, name="later", properties=jugs.DESIGN.properties[:1])
PAIR = Comparison(name="pair", title="Two jugs", introduction="Poured.", designs=("jugs", "later"))


@pytest.fixture(autouse=True)
def give(monkeypatch):
    """Give the jugs a register; that of the finding, unless another is given."""

    def given(*found):
        giving.give(monkeypatch, JUGS, findings=found)

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
    assert "Two jugs" in (tmp_path / "evidence.html").read_text("utf-8")
    assert "four_is_reached" in (tmp_path / "jugs.html").read_text("utf-8")
    assert 'href="jugs.html"' in (tmp_path / "index.html").read_text("utf-8")


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


def test_designs_that_no_comparison_names_are_not_compared(review):
    assert reviewing.compared_with((), {}, (PAIR,)) == ()


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


# -- the traces of a register


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where traces of the jugs are kept."""
    monkeypatch.setattr(traces, "folder_of", lambda design: tmp_path)
    return tmp_path


def kept_anew() -> list[Path]:
    return [traces.write(shown) for shown in searches.explored(JUGS, f"{HERE}:JUGS", watched=False)]


def test_a_trace_is_kept_with_what_becomes_of_each_claim(folder):
    (path,) = kept_anew()
    assert path == folder / "four_is_reached.json"
    kept = traces.read(path)
    assert kept.claims == {"never_four": Broken(steps=6, cycle_start=None, ended="HOLDS")}
    assert (len(kept.steps), kept.claim, kept.in_force) == (6, "never_four", ())
    shown = traces.shown(JUGS, FOUR)
    assert shown.trace.states[-1].fields()["big"] == 4


def test_what_claims_something_else_by_now_has_to_be_explored(folder, give):
    kept_anew()
    both = replace(FOUR, claims=("never_four", "water_fits"))
    with pytest.raises(DesignError, match="has changed since its trace was kept; find it anew"):
        traces.shown(JUGS, both)
    with pytest.raises(DesignError, match="no trace of 'five'"):
        traces.shown(JUGS, replace(FOUR, name="five"))


def test_what_is_proposed_otherwise_by_now_has_to_be_explored(folder):
    kept_anew()
    with pytest.raises(DesignError, match="proposes another change than was explored"):
        traces.shown(JUGS, replace(FOUR, proposed="repair_hole", stands_alone=True))


def test_a_file_that_is_no_trace_is_refused_by_name(folder):
    (path,) = kept_anew()
    path.write_text(path.read_text("utf-8").replace('"claims"', '"clams"'), "utf-8")
    with pytest.raises(Unreadable, match=r"four_is_reached.json cannot be read: it is no trace"):
        traces.shown(JUGS, FOUR)
