"""Judging: one function, for arguments of known sorts; what its parts need of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.errors import Asymmetric
from tierproof.model.language.reading import tree
from tierproof.model.language.reading.source import spot_of
from tierproof.model.language.scope import Expression
from tierproof.model.language.symmetry.facts import (
    Path,
    changes_state,
    facts_of,
    is_variable,
    names_in,
)
from tierproof.model.language.symmetry.sorts import Number, Sort, in_words, joined


@dataclass(frozen=True)
class Judged:
    """What a function returns, and a place at which it can fail, if any."""

    result: Sort
    fails: tree.Spot | None


class Judging(ABC):
    """One pass over a function. `facts` are paths that are not NONE here.

    `assigned` are the variables that have a value before
    the statement under way; `fails` is a place passed so far at which a value can be an error, and
    `risky` has the ids of the `and` and `or` of which a later operand can be one.
    """

    def __init__(
        self,
        function: tree.Function,
        variables: dict[str, Sort],
        bounds: dict[str, Expression],
        alike: tuple[Expression, ...],
    ) -> None:
        self.function, self.variables = function, variables
        self.bounds, self.alike = bounds, alike
        self.assigned = set(variables)
        self.facts: frozenset[Path] = frozenset()
        self.fails: tree.Spot | None = None
        self.risky: set[int] = set()
        self.sorts: dict[int, Sort] = {}
        self.result: Sort | None = None
        self.is_widened = False
        self.spots = [spot_of(function.source)]

    @abstractmethod
    def sort(self, node: tree.Expression) -> Sort:
        """The sort of an expression. Raises Asymmetric."""

    def known(self, node: tree.Expression) -> Sort:
        """The sort of an expression that was judged before, where it stands."""
        return self.sorts[id(node)]

    @abstractmethod
    def call(self, function: tree.Function, given: tuple[Sort, ...]) -> Judged:
        """What a function is for arguments of these sorts. Raises Asymmetric."""

    @abstractmethod
    def argument(self, name: str) -> Sort:
        """The sort of a step's argument of that name. Raises Asymmetric."""

    @contextmanager
    def at(self, node: Any) -> Iterator[None]:
        """Within, an error is at the place of this node, if it has one."""
        spot = getattr(node, "spot", None)
        self.spots.append(spot or self.spots[-1])
        yield
        self.spots.pop()

    def refuse(self, what: str, instead: str, spot: tree.Spot | None = None) -> Asymmetric:
        """An error that names the place, what distinguishes alike things, and what to write."""
        there = spot or self.spots[-1]
        shown = f"`{there.text}` {what}" if there.text else what
        return Asymmetric(f"{there}: in {self.function.name!r}, {shown}; {instead}")

    def fail(self) -> None:
        """Record that the value under way can be an error."""
        self.fails = self.fails or self.spots[-1]

    def number(self, node: tree.Expression, does: str, instead: str) -> None:
        """Raise Asymmetric unless a value is a number."""
        found = self.sort(node)
        if joined(found, Number()) is None:
            raise self.refuse(f"{does} {in_words(found)}", instead)

    def both(self, one: Sort, other: Sort, does: str, instead: str) -> Sort:
        """The sort of two values that are compared or mixed. Raises Asymmetric."""
        found = joined(one, other)
        if found is None:
            raise self.refuse(f"{does} {in_words(one)} and {in_words(other)}", instead)
        return found

    def set_variable(self, name: str, sort: Sort) -> None:
        """Record that a variable may hold a value of this sort."""
        known = self.variables.get(name, sort)
        found = self.both(known, sort, f"lets {name.partition('.')[0]!r} be both", "use two names")
        self.is_widened |= found != known or name not in self.variables
        self.variables[name] = found
        self.facts = frozenset(fact for fact in self.facts if name not in names_in(fact))

    def shown(self, test: tree.Expression, is_true: bool) -> frozenset[Path]:
        """The paths that are not NONE after a test that was judged is true, or false."""
        found = facts_of(test, is_true, self.known)
        return found if not changes_state(test) else frozenset(filter(is_variable, found))

    def forget_state(self) -> None:
        """Drop what was known of the state before an assignment to it."""
        self.facts = frozenset(filter(is_variable, self.facts))
