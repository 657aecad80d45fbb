"""What a page tells of a document, as plain records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from tierproof.model.language.design import Design
from tierproof.register import documents, evidence, pictures, register_of, traces
from tierproof.register.entries import Finding, Severity
from tierproof.register.files import blocks_of
from tierproof.register.isolation import closed
from tierproof.register.isolation import file as isolation_file
from tierproof.register.paragraphs import as_html
from tierproof.register.prose.mail import is_mended
from tierproof.register.prose.page import summary_of

KIP = re.compile(r"KIP-\d+|Kafka [\d.]+")
"""What a document is called, at the beginning of its name."""

NAMES = {
    "KIP-405": "Tiered storage as shipped",
    "KIP-950": "Disabling tiered storage",
    "KIP-952": "Producer snapshots of old segments",
    "KIP-1266": "A compacted metadata topic",
    "KIP-1272": "Tiering compacted topics",
    "Kafka 4.4.0": "The cleaner and the producer state",
}
"""What is known of documents by those who do not know their numbers."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A finding: what happens in the open, all that is sent of it in a fold."""

    name: str
    title: str
    severity: Severity
    says: str
    seen: str
    command: str
    steps: str
    is_mended: bool
    sent: Markup
    picture: Markup | None


@dataclass(frozen=True, kw_only=True)
class Line:
    """A finding in a sentence, and what the command that prints its steps is asked for."""

    says: str
    command: str


@dataclass(frozen=True, kw_only=True)
class Holding:
    """A design with all its repairs: the scopes in which every property holds, and the others.

    `with_one_more` maps a bound, and why something breaks where it is larger, to the scopes.
    """

    design: str
    holds: int
    scopes: int
    most_states: int
    others: tuple[str, ...]
    with_one_more: Mapping[tuple[str, str], list[str]]


@dataclass(frozen=True, kw_only=True)
class Explored:
    """A search of this review, and how it compares with the ledger."""

    design: str
    scope: str
    verdict: str
    states: int
    seconds: float
    word: str


@dataclass(frozen=True, kw_only=True)
class Document:
    """What was found of a document."""

    name: str
    about: str
    revision: str
    names: tuple[str, ...]
    opening: Markup
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    bugs: tuple[str, ...]
    holdings: tuple[Holding, ...]

    @property
    def file(self) -> str:
        """The file of its page."""
        return f"{self.name.lower().replace(' ', '-')}.html"

    @property
    def tally(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the worst first."""
        counts = dict.fromkeys(Severity, 0)
        for card in self.cards:
            counts[card.severity] += 1
        return {one: count for one, count in counts.items() if count}


def documents_of(designs: Iterable[Design]) -> list[Document]:
    """The documents of the designs, those with the most harm first."""
    by_name: dict[str, list[Design]] = {}
    for design in designs:
        by_name.setdefault(document_of(design), []).append(design)
    found = [_document(name, those) for name, those in by_name.items()]
    worst = list(Severity)
    return sorted(found, key=lambda one: [-one.tally.get(severity, 0) for severity in worst])


def document_of(design: Design) -> str:
    """What the document of a design is called: its number, or the design's own name."""
    found = KIP.match(design.document)
    return found[0] if found else design.name


def _document(name: str, designs: list[Design]) -> Document:
    found = [(design, one) for design in designs for one in register_of(design).findings]
    found.sort(key=lambda it: it[1].severity.rank)
    with_text = [(design, one) for design, one in found if one.text]
    opening = next((words for d in designs if (words := register_of(d).opening)), "")
    numbers = {one.name: str(n) for n, (_, one) in enumerate(with_text, 1)}
    words = re.sub(r"\{(\w+)\}", lambda it: numbers.get(it[1], it[0]), opening)
    return Document(
        name=name,
        about=NAMES.get(name, designs[0].title),
        revision=_revision(designs),
        names=tuple(one.name for one in designs),
        opening=as_html(blocks_of(words)),
        cards=tuple(_card(design, one) for design, one in with_text),
        lines=tuple(_line(design, one) for design, one in found if not one.text),
        bugs=tuple(one.published for d in designs for one in register_of(d).published_bugs),
        holdings=tuple(it for design in designs if (it := _holding(design))),
    )


def _revision(designs: list[Design]) -> str:
    """Which text was read: its digest, where one is kept, or the name that the design gives it."""
    read = [
        f"{name} as of digest {documents.digest_of(name)}"
        for name in documents.DOCUMENTS
        if any(design.document.startswith(name) for design in designs)
    ]
    named = (one for design in designs for one in design.document.split("; "))
    return "; ".join(read or dict.fromkeys(named))


def _card(design: Design, one: Finding) -> Card:
    assert one.text is not None
    shown = traces.shown(design, one)
    picture = pictures.offsets_of(shown, is_standalone=False)
    return Card(
        name=one.name,
        title=one.title,
        severity=one.severity,
        says=one.says,
        seen=evidence.seen_on(design, one),
        command=f"{design.name} --finding {one.name}",
        steps=summary_of(shown.kept),
        is_mended=is_mended(one, shown.kept),
        sent=as_html(one.text.blocks[1:]),
        picture=Markup(picture) if picture else None,
    )


def _line(design: Design, one: Finding) -> Line:
    return Line(says=one.title, command=f"{design.name} --finding {one.name}")


def _holding(design: Design) -> Holding | None:
    """What is kept of the design with all its repairs; None if nothing is."""
    explored = evidence.kept(design)
    keys = {scope: isolation_file.key_of(scope, closed(design)) for scope in design.scopes}
    known = {scope: explored[key] for scope, key in keys.items() if key in explored}
    if not known:
        return None
    others = [
        scope for scope, one in known.items() if one["violated"] or isolation_file.unfinished(one)
    ]
    return Holding(
        design=design.name,
        holds=len(known) - len(others),
        scopes=len(known),
        most_states=max(one["distinct_states"] for one in known.values()),
        others=tuple(others),
        with_one_more=_with_one_more(design),
    )


def _with_one_more(design: Design) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for scope, broken in evidence.with_one_more().get(design.name, {}).items():
        for bound, told in broken.items():
            found.setdefault((bound, told.because), []).append(scope)
    return found
