"""Part: what decides the value of an expression, as data.

A Part says what an expression of the design was in one state or step, and by which of its own
parts it was so. Whatever cannot be divided has no parts: its value then stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Named = tuple[tuple[str, str], ...]
"""Names with values in words, in the order in which they are met."""


@dataclass(frozen=True)
class Part:
    """An expression with its value, and the parts that decide it.

    `text` is the expression in the design's own words, `value` its value in the words of its
    domain, `truth` whether it is true, None for what is not used as a condition. `bindings` are
    the variables of a quantifier, a loop or a call, with the values for which it decides; where
    several values decide alike, they stand side by side. `parts` decide the value; `more` counts
    those that decide it like them and are left out. `fields` are the fields of the state that an
    undivided expression reads; one that the step changed reads `old -> new`.
    """

    text: str
    value: str
    truth: bool | None = None
    bindings: Named = ()
    parts: tuple[Part, ...] = ()
    fields: Named = ()
    more: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The part as plain values for JSON."""
        return {
            "text": self.text,
            "value": self.value,
            "truth": self.truth,
            "bindings": dict(self.bindings),
            "fields": dict(self.fields),
            "parts": [part.as_dict() for part in self.parts],
            "more": self.more,
        }


def merged(parts: list[Part]) -> Part | None:
    """One part for several that say the same of different values; None if they differ otherwise.

    Bindings, and the values of bound variables, are joined where they differ.
    """
    first = parts[0]
    shape = (first.text, first.truth, first.fields, first.more, len(first.parts))
    if any((p.text, p.truth, p.fields, p.more, len(p.parts)) != shape for p in parts):
        return None
    names = [tuple(name for name, _ in part.bindings) for part in parts]
    if len(set(names)) > 1 or not (_is_variable(first) or len({p.value for p in parts}) == 1):
        return None
    inside = [merged(list(children)) for children in zip(*(p.parts for p in parts), strict=True)]
    if None in inside:
        return None
    values = zip(*(part.bindings for part in parts), strict=True)
    return Part(
        first.text,
        _joined([part.value for part in parts]),
        first.truth,
        tuple((pairs[0][0], _joined([value for _, value in pairs])) for pairs in values),
        tuple(part for part in inside if part is not None),
        first.fields,
        first.more,
    )


def _is_variable(part: Part) -> bool:
    return part.truth is None and part.text.isidentifier() and not part.parts


def _joined(values: list[str]) -> str:
    return ", ".join(dict.fromkeys(values))
