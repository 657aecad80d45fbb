"""Passages: sentences quoted from a document, compared to the letter with a digest of each.

The project keeps no copy of the documents, only one short digest for each unit of text, in
document order. A unit is a sentence of a line, a heading, or a cell of a table's row. Two texts
are the same if they differ in nothing but white space, the bullet or number in front of a line,
and the shape of quotation marks. Markup that a document shows (`code`, **bold**) counts as text.

A quote verifies if its units stand in the document one after another, somewhere after a unit that
is the title of the section. Digests do not tell where a section ends: a quote from a
later section passes, too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from tierproof.model.language.errors import TierproofError
from tierproof.register.entries import Passage

LENGTH_OF_A_DIGEST = 12
"""Hexadecimal digits: two of a thousand different units agree with a chance of one in 10**8."""

_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})
_FRONT = re.compile(r"(?:(?:[•*-]|\d{1,2}[.)]|[a-z][.)])\s+)+")
_CELL = re.compile(r"(?:^|\s+)\|[|\s]*(?:\s|$)")
_END = re.compile(r"[.!?][\"')\]]*\s+")
_NO_END = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf)\.$")


class WrongQuote(TierproofError):
    """A passage that the document does not have; the message says which part of it."""


def units_of(text: str) -> list[str]:
    """The normalised units of a text in order: sentences of its lines, headings, cells."""
    lines = (_normalised(line) for line in text.splitlines())
    cells = (cell for line in lines for cell in _CELL.split(line))
    return [unit for cell in cells for unit in _sentences(cell)]


def digests_of(text: str) -> list[str]:
    """A digest of each unit of a text, in order."""
    return [_digest(unit) for unit in units_of(text)]


def verify(passage: Passage, document: Sequence[str]) -> None:
    """Raise WrongQuote unless the quote stands in the document, behind its section's title.

    `document` are the digests of the document's units. Quote and title are whole units.
    """
    title, quote = digests_of(passage.section), digests_of(passage.quote)
    if not quote:
        raise WrongQuote(f"{passage.document}: the quote is empty")
    sections = _places(title, document)
    if not title or not sections:
        raise WrongQuote(f"{passage.document}: it has no section {passage.section!r}")
    places = _places(quote, document)
    if not places:
        raise WrongQuote(f"{passage.document}: {_what_is_missing(passage.quote, document)}")
    if passage.within and not _places(digests_of(passage.within), document):
        raise WrongQuote(f"{passage.document}: it has no section {passage.within!r}")
    if max(places) < min(sections) + len(title):
        raise WrongQuote(
            f"{passage.document}: {passage.quote!r} stands before the section {passage.section!r}"
        )


def _normalised(line: str) -> str:
    """The line with single spaces and straight quotation marks, without its bullet or number."""
    text = " ".join(line.translate(_STRAIGHT).split())
    return text[front.end() :] if (front := _FRONT.match(text)) else text


def _sentences(text: str) -> list[str]:
    """The sentences of a line; an abbreviation ends none."""
    found, start = [], 0
    for end in _END.finditer(text):
        sentence = text[start : end.end()].strip()
        if not _NO_END.search(sentence):
            found.append(sentence)
            start = end.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]


def _digest(unit: str) -> str:
    return hashlib.sha256(unit.encode()).hexdigest()[:LENGTH_OF_A_DIGEST]


def _places(wanted: Sequence[str], document: Sequence[str]) -> list[int]:
    """Where in the document these units stand one after another."""
    length = len(wanted)
    return [
        at
        for at in range(len(document) - length + 1)
        if list(document[at : at + length]) == list(wanted)
    ]


def _what_is_missing(quote: str, document: Sequence[str]) -> str:
    """Which unit of a quote the document lacks, or where its order is another."""
    units = units_of(quote)
    for unit in units:
        if _digest(unit) not in document:
            return f"it has no sentence, line or cell {unit!r}"
    for count in range(2, len(units) + 1):
        if not _places([_digest(unit) for unit in units[:count]], document):
            return f"there, {units[count - 1]!r} does not follow {units[count - 2]!r}"
    raise AssertionError("the quote stands in the document")
