"""The ablation matrix as plain records: each part that was left out, by each property."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tierproof.diagrams.sequences import call_text

HOLDS, VIOLATED, INCOMPLETE = "HOLDS", "VIOLATED", "INCOMPLETE"

NEEDED = "needed"
NOT_NEEDED = "nothing breaks"
NOT_SHOWN = "violated with it, too"
NOT_HERE = "protects nothing in this scope"
FAULT = "fault"


@dataclass(frozen=True, kw_only=True)
class AblationCell:
    """A property without a part, and with it (`before`); `steps` is the shortest trace's length.

    `trace` is the record of that trace, unless the part makes no difference. It `is_protected`
    if the part names this property.
    """

    name: str
    verdict: str
    before: str
    steps: int | None
    is_protected: bool
    trace: Mapping[str, Any] | None = None

    @property
    def is_broken(self) -> bool:
        """True if it holds with the part, and is violated without."""
        return self.verdict == VIOLATED and self.before == HOLDS

    @property
    def words(self) -> tuple[str, ...]:
        """The steps of the trace, one by one."""
        steps = self.trace["steps"] if self.trace else ()
        return tuple(f"{one['actor']}: {call_text(one)}".removeprefix(": ") for one in steps)

    @property
    def sign(self) -> str:
        """The cell in a sign and a number."""
        if self.verdict == VIOLATED:
            return f"✗ {self.steps}" if self.before != VIOLATED else f"(✗ {self.steps})"
        return "✓" if self.verdict == HOLDS else "…"


@dataclass(frozen=True, kw_only=True)
class AblationRow:
    """A part that was left out, in `scope`: of the design with `variants`, which are `setting`.

    `cut` says why the search ended early, `fault` that the design cannot run without the part.
    `is_its_scope` unless a fence names another scope than the one that was asked for.
    """

    name: str
    kind: str
    statement: str
    variants: tuple[str, ...]
    setting: str
    scope: str
    protects: tuple[str, ...]
    stays: str
    cells: tuple[AblationCell, ...] = ()
    cut: str | None = None
    fault: str = ""
    distinct_states: int = 0
    is_its_scope: bool = True

    @property
    def where(self) -> str:
        """The scope, and the setting if the design was changed."""
        return f"{self.scope}, with {self.setting}" if self.setting else self.scope

    @property
    def broken(self) -> tuple[AblationCell, ...]:
        """The properties that break without the part, the protected ones first."""
        found = [cell for cell in self.cells if cell.is_broken]
        return tuple(sorted(found, key=lambda cell: (not cell.is_protected, cell.steps or 0)))

    @property
    def word(self) -> str:
        """What the part is for, in a word or two; of a fence, whether it is for what it names."""
        if self.fault:
            return FAULT
        asked = [cell for cell in self.cells if cell.is_protected or not self.protects]
        if any(cell.is_broken for cell in asked):
            return NEEDED
        if self.cut or not asked or any(INCOMPLETE in (c.verdict, c.before) for c in asked):
            return INCOMPLETE
        if self.protects and any(cell.verdict == VIOLATED for cell in asked):
            return NOT_SHOWN
        return NOT_NEEDED if self.is_its_scope else NOT_HERE

    @property
    def is_needed(self) -> bool:
        """True if something that it is for breaks without it."""
        return self.word == NEEDED

    @property
    def is_as_declared(self) -> bool:
        """True unless a fence was seen not to protect what it names, in the scope that it names."""
        is_claimed = bool(self.protects) and (self.is_its_scope or bool(self.fault))
        return not is_claimed or self.word in (NEEDED, INCOMPLETE)

    def cell(self, name: str) -> AblationCell | None:
        """The cell of a property, if the row has it."""
        return next((cell for cell in self.cells if cell.name == name), None)


@dataclass(frozen=True, kw_only=True)
class AblationMatrix:
    """Every part that was left out of a design, and what broke.

    `columns` are the properties that break without some part, or that some part names.
    """

    design: str
    title: str
    rows: tuple[AblationRow, ...]
    statements: Mapping[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """The properties of the matrix, in the order of the design."""
        shown = {cell.name for row in self.rows for cell in row.broken}
        shown |= {name for row in self.rows for name in row.protects}
        return tuple(name for name in self.statements if name in shown)

    @property
    def is_whole(self) -> bool:
        """True if every row has an answer."""
        return all(row.word != INCOMPLETE for row in self.rows)

    @property
    def is_as_declared(self) -> bool:
        """True if every fence protects what it names."""
        return all(row.is_as_declared for row in self.rows)

    @property
    def headline(self) -> str:
        """The matrix in a sentence."""
        words = [row.word for row in self.rows]
        told = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
        parts = f"{len(words)} part{'' if len(words) == 1 else 's'}"
        return f"{parts} left out, one at a time: {', '.join(told) or 'none'}."

    def as_dict(self) -> dict[str, Any]:
        """The matrix as plain values, with each trace."""
        return {
            "design": self.design,
            "title": self.title,
            "is_whole": self.is_whole,
            "is_as_declared": self.is_as_declared,
            "rows": [{**asdict(row), "word": row.word} for row in self.rows],
        }
