"""Places: the functions that say what a design does, each a place where a mutant may be.

These are guards, effects and the helpers that they call, as the design has them under its edits.
Properties judge mutants and are none; nor are ghosts' bookkeeping, limits of the scope, and what
the language writes for an actor's edge.
"""

from __future__ import annotations

import ast
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import Action, GuardKind
from tierproof.model.language.definitions import as_written
from tierproof.model.language.design import Design
from tierproof.model.language.layout import ghost_names
from tierproof.model.language.reading import Reader, tree
from tierproof.model.language.reading.ghosts import assigned_besides
from tierproof.model.language.reading.source import Source, lines_of
from tierproof.model.language.reading.walking import nodes_in

GUARD, EFFECT, HELPER, DROPPED_GUARD = "guard", "effect", "helper", "dropped guard"
"""The kinds of places."""


@dataclass(frozen=True)
class Place:
    """A function of a design, as it is written, or a guard that an action may lose.

    `actions` are those in whose steps it runs; `is_tested` says that a guard runs it, too, so that
    it runs without a step. A `DROPPED_GUARD` has the action's effect, and the name of the `guard`.
    """

    kind: str
    function: types.FunctionType = field(repr=False)
    actions: frozenset[str]
    is_tested: bool
    name: str
    guard: str = ""

    @property
    def module(self) -> str:
        """The module that holds the function."""
        return str(self.function.__module__)

    @property
    def file(self) -> str:
        """The file that holds the function."""
        return self.function.__code__.co_filename

    @cached_property
    def tree(self) -> ast.FunctionDef:
        """The function's definition."""
        return Source(self.function).tree

    @cached_property
    def lines(self) -> list[str]:
        """The lines of its file."""
        return lines_of(self.function)

    def own_text(self, lines: Sequence[str]) -> str:
        """The function alone, of lines that stand where those of its file do."""
        return textwrap.dedent("".join(lines[self.tree.lineno - 1 : self.tree.end_lineno]))

    @cached_property
    def text(self) -> str:
        """The function alone, as it is written; of a guard that is dropped, its name."""
        return self.guard or self.own_text(self.lines)

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """What names outside of the function mean in it."""
        function = self.function
        known = dict(function.__globals__)
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            if cell != types.CellType():
                known[name] = cell.cell_contents
        own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
        return {name: value for name, value in known.items() if name not in own}


def places_of(design: Design) -> list[Place]:
    """Every place of a design, by file and line; guards that may be dropped come with actions."""
    found = _Finding(design)
    for act in design.actions:
        found.look_at(act)
    places = [*found.places(), *_dropped_guards(design)]
    return sorted(places, key=lambda one: (one.module, one.function.__code__.co_firstlineno))


def _dropped_guards(design: Design) -> Iterator[Place]:
    for act in design.actions:
        for entry in act.guards:
            if entry.kind in (GuardKind.CONDITION, GuardKind.FENCE):
                effect: Any = as_written(act.effect)
                actions = frozenset({act.name})
                yield Place(DROPPED_GUARD, effect, actions, True, act.name, entry.name)


class _Finding:
    """The functions met so far: the kind of each, and in which steps it runs."""

    def __init__(self, design: Design) -> None:
        self.reader = Reader(design)
        self.ghosts = ghost_names(design.layout(self.reader.scope))
        self.kinds: dict[Callable[..., Any], str] = {}
        self.actions: dict[Callable[..., Any], set[str]] = {}
        self.tested: set[Callable[..., Any]] = set()

    def look_at(self, act: Action) -> None:
        """Meet the functions of an action."""
        for entry in act.guards:
            if not entry.is_limit:
                self._meet(self.reader.guard(act, entry), GUARD, act.name, is_tested=True)
        for part, _ in act.parts:
            kind = EFFECT if part is act.effect else HELPER
            self._meet(self.reader.effect(act, part), kind, act.name, is_tested=False)

    def _meet(self, function: tree.Function, kind: str, act: str, *, is_tested: bool) -> None:
        if function.assigns is not None and not any(assigned_besides(function, self.ghosts)):
            return  # bookkeeping of ghosts, which properties read
        written = as_written(function.source)
        before = self.actions.setdefault(written, set())
        if act in before and (written in self.tested or not is_tested):
            return
        before.add(act)
        if is_tested:
            self.tested.add(written)
        if self.kinds.get(written, HELPER) == HELPER:
            self.kinds[written] = kind
        for node in nodes_in(function.body):
            if isinstance(node, tree.Call):
                self._meet(node.function, HELPER, act, is_tested=is_tested)

    def places(self) -> Iterator[Place]:
        """A place for each function that is written in a file."""
        for function, kind in self.kinds.items():
            assert isinstance(function, types.FunctionType)
            if not function.__code__.co_filename.startswith("<"):
                actions = frozenset(self.actions[function])
                is_tested = function in self.tested
                yield Place(kind, function, actions, is_tested, function.__name__)
