"""Properties: what must never happen, and what must be possible.

- an **invariant** holds in every state;
- a **step property** holds of every step, from the state before to the state after;
- a **witness** is a state that must be reachable, so that the rest is not vacuous;
- **deadlock_free** asks that every state has a step;
- the **law** of a Lifecycle is checked without being asked for.

The docstring's first line is the proposition; the rest says why Kafka believes it,
when it is legitimately suspended, and what is not checked.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from model.language.actions import SCOPE, Guard, Predicate, pure
from model.language.errors import DesignError


class PropertyKind(StrEnum):
    """How a property is checked."""

    INVARIANT = "invariant"
    STEP = "step property"
    WITNESS = "witness"
    DEADLOCK = "deadlock"
    LAW = "lifecycle law"


@dataclass(frozen=True)
class Property(Predicate):
    """A proposition about a design.

    `premise` is the part of an invariant that says where it bites: states in which it
    is true are counted, so that a property that never checked anything is reported.
    """

    kind: PropertyKind = PropertyKind.INVARIANT
    source: str = ""
    premise: Guard | None = None

    def __hash__(self) -> int:
        return hash(self.name)


class _Declaration(Protocol):
    def __call__(self, function: Callable[..., bool], /) -> Property: ...


def invariant(*, source: str = "", premise: Guard | None = None) -> _Declaration:
    """Declare `function(state)` or `function(state, scope)` true in every state."""
    return _declaration(PropertyKind.INVARIANT, 1, source, premise)


def step_property(*, source: str = "") -> _Declaration:
    """Declare `function(before, after)` or `function(before, after, scope)` true of every step."""
    return _declaration(PropertyKind.STEP, 2, source, None)


def witness(*, source: str = "") -> _Declaration:
    """Declare that some reachable state satisfies `function(state)`."""
    return _declaration(PropertyKind.WITNESS, 1, source, None)


def _declaration(
    kind: PropertyKind, states: int, source: str, premise: Guard | None
) -> _Declaration:
    def declare(function: Callable[..., bool]) -> Property:
        names = tuple(inspect.signature(function).parameters)
        extra = names[states:]
        if len(names) < states or extra not in ((), (SCOPE,)):
            wanted = "state" if states == 1 else "before, after"
            raise DesignError(
                f"{kind} {function.__name__!r} takes ({wanted}) or ({wanted}, scope), not {names}"
            )
        name = function.__name__
        if premise is not None and set(premise.arguments) - {SCOPE}:
            raise DesignError(
                f"premise {premise.name!r} of {name!r} takes (state) or (state, scope)"
            )
        return Property(name, pure(function, str(kind)), extra, kind, source, premise)

    return declare


def _always(state: Any) -> bool:
    """Some step is possible in every state."""
    return True


deadlock_free = Property(
    "deadlock_free", _always, (), PropertyKind.DEADLOCK, "TLC's deadlock check"
)
"""Every state within the bounds has a step. Claimed by a design like any property."""
