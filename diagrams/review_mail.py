"""The review of a design as one mail: a point for each finding, the worst first.

A point has the title, the opening, the quotes and the proposal of the finding's own mail: who
doubts it finds the steps there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tierproof.diagrams.finding_detail import grade_of, seen_on
from tierproof.diagrams.finding_mail import FOUND, Mail, is_mended, read_mail
from tierproof.diagrams.paragraphs import Block, Heading, Paragraph, Points, Quote, counted, listed
from tierproof.model.language.findings import Severity

PROPOSAL = "Proposal:"
"""How the paragraph of a mail begins that asks for a change."""

OF_STEPS = re.compile(r" In steps? \d[^.]*\.")
"""A sentence that says what becomes of a step of the mail."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Search:
    """A search of a design with all changes to it: its states, and whether nothing broke."""

    design: str
    states: int
    is_clean: bool


def review_of(
    entries: Sequence[Entry], shared: Mapping[str, int], searches: Sequence[Search]
) -> Iterator[Block]:
    """The blocks below the title: a point for each entry, the minor ones under a heading.

    `entries` come in the order of the points, the worst first.
    `shared` counts, by the title of another design, the findings that are told there and are true
    of this one, too. `searches` are those with all changes to a design together, which ran to
    their end: the review ends with them.
    """
    yield Paragraph(_preface(len(entries)))
    if shared:
        yield Paragraph("The design has these defects, too; they are told elsewhere:")
        yield Points(tuple(Paragraph(_elsewhere(*one)) for one in shared.items()))
    numbered = enumerate(entries, 1)
    proposed: dict[str, int] = {}
    for is_minor, points in groupby(numbered, lambda one: Severity(one[1]["severity"]).is_minor):
        if is_minor:
            yield Heading("Minor points")
        for number, entry in points:
            yield from _point(number, entry, proposed)
    yield Heading("What was checked")
    yield Paragraph(" ".join(_checked(dict(enumerate(entries, 1)), searches)))


def _preface(count: int) -> str:
    order = ", the worst first" if count > 1 else ""
    points = f"{counted(count, 'point')}{order}."
    return f"{points} {FOUND} of a small model. I can send the steps of each."


def _elsewhere(title: str, count: int) -> str:
    return f'{counted(count, "point")} of the review of "{title}"'


def _checked(points: Mapping[int, Entry], searches: Sequence[Search]) -> Iterator[str]:
    """Which proposals were searched as they are, for which points another change was, and all."""
    mended = [n for n, it in points.items() if is_mended(it, read_mail(it["mail"]))]
    others = [n for n, it in points.items() if it["repair"] and n not in mended]
    if mended:
        yield (
            f"With the {_proposals(mended)}, each in a search that ran to its end, nothing of the "
            "kind is left."
        )
    if others:
        yield f"For {_points(others)} another change than the proposal was searched."
    if searches:
        yield _together(searches, [n for n, it in points.items() if not it["repair"]])
    yield "The model is small: that is no proof."


def _together(searches: Sequence[Search], unchanged: Sequence[int]) -> str:
    """What all changes together leave: what the `unchanged` points tell, for which none is."""
    clean = [one for one in searches if one.is_clean]
    count = len(searches) if clean == list(searches) else f"{len(clean)} of {len(searches)}"
    several = " to a design" if len({one.design for one in searches}) > 1 else ""
    most = max(one.states for one in searches)
    said = (
        f"With all changes{several} together, {count} searches, the largest of {most:,} states, "
        "broke nothing"
    )
    if len(clean) == len(searches):
        return f"{said}."
    return f"{said}; the others broke only what {_points(unchanged)} may, without a change."


def _proposals(numbers: Sequence[int]) -> str:
    return f"{'proposal' if len(numbers) == 1 else 'proposals'} of {_points(numbers)}"


def _points(numbers: Sequence[int]) -> str:
    return f"{'point' if len(numbers) == 1 else 'points'} {listed(list(map(str, numbers)))}"


def _point(number: int, entry: Entry, proposed: dict[str, int]) -> Iterator[Block]:
    """`proposed` is given the proposal, unless it has that of an earlier point already."""
    where = f" Seen on {seen}." if (seen := seen_on(entry)) else ""
    yield Paragraph("", f"{number}. {entry['title']}")
    for block in taken(read_mail(entry["mail"])):
        if isinstance(block, Quote):
            yield block
        elif block.lead != PROPOSAL:
            yield replace(block, lead=f"{grade_of(entry)}.{where}")
        elif (first := proposed.setdefault(block.text, number)) < number:
            yield replace(block, text=f"the change of point {first}.")
        else:
            yield block


def taken(mail: Mail) -> Iterator[Paragraph | Quote]:
    """The opening, the quotes and the proposal, without what they say of steps: there are none."""
    for block in (mail.opening, *mail.blocks):
        if isinstance(block, Quote):
            yield block
        elif isinstance(block, Paragraph) and (block is mail.opening or block.lead == PROPOSAL):
            yield replace(block, text=OF_STEPS.sub("", block.text))
