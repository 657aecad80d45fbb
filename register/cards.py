"""The findings of the designs under review, from the register and from what is kept of runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierproof.model.language.design import Design
from tierproof.register import evidence, json_file, ledger, register_of
from tierproof.register.entries import END, Finding
from tierproof.register.isolation import closed
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import Explored, key_of
from tierproof.register.pages import REGISTER
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

if TYPE_CHECKING:
    from tierproof.diagrams import Card, Holding, Register, Shared


def cards_of(design: Design, seen_from: Path, register: Path = REGISTER) -> Register:
    """The findings of a design, the worst first; links are relative to the folder `seen_from`."""
    from tierproof.diagrams import Register

    explored = evidence.kept(design)
    cards = [
        _card(design, one, explored, seen_from, register) for one in register_of(design).findings
    ]
    ranked = sorted(cards, key=lambda card: (_rank(design, card.name), card.title))
    return Register(
        design=design.name,
        title=design.title,
        document=design.document,
        cards=tuple(ranked),
        inherited=tuple(_inherited(design, seen_from, register)),
        holdings=tuple(_holdings(design, explored)),
    )


def index(folder: Path) -> str:
    """The text of the index of a folder of registers: every registered design, in order."""
    from tierproof import diagrams

    designs = [Question(design=name).resolve()[0] for name in DESIGNS]
    return diagrams.index_as_markdown([cards_of(one, folder, folder) for one in designs])


def _rank(design: Design, name: str) -> int:
    found = next(one.severity for one in register_of(design).findings if one.name == name)
    return found.rank if found else 99


def _card(
    design: Design,
    one: Finding,
    explored: Mapping[isolation_file.Key, Explored],
    seen_from: Path,
    register: Path,
) -> Card:
    from tierproof.diagrams import Card

    page, drawing = (register / design.name / f"{one.name}{end}" for end in (".md", ".offsets.svg"))
    kept = _stored(register / design.name / f"{one.name}.json")
    with_all = {s: explored.get(key_of(s, closed(design))) for s in design.scopes}
    held = [s for s, known in with_all.items() if isolation_file.holds(known, one.claims)]
    return Card(
        name=one.name,
        title=one.title,
        claims=one.claims,
        severity=str(one.severity) if one.severity else "not ranked",
        needs=one.needs,
        tracker=one.tracker,
        in_short=_in_short(one),
        fix=one.fix,
        costs=one.costs,
        repair=one.repair,
        unrepaired=one.unrepaired,
        holds_in=len(held),
        scopes=len(design.scopes),
        steps=len(kept.get("steps", ())),
        scope=str(kept.get("scope", one.scope)),
        page=_link(page, seen_from),
        told_with=(evidence.told_with(design, one) or {}).get("title", ""),
        picture=_inside(drawing.read_text("utf-8")) if drawing.exists() else None,
    )


def _in_short(one: Finding) -> str:
    """What an operator sees; without that, the end of the story."""
    if one.symptom:
        return one.symptom
    ends = (
        [sentence for place, sentence in one.story.sentences if place == END] if one.story else []
    )
    return ends[0] if ends else one.explanation


def _stored(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json_file.read(path) if path.exists() else {}
    return found


def _inside(svg: str) -> str:
    """A drawing to stand in a page: without its own style, name space and line breaks."""
    bare = re.sub(r"<style>.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    return re.sub(r">\n\s*<", "><", bare).replace(' xmlns="http://www.w3.org/2000/svg"', "")


def _inherited(design: Design, seen_from: Path, register: Path) -> Iterator[Shared]:
    from tierproof.diagrams import Shared

    for one in register_of(design).inherited:
        base = _teller(design, one)
        page = register / base / f"{one.name}.md"
        severity = str(one.severity) if one.severity else "not ranked"
        yield Shared(title=one.title, severity=severity, design=base, page=_link(page, seen_from))


def _teller(design: Design, one: Finding) -> str:
    """The design whose register has the page of an inherited finding."""
    base = design.base
    while base is not None:
        if any(told.name == one.name for told in register_of(base).findings):
            return base.name
        base = base.base
    others = [Question(design=name).resolve()[0] for name in DESIGNS]
    for is_same in (_is_it, _is_told_alike):
        for other in others:
            if any(is_same(told, one) for told in register_of(other).findings):
                return other.name
    return ""


def _is_it(told: Finding, one: Finding) -> bool:
    return told is one


def _is_told_alike(told: Finding, one: Finding) -> bool:
    """A design that changes words of an inherited finding, such as its scope, has a copy of it."""
    return told.name == one.name


def _link(page: Path, seen_from: Path) -> str:
    """A path relative to a folder; empty where there is no such page."""
    if not page.exists():
        return ""
    return Path(os.path.relpath(page, seen_from.resolve())).as_posix()


def _holdings(design: Design, explored: Mapping[isolation_file.Key, Explored]) -> Iterator[Holding]:
    from tierproof.diagrams import Holding

    for scope, entry in ledger.read().get(design.name, {}).items():
        known = explored.get(key_of(scope, closed(design)))
        verdicts = list(entry["properties"].values())
        yield Holding(
            scope=scope,
            distinct=entry["distinct_states"],
            holds=verdicts.count("HOLDS"),
            violated=verdicts.count("VIOLATED"),
            closed=_closed(known),
            closed_distinct=known["distinct_states"] if known else 0,
        )


def _closed(known: Explored | None) -> str:
    """The verdict on the closed design in a scope; empty if it was not explored."""
    if known is None:
        return ""
    if known["violated"]:
        return "VIOLATED"
    return "INCOMPLETE" if isolation_file.unfinished(known) else "HOLDS"
