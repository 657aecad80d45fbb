"""What is sent of a finding: a few hundred words that stand by themselves.

They are those of its file, and what changes with runs: whether released brokers showed it, how it
was found, and what was searched with the change that it proposes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from textwrap import wrap

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.register import evidence
from tierproof.register.entries import Finding
from tierproof.register.paragraphs import (
    WIDTH,
    Block,
    Figure,
    Heading,
    Paragraph,
    as_plain,
    listed,
)
from tierproof.register.traces import Kept, Shown

KAFKA = "trunk at d79bd502ec, August 2026"
"""The commit whose code the models follow."""

CODE = ("trunk at", "Code as of")
"""How a text says itself which code it speaks of, if that is not the trunk of the models."""

FOUND = "Found with tierproof, a model checker for Kafka, which tries every order of steps"
"""Said of each finding."""

SIZES = {"brokers": "broker", "offsets": "offset", "elections": "election", "restarts": "restart"}
"""Bounds of a scope that say something to everybody -> one of what they bound."""

UNDER_DISCUSSION = "Under Discussion"
"""Stands in the name of a document that no release of Kafka has."""


def mail_of(shown: Shown) -> str:
    """A finding as plain text; where brokers showed it, the commands for them follow.

    Raises DesignError for a finding that is a line, which has no text.
    """
    return as_mail(shown.entry.title, [*sent(shown), *_report(_finding(shown))])


def as_mail(title: str, blocks: Iterable[Block]) -> str:
    """Blocks below their title, as plain text."""
    lines = wrap(title, WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "=" * max(map(len, lines)), "", *as_plain(blocks)])


def sent(shown: Shown) -> Iterator[Block]:
    """The blocks below the title: the words, what was seen, how it was found."""
    design, one = shown.design, _finding(shown)
    assert one.text is not None
    opening, *others = one.text.blocks
    assert isinstance(opening, Paragraph)
    yield replace(opening, lead=f"{one.severity.words}.")
    if where := evidence.seen_on(design, one):
        yield Paragraph(f"{where}: brokers of the released jars.", "Seen on Kafka")
    yield from others
    if said := " ".join(_found(design, one, shown.kept)):
        yield Paragraph(said)


def is_mended(one: Finding, kept: Kept) -> bool:
    """Whether the change that the text proposes was explored, and nothing breaks with it."""
    if one.proposed is None:
        return False
    told = kept.claims.values()
    if one.proposal:
        return all(it.proposed == "HOLDS" for it in told)
    return all(it.ended == "HOLDS" for it in told)


def bounds_in_words(bounds: Mapping[str, int]) -> Iterator[str]:
    """The bounds that say something to everybody."""
    for name, one in SIZES.items():
        if count := bounds.get(name):
            yield f"{count} {one}{'s' if count > 1 else ''}"


def fixes_of(design: Design, repairs: Iterable[str]) -> str:
    """The fixes of some findings, by their titles."""
    quoted = [f'"{evidence.title_of(design, repair)}"' for repair in repairs]
    several = "fix of our report" if len(quoted) == 1 else "fixes of our reports"
    return f"the {several} {listed(quoted)}"


def _finding(shown: Shown) -> Finding:
    one = shown.entry
    if not isinstance(one, Finding) or one.text is None:
        raise DesignError(
            f"{one.name!r} is a line in the table of its design, and has no text to send; "
            f"its steps: {shown.command}"
        )
    return one


def _found(design: Design, one: Finding, kept: Kept) -> Iterator[str]:
    """How it was found, where the code was read, and what was seen of the proposal.

    A minor point stands in a review, which says the first for all of them.
    """
    words = " ".join(as_plain(one.text.blocks)) if one.text else ""
    if not one.severity.is_minor:
        sizes = listed(list(bounds_in_words(dict(design.scope(one.scope))))) or "small bounds"
        yield f"{FOUND}, here with {sizes}."
        yield "I can send the trace, step by step."
        if not evidence.seen_on(design, one) and "by hand" not in words:
            why = ", as no release has the KIP" if UNDER_DISCUSSION in design.document else ""
            yield f"Not run on brokers{why}."
    if "#" in words and not any(said in words for said in CODE):
        yield f"Code as of {KAFKA}."
    if not one.severity.is_minor and is_mended(one, kept):
        others = _others(design, one)
        yield f"With the proposal{others} in force, the same search found no such case."


def _others(design: Design, one: Finding) -> str:
    """What else was in force in that search: these fixes, or those of all findings."""
    if one.stands_alone:
        return ""
    if one.together_with:
        return f" and {fixes_of(design, one.together_with)}"
    return " and the fixes of all our other reports"


def _report(one: Finding) -> Iterator[Block]:
    """The commands that show it on released brokers: code and tables as they are."""
    assert one.text is not None
    if not one.text.report:
        return
    yield Heading("On released brokers")
    for place, part in enumerate(one.text.report.split("```")):
        if place % 2:
            yield Figure(tuple(part.strip("\n").splitlines()))
            continue
        for it in filter(None, part.replace("**", "").strip().split("\n\n")):
            is_table = it.startswith("|")
            yield Figure(tuple(it.splitlines())) if is_table else Paragraph(" ".join(it.split()))
