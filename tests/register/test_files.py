"""A finding is one Markdown file: what each part means; what is refused names the file."""

import importlib.util
import re
import sys

import pytest

from tierproof.model.language import DesignError, UnknownName
from tierproof.register import Passage, Severity, Told, register_of
from tierproof.register.files import read_finding
from tierproof.register.paragraphs import Paragraph, Points, Quote
from tierproof.register.registers import read

DRIPS = """---
title: The tank drips
severity: loss of committed records
claims: [tank_has_water]
scope: small
trace: c5a3ab
turning: 1
letters: {0: A}
searched:
  repair: repair_seal
  proposed: repair_seal
  alone: true
---

One litre is lost,
each hour.

**Needs:** a tank.

> The tank
> is tight.
>
> KIP-1, Under Discussion, section "Tanks" of "Rooms"

1. <!-- 0 --> It is full.
2. <!-- 1-2 --> It drips, and
   drips.

**Proposal:** a seal.

## Detail

It *was* older.

## Report

```
drip --once
```
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
    told = (found.name, found.title, found.severity)
    assert told == ("tank_drips", "The tank drips", Severity.LOSS)
    assert (found.claims, found.scope, found.turning) == (("tank_has_water",), "small", 1)
    assert (found.repair, found.stands_alone, found.letters) == ("repair_seal", True, {0: "A"})
    assert found.says == "One litre is lost, each hour."


def test_a_proposal_is_another_change_than_the_repair_only_where_it_is_named_so(file):
    assert read_finding(file()).proposal is None
    other = read_finding(file("  proposed: repair_seal", "  proposed: repair_lid"))
    assert (other.proposed, other.proposal) == ("repair_lid", "repair_lid")


def test_what_is_sent_ends_where_the_detail_begins(file):
    text = read_finding(file()).text
    assert text is not None
    assert [type(block) for block in text.blocks] == [
        Paragraph,
        Paragraph,
        Quote,
        Points,
        Paragraph,
    ]
    assert (text.after("Needs:"), text.after("Proposal:")) == ("a tank.", "a seal.")
    assert text.detail == "It *was* older."
    assert text.report == "```\ndrip --once\n```"


def test_a_quote_names_its_document_and_sections(file):
    text = read_finding(file()).text
    assert text is not None
    quote = Passage("KIP-1, Under Discussion", "Tanks", "The tank is tight.", "Rooms")
    assert text.passages == (quote,)


def test_steps_are_places_in_the_trace_and_sentences(file):
    text = read_finding(file()).text
    assert text is not None
    assert text.steps == (Told(0, 0, "It is full."), Told(1, 2, "It drips, and drips."))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("---\ntitle", "title", "does not begin with front matter"),
        (
            "severity: loss of",
            "severity: los of",
            "severity 'los of committed records': did you mean loss of committed records",
        ),
        ("scope: small", "scop: small", "unknown key 'scop': did you mean scope"),
        ("  alone:", "  alon:", "unknown key 'alon': did you mean alone"),
        ("title: The tank drips", "title: [", "while parsing"),
        ("## Detail", "## Details", "unknown section 'Details': did you mean Detail"),
        ("One litre is lost,\neach hour.\n\n", "", "does not begin with a paragraph"),
        ("<!-- 1-2 -->", "<!-- 2 -->", "should begin with step 1"),
        ("<!-- 1-2 -->", "<!-- 1-0 -->", "should begin with step 1"),
        ('KIP-1, Under Discussion, section "Tanks" of "Rooms"', "", "does not end with `KIP-N"),
        ("trace: c5a3ab\nturning: 1\n", "", "the front matter lacks trace, turning"),
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


def test_what_nobody_else_would_act_on_is_a_line_of_the_index(own):
    design, folder = own
    (folder / "index.yaml").write_text(
        "lines:\n  tank_rusts:\n    title: It rusts\n    severity: cost\n    says: Slowly.\n"
        "    claims: [tank_has_water]\n    scope: small\n    told_with: tank_drips\n",
        "utf-8",
    )
    drips, rusts = register_of(design).findings
    assert (drips.text is None, rusts.text) == (False, None)
    assert (rusts.says, rusts.told_with) == ("Slowly.", "tank_drips")


def test_a_line_is_told_with_a_finding_that_has_a_text(own):
    design, folder = own
    (folder / "index.yaml").write_text(
        "lines:\n  tank_rusts:\n    title: It rusts\n    severity: cost\n    says: Slowly.\n"
        "    claims: [tank_has_water]\n    scope: small\n    told_with: tank_rusts\n",
        "utf-8",
    )
    with pytest.raises(UnknownName, match="unknown finding 'tank_rusts'"):
        register_of(design)
