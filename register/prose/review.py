"""The review of a design as one mail: a point for each finding, the worst first.

A point has the title, the opening, the quotes and the proposal of the finding's own mail: who
doubts it finds the steps there. A finding that has an aside in place of a mail is told in the
point of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tierproof.diagrams.paragraphs import Block, Heading, Paragraph, Quote, counted, listed
from tierproof.register.entries import Severity
from tierproof.register.prose.detail import grade_of, seen_on
from tierproof.register.prose.mail import FOUND, Aside, Mail, blocks_of, is_mended, read_mail

PROPOSAL = "Proposal:"
"""How the paragraph of a mail begins that asks for a change."""

ALSO = ' (but for what "Also" adds)'
"""Said where something that is told with a point has a proposal of its own, which is unchecked."""

OF_STEPS = re.compile(r" In steps? \d[^.]*\.")
"""A sentence that says what becomes of a step of the mail."""

POINT = re.compile(r"\{(\w+)\}")
"""A finding in words that are written for a review: the number of its point takes the place."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Search:
    """A search of a design with all changes to it: its states, and what broke, in a sentence each.

    `is_of_proposals`: the changes are those that the mails propose, and not those of the searches
    of each finding.
    """

    design: str
    states: int
    broken: tuple[str, ...] = ()
    is_of_proposals: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether nothing broke."""
        return not self.broken


@dataclass(frozen=True)
class Point:
    """A point of a review: the finding that gives it its title, and those told with it."""

    number: int
    entry: Entry
    mail: Mail
    asides: tuple[tuple[Entry, Aside], ...] = ()

    @property
    def is_minor(self) -> bool:
        """Whether it stands under the heading of the minor points."""
        return Severity(self.entry["severity"]).is_minor

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All findings of the point."""
        return (self.entry, *(entry for entry, _ in self.asides))


def points_of(entries: Sequence[Entry]) -> tuple[Point, ...]:
    """The points of a review, numbered from 1, in the order of the entries that have one.

    Raises ValueError for an aside of a finding that has no point.
    """
    told = [(one, read_mail(one["mail"])) for one in entries]
    with_point = [(one, mail) for one, mail in told if isinstance(mail, Mail)]
    asides: dict[str, list[tuple[Entry, Aside]]] = {one["name"]: [] for one, _ in with_point}
    for one, mail in told:
        if isinstance(mail, Aside):
            if mail.told_with not in asides:
                raise ValueError(
                    f"{one['name']} is told with {mail.told_with!r}, which is no point"
                )
            asides[mail.told_with].append((one, mail))
    return tuple(
        Point(number, one, mail, tuple(asides[one["name"]]))
        for number, (one, mail) in enumerate(with_point, 1)
    )


def review_of(
    points: Sequence[Point], searches: Sequence[Search], words: str = ""
) -> Iterator[Block]:
    """The blocks below the title: the words, then the points, the minor ones under a heading.

    `searches` are those with all changes to a design together, which ran to their end: the review
    ends with them.
    """
    number_of = {one["name"]: point.number for point in points for one in point.entries}
    yield from blocks_of(_numbered(words, number_of))
    yield Paragraph(_preface(points))
    proposed: dict[str, int] = {}
    for is_minor, group in groupby(points, lambda one: one.is_minor):
        if is_minor:
            yield Heading("Minor points")
        for point in group:
            yield from _point(point, proposed)
            for _, aside in point.asides:
                yield Paragraph(_numbered(aside.words, number_of), "Also:")
    yield Heading("What was checked")
    yield Paragraph(" ".join(_checked(points, searches)))


def _numbered(words: str, number_of: Mapping[str, int]) -> str:
    """The words with the number of its point in place of each `{finding}`.

    Raises ValueError for one that the review does not tell.
    """
    if unknown := [name for name in POINT.findall(words) if name not in number_of]:
        raise ValueError(f"the review tells no {unknown[0]!r}")
    return POINT.sub(lambda it: str(number_of[it[1]]), words)


def _preface(points: Sequence[Point]) -> str:
    """How many points there are of each severity, and where they come from."""
    graded = groupby(points, lambda one: grade_of(one.entry).lower())
    of_each = [f"{grade} ({_range([one.number for one in some])})" for grade, some in graded]
    count = counted(len(points), "point")
    return f"{count}: {listed(of_each)}. {FOUND} of a small model. I can send the steps of each."


def _range(numbers: Sequence[int]) -> str:
    """Numbers that follow each other: the first and the last one."""
    if len(numbers) < 3:
        return listed(list(map(str, numbers)))
    return f"{numbers[0]} to {numbers[-1]}"


def _checked(points: Sequence[Point], searches: Sequence[Search]) -> Iterator[str]:
    """Which proposals were searched as they are, for which points another change was, and all."""
    mended = [one for one in points if is_mended(one.entry, one.mail)]
    others = [one.number for one in points if one.entry["repair"] and one not in mended]
    if mended:
        aside = "" if all(is_mended(*it) for one in mended for it in one.asides) else ALSO
        yield (
            f"With the proposal of {_each([one.number for one in mended])}{aside} a search ran to "
            "its end, and no longer found the failure of that point."
        )
    if others:
        yield (
            f"For {_points(others)} the search used another change than the one proposed here, "
            "which is unchecked itself."
        )
    if of_changes := [one for one in searches if not one.is_of_proposals]:
        yield _together(of_changes, [one.number for one in points if not _has_change(one)])
    if of_proposals := [one for one in searches if one.is_of_proposals]:
        yield _proposed_together(of_proposals, others)
    yield "The model is small: that is no proof."


def _has_change(point: Point) -> bool:
    return all(one["repair"] for one in point.entries)


def _together(searches: Sequence[Search], unchanged: Sequence[int]) -> str:
    """What all changes together leave: what the `unchanged` points tell, for which none is."""
    several = " to a design" if len({one.design for one in searches}) > 1 else ""
    others = sum(not one.is_clean for one in searches)
    clean = f"{len(searches) - others} of " if others else ""
    said = (
        f"With all searched changes{several} together, {clean}{_searches(searches)} broke nothing"
    )
    if not others:
        return f"{said}."
    return (
        f"{said}. The other {others} found only failures of {_points(unchanged)} for which no "
        "change was searched."
    )


def _proposed_together(searches: Sequence[Search], others: Sequence[int]) -> str:
    """What all proposals together leave; for the points `others` our change takes their place."""
    aside = f" (for {_points(others)} that other change)" if others else ""
    broken = dict.fromkeys(sentence for one in searches for sentence in one.broken)
    but = f" but this: {' '.join(broken)}" if broken else "."
    return f"With all proposals together{aside}, {_searches(searches)} broke nothing{but}"


def _searches(searches: Sequence[Search]) -> str:
    if len(searches) == 1:
        return f"1 search, of {searches[0].states:,} states,"
    most = max(one.states for one in searches)
    return f"{len(searches)} searches, the largest of {most:,} states,"


def _each(numbers: Sequence[int]) -> str:
    return f"{'' if len(numbers) == 1 else 'each of '}{_points(numbers)}"


def _points(numbers: Sequence[int]) -> str:
    return f"{'point' if len(numbers) == 1 else 'points'} {listed(list(map(str, numbers)))}"


def _point(point: Point, proposed: dict[str, int]) -> Iterator[Block]:
    """`proposed` is given the proposal, unless it has that of an earlier point already."""
    entry, number = point.entry, point.number
    where = f" Seen on {seen}." if (seen := seen_on(entry)) else ""
    yield Paragraph("", f"{number}. {entry['title']}")
    for block in taken(point.mail):
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
