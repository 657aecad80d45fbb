"""What a terminal's encoding has no sign for is printed with signs that every one has."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import TextIO

INSTEAD = {
    "✓": "yes",
    "✗": "no",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "x",
    "·": "-",
    "•": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "„": '"',
}
"""The signs that our own texts have."""
HANDLER = "tierproof.printable"


def make_printable(*streams: TextIO) -> None:
    """Let streams print every text; none named: those of this process."""
    codecs.register_error(HANDLER, _replaced)
    for stream in streams or (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end]
    return "".join(INSTEAD.get(one) or _plain(one) for one in found), error.end


def _plain(sign: str) -> str:
    """The letter without its accents, or a question mark."""
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
