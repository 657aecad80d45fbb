"""The ablation matrix: what breaks without each part, and nothing that was not seen."""

import json
from dataclasses import replace
from subprocess import CompletedProcess

import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line import first_design, reviewing
from tierproof.diagrams import AblationMatrix, AblationRow
from tierproof.model.language import Design, Edit, fence, invariant
from tierproof.register import ledger
from tierproof.register.ablation import matrix as ablating
from tierproof.register.ablation import parts_of
from tierproof.register.ablation.matrix import Ablating
from tierproof.spark_explorer import search
from tierproof.spark_explorer.registry import DESIGNS

WORDS = "tierproof.command_line.first_design:DESIGN"
FIRST = first_design.DESIGN
HERE = "tests.explorer.test_ablating"


@fence(protects="every_segment_is_readable", scope="default")
def is_any(state: first_design.Partition, segment: first_design.Segment) -> bool:
    """It tests nothing."""
    return True


@fence(protects="nothing_is_copied", scope="default")
def is_late(state: first_design.Partition, segment: first_design.Segment) -> bool:
    """It does not keep what it names."""
    return state.is_local[segment]


@invariant()
def nothing_is_copied(state: first_design.Partition) -> bool:
    """No copy ever begins."""
    return all(copy == first_design.Copy.NONE for copy in state.copy)


IDLE = FIRST.derive(
    name="idle",
    title="A fence that is none",
    change=Edit(fence={first_design.leader_deletes_local_segment: is_any}),
)
LATE = FIRST.derive(
    name="late",
    title="A fence of a property that is violated anyway",
    change=Edit(fence={first_design.leader_finishes_copy: is_late}),
    properties=(*FIRST.properties, nothing_is_copied),
)


def matrix_of(design: Design, *names: str, **options: object) -> AblationMatrix:
    parts = parts_of(design, only=names)
    return Ablating(design, **options).run(parts, watched=False)  # type: ignore[arg-type]


def row_of(design: Design, name: str, **options: object) -> AblationRow:
    (row,) = matrix_of(design, name, **options).rows
    return row


def test_a_fence_that_protects_nothing_in_another_scope_than_its_own_is_no_failure():
    elsewhere = matrix_of(IDLE, "is_any", bounds=(("segments", 1),))
    (row,) = elsewhere.rows
    assert (row.word, row.is_its_scope) == ("protects nothing in this scope", False)
    assert elsewhere.is_as_declared
    named = matrix_of(IDLE, "is_any", scope="default")
    assert (named.rows[0].word, named.is_as_declared) == ("nothing breaks", False)


def test_without_its_fence_the_design_violates_what_the_fence_names():
    row = row_of(FIRST, "is_copied")
    assert (row.word, row.scope, row.is_needed) == ("needed", "default", True)
    (cell,) = row.broken
    assert (cell.name, cell.verdict, cell.before) == (
        "every_segment_is_readable",
        "VIOLATED",
        "HOLDS",
    )
    assert (cell.steps, cell.is_protected) == (1, True)
    assert cell.words == ("leader: leader_deletes_local_segment(segment=0)",)


def test_an_ordinary_guard_without_which_all_holds_breaks_nothing():
    matrix = matrix_of(FIRST, "has_no_copy")
    assert [row.word for row in matrix.rows] == ["nothing breaks"]
    assert matrix.is_as_declared
    assert matrix.is_whole


def test_a_fence_that_protects_nothing_is_not_as_declared():
    matrix = matrix_of(IDLE, "is_any")
    assert [row.word for row in matrix.rows] == ["nothing breaks"]
    assert not matrix.is_as_declared


def test_what_is_violated_with_the_fence_too_does_not_show_that_it_is_needed():
    row = row_of(LATE, "is_late")
    assert (row.word, row.is_as_declared) == ("violated with it, too", False)
    cell = row.cell("nothing_is_copied")
    assert cell is not None
    assert (cell.before, cell.verdict, cell.is_broken, cell.trace) == (
        *("VIOLATED", "VIOLATED"),
        False,
        None,
    )


def test_a_search_that_was_cut_says_nothing_of_what_it_did_not_see():
    matrix = matrix_of(IDLE, "is_any", max_states=3)
    (row,) = matrix.rows
    assert (row.word, row.cut) == ("INCOMPLETE", "the limit of 3 states")
    assert {cell.verdict for cell in row.cells} == {"INCOMPLETE"}
    assert not matrix.is_whole


def test_a_violation_is_not_the_fences_if_the_search_with_it_was_cut():
    row = row_of(FIRST, "is_copied", max_states=12)
    cell = row.cell("every_segment_is_readable")
    assert cell is not None
    assert (cell.verdict, cell.before, cell.is_broken) == ("VIOLATED", "INCOMPLETE", False)
    assert row.word == "INCOMPLETE"


def test_a_brief_search_ends_when_what_the_fence_names_is_violated():
    brief, whole = (row_of(FIRST, "is_copied", is_brief=one) for one in (True, False))
    assert brief.distinct_states < whole.distinct_states
    assert brief.cut is None
    assert (brief.word, brief.broken[0].steps) == ("needed", whole.broken[0].steps)


def test_a_scope_and_its_bounds_can_be_chosen():
    row = row_of(FIRST, "is_copied", scope="large", bounds=(("segments", 3),))
    assert row.scope == "large, segments=3"
    assert row.is_needed


def test_the_design_with_its_parts_is_explored_once_for_all_of_them(monkeypatch):
    asked = []
    made = search.explore

    def explore(design, *given, **options):
        asked.append(design.dropped_guards)
        return made(design, *given, **options)

    monkeypatch.setattr(ablating, "explore", explore)
    matrix_of(FIRST, "is_copied", "is_local", "has_no_copy")
    assert asked.count(frozenset()) == 1
    assert len(asked) == 4


def test_a_design_that_cannot_run_without_a_part_says_so():
    overrun = FIRST.derive(
        name="overrun",
        title="The failures are counted by hand",
        change=Edit(effect={first_design.leader_starts_copy: count_by_hand}),
    )
    row = row_of(overrun, "has_no_copy")
    assert row.word == "fault"
    assert "failures" in row.fault


def count_by_hand(state: first_design.Partition, segment: first_design.Segment) -> None:
    """Begin a copy; its number must not exceed what the field can hold."""
    state.copy[segment] = first_design.Copy(state.copy[segment] + 1)
    state.failures -= state.copy[segment] - 1


def test_what_is_known_when_it_is_interrupted_is_kept(monkeypatch):
    made = search.explore

    def explore(design, *given, **options):
        if "has_no_copy" in design.dropped_guards:
            raise KeyboardInterrupt
        return made(design, *given, **options)

    monkeypatch.setattr(ablating, "explore", explore)
    matrix = matrix_of(FIRST, "is_copied", "has_no_copy")
    assert [row.word for row in matrix.rows] == ["needed", "INCOMPLETE"]
    assert matrix.rows[1].cut == "interrupted"


# -- the command


def ablate(*arguments: str) -> CompletedProcess[str]:
    return tierproof("ablate", *arguments)


def test_people_see_the_table_and_the_command_that_shows_a_trace():
    done = ablate(WORDS, "--guards")
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["is_copied", "default", "needed", "✗", "1"] in lines
    assert ["has_no_copy", "default", "nothing", "breaks", "✓"] in lines
    assert f"tierproof explore {WORDS} --scope default --without " in done.stdout


def test_machines_read_every_cell_with_its_trace():
    found = json.loads(ablate(WORDS, "--json").stdout)
    (row,) = found["rows"]
    assert (row["name"], row["word"], row["variants"]) == ("is_copied", "needed", [])
    (cell,) = row["cells"]
    assert cell["trace"]["steps"][0]["action"] == "leader_deletes_local_segment"


def test_table_picture_and_traces_are_written(tmp_path):
    done = ablate(WORDS, "--out", str(tmp_path))
    assert str(tmp_path) in done.stdout
    name = "is_copied-every_segment_is_readable"
    assert {path.name for path in tmp_path.iterdir()} == {
        *("ablation.json", "ablation.md", "ablation.svg", f"{name}.svg", f"{name}.mmd"),
    }
    assert (
        ablate(WORDS, "--markdown").stdout.strip()
        == (tmp_path / "ablation.md").read_text("utf-8").strip()
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((WORDS,), 0),
        ((f"{HERE}:IDLE",), 1),
        ((WORDS, "--max-states", "3"), 3),
    ],
)
def test_the_exit_status_says_whether_every_fence_protects_what_it_names(arguments, status):
    assert ablate(*arguments).returncode == status


@pytest.mark.parametrize(
    ("mistyped", "meant"), [(("--part", "is_copid"), "is_copied"), (("--scope", "lrge"), "large")]
)
def test_a_mistyped_name_is_told(mistyped, meant):
    done = ablate(WORDS, *mistyped)
    assert done.returncode == 2
    assert f"did you mean {meant}" in done.stderr


# -- the report of a review


def test_a_review_says_what_each_fence_is_for(tmp_path, monkeypatch):
    monkeypatch.setitem(DESIGNS, "first_design", WORDS)
    held = {
        "default": {
            "verdict": "HOLDS",
            "distinct_states": 32,
            "properties": {"every_segment_is_readable": "HOLDS"},
        }
    }
    monkeypatch.setattr(ledger, "read", lambda: {"first_design": held})
    monkeypatch.setattr(ledger, "differences", lambda result, entry: [])
    found = reviewing.review(
        scope="default",
        names=("first_design",),
        engine="memory",
        master=None,
        out=tmp_path,
        update=False,
        watched=False,
    )
    (matrix,) = found.ablations
    assert matrix.headline == "1 part left out, one at a time: 1 needed."
    page = (tmp_path / "evidence.html").read_text("utf-8")
    assert "What each fence is for" in page
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="tp-ablation"' in page
    assert (tmp_path / "first_design" / "ablation.svg").exists()
    (kept,) = json.loads((tmp_path / "ablations.json").read_text())
    assert kept["rows"][0]["word"] == "needed"


def test_verdicts_of_the_ledger_are_those_of_a_design_as_written(monkeypatch):
    monkeypatch.setattr(
        ledger, "read", lambda: {"first_design": {"default": {"properties": {"p": "HOLDS"}}}}
    )
    ((before, after),) = parts_of(FIRST)[0].settings
    assert ablating.from_ledger(before, "default") == {"p": "HOLDS"}
    assert ablating.from_ledger(before, "large") is None
    assert ablating.from_ledger(after, "default") is None
    assert ablating.from_ledger(replace(before, variants=("repair",)), "default") is None
