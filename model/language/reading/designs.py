"""Reading a design: every function of it as a typed tree, or a refusal when it is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tierproof.model.language.actions import SCOPE, STEP, Action, Guard, Predicate, arguments_of
from tierproof.model.language.domains import Domain
from tierproof.model.language.errors import AssignmentInPredicate, OutsideLanguage, closest
from tierproof.model.language.initial import Initial
from tierproof.model.language.layout import layout_of
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.reading.functions import look_again, read_function
from tierproof.model.language.reading.source import spot_of
from tierproof.model.language.reading.tree import Function
from tierproof.model.language.reading.types import (
    NOTHING,
    STEP_TYPE,
    ScopeType,
    Type,
    is_scalar,
    state_type,
    type_of_values,
)
from tierproof.model.language.reading.walking import asked_of_a_step
from tierproof.model.language.signatures import check_unaltered, signature_of

if TYPE_CHECKING:
    from tierproof.model.language.design import Design


class Reader:
    """The functions of a design as typed trees."""

    def __init__(self, design: Design) -> None:
        look_again()
        self.design = design
        self.scope = next(iter(design.scopes.values()))
        self.state = state_type(layout_of(design.state, self.scope))
        self._known: set[Callable[..., Any]] = set()
        for entry in design.initial:
            for part, _ in entry.parts:
                check_unaltered(part)

    def guard(self, act: Action, entry: Guard) -> Function:
        """A guard, for the parameters of an action."""
        kinds = self._types(entry.arguments, act.parameters)
        return _telling(self._read(entry.function, (self.state, *kinds)))

    def effects(self, act: Action | Initial) -> list[tuple[Function, tuple[str, ...]]]:
        """Each function that runs in one step, or makes an initial state, and its arguments."""
        return [(self.effect(act, part), names) for part, names in act.parts]

    def effect(self, act: Action | Initial, part: Callable[..., Any]) -> Function:
        """One of the functions that run in a step of an action, or make an initial state."""
        kinds = self._types(arguments_of(part), act.parameters)
        return self._read(part, (self.state, *kinds))

    def predicate(self, entry: Predicate) -> Function:
        """A property, premise or bound: of one state, or of two states if it judges steps."""
        is_step = isinstance(entry, Property) and entry.kind is PropertyKind.STEP
        states = (self.state, self.state) if is_step else (self.state,)
        found = self._read(entry.function, (*states, *self._types(entry.arguments, {})))
        if STEP in entry.arguments:
            self._check_asked(found)
        return _telling(found)

    def _check_asked(self, function: Function) -> None:
        """Raise for an action or an argument that no step has, or that is not a number."""
        actions, asked = asked_of_a_step(function)
        known, what = self.design.vocabulary, f"that {function.name!r} asks a step for"
        for name in sorted(actions):
            closest(f"action {what}", name, known.actions)
        for name in sorted(asked):
            closest(f"parameter {what}", name, known.parameters)
        for act in self.design.actions:
            for name, domain in act.parameters.items():
                if name in asked and domain.sized(self.scope).is_set:
                    raise OutsideLanguage(
                        f"{spot_of(function.source)}: {function.name!r} asks a step for {name!r}, "
                        f"which is a set in action {act.name!r}; ask what the states say of it"
                    )

    def _read(self, function: Callable[..., Any], kinds: tuple[Type, ...]) -> Function:
        found = read_function(function, kinds)
        if function not in self._known:
            _positional(function)
            self._known.add(function)
        return found

    def check(self) -> None:
        """Read every function that is compiled. Raises OutsideLanguage if one cannot be compiled.

        Initial states may use all of Python: what cannot be compiled, CPython makes.
        """
        design = self.design
        for act in design.actions:
            for entry in act.guards:
                self.guard(act, entry)
            self.effects(act)
        for claim in design.checked:
            self.predicate(claim)
            if claim.premise is not None:
                self.predicate(claim.premise)
        if design.bounds is not None:
            self.predicate(design.bounds)

    def _types(
        self, arguments: Iterable[str], parameters: Mapping[str, Domain]
    ) -> tuple[Type, ...]:
        given: dict[str, Type] = {SCOPE: ScopeType(type(self.scope)), STEP: STEP_TYPE}
        return tuple(
            type_of_values(parameters[name].sized(self.scope))
            if name in parameters
            else given[name]
            for name in arguments
        )


def _telling(function: Function) -> Function:
    """`function`, which returns a bool and assigns nothing."""
    if function.assigns is not None:
        raise AssignmentInPredicate(
            f"{function.assigns}: {function.name!r} assigns, here or in what it calls: "
            f"`{function.assigns.text}`; only an effect may assign"
        )
    if not is_scalar(function.result):
        what = "nothing" if function.result == NOTHING else str(function.result)
        raise OutsideLanguage(
            f"{spot_of(function.source)}: {function.name!r} returns {what}; return True or False"
        )
    return function


def _positional(function: Callable[..., Any]) -> None:
    """Raise OutsideLanguage for keyword-only parameters: arguments are passed by position."""
    for parameter in signature_of(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            raise OutsideLanguage(
                f"{spot_of(function)}: in {function.__name__!r}, the parameter "
                f"{parameter.name!r} stands behind a *; take the * out"
            )
