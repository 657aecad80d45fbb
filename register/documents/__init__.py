"""The documents that the designs formalise: digests of their units, to hold quotes against.

A file has one digest a line. `python -m tierproof.register.documents DOCUMENT.txt` makes it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from tierproof.model.language.errors import closest
from tierproof.register import passages
from tierproof.register.entries import Passage

FOLDER = Path(__file__).parent

DOCUMENTS: dict[str, str] = {
    "KIP-950": "kip-950-accepted",
    "KIP-950, Under Discussion": "kip-950-early",
    "KIP-952": "kip-952-empty-producer-snapshot",
    "KIP-1266": "kip-1266-compacted-metadata-topic",
    "KIP-1272": "kip-1272-compacted-topics",
}
"""What a passage calls a document -> its file here."""


def verify(passage: Passage) -> None:
    """Raise WrongQuote unless the passage is a quote, UnknownName for a document not listed."""
    passages.verify(passage, digests(passage.document))


@cache
def digests(document: str) -> tuple[str, ...]:
    """The digests of a document's units, in order. Raises UnknownName."""
    name = DOCUMENTS[closest("document", document, DOCUMENTS)]
    return tuple((FOLDER / f"{name}.txt").read_text("ascii").split())


def digest_of(document: str) -> str:
    """A short digest of the text that was read. Raises UnknownName."""
    return hashlib.sha256("".join(digests(document)).encode()).hexdigest()[:8]
