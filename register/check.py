"""What can be checked of the words of a register: `python -m tierproof.register.check`.

What is sent is short, quotes its document to the letter, and has no name, count or link of ours:
they mean something within the project only. `make lint` runs it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from tierproof.conformance.brokers import NEWEST
from tierproof.model.language.design import Design
from tierproof.model.language.errors import TierproofError
from tierproof.register import documents, evidence, register_of
from tierproof.register.assumptions import assumptions
from tierproof.register.entries import Finding, Text
from tierproof.register.files import blocks_of
from tierproof.register.paragraphs import Block, Figure, Quote, as_plain
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

MOST_WORDS, MOST_OF_A_MINOR_POINT = 300, 180
"""Of what is sent, but for where it was raised: what is longer is not read in a thread."""

MOST_OF_RAISED, MOST_OF_DETAIL, MOST_OF_A_LINE = 40, 150, 80

OF_KAFKA = {"__remote_log_metadata", "__cluster_metadata", "read_committed", "read_uncommitted"}
"""Names that Kafka writes so itself."""

OURS = re.compile(
    r"\b(findings?|scopes?|variants?|isolated|ghosts?|lasso|\d[\d,]* (?:states|steps))\b"
)
"""Words and counts that mean something within the project only."""

NAME = re.compile(r"\b_*[a-z0-9]+(?:_[a-z0-9]+)+\b")
MARK = re.compile(r"(?<!\S)(?:>|\d+\.)(?!\S)")
"""What stands before a quoted line or a step: no word."""

LINK = re.compile(r"\]\(|https?://|\.svg|\.md\b|</?\w+>")


def complaints(design: Design) -> Iterator[str]:
    """What is wrong with the words of a design's register, a sentence each."""
    yield from unreported(design)
    for one in register_of(design).findings:
        for words in _of_text(one, one.text) if one.text else _of_line(one):
            yield f"{design.name}/{one.name}: {words}"
        for name in set(one.assumptions) - set(assumptions()):
            yield f"{design.name}/{one.name}: there is no assumption {name!r}"


def unreported(design: Design) -> Iterator[str]:
    """Findings that brokers of the newest release showed, and whose file has no report to file."""
    shown = {
        one["finding"]
        for one in evidence.on_brokers()
        if (one["design"], one["release"], one["outcome"]) == (design.name, NEWEST, "CONFIRMED")
    }
    for one in register_of(design).findings:
        if one.name in shown and not (one.text and one.text.report):
            yield f"{design.name}/{one.name}: Kafka {NEWEST} shows it, and it has no report"


def _of_line(one: Finding) -> Iterator[str]:
    yield from _long("its sentence", one.says, MOST_OF_A_LINE)


def _of_text(one: Finding, text: Text) -> Iterator[str]:
    raised = text.after("Raised:")
    most = MOST_OF_A_MINOR_POINT if one.severity.is_minor else MOST_WORDS
    counted = [one for one in text.blocks if getattr(one, "lead", "") != "Raised:"]
    yield from _long("what is sent", MARK.sub("", _plain(counted)), most)
    yield from _long("where it was raised", raised, MOST_OF_RAISED)
    yield from _long("the detail", text.detail, MOST_OF_DETAIL)
    for words in (_own(text.blocks), _own(blocks_of(text.detail))):
        for name in sorted({*NAME.findall(words)} - OF_KAFKA):
            yield f"{name!r} is a name of ours"
        for found in OURS.findall(words):
            yield f"{found!r} means something to us only"
        for found in LINK.findall(words):
            yield f"{found!r} is a link or a picture"
    for passage in text.passages:
        try:
            documents.verify(passage)
        except TierproofError as error:
            yield str(error)


def _long(what: str, words: str, most: int) -> Iterator[str]:
    if (count := len(words.split())) > most:
        yield f"{what} has {count} words; at most {most}"


def _plain(blocks: Sequence[Block]) -> str:
    return " ".join(as_plain(blocks))


def _own(blocks: Sequence[Block]) -> str:
    """The words that are ours: no quotes, no code."""
    return _plain([one for one in blocks if not isinstance(one, Quote | Figure)])


def main() -> int:
    """Print the complaints about all registers; 1 if there are any."""
    found = [words for name in DESIGNS for words in complaints(Question(design=name).resolve()[0])]
    sys.stdout.writelines(f"{words}\n" for words in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
