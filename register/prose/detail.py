"""All that is told of a finding, in words that stand by themselves: the mail has it in short.

The harm first, then what it needs, the passage, what happens, the offsets, questions to the
authors, and the fix. No links, and nothing that means something only within the project: names of
properties, scopes and variants, counts, and traces are the evidence, which stands on the rest of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from tierproof.diagrams.offsets_text import offsets_as_text
from tierproof.diagrams.paragraphs import (
    Block,
    Facts,
    Figure,
    Heading,
    Paragraph,
    Points,
    Quote,
    listed,
)
from tierproof.register.entries import Severity

KAFKA = "trunk at d79bd502ec, August 2026"
"""The commit whose code the models follow."""

UNCHANGED = "brokers of the released jars, with nothing of Kafka changed"
"""How it was seen."""

BELOW = " The commands are below."
ON_A_PAGE = " I can send the commands."
"""How a reader comes by them: a mail has them at its end; of a page the part that is pasted has no
link, which stands below."""

VERSIONS = re.compile(r"(?<=[.;]) Kafka (?=\d\.\d+(?:\.\d+)?[^.]*? to (?:\d\.\d|trunk)\b)")
"""Where what a finding needs ends, and the versions begin that have it."""

SIZES = {"brokers": "broker", "offsets": "offset", "elections": "election", "restarts": "restart"}
"""Bounds of a scope that say something to everybody -> one of what they bound."""

ALONE = "In these steps {} {} in force, so that they show this defect alone."
"""Said of steps that the design as written does not take just so: the fixes that they need."""

SEEN = " Brokers without {} showed it, too."
"""Said beside it of what was seen on released brokers."""

OTHERS = " and the fixes of our other reports on the design"
"""Said of a fix that was not seen to be enough alone."""

FIXED = (
    " With {}{}, the same search ran to its end and found nothing of this kind. The model is "
    "small: that is no proof for Kafka."
)
"""Said of every search that ran to its end; the fix may say that Kafka's would be another."""

Entry = Mapping[str, Any]


def detail_of(entry: Entry) -> Iterator[Block]:
    """The text of a finding, below its title."""
    yield from _severity(entry)
    yield from _passages(entry)
    yield from _story(entry)
    yield from _offsets(entry)
    yield from _questions(entry)
    yield from _fix(entry)
    yield Paragraph(origin(entry))


def grade_of(entry: Entry) -> str:
    """The severity, as a sentence begins with it."""
    severity = Severity(entry["severity"])
    return "Minor" if severity.is_minor else f"{severity[0].upper()}{severity[1:]}"


def _severity(entry: Entry) -> Iterator[Block]:
    yield Paragraph(entry["symptom"], f"{grade_of(entry)}.")
    yield Facts(tuple(_facts(entry)))


def _facts(entry: Entry) -> Iterator[tuple[str, str]]:
    """What must come together, in which versions, and who has spoken of it or seen it."""
    needs, *versions = VERSIONS.split(entry["needs"], maxsplit=1)
    yield "Needs", needs
    for one in versions:
        yield "Versions", f"Kafka {one}"
    if where := seen_on(entry):
        yield "Seen on", f"{where}: {UNCHANGED}.{where_commands(entry, ON_A_PAGE)}"
    elif entry["on_brokers"]:
        yield "Brokers", f"{entry['on_brokers']}."
    yield "Tracker", f"{entry['tracker'] or 'no issue or thread is known to us'}."


def seen_on(entry: Entry) -> str:
    """The releases whose brokers showed it; empty if none did."""
    seen, _, where = str(entry["on_brokers"]).partition("seen on ")
    return "" if seen else where


def where_commands(entry: Entry, words: str) -> str:
    """The words that say where the commands for brokers are, if there are commands."""
    return words if entry["steps_on_brokers"] else ""


def _passages(entry: Entry) -> Iterator[Block]:
    """The sentences of the document, the section below the last of each; what permits it."""
    yield Heading("The passage" if entry["passages"] else "The cause")
    for place, alike in groupby(entry["passages"], _place_of):
        *others, last = (one["quote"] for one in alike)
        yield from (Quote(quote) for quote in others)
        yield Quote(last, place)
    code = f" (Kafka's code: {KAFKA}.)" if "#" in entry["permitted_by"] else ""
    yield Paragraph(f"{entry['permitted_by']}.{code}", "What permits it:")


def _place_of(passage: Mapping[str, str]) -> str:
    above = f' of "{passage["within"]}"' if passage["within"] else ""
    return f'{passage["document"]}, section "{passage["section"]}"{above}'


def _questions(entry: Entry) -> Iterator[Block]:
    """What a KIP leaves open; what the steps assume of it."""
    if asked := [one for one in entry["assumptions"].values() if one["is_of_a_kip"]]:
        yield Heading("Questions to the authors")
        yield Points(
            tuple(Paragraph(f"{it['asks']} These steps assume: {it['choice']}") for it in asked)
        )


def _story(entry: Entry) -> Iterator[Block]:
    yield Heading("What happens")
    told = [one for one in entry["told"] if not one["is_note"]]
    if told:
        if titles := [one["title"] for one in entry["in_force"]]:
            are, these = ("is", "this fix") if len(titles) == 1 else ("are", "these fixes")
            seen = SEEN.format(these) if entry["on_brokers"].startswith("seen") else ""
            yield Paragraph(ALONE.format(fixes_of(titles), are) + seen)
        yield Points(tuple(Paragraph(one["sentence"], _place(one)) for one in told))
    else:
        yield Paragraph("Nobody has told this trace yet.")


def fixes_of(titles: Sequence[str]) -> str:
    """The fixes of some findings, by the titles of their reports."""
    quoted = [f'"{title}"' for title in titles]
    several = "fix of our report" if len(quoted) == 1 else "fixes of our reports"
    return f"the {several} {listed(quoted)}"


def _place(one: Mapping[str, Any]) -> str:
    """The steps that a sentence tells."""
    if one["is_beyond"]:
        return "Beyond these steps:"
    if one["last"] is None:
        return "In the end:"
    if not one["last"]:
        return "At first:"
    is_one = one["first"] == one["last"]
    return f"{one['first']}:" if is_one else f"{one['first']} to {one['last']}:"


def _offsets(entry: Entry) -> Iterator[Block]:
    if entry["panels"]:
        yield Heading("The offsets")
        said = [one["sentence"] for one in entry["told"] if not one["is_note"]]
        said += [entry["title"], entry["symptom"], entry["shown"]["statement"]]
        yield Figure(offsets_as_text(entry["panels"], said))


def _fix(entry: Entry) -> Iterator[Block]:
    yield Heading("The fix")
    if entry["fix"]:
        yield Paragraph(entry["fix"])
    if entry["repair"] is None:
        yield Paragraph(f"No change of the design was tried: {entry['unrepaired']}")
    else:
        yield Paragraph(entry["costs"], "Costs:")


def origin(entry: Entry) -> str:
    """How the steps were found, and what was seen of the fix."""
    sizes = ", ".join(bounds_in_words(entry["bounds"])) or "a small one"
    found = (
        f'Found with tierproof, which tries the steps of a model of "{entry["design_title"]}" in '
        f"every order, here for {sizes}."
    )
    is_clean = all(told["ended"] == "HOLDS" for told in entry["claims"].values())
    if entry["repair"] and is_clean:
        is_alone = entry["stands_alone"] and not entry["proposal"]
        found += FIXED.format(entry["searched"], "" if is_alone else OTHERS)
    return f"{found} To repeat it: tierproof explore {entry['design']} --finding {entry['name']}"


def on_brokers(entry: Entry) -> Iterator[Block]:
    """The commands that show the finding on released brokers, and what they showed.

    Both are of its report to file.
    """
    if entry["steps_on_brokers"]:
        yield Heading("To see it on brokers")
        yield from _of_a_report(entry["steps_on_brokers"])
        yield Heading("What was seen")
        yield from _of_a_report(entry["seen_on_brokers"])


def _of_a_report(text: str) -> Iterator[Block]:
    """A section of a report: its code and tables as they are, the rest as paragraphs."""
    for place, part in enumerate(text.split("```")):
        if place % 2:
            yield Figure(tuple(part.strip("\n").splitlines()))
            continue
        for one in filter(None, part.replace("**", "").strip().split("\n\n")):
            is_table = one.startswith("|")
            yield Figure(tuple(one.splitlines())) if is_table else Paragraph(" ".join(one.split()))


def bounds_in_words(bounds: Mapping[str, int]) -> Iterator[str]:
    """The bounds that say something to everybody."""
    for name, one in SIZES.items():
        if count := bounds.get(name):
            yield f"{count} {one}{'s' if count > 1 else ''}"
