"""Guard, Action and Step: what can happen, as data.

A guard tests, an effect assigns. Both are plain functions of the state, of the
action's parameters (quantified over the domains that annotate them) and, where they
ask for it by name, of the `scope`. An action is a slot with a stable name: edits
(`edits.py`) change its content.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any, Protocol

from tierproof.model.language.domains import NONE, Domain
from tierproof.model.language.errors import AssignmentInPredicate, DesignError
from tierproof.model.language.layout import domain_of, hints_of
from tierproof.model.language.purity import assignment_in
from tierproof.model.language.signatures import signature_of
from tierproof.model.language.templates import check_template

SCOPE = "scope"
"""A parameter of this name receives the Scope instead of being quantified over."""
STEP = "step"
"""A parameter of a step property that receives the Step."""


@dataclass(frozen=True)
class Predicate:
    """A named, pure function of the state: `arguments` are its parameter names after the first."""

    name: str
    function: Callable[..., bool]
    arguments: tuple[str, ...]

    @property
    def statement(self) -> str:
        """The first line of the docstring."""
        return first_line(self.function)

    def __call__(self, *arguments: Any) -> bool:
        return bool(self.function(*arguments))


class GuardKind(StrEnum):
    """What a condition of an action is for."""

    CONDITION = "condition"
    """An ordinary test of the design's code."""
    FENCE = "fence"
    """Safety depends on it."""
    LIMIT = "limit"
    """It keeps the exploration finite and is not part of the design."""
    EDGE = "edge"
    """It tests the program counter of a thread."""


@dataclass(frozen=True)
class Guard(Predicate):
    """A condition of an action.

    For a fence, `protects` names properties: when the fence is dropped, at least one of them
    breaks in the scope named `scope`. If no scope shows a violation, `stays` says why the
    fence is kept.
    """

    kind: GuardKind = GuardKind.CONDITION
    protects: tuple[str, ...] = ()
    scope: str = ""
    stays: str = ""

    @property
    def is_limit(self) -> bool:
        """Whether it belongs to the scope, not to the design."""
        return self.kind is GuardKind.LIMIT


Function = Callable[..., None]


@dataclass(frozen=True)
class Move:
    """The edge that an action takes: from one of `sources` (none: from anywhere) to a target.

    The edge itself assigns a single target; the effect chooses among several, or `last`; without a
    target the program counter does not change. `at` is the program counter of the `actor`.
    """

    actor: str
    at: str
    sources: tuple[IntEnum, ...]
    targets: tuple[IntEnum, ...]


@dataclass(frozen=True)
class Action:
    """A schema of steps: who acts, parameters, guards that must all hold, and the effect.

    `actor` and `to` are templates over the parameters (`"broker {broker}"`) naming the
    lifelines of a sequence diagram; `budget` is the field that one occurrence spends;
    `stutters` declares that taking it may leave the state as it was. `move` is the edge
    that its actor takes. Edits add functions that run in the same step: `first` before the
    effect, `also` after it. `last` assigns the actor's new program counter. `declared` is the
    effect with which it was declared: edits keep it, so it tells whose slot this is.
    """

    name: str
    effect: Function
    arguments: tuple[str, ...]
    parameters: Mapping[str, Domain]
    guards: tuple[Guard, ...]
    actor: str = ""
    to: str = ""
    budget: str | None = None
    stutters: bool = False
    move: Move | None = None
    first: tuple[Function, ...] = ()
    also: tuple[Function, ...] = ()
    last: tuple[Function, ...] = ()
    declared: Function | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.declared is None:
            object.__setattr__(self, "declared", self.effect)
        for part, template in self.templates.items():
            check_template(f"`{part}` of action {self.name!r}", template, tuple(self.parameters))
        for entry in self.guards:
            _check_guard(self, entry)
        for function, arguments in self.parts:
            _check_parameters(self, f"effect {function.__name__!r}", arguments)

    @property
    def templates(self) -> dict[str, str]:
        """Each field that is a template, with its text."""
        return {"actor": self.actor, "to": self.to}

    @property
    def statement(self) -> str:
        """The first line of the effect's docstring."""
        return first_line(self.effect)

    @cached_property
    def parts(self) -> tuple[tuple[Function, tuple[str, ...]], ...]:
        """Each function that runs in one step, with its arguments, in order."""
        functions = (*self.first, self.effect, *self.also, *self.last)
        return tuple((function, arguments_of(function)) for function in functions)

    @property
    def guards_by_depth(self) -> tuple[tuple[Guard, ...], ...]:
        """Entry n: the guards that can be tested once the first n parameters are bound.

        Guards keep their order, as a later one may rely on an earlier one.
        """
        depth_of = {name: depth for depth, name in enumerate(self.parameters, start=1)}
        found: list[list[Guard]] = [[] for _ in range(len(depth_of) + 1)]
        least = 0
        for entry in self.guards:
            least = max([least, *(depth_of.get(name, 0) for name in entry.arguments)])
            found[least].append(entry)
        return tuple(tuple(entries) for entries in found)

    def with_guards(self, guards: Sequence[Guard]) -> Action:
        """The same action under other guards."""
        return replace(self, guards=tuple(guards))

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True)
class Step:
    """One occurrence of an action, with the values of its parameters in order.

    A step property that takes a `step` can test its action (`step.action == "copy_ends"`)
    and read its arguments (`step.segment`, NONE if the action has no such parameter).
    """

    action: str
    arguments: tuple[tuple[str, Any], ...] = ()

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        return next((int(value) for key, value in self.arguments if key == name), NONE)

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={_plain(value)}" for name, value in self.arguments)
        return f"{self.action}({inside})"


def guard(function: Callable[..., bool]) -> Guard:
    """Declare a guard of the design. Raises AssignmentInPredicate if it assigns."""
    arguments = arguments_of(function)
    return Guard(function.__name__, pure(function, "guard"), arguments)


def limit(function: Callable[..., bool]) -> Guard:
    """Declare a guard that keeps the exploration in scope; it is never ablated."""
    return replace(guard(function), kind=GuardKind.LIMIT)


class _Named(Protocol):
    """A property, by itself."""

    @property
    def name(self) -> str: ...


def fence(
    *, protects: str | _Named | Sequence[str | _Named] = (), scope: str = "", stays: str = ""
) -> Callable[[Callable[..., bool]], Guard]:
    """Declare a guard that safety depends on.

    Without the guard, a property in `protects` breaks in the named `scope`; the docstring
    argues why. If dropping the fence breaks nothing in any scope, `stays` says why it is kept.
    Raises DesignError if neither is given.
    """
    named = (
        [protects] if isinstance(protects, str) or not isinstance(protects, Sequence) else protects
    )
    names = tuple(one if isinstance(one, str) else one.name for one in named)

    def declare(function: Callable[..., bool]) -> Guard:
        if not (stays or (names and scope)):
            raise DesignError(
                f"fence {function.__name__!r} says neither which property it protects in which "
                "scope (`protects=`, `scope=`) nor why it stays (`stays=`)"
            )
        found = guard(function)
        return replace(found, kind=GuardKind.FENCE, protects=names, scope=scope, stays=stays)

    return declare


def action(
    *,
    guards: Sequence[Guard] = (),
    actor: str = "",
    to: str = "",
    budget: str | None = None,
    stutters: bool = False,
) -> Callable[[Callable[..., None]], Action]:
    """Declare an action whose effect is the decorated function. Raises DesignError."""

    def declare(effect: Callable[..., None]) -> Action:
        arguments, name = arguments_of(effect), effect.__name__
        hints = hints_of(effect, f"action {name}")
        parameters = {}
        for argument in arguments:
            if argument == SCOPE:
                continue
            if argument not in hints:
                raise DesignError(f"action {name}: parameter {argument!r} has no domain annotation")
            parameters[argument], _ = domain_of(hints[argument], f"action {name}, {argument}")
        return Action(
            name, effect, arguments, parameters, tuple(guards), actor, to, budget, stutters
        )

    return declare


def _check_guard(act: Action, entry: Guard) -> None:
    """Raise DesignError unless `entry` is a guard that `act` has the parameters for."""
    if not isinstance(entry, Guard):
        raise DesignError(f"action {act.name}: {entry!r} is not a guard; decorate it with @guard")
    _check_parameters(act, f"guard {entry.name!r}", entry.arguments)


def _check_parameters(act: Action, what: str, arguments: Sequence[str]) -> None:
    missing = set(arguments) - set(act.parameters) - {SCOPE}
    if missing:
        raise DesignError(
            f"{what} of action {act.name!r} needs {', '.join(sorted(missing))}, "
            f"which the action has not: it has {', '.join(act.parameters) or 'none'}"
        )


def arguments_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the parameters after the state(s), which come first and are not counted."""
    if not isinstance(function, types.FunctionType):
        raise DesignError(f"{function!r} is no plain function: write it with `def`")
    names = tuple(signature_of(function).parameters)
    if not names:
        raise DesignError(f"{function.__name__} takes no state")
    return names[1:]


def pure(function: Callable[..., Any], role: str) -> Callable[..., Any]:
    """Return `function` if it does not assign; raise AssignmentInPredicate otherwise."""
    assignment = assignment_in(function)
    if assignment:
        raise AssignmentInPredicate(
            f"{role} {function.__name__!r} assigns: {assignment}; only an effect may assign"
        )
    return function


def first_line(function: Callable[..., Any]) -> str:
    """The first line of a docstring, or nothing."""
    return (inspect.getdoc(function) or "").partition("\n")[0]


def _plain(value: Any) -> str:
    return getattr(value, "name", None) or repr(value)
