"""Lifecycle: an explicit state machine that a field of the State runs through.

Declared once with `transitions`, it is the source of the drawing, of the law that
every explored step must obey, and of the list of declared edges that no scope takes.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from transitions import Machine

from tierproof.model.language.errors import DesignError


@dataclass(frozen=True)
class Edge:
    """A declared transition of a lifecycle: `trigger` takes `source` to `target`."""

    trigger: str
    source: IntEnum
    target: IntEnum


Triple = tuple[str, IntEnum | Sequence[IntEnum], IntEnum]
"""A trigger, its source and its target."""


class Lifecycle:
    """The legal life of one enum-valued field.

    `values` is an IntEnum numbered 0, 1, 2, ...; `transitions` are triples
    (trigger, source or sources, target) as the `transitions` library takes them;
    `initial` defaults to the first value. A field annotated with the enum obeys the
    lifecycle without further mention. For the program counter of a thread, the actions of its
    Actor are edges too; then `transitions` holds what others do to the thread, such as a crash.
    Raises DesignError on a malformed declaration.
    """

    def __init__(
        self,
        values: type[IntEnum],
        transitions: Iterable[Triple] = (),
        *,
        initial: IntEnum | None = None,
        source: str = "",
    ) -> None:
        self.values, self.source = values, source
        self.name = values.__name__
        if [int(value) for value in values] != list(range(len(values))):
            raise DesignError(f"lifecycle {self.name}: values must be numbered 0, 1, 2, ...")
        if "__lifecycle__" in vars(values):
            raise DesignError(f"{self.name} already has a lifecycle")
        if not len(values) or not isinstance(initial, (values, type(None))):
            raise DesignError(f"lifecycle {self.name}: {initial!r} is not a value to start at")
        self.initial = values(0) if initial is None else initial
        self._take(_single_source(transitions))
        type.__setattr__(values, "__lifecycle__", self)

    def _take(self, triples: Iterable[tuple[str, IntEnum, IntEnum]]) -> None:
        self.machine = Machine(
            model=None, states=self.values, initial=self.initial, auto_transitions=False
        )
        self.edges = tuple(self._declare(*triple) for triple in triples)
        self.legal = frozenset((int(e.source), int(e.target)) for e in self.edges)

    def _declare(self, trigger: str, source: IntEnum, target: IntEnum) -> Edge:
        if not (isinstance(source, self.values) and isinstance(target, self.values)):
            raise DesignError(
                f"lifecycle {self.name}: {source!r} -> {target!r} is not an edge of it"
            )
        self.machine.add_transition(trigger, source, target)
        return Edge(trigger, source, target)

    def with_edges(self, triples: Iterable[Triple]) -> Lifecycle:
        """This lifecycle with the edges of a design's actions, which come first."""
        made = copy.copy(self)
        own = [(edge.trigger, edge.source, edge.target) for edge in self.edges]
        made._take([*_single_source(triples), *own])
        return made

    @property
    def law_name(self) -> str:
        """The name of this lifecycle's law in reports."""
        return f"{self.name}_lifecycle"

    @property
    def law_statement(self) -> str:
        """What this lifecycle's law says."""
        return f"{self.name} changes only along its declared edges."

    def allows(self, source: int, target: int) -> bool:
        """True if a step may change the field from `source` to `target` (staying is no step)."""
        return source == target or (source, target) in self.legal

    def __repr__(self) -> str:
        return f"Lifecycle({self.name}, {len(self.values)} values, {len(self.edges)} edges)"


def _single_source(
    transitions: Iterable[Triple],
) -> Iterable[tuple[str, IntEnum, IntEnum]]:
    for trigger, sources, target in transitions:
        for source in [sources] if isinstance(sources, (int, str)) else sources:
            yield trigger, source, target


def lifecycle_of(values: type[IntEnum]) -> Lifecycle | None:
    """The lifecycle declared for an enum, or None where any change is legal."""
    found = vars(values).get("__lifecycle__")
    return found if isinstance(found, Lifecycle) else None
