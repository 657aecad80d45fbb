"""Designs side by side, as plain records: one row per property, one column per design."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tierproof.diagrams.text import counted

HOLDS, VIOLATED, INCOMPLETE, NOT_STATED = "HOLDS", "VIOLATED", "INCOMPLETE", "NOT STATED"
"""The verdicts of a cell. INCOMPLETE: no search was completed, or none was made."""

REVIEW, REGISTER, LEDGER = "this review", "the register", "the ledger"
"""The sources of a cell's counterexample, the most detailed one first."""


@dataclass(frozen=True, kw_only=True)
class Shortest:
    """The shortest known counterexample of a design to a property.

    `words` are its steps, one per line; empty if only the length is known, and then `command`
    finds them. `cycle_start` is that of a trace. `anchor` names it within the report.
    """

    scope: str
    steps: int
    cycle_start: int | None
    source: str
    words: tuple[str, ...] = ()
    anchor: str | None = None
    command: str = ""

    @property
    def length(self) -> str:
        """The number of steps, and how many of them repeat for ever."""
        if self.cycle_start is None or self.cycle_start == self.steps:
            return counted(self.steps, "step")
        before = counted(self.cycle_start, "step")
        return f"{before} and a cycle of {self.steps - self.cycle_start}"


@dataclass(frozen=True, kw_only=True)
class Prevention:
    """A finding that claims a violation, and the guard that would prevent it.

    `repair` is the variant that confirms the guard; a guard without one is an argument. `ended` is
    the verdict on the property with the repair, None if it is not recorded; `steps` is the
    length of the finding's own counterexample.
    """

    finding: str
    title: str
    guard: str | None
    repair: str | None
    ended: str | None = None
    steps: int | None = None

    @property
    def told(self) -> str:
        """The guard, or the name of the repair, or a note that there is neither."""
        if self.guard:
            return self.guard if self.repair else f"{self.guard} (by argument, not explored)"
        return f"what {self.repair} changes" if self.repair else f"nothing known ({self.title})"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The results for one property in one design, over all scopes.

    `held` and `violated` name scopes; in `vacuous` scopes the premise never held; `cut` scopes
    were searched only in part.
    """

    verdict: str
    held: tuple[str, ...] = ()
    vacuous: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    shortest: Shortest | None = None
    preventions: tuple[Prevention, ...] = ()
    statement: str = ""

    @property
    def guards(self) -> tuple[str, ...]:
        """The guards that would prevent it, each once."""
        return tuple(dict.fromkeys(one.guard for one in self.preventions if one.guard))

    @property
    def prevented_by(self) -> str:
        """The guards needed to prevent the violation, one for each finding that claims it."""
        told = dict.fromkeys(one.told for one in self.preventions)
        return "; ".join(told) or "nothing known: no finding speaks of it"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A property and its cell for each design."""

    name: str
    kind: str
    statement: str
    cells: tuple[Cell, ...]

    @property
    def is_common(self) -> bool:
        """True if every design states it."""
        return all(cell.verdict != NOT_STATED for cell in self.cells)

    @property
    def is_violated(self) -> bool:
        """True if some design violates it."""
        return any(cell.verdict == VIOLATED for cell in self.cells)

    @property
    def differs(self) -> bool:
        """True if the property holds in one design and is violated in another."""
        return {HOLDS, VIOLATED} <= {cell.verdict for cell in self.cells}


@dataclass(frozen=True, kw_only=True)
class Column:
    """A design; `reviewed` names the scopes of this review, `known` those of the ledger."""

    design: str
    title: str
    document: str
    reviewed: tuple[str, ...]
    known: tuple[str, ...]

    @property
    def scopes(self) -> tuple[str, ...]:
        """Every scope with a result."""
        return (*self.reviewed, *self.known)

    def told(self, scopes: tuple[str, ...]) -> str:
        """Some of its scopes, listed or as "all scopes but ...", whichever is shorter."""
        others = [name for name in self.scopes if name not in scopes]
        if len(scopes) <= len(others) or len(scopes) < 3:
            return ", ".join(scopes)
        if others:
            return f"all scopes but {', '.join(others)}"
        return f"all {len(scopes)} scopes"

    @property
    def origin(self) -> str:
        """The source of its verdicts, in a word or two."""
        return "explored now" if self.reviewed else "ledger" if self.known else "not explored"

    @property
    def source(self) -> str:
        """The source of its verdicts, scope by scope."""
        if not self.reviewed:
            return "from the ledger" if self.known else "not explored yet"
        now = f"{', '.join(self.reviewed)} explored now"
        return f"{now}, other scopes from the ledger" if self.known else now


@dataclass(frozen=True, kw_only=True)
class GuardRow:
    """A guard and, design by design, the violated properties that it would prevent."""

    guard: str
    prevents: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """A comparison of designs: properties that all of them state come first."""

    name: str
    title: str
    introduction: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    guards: tuple[GuardRow, ...]

    def count(self, column: int, verdict: str) -> int:
        """The number of cells of a column with this verdict."""
        return sum(row.cells[column].verdict == verdict for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """The comparison as plain values; cells are named by their designs."""
        names = [column.design for column in self.columns]
        return {
            "name": self.name,
            "title": self.title,
            "introduction": self.introduction,
            "columns": [
                {**asdict(one), "counts": self._counts(n)} for n, one in enumerate(self.columns)
            ],
            "rows": [
                {
                    "name": row.name,
                    "kind": row.kind,
                    "statement": row.statement,
                    "is_common": row.is_common,
                    "differs": row.differs,
                    "cells": dict(zip(names, map(asdict, row.cells), strict=True)),
                }
                for row in self.rows
            ],
            "guards": [
                {"guard": one.guard, "prevents": dict(zip(names, one.prevents, strict=True))}
                for one in self.guards
            ],
        }

    def _counts(self, column: int) -> dict[str, int]:
        verdicts = (HOLDS, VIOLATED, INCOMPLETE, NOT_STATED)
        return {verdict: self.count(column, verdict) for verdict in verdicts}
