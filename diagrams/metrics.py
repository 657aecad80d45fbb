"""Upper bounds of the width of a text in any common font, and wrapping.

The widths are those of DejaVu Sans, the widest font at the end of system font stacks; a
drawing laid out with them has spare room in other fonts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_WIDTHS = {
    "'ijlIJ": 0.30,
    " ,./:;\\|": 0.35,
    "f-()[]tr!": 0.42,
    '"*_`szc?': 0.56,
    "LFkvxyPTYao": 0.62,
    "eESbdghnpqu$0123456789{}": 0.65,
    "KAVBRXZC": 0.71,
    "UHNDG&OQ": 0.80,
    "w#+<=>^~M→×≤≥≠✓✗": 0.87,
    "%mW@—…": 1.00,
}
_WIDTH_OF = {character: width for group, width in _WIDTHS.items() for character in group}
_UNKNOWN, _BOLD, _MONOSPACE = 1.05, 1.16, 0.61


@dataclass(frozen=True)
class Font:
    """A size in pixels, and one of the two font families."""

    size: float
    is_bold: bool = False
    is_monospace: bool = False

    def width(self, text: str) -> float:
        """An upper bound of the width of `text` in pixels."""
        if self.is_monospace:
            ems = sum(_MONOSPACE if ord(c) < 0x2E80 else _UNKNOWN for c in text)
        else:
            ems = sum(_WIDTH_OF.get(c, _UNKNOWN) for c in text) * (_BOLD if self.is_bold else 1)
        return ems * self.size


def wrap(text: str, font: Font, width: float) -> list[str]:
    """Lines of `text` no wider than `width`, broken at spaces, else inside a name."""
    return list(_wrapped(text, font, width))


@lru_cache(maxsize=4096)
def _wrapped(text: str, font: Font, width: float) -> list[str]:
    """The same, kept: who walks a trace draws its first steps again and again."""
    lines, line = [], ""
    for word in re.findall(r"\S+", text):
        joined = f"{line} {word}" if line else word
        if font.width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, font, width)
        lines.extend(full)
    return [*lines, line] if line or not lines else lines


def _pieces(word: str, font: Font, width: float) -> list[str]:
    """`word` cut to `width`, after a punctuation mark where there is one."""
    found, piece = [], ""
    for part in re.findall(r"[^._,(\[/=-]*[._,(\[/=-]?", word):
        for chunk in [part] if font.width(part) <= width else part:
            if piece and font.width(piece + chunk) > width:
                found.append(piece)
                piece = ""
            piece += chunk
    return [*found, piece] if piece or not found else found
