"""What a finding says to a KIP's discussion thread or a ticket: words that stand by themselves.

How bad it is and what it needs, the passage, what happens, the offsets, and the fix. No links, and
nothing that means something only within the project: names of properties, scopes and variants,
counts, and traces are the evidence, which stands on the rest of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.offsets_text import offsets_as_text
from tierproof.diagrams.paragraphs import Block, Figure, Heading, Paragraph, Points, Quote

KAFKA = "trunk at d79bd502ec, August 2026"
"""The commit whose code the models follow."""

MEANING = {"text only": ": no record, object or client is harmed"}
"""What a severity means, where its name does not say it."""

Entry = Mapping[str, Any]


def mail_of(entry: Entry) -> Iterator[Block]:
    """The text of a finding, below its title."""
    yield from _severity(entry)
    yield from _passages(entry)
    yield from _story(entry)
    yield from _offsets(entry)
    yield from _fix(entry)
    yield Paragraph(_origin(entry))


def _severity(entry: Entry) -> Iterator[Block]:
    severity = str(entry["severity"])
    grade = f"{severity[0].upper()}{severity[1:]}{MEANING.get(severity, '')}"
    yield Paragraph(entry["symptom"], f"{grade}.")
    yield Paragraph(entry["needs"], "Needs:")
    yield Paragraph(f"{entry['tracker'] or 'no issue or thread is known to us'}.", "Tracker:")
    if entry["on_brokers"]:
        yield Paragraph(f"{entry['on_brokers']}.", "On released brokers:")


def _passages(entry: Entry) -> Iterator[Block]:
    yield Heading("The passage")
    for one in entry["passages"]:
        yield Quote(one["quote"], f'{one["document"]}, section "{one["section"]}"')
    if not entry["passages"]:
        yield Paragraph("No KIP that we know speaks of it.")
    read_at = f" (Kafka's {KAFKA})" if "#" in entry["permitted_by"] else ""
    yield Paragraph(f"{entry['permitted_by']}.", f"What permits it{read_at}:")
    if open_questions := [one for one in entry["assumptions"].values() if one["is_of_a_kip"]]:
        yield Paragraph("What the text leaves open, and how it is taken here:")
        yield Points(
            tuple(Paragraph(f"{it['question']} Here: {it['choice']}") for it in open_questions)
        )


def _story(entry: Entry) -> Iterator[Block]:
    yield Heading("What happens")
    told = [one for one in entry["told"] if not one["is_note"]]
    if told:
        yield Points(tuple(Paragraph(one["sentence"], _place(one)) for one in told))
    else:
        yield Paragraph("Nobody has told this trace yet.")


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
        yield Figure(offsets_as_text(entry["panels"]))


def _fix(entry: Entry) -> Iterator[Block]:
    yield Heading("The fix")
    if entry["repair"] is None:
        yield Paragraph(f"We have none: {entry['unrepaired']}")
    if entry["fix"]:
        yield Paragraph(entry["fix"])
    if entry["repair"] is not None:
        yield Paragraph(entry["costs"], "Costs:")


def _origin(entry: Entry) -> str:
    """How the steps were found, and what was seen of the fix."""
    found = (
        "The steps are those of a model of the design, of which tierproof explored every "
        "interleaving; its offsets, times and sizes are small on purpose."
    )
    is_clean = all(told["ended"] == "HOLDS" for told in entry["claims"].values())
    if entry["repair"] and is_clean:
        found += (
            " With this fix, and those of our other reports on the design, nothing of this kind "
            "happens there."
        )
    return found
