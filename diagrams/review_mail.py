"""The review of a design as one mail: a point for each finding, the worst first.

A point has the title, the opening, the quotes and the proposal of the finding's own mail: who
doubts it finds the steps there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from tierproof.diagrams.finding_detail import grade_of, seen_on
from tierproof.diagrams.finding_mail import FOUND, Mail, read_mail
from tierproof.diagrams.paragraphs import Block, Heading, Paragraph, Points, Quote, counted
from tierproof.model.language.findings import Severity

PROPOSAL = "Proposal:"
"""How the paragraph of a mail begins that asks for a change."""

OF_STEPS = re.compile(r" In steps? \d[^.]*\.")
"""A sentence that says what becomes of a step of the mail."""

Entry = Mapping[str, Any]


def review_of(entries: Sequence[Entry], shared: Mapping[str, int]) -> Iterator[Block]:
    """The blocks below the title: the points, the minor ones last, under a heading of their own.

    `shared` counts, by the title of another design, the findings that are told there and are true
    of this one, too.
    """
    ranked = sorted(entries, key=lambda entry: Severity(entry["severity"]).rank)
    yield Paragraph(_preface(len(ranked)))
    if shared:
        yield Paragraph("The design has these defects, too; they are told elsewhere:")
        yield Points(tuple(Paragraph(_elsewhere(*one)) for one in shared.items()))
    numbered = enumerate(ranked, 1)
    proposed: dict[str, int] = {}
    for is_minor, points in groupby(numbered, lambda one: Severity(one[1]["severity"]).is_minor):
        if is_minor:
            yield Heading("Minor points")
        for number, entry in points:
            yield from _point(number, entry, proposed)


def _preface(count: int) -> str:
    order = ", the worst first" if count > 1 else ""
    points = f"{counted(count, 'point')}{order}."
    return f"{points} {FOUND} of a small model. I can send the steps of each."


def _elsewhere(title: str, count: int) -> str:
    return f'{counted(count, "point")} of the review of "{title}"'


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
