"""Properties: what must never happen, and what must be possible.

- an **invariant** holds in every state;
- a **step property** holds of every step, from the state before to the state after;
- a **witness** is a state that must be reachable, so that the rest is not vacuous;
- **deadlock_free** asks that every state has a step;
- a **liveness** property holds of every behaviour: whenever its premise holds, its goal
  holds then or later, provided that its fair steps are not postponed for ever; one that `stays`
  asks that the goal holds from some later state on, for good;
- the **law** of a Lifecycle is always checked.

The docstring's first line is the proposition; the rest says why the system is believed to have it,
when it may legitimately not hold, and what is not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from tierproof.model.language.actions import (
    SCOPE,
    STEP,
    Action,
    Guard,
    Predicate,
    arguments_of,
    guard,
    pure,
)
from tierproof.model.language.errors import DesignError


class PropertyKind(StrEnum):
    """How a property is checked."""

    INVARIANT = "invariant"
    STEP = "step property"
    WITNESS = "witness"
    DEADLOCK = "deadlock"
    LIVENESS = "liveness"
    LAW = "lifecycle law"


@dataclass(frozen=True)
class Fairness:
    """The steps that are not postponed for ever, by the names of their actions.

    Each *instance* of a named action (the action with its arguments, such as the reads of one
    broker) is fair by itself. A **weakly** fair instance that stays enabled is eventually taken;
    a **strongly** fair instance is taken if it is enabled again and again. Enabled means that
    its step would change the state. `weak` is None for all actions of the design's system.
    Environment actions are fair only if named: no fault and no user ever has to act.
    """

    weak: tuple[str, ...] | None = None
    strong: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Every action that is named here."""
        return (*(self.weak or ()), *self.strong)

    @property
    def statement(self) -> str:
        """The fairness assumption in words."""
        weak = "every system action" if self.weak is None else ", ".join(self.weak)
        stated = [("weakly fair", weak), ("strongly fair", ", ".join(self.strong))]
        return "; ".join(f"{how}: {names}" for how, names in stated if names) or "nothing is fair"

    def among(self, actions: Collection[str]) -> Fairness:
        """A copy without actions that a design does not have; `actions` are those it has."""
        kept = [
            tuple(name for name in given if name in actions)
            for given in (self.weak or (), self.strong)
        ]
        return Fairness(None if self.weak is None else kept[0], kept[1])


@dataclass(frozen=True)
class Property(Predicate):
    """A proposition about a design.

    `premise` of an invariant says in which states the invariant has something to check. States
    in which the premise is true are counted, so that a vacuous property is reported. After the
    premise of a liveness property, the goal is awaited; where it `stays`, for good.
    """

    kind: PropertyKind = PropertyKind.INVARIANT
    source: str = ""
    premise: Guard | None = None
    fairness: Fairness | None = None
    stays: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells the claim from another of the same functions."""
        return (self.name, str(self.kind), self.fairness, *(("stays",) if self.stays else ()))

    def fair_to(self, actions: Collection[str]) -> Property:
        """A copy without actions that a design does not have; `actions` are those it has."""
        if self.fairness is None:
            return self
        return replace(self, fairness=self.fairness.among(actions))

    def __hash__(self) -> int:
        return hash(self.name)


def functions_of(claim: Property) -> tuple[Callable[..., bool], ...]:
    """The functions that a property consists of: what it asks, and its premise."""
    return (claim.function, *((claim.premise.function,) if claim.premise else ()))


class _Declaration(Protocol):
    def __call__(self, function: Callable[..., bool], /) -> Property: ...


Premise = Guard | Callable[..., bool]
"""A guard, or a function `(state)` or `(state, scope)`."""


def invariant(*, source: str = "", premise: Premise | None = None) -> _Declaration:
    """Declare `function(state)` or `function(state, scope)` true in every state."""
    return _declaration(PropertyKind.INVARIANT, 1, source, premise)


def step_property(*, source: str = "") -> _Declaration:
    """Declare `function(before, after)` true of every step; it may also take `step` and `scope`."""
    return _declaration(PropertyKind.STEP, 2, source, None)


def witness(*, source: str = "") -> _Declaration:
    """Declare that some reachable state satisfies `function(state)`."""
    return _declaration(PropertyKind.WITNESS, 1, source, None)


def liveness(
    *,
    source: str = "",
    premise: Premise | None = None,
    weak: Iterable[str | Action] | None = None,
    strong: Iterable[str | Action] = (),
    stays: bool = False,
) -> _Declaration:
    """Declare that `function(state)`, the goal, holds again and again; or, of a `premise`,
    that whenever it holds the goal holds then or later (premise leads to goal).

    With `stays` the goal has to hold from some state on for ever (of a premise: whenever that
    holds). A goal that comes and goes without end satisfies the one, and violates the other.

    `weak` and `strong` name the fair actions, see `Fairness`: without `weak`, every system
    action is weakly fair. A behaviour that stays within the scope for ever without the
    goal violates it: a fair cycle, or an end in which no fair step is left.

    Limits and bounds exist only to keep the scope finite. Where one of them stops a fair step,
    the outcome of that step is unknown: a behaviour that waits there is no counterexample, and
    the state is counted in `limited_states` of the result. So leave actions that a limit always
    stops in the end out of `weak`, such as the appends of a producer: no producer has to append
    for ever, and its limit would excuse every end.
    """

    def declare(function: Callable[..., bool]) -> Property:
        chosen = None if weak is None else _action_names(weak)
        fairness = Fairness(chosen, _action_names(strong))
        made = _declaration(PropertyKind.LIVENESS, 1, source, premise)(function)
        return replace(made, fairness=fairness, stays=stays)

    return declare


def _action_names(actions: Iterable[str | Action]) -> tuple[str, ...]:
    return tuple(entry if isinstance(entry, str) else entry.name for entry in actions)


def _declaration(
    kind: PropertyKind, states: int, source: str, premise: Premise | None
) -> _Declaration:
    told = premise if isinstance(premise, Guard | None) else guard(premise)

    def declare(function: Callable[..., bool]) -> Property:
        names = ("state", *arguments_of(function))
        extra = names[states:]
        known = {SCOPE, STEP} if states == 2 else {SCOPE}
        if len(names) < states or set(extra) - known:
            wanted = "(state)" if states == 1 else "(before, after), perhaps with step"
            raise DesignError(
                f"{kind} {function.__name__!r} takes {wanted}, perhaps with scope, not {names}"
            )
        name = function.__name__
        if told is not None and set(told.arguments) - {SCOPE}:
            raise DesignError(f"premise {told.name!r} of {name!r} takes (state) or (state, scope)")
        return Property(name, pure(function, str(kind)), extra, kind, source, told)

    return declare


def _always(state: Any) -> bool:
    """Some step is possible in every state."""
    return True


deadlock_free = Property(
    "deadlock_free", _always, (), PropertyKind.DEADLOCK, "TLC's deadlock check"
)
"""Every state within the bounds has a step. Claimed by a design like any property."""
