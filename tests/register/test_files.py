"""A finding is one Markdown file: what each part means; what is refused names the file."""

import importlib.util
import re
import sys

import pytest

from tierproof.model.language import DesignError, UnknownName
from tierproof.register import Severity, register_of
from tierproof.register.files import read_finding
from tierproof.register.registers import read

DRIPS = """---
title: The tank drips
severity: loss of committed records
claims: [tank_has_water]
scope: small
trace: c5a3ab
turning: 1
searched:
  repair: repair_seal
  alone: true
---

## What a user sees

One litre is lost,
each hour.

## In the document

> The tank
> is tight.
>
> — KIP-1, Under Discussion, *Tanks* in *Rooms*

## Steps

- **start** It is full.
- **1-2** It drips, and
  drips.
- **end** It is dry.

## Mail

Hello,

1. it *drips*.
"""


@pytest.fixture
def file(tmp_path):
    """The file of a finding, with some of its text replaced."""

    def written(old: str = "", new: str = ""):
        path = tmp_path / "tank_drips.md"
        path.write_text(DRIPS.replace(old, new) if old else DRIPS, "utf-8")
        return path

    return written


def test_a_file_is_a_finding_of_its_name(file):
    found = read_finding(file())
    assert (found.name, found.title, found.severity) == (
        "tank_drips",
        "The tank drips",
        Severity.LOSS,
    )
    assert (found.claims, found.scope, found.turning) == (("tank_has_water",), "small", 1)
    assert (found.repair, found.stands_alone) == ("repair_seal", True)


def test_the_lines_of_a_paragraph_are_one_text_and_a_mail_stands_as_it_is(file):
    found = read_finding(file())
    assert found.symptom == "One litre is lost, each hour."
    assert found.mail == "Hello,\n\n1. it *drips*.\n"


def test_a_quote_names_its_document_and_sections(file):
    (quote,) = read_finding(file()).passages
    assert quote.quote == "The tank is tight."
    told = (quote.document, quote.section, quote.within)
    assert told == ("KIP-1, Under Discussion", "Tanks", "Rooms")


def test_steps_are_places_in_the_trace_and_sentences(file):
    story = read_finding(file()).story
    assert story is not None
    assert story.trace == "c5a3ab"
    places = (("start", "It is full."), ("1-2", "It drips, and drips."), ("end", "It is dry."))
    assert story.sentences == places


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("---\ntitle", "title", "does not begin with front matter"),
        ("severity: loss of", "severity: los of", "'los of committed records' is not a valid"),
        ("scope: small", "scop: small", "unknown key 'scop': did you mean scope"),
        ("  alone:", "  alon:", "unknown key 'alon': did you mean alone"),
        ("title: The tank drips", "title: [", "while parsing"),
        ("## Steps", "## Stepps", "unknown section 'Stepps': did you mean Steps"),
        ("- **1-2** It", "- 1-2 It", "does not begin with `- **PLACE** `"),
        (", *Tanks* in *Rooms*", "", "does not end with `— DOCUMENT, *SECTION*`"),
        ("trace: c5a3ab\n", "", "has no 'trace'"),
    ],
)
def test_what_a_file_must_not_have_is_refused_with_its_name(file, old, new, told):
    with pytest.raises(DesignError, match=re.escape(told)) as caught:
        read_finding(file(old, new))
    assert "tank_drips.md" in str(caught.value)


DESIGN = '''
from typing import Annotated
from tierproof import Design, Range, Scope, State, Variant, action, bound, guard, initial, invariant

class Size(Scope):
    litres: int = bound(1, 3, default=2)

class Tank(State):
    level: Annotated[int, Range(0, Size.litres)]

@initial
def full(state: Tank, scope: Size) -> None:
    state.level = scope.litres

@guard
def has_some(state: Tank) -> bool:
    return state.level > 0

@action(guards=[has_some])
def seam_drips(state: Tank) -> None:
    state.level -= 1

@invariant()
def tank_has_water(state: Tank) -> bool:
    """The tank is never dry."""
    return state.level > 0

SEAL = Variant(name="repair_seal", because="it drips", drop=(seam_drips,))
DESIGN = Design(name="own_tank", title="T", state=Tank, initial=(full,), system=(seam_drips,),
                properties=(tank_has_water,), variants=(SEAL,), scopes={"small": Size()})
'''


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A design in a file of its own, with a folder of findings beside it."""
    path = tmp_path / "own_tank.py"
    path.write_text(DESIGN, "utf-8")
    spec = importlib.util.spec_from_file_location("own_tank", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "own_tank", module)
    spec.loader.exec_module(module)
    folder = tmp_path / "findings" / "own_tank"
    folder.mkdir(parents=True)
    (folder / "tank_drips.md").write_text(DRIPS, "utf-8")
    yield module.DESIGN, folder
    read.cache_clear()


def test_a_design_of_ones_own_has_its_findings_beside_its_file(own):
    design, _ = own
    assert [one.name for one in register_of(design).causes] == ["tank_drips"]


def test_a_file_names_what_the_design_has(own):
    design, folder = own
    other = DRIPS.replace("[tank_has_water]", "[tank_has_watr]")
    (folder / "another.md").write_text(other, "utf-8")
    with pytest.raises(UnknownName, match="claim of finding 'another' 'tank_has_watr'"):
        register_of(design)


def test_an_index_names_findings_that_are_there(own):
    design, folder = own
    (folder / "index.yaml").write_text("findings: [tank_drip]\n", "utf-8")
    with pytest.raises(UnknownName, match="finding 'tank_drip': did you mean tank_drips"):
        register_of(design)
