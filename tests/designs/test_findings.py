"""Every violation that the ledger knows is explained, and every explanation has its trace."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.designs.stored_traces import DESIGNS, ENTRIES, STORED, shown_of, trace_of
from tierproof.model.designs import kip950
from tierproof.register import Finding, evidence, ledger, pictures, prose, traces
from tierproof.register.isolation import causes
from tierproof.register.registers import folder_of

FINDINGS = [key for key, (_, one) in ENTRIES.items() if isinstance(one, Finding)]
WITH_TEXT = [key for key in FINDINGS if getattr(ENTRIES[key][1], "text", None)]
BUGS = [key for key in ENTRIES if key not in FINDINGS]
of_every_finding = pytest.mark.parametrize("key", FINDINGS)
of_every_text = pytest.mark.parametrize("key", WITH_TEXT)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=list(DESIGNS))
def test_every_known_violation_is_explained_by_a_finding(design):
    assert evidence.unexplained(design, ledger.read()[design.name]) == []


def test_what_no_finding_speaks_of_is_named():
    known = {"smoke": {"properties": {"no_such_claim": "VIOLATED", "another": "HOLDS"}}}
    assert evidence.unexplained(kip950.DESIGN, known) == ["no_such_claim"]


@pytest.mark.parametrize("design", DESIGNS.values(), ids=list(DESIGNS))
def test_each_entry_has_the_trace_of_what_it_claims_now_and_no_other_is_kept(design):
    entries = [one for name, (_, one) in ENTRIES.items() if name.startswith(f"{design.name}/")]
    for one in entries:
        assert traces.shown(design, one).trace.digest
    kept = {path.stem for path in folder_of(design).glob("*.json")}
    assert kept == {one.name for one in entries}


@of_every_text
def test_the_text_of_a_finding_tells_its_trace(key):
    _, one = ENTRIES[key]
    trace = trace_of(STORED[key])
    assert isinstance(one, Finding)
    assert evidence.untold(shown_of(key)) is None
    assert one.turning is not None
    assert min(1, len(trace)) <= one.turning <= len(trace)
    assert set(one.letters) <= set(range(9))


@of_every_finding
def test_a_repair_ends_what_the_finding_claims_or_it_says_why_there_is_none(key):
    _, one = ENTRIES[key]
    assert isinstance(one, Finding)
    ended = {told.ended for told in STORED[key].claims.values()}
    assert (ended, bool(one.unrepaired)) == (({"HOLDS"}, False) if one.repair else ({None}, True))


@of_every_finding
def test_what_a_text_proposes_in_place_of_the_repair_was_searched(key):
    _, one = ENTRIES[key]
    assert isinstance(one, Finding)
    found = {told.proposed for told in STORED[key].claims.values()}
    assert found == ({"HOLDS"} if one.proposal else {None})


@pytest.mark.parametrize("key", BUGS)
def test_the_fix_of_a_published_bug_ends_it(key):
    assert {told.ended for told in STORED[key].claims.values()} == {"HOLDS"}


@of_every_finding
def test_the_repairs_are_named_without_which_the_design_does_not_take_the_steps(key):
    design, one = ENTRIES[key]
    assert isinstance(one, Finding)
    kept, trace = STORED[key], trace_of(STORED[key])
    states, stop = trace.follow_in(design.with_variants(*one.beside))
    if stop is not None:
        assert kept.in_force
    elif trace.cycle_start is None and states == trace.states:
        assert not kept.in_force
    mended = {other.repair for other in causes(design) if other.repair}
    assert set(kept.in_force) <= mended


def test_a_design_that_only_has_the_name_of_another_is_told_nothing_of_its_explorations():
    assert evidence.kept(kip950.DESIGN)
    assert evidence.kept(replace(kip950.DESIGN, system=kip950.DESIGN.system[1:])) == {}


# -- what is made of it


@pytest.mark.parametrize("key", [key for key in WITH_TEXT if key.startswith("kip405/")])
def test_a_page_has_the_words_of_the_file_and_what_runs_say(key):
    _, one = ENTRIES[key]
    assert isinstance(one, Finding)
    assert one.text is not None
    page = prose.page_of(shown_of(key), ("drawing.svg",))
    for words in (
        *(one.title, one.says, one.text.detail, one.text.report, "](drawing.svg)"),
        *(step.sentence for step in one.text.steps),
        *(f"`{claim}`" for claim in one.claims),
        f"`tierproof explore kip405 --finding {one.name}`",
        "The trace, step by step",
    ):
        assert words in page


def test_the_picture_of_the_readme_is_the_one_that_is_drawn():
    drawn = pictures.offsets_of(shown_of("kip405/single_record_counts_twice"))
    picture = Path(__file__).parents[2] / "docs" / "first_finding.svg"
    assert picture.read_text("utf-8") == f"{drawn}\n"
