"""Numbers as people write them: decimal digits, and nothing that Python reads besides.

`int` also reads `1_0`, ` 10`, `+1` and the digits of other scripts, which are misprints here.
"""

from __future__ import annotations

import re

WHOLE = re.compile(r"-?[0-9]+")
DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


def whole_number(words: str) -> int:
    """The integer that decimal digits write, negative after a minus. Raises ValueError."""
    if not WHOLE.fullmatch(words):
        raise ValueError(f"{words!r} is no whole number in decimal digits, such as 10")
    return int(words)


def decimal(words: str) -> float:
    """The number that decimal digits write, with a point at most. Raises ValueError."""
    if not DECIMAL.fullmatch(words):
        raise ValueError(f"{words!r} is no number in decimal digits, such as 2.5")
    return float(words)
