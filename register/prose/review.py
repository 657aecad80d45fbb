"""The review of a design as one mail: a point for each finding with a text, the worst first.

A point has the title, the opening, the quotes and the proposal: who doubts it finds the steps in
the finding's own mail. A finding that is a line is told in the point of another, or in a list at
the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tierproof.diagrams import counted
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.register import evidence, register_of, traces
from tierproof.register.entries import Finding
from tierproof.register.files import blocks_of
from tierproof.register.isolation import closed, proposals, proposes_otherwise
from tierproof.register.isolation import file as isolation_file
from tierproof.register.paragraphs import Block, Heading, Paragraph, Points, Quote, listed
from tierproof.register.prose.mail import FOUND, as_mail, is_mended

PROPOSAL = "Proposal:"
"""How the paragraph of a text begins that asks for a change."""

OF_STEPS = re.compile(r" In steps? \d[^.]*\.")
"""A sentence that says what becomes of a step."""

OF_A_ROW = re.compile(r"^Row \d+: ")
"""How some statements begin: with the row of the table that they stand for."""

POINT = re.compile(r"\{(\w+)\}")
"""A finding in words that are written for a review: the number of its point takes the place."""


@dataclass(frozen=True)
class Point:
    """A point of a review: a finding with a text, and those told with it."""

    number: int
    design: Design
    finding: Finding
    others: tuple[Finding, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of all its findings."""
        return [one.name for one in (self.finding, *self.others)]

    @property
    def is_mended(self) -> bool:
        """Whether its proposal was explored, and nothing breaks with it."""
        kept = traces.kept_of(self.design, self.finding.name)
        return kept is not None and is_mended(self.finding, kept)


@dataclass(frozen=True)
class Search:
    """A search of a design with all repairs, or with all proposals, that ran to its end."""

    design: str
    states: int
    broken: tuple[str, ...]
    is_of_proposals: bool


def review_of(design: Design) -> tuple[str, list[Point], str]:
    """The title, the points and the text of the review of a design's document.

    Raises DesignError if it has no finding with a text.
    """
    about = list(evidence.on_the_same_document(design))
    found = [(one, finding) for one in about for finding in register_of(one).findings]
    points = _points(found)
    if not points:
        raise DesignError(f"{design.name} tells no finding of its own: there is nothing to review")
    title = f"Review of {design.title}"
    words = next((words for one in about if (words := register_of(one).opening)), "")
    number_of = {name: point.number for point in points for name in point.names}
    lines = [one for _, one in found if one.name not in number_of]
    searches = [search for one in about for search in _searches(one)]
    blocks = [
        *blocks_of(_numbered(words, number_of)),
        Paragraph(_preface(points)),
        *_told(points, number_of),
        *_lines(lines, number_of),
        Heading("What was checked"),
        Paragraph(" ".join(_checked(points, searches))),
    ]
    return title, points, as_mail(title, blocks)


def _points(found: Sequence[tuple[Design, Finding]]) -> list[Point]:
    """The points, numbered from 1, the worst first."""
    with_text = [(design, one) for design, one in found if one.text]
    with_text.sort(key=lambda it: it[1].severity.rank)
    return [
        Point(number, design, one, tuple(it for _, it in found if it.told_with == one.name))
        for number, (design, one) in enumerate(with_text, 1)
    ]


def _told(points: Sequence[Point], number_of: Mapping[str, int]) -> Iterator[Block]:
    proposed: dict[str, int] = {}
    for is_minor, group in groupby(points, lambda point: point.finding.severity.is_minor):
        if is_minor:
            yield Heading("Minor points")
        for point in group:
            yield from _point(point, proposed)
            for other in point.others:
                yield Paragraph(_numbered(other.says, number_of), "Also:")


def _point(point: Point, proposed: dict[str, int]) -> Iterator[Block]:
    """`proposed` is given the proposal, unless it has that of an earlier point already."""
    one, number = point.finding, point.number
    assert one.text is not None
    seen = evidence.seen_on(point.design, one)
    yield Paragraph("", f"{number}. {one.title}")
    where = f" Seen on {seen}." if seen else ""
    yield Paragraph(_without_steps(one.text.opening), f"{one.severity.words}.{where}")
    for block in one.text.blocks[1:]:
        if isinstance(block, Quote):
            yield block
        elif isinstance(block, Paragraph) and block.lead == PROPOSAL:
            first = proposed.setdefault(block.text, number)
            text = f"the change of point {first}." if first < number else block.text
            yield replace(block, text=_without_steps(text))


def _without_steps(text: str) -> str:
    return OF_STEPS.sub("", text)


def _lines(lines: Sequence[Finding], number_of: Mapping[str, int]) -> Iterator[Block]:
    if lines:
        yield Heading("Besides")
        told = ((_numbered(one.says, number_of), f"{one.severity.words}:") for one in lines)
        yield Points(tuple(Paragraph(*words) for words in told))


def _numbered(words: str, number_of: Mapping[str, int]) -> str:
    """The words with the number of its point in place of each `{finding}`.

    Raises DesignError for one that the review does not tell.
    """
    if unknown := [name for name in POINT.findall(words) if name not in number_of]:
        raise DesignError(f"the review tells no {unknown[0]!r}")
    return POINT.sub(lambda it: str(number_of[it[1]]), words)


def _preface(points: Sequence[Point]) -> str:
    """How many points there are of each severity, and where they come from."""
    graded = groupby(points, lambda one: one.finding.severity.words.lower())
    of_each = [f"{grade} ({_range([one.number for one in some])})" for grade, some in graded]
    count = counted(len(points), "point")
    return f"{count}: {listed(of_each)}. {FOUND} of a small model. I can send the steps of each."


def _range(numbers: Sequence[int]) -> str:
    """Numbers that follow each other: the first and the last one."""
    if len(numbers) < 3:
        return listed(list(map(str, numbers)))
    return f"{numbers[0]} to {numbers[-1]}"


# -- what was checked


def _searches(design: Design) -> Iterator[Search]:
    explored, says = evidence.kept(design), evidence.statements_of(design)
    ways = [closed(design), *([proposals(design)] if proposes_otherwise(design) else [])]
    for is_of_proposals, variants in enumerate(ways):
        for scope in design.scopes:
            one = explored.get(isolation_file.key_of(scope, variants))
            if one and not isolation_file.unfinished(one):
                broken = tuple(_said(says[name]) for name in one["violated"])
                yield Search(design.name, one["distinct_states"], broken, bool(is_of_proposals))


def _said(statement: str) -> str:
    """A sentence that has no number of a row of ours."""
    said = OF_A_ROW.sub("", statement)
    return f"{said[0].upper()}{said[1:]}"


def _checked(points: Sequence[Point], searches: Sequence[Search]) -> Iterator[str]:
    """Which proposals were searched as they are, for which points another change was, and all."""
    mended = [one.number for one in points if one.is_mended]
    others = [p.number for p in points if p.finding.repair and p.number not in mended]
    if mended:
        yield (
            f"With the proposal of {'' if len(mended) == 1 else 'each of '}{_named(mended)} a "
            "search ran to its end, and no longer found the failure of that point."
        )
    if others:
        yield (
            f"For {_named(others)} the search used another change than the one proposed here, "
            "which is unchecked itself."
        )
    if of_changes := [one for one in searches if not one.is_of_proposals]:
        yield _together("searched changes", of_changes)
    if of_proposals := [one for one in searches if one.is_of_proposals]:
        yield _together("proposals", of_proposals)
    yield "The model is small: that is no proof."


def _together(what: str, searches: Sequence[Search]) -> str:
    """What all changes together leave."""
    broken = dict.fromkeys(sentence for one in searches for sentence in one.broken)
    most = max(one.states for one in searches)
    count = "1 search" if len(searches) == 1 else f"{len(searches)} searches"
    but = f" but this: {' '.join(broken)}" if broken else "."
    return f"With all {what} together, {count} (the largest of {most:,} states) broke nothing{but}"


def _named(numbers: Sequence[int]) -> str:
    return f"{'point' if len(numbers) == 1 else 'points'} {listed(list(map(str, numbers)))}"
