"""Comparison: designs that answer one question, to be shown side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tierproof.model.language.errors import DesignError, closest


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Designs that are compared property by property; `designs` are the columns, in order.

    `equivalents` maps a property that a design states in its own terms to the same property
    of the other designs; both share a row. Only hand-written parts are kept here. Verdicts,
    counterexamples and the guards that would prevent them come from searches and from the
    findings of each design.
    """

    name: str
    title: str
    introduction: str
    designs: tuple[str, ...]
    equivalents: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.name)

    def __post_init__(self) -> None:
        if not self.designs:
            raise DesignError(f"comparison {self.name!r} compares nothing: `designs` is empty")
        for name in self.designs:
            if self.designs.count(name) > 1:
                raise DesignError(f"comparison {self.name!r} has {name!r} twice")

    def check(self, registered: Iterable[str]) -> None:
        """Raise UnknownName for a design that is not registered."""
        for name in self.designs:
            closest("design", name, registered)
