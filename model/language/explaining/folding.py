"""Folding: parts that say the same of different values become one, and the first few stay."""

from __future__ import annotations

from collections.abc import Iterable

from tierproof.model.language.explaining.part import Named, Part, merged

SHOWN = 3
"""How many values, or groups of values that decide alike, are told apart."""
LOOKED_AT = 12
"""How many values are explained before they are folded; the others are counted."""


def folded(found: Iterable[Part], others: int = 0) -> tuple[tuple[Part, ...], int]:
    """The first groups of parts, and how many parts are in none of them, `others` included."""
    groups: list[list[Part]] = []
    for part in found:
        for group in groups:
            if merged([*group, part]) is not None:
                group.append(part)
                break
        else:
            groups.append([part])
    told = tuple(one for group in groups[:SHOWN] if (one := merged(group)) is not None)
    return told, others + sum(map(len, groups[SHOWN:]))


def with_bindings(part: Part, bindings: Named) -> Part:
    """The part for these values of variables; what it says of them already is not repeated."""
    more = tuple(one for one in part.bindings if one not in bindings)
    return Part(
        part.text, part.value, part.truth, bindings + more, part.parts, part.fields, part.more
    )
