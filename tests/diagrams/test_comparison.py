"""Designs side by side: the known results of each over all scopes, and nothing else."""

from dataclasses import replace
from typing import Any

import pytest

from tests.diagrams.samples import claim, result, step, trace
from tests.diagrams.test_report import plain
from tests.register import giving
from tests.toys import counter, jugs
from tierproof.diagrams import comparison_as_markdown, write_report
from tierproof.diagrams.compared import HOLDS, INCOMPLETE, NOT_STATED, VIOLATED, Cell, SideBySide
from tierproof.diagrams.side_by_side import cell_word
from tierproof.model.language import Comparison, DesignError, UnknownName, Variant
from tierproof.register import Finding, Severity, Text
from tierproof.register.comparison import compare
from tierproof.register.paragraphs import Paragraph
from tierproof.register.traces import Broken, Kept

PUZZLE = "never_four"
FITS = "water_fits"
REPAIR = Variant(
    name="repair_lid",
    because="A lid, on the big jug. It is screwed on.",
    drop=(jugs.big_to_small, jugs.small_to_big),
)
FINDING = Finding(
    name="four_is_reached",
    title="The big jug holds four",
    severity=Severity.COST,
    claims=(PUZZLE,),
    scope="three_and_five",
    repair=REPAIR.name,
)
OPEN = replace(jugs.DESIGN, name="open", variants=(REPAIR,))
CLOSED = replace(jugs.DESIGN, name="closed", properties=jugs.DESIGN.properties[:1])
PAIR = Comparison(name="pair", title="Two jugs", introduction="Poured.", designs=("open", "closed"))


@pytest.fixture(autouse=True)
def register(monkeypatch):
    """Give `open` a register; that of the finding, unless another is given."""

    def given(*findings):
        giving.give(monkeypatch, OPEN, findings=findings)

    given(FINDING)
    return given


def searched(design: str, scope: str, *claims: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """The record of a search."""
    return result(design=design, scope=scope, properties=list(claims), **changed)


def broken(steps: int, name: str = PUZZLE) -> dict[str, Any]:
    """The record of a property that is violated after so many steps."""
    made = trace(*(step(action=f"step_{number}") for number in range(steps)))
    return claim(name=name, verdict=VIOLATED, trace=made, trace_length=steps)


def entry(steps: dict[str, int] | None = None, **verdicts: str) -> dict[str, Any]:
    """What the ledger says of a scope."""
    return {"verdict": VIOLATED, "properties": verdicts} | ({"steps": steps} if steps else {})


def kept(steps: int, scope: str = "three", **changed: Any) -> Kept:
    """A trace of the register, of the finding of `open`."""
    told = {PUZZLE: Broken(steps=steps, cycle_start=None)}
    found = {"steps": (("fill_big", {}),) * steps, "cycle_start": None, "claims": told, **changed}
    return Kept(design="open", scope=scope, claim=PUZZLE, **{"variants": (), **found})


def side_by_side(
    *results: dict[str, Any],
    ledger: Any = None,
    stored: Kept | None = None,
    designs: Any = (OPEN, CLOSED),
) -> SideBySide:
    by_name = {design.name: design for design in designs}
    comparison = replace(PAIR, designs=tuple(by_name))
    of_open = {"open": {FINDING.name: stored}} if stored else {}
    return compare(comparison, by_name, ledger or {}, results, of_open)


def cell(it: SideBySide, name: str, design: str = "open") -> Cell:
    (row,) = [row for row in it.rows if row.name == name]
    return row.cells[[column.design for column in it.columns].index(design)]


def test_a_property_holds_in_the_scopes_that_were_searched_to_their_end():
    it = side_by_side(
        searched("open", "three", claim(name=FITS)),
        ledger={"open": {"five": entry(water_fits=HOLDS)}},
    )
    assert (cell(it, FITS).verdict, cell(it, FITS).held) == (HOLDS, ("three", "five"))


def test_one_scope_that_breaks_it_is_enough():
    it = side_by_side(
        searched("open", "three", claim(name=PUZZLE)),
        ledger={"open": {"five": entry(never_four=VIOLATED), "six": entry(never_four=HOLDS)}},
    )
    found = cell(it, PUZZLE)
    assert (found.verdict, found.violated, found.held) == (VIOLATED, ("five",), ("three", "six"))


@pytest.mark.parametrize("verdict", [HOLDS, INCOMPLETE])
def test_a_search_that_was_cut_lets_nothing_hold(verdict):
    it = side_by_side(searched("open", "three", claim(name=FITS, verdict=verdict), cut="a limit"))
    found = cell(it, FITS)
    assert (found.verdict, found.held, found.cut) == (INCOMPLETE, (), ("three",))


def test_a_search_that_was_cut_still_shows_what_it_broke():
    it = side_by_side(searched("open", "three", broken(2), cut="a limit"))
    assert cell(it, PUZZLE).verdict == VIOLATED


def test_a_search_that_was_cut_takes_nothing_from_the_ledger():
    cut = searched("open", "three", claim(name=FITS, verdict=INCOMPLETE), cut="a limit")
    it = side_by_side(cut, ledger={"open": {"three": entry(water_fits=VIOLATED)}})
    assert cell(it, FITS).verdict == VIOLATED


def test_what_no_search_has_judged_is_incomplete_and_not_kept():
    found = cell(side_by_side(), FITS)
    assert (found.verdict, found.held, found.cut) == (INCOMPLETE, (), ())
    assert cell_word(found) == "… not explored"


def test_a_design_without_the_property_does_not_state_it():
    ledger = {"closed": {"three": entry(water_fits=HOLDS)}}
    it = side_by_side(ledger=ledger)
    assert cell(it, FITS, "closed") == Cell(verdict=NOT_STATED)


def test_a_property_in_other_words_shares_the_row_of_its_equivalent():
    puzzle, fits = jugs.DESIGN.properties
    other = replace(puzzle, name="no_four")
    closed = replace(CLOSED, properties=(fits, other))
    pair = replace(PAIR, equivalents={"no_four": PUZZLE})
    ledger = {"closed": {"three": entry({"no_four": 6}, no_four=VIOLATED)}}
    it = compare(pair, {"open": OPEN, "closed": closed}, ledger)
    assert "no_four" not in {row.name for row in it.rows}
    found = cell(it, PUZZLE, "closed")
    assert found.verdict == VIOLATED
    assert found.shortest is not None
    assert found.shortest.steps == 6
    assert found.shortest.command.endswith("--property no_four")


def test_properties_that_every_design_states_come_first():
    backwards = replace(OPEN, properties=OPEN.properties[::-1])
    it = side_by_side(designs=(backwards, CLOSED))
    assert [(row.name, row.is_common) for row in it.rows] == [(PUZZLE, True), (FITS, False)]


def test_a_row_says_that_the_designs_differ():
    it = side_by_side(
        searched("open", "three", broken(2)), searched("closed", "three", claim(name=PUZZLE))
    )
    assert [row.differs for row in it.rows] == [True, False]


def test_another_wording_under_the_same_name_is_told():
    changed = replace(CLOSED.properties[0], function=four_is_far)
    it = side_by_side(designs=(OPEN, replace(CLOSED, properties=(changed,))))
    assert cell(it, PUZZLE).statement == ""
    assert cell(it, PUZZLE, "closed").statement == "Four is far."


def four_is_far(state: jugs.Water) -> bool:
    """Four is far."""
    return state.big != 4


def test_a_law_of_a_lifecycle_is_a_row_as_well():
    it = side_by_side(
        designs=(counter.DESIGN,), ledger={"counter": {"x": entry(Phase_lifecycle=VIOLATED)}}
    )
    assert it.rows[-1].name == "Phase_lifecycle"
    assert it.rows[-1].cells[0].verdict == VIOLATED


# -- the shortest counterexample


def test_the_shortest_counterexample_of_all_scopes_is_shown():
    it = side_by_side(
        searched("open", "three", broken(5)),
        searched("open", "four", broken(4)),
        ledger={"open": {"six": entry({PUZZLE: 3}, never_four=VIOLATED)}},
        stored=kept(2, "seven"),
    )
    found = cell(it, PUZZLE).shortest
    assert found is not None
    assert (found.scope, found.steps, found.source) == ("seven", 2, "the register")
    assert found.words == ("fill_big()", "fill_big()")


def test_a_counterexample_of_this_review_is_found_in_the_report():
    found = cell(side_by_side(searched("open", "three", broken(2))), PUZZLE).shortest
    assert found is not None
    assert found.anchor == "open/three-never_four"
    assert found.words[0] == "broker 1: step_0(broker=1, segment=0)"


def test_of_two_that_are_as_short_the_one_with_its_steps_is_shown():
    ledger = {"open": {"six": entry({PUZZLE: 2}, never_four=VIOLATED)}}
    found = cell(side_by_side(ledger=ledger, stored=kept(2)), PUZZLE).shortest
    assert found is not None
    assert found.source == "the register"


def test_where_only_the_length_is_known_the_command_that_finds_it_is_told():
    ledger = {"open": {"six": entry({PUZZLE: 3}, never_four=VIOLATED)}}
    found = cell(side_by_side(ledger=ledger), PUZZLE).shortest
    assert found is not None
    assert (found.steps, found.words) == (3, ())
    assert found.command == "tierproof explore open --scope six --property never_four"


def test_a_violation_of_unknown_length_is_told_as_such():
    it = side_by_side(ledger={"open": {"six": entry(never_four=VIOLATED)}})
    assert cell(it, PUZZLE).shortest is None
    assert "VIOLATED in six; how soon is not on record" in comparison_as_markdown(it)


def test_a_scope_searched_now_is_not_asked_of_ledger_or_register():
    it = side_by_side(
        searched("open", "three", claim(name=PUZZLE)),
        ledger={"open": {"three": entry({PUZZLE: 1}, never_four=VIOLATED)}},
        stored=kept(1),
    )
    assert cell(it, PUZZLE).verdict == HOLDS


def test_a_search_of_a_variant_or_an_ablation_says_nothing_of_the_design():
    ablated = searched("open", "three", broken(1), without=["a_guard"])
    varied = searched("open", "three", broken(1), variants=["repair_lid"])
    it = side_by_side(ablated, varied, stored=kept(1, variants=("repair_other",)))
    assert cell(it, PUZZLE).verdict == INCOMPLETE


def test_a_trace_of_the_register_tells_the_length_for_every_claim_of_its_finding():
    lengths = {
        PUZZLE: Broken(steps=4, cycle_start=None, ended=HOLDS),
        FITS: Broken(steps=6, cycle_start=2, ended=VIOLATED),
    }
    it = side_by_side(stored=kept(4, claims=lengths))
    found = cell(it, FITS).shortest
    assert found is not None
    assert (found.length, found.words) == ("2 steps and a cycle of 4", ())
    assert cell(it, PUZZLE).preventions[0].ended == HOLDS


def test_a_trace_whose_action_has_changed_is_shown_without_its_actor():
    words: Any = (("fill_big", {"litres": 5}), ("gone", {}))
    changed = replace(kept(2), steps=words)
    found = cell(side_by_side(stored=changed), PUZZLE).shortest
    assert found is not None
    assert found.words == ("fill_big(litres=5)", "gone()")


# -- the guard


def test_the_guard_that_prevents_it_is_shown_with_its_finding():
    it = side_by_side(searched("open", "three", broken(2)), stored=kept(4))
    (found,) = cell(it, PUZZLE).preventions
    assert (found.guard, found.repair) == ("A lid, on the big jug", "repair_lid")
    assert found.steps == 4
    assert it.guards[0].prevents == ((PUZZLE,), ())


def test_no_guard_is_shown_for_what_is_not_violated():
    it = side_by_side(searched("open", "three", claim(name=PUZZLE)))
    assert cell(it, PUZZLE).preventions == ()
    assert it.guards == ()


@pytest.fixture
def guarded(register):
    """What prevents the violation, if the design has these findings."""

    def told(*findings: Finding) -> str:
        register(*findings)
        it = side_by_side(searched("open", "three", broken(2)), designs=(OPEN,))
        return cell(it, PUZZLE).prevented_by

    return told


def proposing(words: str) -> Finding:
    blocks = (Paragraph("It holds four."), Paragraph(words, "Proposal:"))
    return replace(FINDING, text=Text(blocks=blocks, steps=()))


def test_several_findings_need_all_of_their_guards(guarded):
    other = replace(proposing("A hole, in the floor."), name="other")
    assert guarded(FINDING, other) == "A lid, on the big jug; A hole, in the floor"


def test_a_guard_that_no_repair_bears_out_is_called_an_argument(guarded):
    argued = replace(proposing("A lid, on the big jug. Screw it."), repair=None, unrepaired="no")
    assert guarded(argued) == "A lid, on the big jug (by argument, not explored)"


def test_without_a_guard_nothing_is_known(guarded):
    assert guarded(replace(FINDING, repair=None)) == "nothing known (The big jug holds four)"
    assert guarded() == "nothing known: no finding speaks of it"


# -- where it stands


@pytest.fixture
def told() -> SideBySide:
    """`open` is explored now, `closed` is known from the ledger."""
    return side_by_side(
        searched("open", "three", broken(2), claim(name=FITS)),
        ledger={"closed": {"six": entry(never_four=HOLDS)}},
        stored=kept(2),
    )


def test_a_column_says_whether_it_was_explored_now(told):
    assert [one.source for one in told.columns] == ["three explored now", "from the ledger"]
    assert side_by_side().columns[0].source == "not explored yet"


def test_the_report_shows_it_with_signs_and_words(told, tmp_path):
    results = [searched("open", "three", broken(2), claim(name=FITS))]
    page = write_report(results, {"open": OPEN}, tmp_path, comparisons=(told,)).read_text("utf-8")
    text = plain(page)
    assert "✗ VIOLATED 2 steps in three Prevented by A lid, on the big jug" in text
    assert "✓ HOLDS in six" in text
    assert "– not stated" in text
    assert 'href="#open-three-never-four"' in page
    assert 'id="open-three-never-four"' in page
    assert "not in the ledger" not in text


def test_a_report_without_comparisons_has_no_such_section(tmp_path):
    page = write_report([searched("open", "three")], {"open": OPEN}, tmp_path).read_text("utf-8")
    assert '<section class="comparison"' not in page


def test_the_markdown_has_every_cell_and_the_steps(told):
    text = comparison_as_markdown(told)
    assert (
        "| `never_four` | ✗ VIOLATED in three; 2 steps in three; "
        "prevented by A lid, on the big jug | ✓ HOLDS in six |"
    ) in text
    assert "| `water_fits` | ✓ HOLDS in three | – not stated |" in text
    assert "| A lid, on the big jug | 1: `never_four` | – |" in text
    assert " 2. broker 1: step_1(broker=1, segment=0)" in text


def test_as_plain_values_a_cell_is_named_by_its_design(told):
    found = told.as_dict()
    assert found["columns"][0]["counts"] == {HOLDS: 1, VIOLATED: 1, INCOMPLETE: 0, NOT_STATED: 0}
    assert found["rows"][0]["cells"]["open"]["shortest"]["steps"] == 2
    assert found["rows"][0]["cells"]["closed"]["held"] == ("six",)
    assert found["guards"][0]["prevents"] == {"open": (PUZZLE,), "closed": ()}


@pytest.mark.parametrize(
    ("scopes", "words"),
    [
        (("a",), "a"),
        (("a", "b"), "a, b"),
        (("a", "b", "c"), "all scopes but d"),
        (("a", "b", "c", "d"), "all 4 scopes"),
    ],
)
def test_scopes_are_told_in_few_words(scopes, words):
    ledger = {"open": {name: entry() for name in "abcd"}}
    assert side_by_side(ledger=ledger).columns[0].told(scopes) == words


# -- the declaration


def test_a_comparison_of_nothing_or_of_one_twice_is_refused():
    with pytest.raises(DesignError, match="compares nothing"):
        replace(PAIR, designs=())
    with pytest.raises(DesignError, match="'open' twice"):
        replace(PAIR, designs=("open", "open"))


def test_a_comparison_names_registered_designs_only():
    PAIR.check(["open", "closed"])
    with pytest.raises(UnknownName, match="'closed'"):
        PAIR.check(["open"])
