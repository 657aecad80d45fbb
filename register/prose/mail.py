"""What is sent of a finding: a few hundred words that stand by themselves, written by hand.

`read_mail` takes a text of `tierproof.model.designs.mails` apart, and `mail_of` adds what changes
with runs: whether released brokers showed it, and what was searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tierproof.diagrams.paragraphs import Block, Figure, Paragraph, Points, Quote, listed
from tierproof.register.entries import NOT_REPRODUCED, Severity
from tierproof.register.prose.detail import (
    BELOW,
    KAFKA,
    bounds_in_words,
    detail_of,
    fixes_of,
    grade_of,
    seen_on,
    where_commands,
)

FIRST = re.compile(r"<!-- (trace|told with) (\w+)(, proposes the repair)? -->\n")
"""The first line: the digest of the trace that is told, or the finding in whose report this one is
told; and whether the fix is the one explored."""

ITEM = re.compile(r"(?:-|\d+\.) +(?:<!-- (\d+)(?:-(\d+))? --> )?")
"""What begins an item of a list: in a numbered one, the steps of the trace that it tells."""

LEAD = re.compile(r"\*\*([^*]+)\*\* ?")
"""What stands out at the beginning of a paragraph."""

SOURCE = re.compile(r"KIP-\d+.*, section \"")
"""The last line of a quote, if it says where it stands."""

CODE = ("trunk at", "Code as of")
"""How a mail says itself which code it speaks of, if that is not the trunk of the models."""

FOUND = "Found with tierproof, a model checker for Kafka, which tries every order of steps"
"""Said of each finding."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Mail:
    """A mail as it is written: an opening paragraph, then what follows.

    `spans` are the steps of the trace behind its numbered items.

    `proposes_the_repair`: the change that it proposes is what the finding's repair models.
    """

    trace: str
    proposes_the_repair: bool
    opening: Paragraph
    blocks: tuple[Block, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Aside:
    """What a review says of a finding in the point of another, which has the mail: `told_with`."""

    told_with: str
    proposes_the_repair: bool
    words: str


def read_mail(text: str) -> Mail | Aside:
    """Take a mail apart.

    Raises ValueError where the first line names neither a trace nor another finding, or no
    paragraph comes next; and for an aside of more than one paragraph.
    """
    told = FIRST.match(text)
    if told is None:
        raise ValueError(
            f"a mail begins with <!-- trace DIGEST --> or <!-- told with FINDING -->, not "
            f"{text[:40]!r}"
        )
    blocks = blocks_of(text[told.end() :])
    if not blocks or not isinstance(blocks[0], Paragraph):
        raise ValueError(f"a mail opens with a paragraph, not {blocks[:1]!r}")
    if told[1] == "told with":
        if len(blocks) > 1:
            raise ValueError(f"an aside is one paragraph: {blocks[1]!r} would not be told")
        return Aside(told[2], bool(told[3]), blocks[0].text)
    spans = [
        (int(begun[1]), int(begun[2] or begun[1]))
        for line in text.splitlines()
        if (begun := ITEM.match(line)) and begun[1]
    ]
    return Mail(told[2], bool(told[3]), blocks[0], tuple(blocks[1:]), tuple(spans))


def blocks_of(text: str) -> list[Block]:
    """The blocks of words that are written by hand: blank lines stand between them."""
    return [_block(part.strip("\n")) for part in text.split("\n\n") if part.strip("\n")]


def mail_of(entry: Entry, commands: str = BELOW) -> Iterator[Block]:
    """The blocks below the title: the words, what was seen, how it was found.

    `commands` says where those for brokers are.

    A finding for which no mail is written is sent in all its detail.
    """
    mail = read_mail(entry["mail"]) if entry["mail"] else None
    if not isinstance(mail, Mail):
        yield from detail_of(entry)
        return
    yield Paragraph(mail.opening.text, f"{grade_of(entry)}.")
    if where := seen_on(entry):
        said = f"{where}: brokers of the released jars.{where_commands(entry, commands)}"
        yield Paragraph(said, "Seen on Kafka")
    yield from mail.blocks
    if said := " ".join(_found(entry, mail)):
        yield Paragraph(said)


def _block(part: str) -> Block:
    lines = part.splitlines()
    if part.startswith("```"):
        return Figure(tuple(lines[1:-1]))
    if part.startswith(">"):
        said = "\n".join(line.removeprefix(">").strip() for line in lines).split("\n\n")
        source = said.pop() if SOURCE.match(said[-1]) else ""
        return Quote("\n".join(" ".join(one.split()) for one in said), source)
    if ITEM.match(part):
        items = [ITEM.sub("", item, count=1) for item in re.split(r"\n(?=-|\d+\.)", part)]
        return Points(tuple(map(_paragraph, items)), is_numbered=not part.startswith("-"))
    return _paragraph(part)


def _paragraph(text: str) -> Paragraph:
    joined = " ".join(text.split())
    lead = LEAD.match(joined)
    return Paragraph(LEAD.sub("", joined, count=1), lead[1] if lead else "")


def _found(entry: Entry, mail: Mail) -> Iterator[str]:
    """How it was found, where the code was read, and what was seen of the fix.

    A minor point stands in a review, which says the first for all of them.
    """
    is_minor = Severity(entry["severity"]).is_minor
    if not is_minor:
        sizes = listed(list(bounds_in_words(entry["bounds"]))) or "small bounds"
        yield f"{FOUND}, here with {sizes}."
        yield "I can send the trace, step by step."
        yield from _on_brokers(entry)
    if "#" in entry["mail"] and not any(said in entry["mail"] for said in CODE):
        yield f"Code as of {KAFKA}."
    if not is_minor and is_mended(entry, mail):
        yield f"With the proposal{_others(entry)} in force, the same search found no such case."


def _others(entry: Entry) -> str:
    """What else was in force in that search: these fixes, or those of all findings."""
    if entry["stands_alone"]:
        return ""
    titles = entry["together_with"]
    return f" and {fixes_of(titles) if titles else 'the fixes of all our other reports'}"


def is_mended(entry: Entry, mail: Mail | Aside) -> bool:
    """Whether the change that the mail proposes was explored, and nothing breaks with it."""
    change = "ended" if mail.proposes_the_repair else "proposed"
    return all(told.get(change) == "HOLDS" for told in entry["claims"].values())


def _on_brokers(entry: Entry) -> Iterator[str]:
    """That nobody has run it; nothing, if somebody has."""
    if NOT_REPRODUCED in entry["needs"]:
        yield "Not run on brokers, as no release has the KIP."
    elif "seen on" not in entry["on_brokers"] and "by hand" not in entry["mail"]:
        yield "Not run on brokers."
