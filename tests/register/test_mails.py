"""What is sent of a finding, and the review of a design: the words of its files, and of runs."""

import re
from dataclasses import replace

import pytest

from tests.designs.stored_traces import DESIGNS, STORED
from tests.register import giving
from tests.toys import leaky_tank
from tierproof.model.language import DesignError
from tierproof.register import Severity, prose, register_of, traces
from tierproof.register.prose import mail
from tierproof.register.traces import Broken, Kept, Shown

TANK = leaky_tank.DESIGN
DRIPS: tuple[str, dict[str, int]] = ("left_seam_drips", {})
KEPT = Kept(
    design="leaky_tank",
    scope="small",
    variants=("repair_seal_right",),
    claim="tank_has_water",
    steps=(DRIPS, DRIPS),
    cycle_start=None,
    claims={"tank_has_water": Broken(steps=2, cycle_start=None, ended="HOLDS")},
)


def words(finding=leaky_tank.LEFT, kept=KEPT) -> str:
    """What is sent, on one line."""
    shown = Shown(design=TANK, entry=finding, kept=kept, trace=kept.trace(TANK))
    return " ".join(prose.mail_of(shown).split())


def test_a_mail_begins_with_its_title_and_the_harm():
    assert words().startswith("The left seam leaks ==")
    assert "Loss of committed records. The left seam drips, and the tank is dry." in words()


def test_a_mail_says_with_what_bounds_it_was_found_and_that_nobody_ran_it():
    assert "here with small bounds. I can send the trace, step by step. Not run on" in words()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"stands_alone": True}, "With the proposal in force"),
        ({}, "With the proposal and the fixes of all our other reports in force"),
        (
            {"together_with": ("repair_seal_right",)},
            'With the proposal and the fix of our report "The right seam leaks" in force',
        ),
    ],
)
def test_a_mail_says_what_else_was_mended_in_the_search(changed, said):
    assert f"{said}, the same search found" in words(replace(leaky_tank.LEFT, **changed))


@pytest.mark.parametrize(
    ("proposed", "claims", "is_mended"),
    [
        ("repair_seal_left", {"ended": "HOLDS"}, True),
        ("repair_seal_left", {"ended": "INCOMPLETE"}, False),
        ("repair_seal_right", {"ended": "HOLDS", "proposed": "HOLDS"}, True),
        ("repair_seal_right", {"ended": "HOLDS", "proposed": "VIOLATED"}, False),
        (None, {"ended": "HOLDS"}, False),
    ],
)
def test_a_mail_says_of_its_proposal_only_what_was_explored(proposed, claims, is_mended):
    kept = replace(KEPT, claims={"tank_has_water": Broken(steps=2, cycle_start=None, **claims)})
    assert mail.is_mended(replace(leaky_tank.LEFT, proposed=proposed), kept) == is_mended


def test_a_line_has_no_mail_and_its_trace_a_command():
    with pytest.raises(
        DesignError, match=r"is a line .* explore leaky_tank --finding storm_opens_the_tank"
    ):
        words(leaky_tank.LID)


def test_what_is_kept_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "left.json"
    path.write_text(KEPT.text, "utf-8")
    assert traces.read(path) == KEPT


# -- the review of a design


def test_a_review_has_a_point_for_each_text_the_worst_first_and_the_lines_last(monkeypatch):
    minor = replace(leaky_tank.RIGHT, severity=Severity.COST)
    giving.give(monkeypatch, TANK, findings=(minor, leaky_tank.LEFT, leaky_tank.LID))
    title, points, text = prose.review_of(TANK)
    assert title == "Review of A tank with two leaks"
    assert [point.names for point in points] == [["left_seam_leaks"], ["right_seam_leaks"]]
    first, minor_points, rest = re.split("\nMinor points\n|\nBesides\n", text)
    assert "1. The left seam leaks" in first
    assert "2. The right seam leaks" in minor_points
    assert "The lid is blown off." in rest


def test_what_is_told_with_another_stands_in_its_point(monkeypatch):
    lid = replace(leaky_tank.LID, told_with="left_seam_leaks")
    giving.give(monkeypatch, TANK, findings=(leaky_tank.LEFT, lid))
    _, ((point), *_), text = prose.review_of(TANK)
    assert point.names == ["left_seam_leaks", "storm_opens_the_tank"]
    assert "Also: The lid is blown off." in text


def test_a_review_makes_each_proposal_once(monkeypatch):
    twin = replace(leaky_tank.LEFT, name="twin")
    giving.give(monkeypatch, TANK, findings=(leaky_tank.LEFT, twin))
    _, _, text = prose.review_of(TANK)
    assert text.count("Proposal: seal the left seam.") == 1
    assert "Proposal: the change of point 1." in text


def test_a_design_without_a_text_has_no_review(monkeypatch):
    giving.give(monkeypatch, TANK, findings=(leaky_tank.LID,))
    with pytest.raises(DesignError, match="there is nothing to review"):
        prose.review_of(TANK)


@pytest.mark.parametrize("name", [n for n, d in DESIGNS.items() if register_of(d).opening])
def test_a_review_names_each_point_as_checked_or_not(name):
    _, points, text = prose.review_of(DESIGNS[name])
    _, _, end = text.partition("What was checked\n")
    said = {
        int(number)
        for part in re.findall(r"points? ((?:\d+(?:,\s|\sand\s)?)+)", end)
        for number in re.findall(r"\d+", part)
    }
    with_repair = {point.number for point in points if point.finding.repair}
    assert with_repair <= said
    for point in points:
        kept = STORED[f"{point.design.name}/{point.finding.name}"]
        assert point.is_mended == mail.is_mended(point.finding, kept)
    assert "{" not in text
