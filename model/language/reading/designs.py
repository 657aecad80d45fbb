"""Reading a design: every function of it as a typed tree, or a refusal when it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from model.language.actions import SCOPE, Action, Guard, Predicate
from model.language.domains import Domain
from model.language.errors import OutsideLanguage
from model.language.layout import layout_of
from model.language.properties import Property, PropertyKind
from model.language.reading.functions import read_function
from model.language.reading.tree import Function
from model.language.reading.types import (
    NOTHING,
    ScopeType,
    Type,
    is_scalar,
    state_type,
    type_of_values,
)

if TYPE_CHECKING:
    from model.language.design import Design


class Reader:
    """The functions of a design as typed trees."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.scope = next(iter(design.scopes.values()))
        self.state = state_type(layout_of(design.state, self.scope))

    def guard(self, act: Action, entry: Guard) -> Function:
        """A guard, for the parameters of an action."""
        kinds = self._types(entry.arguments, act.parameters)
        return _telling(read_function(entry.function, (self.state, *kinds)))

    def effect(self, act: Action) -> Function:
        """What an action does."""
        return read_function(act.effect, (self.state, *self._types(act.arguments, act.parameters)))

    def predicate(self, entry: Predicate) -> Function:
        """A property, premise or bound: of one state, or of two if it is of a step."""
        is_step = isinstance(entry, Property) and entry.kind is PropertyKind.STEP
        states = (self.state, self.state) if is_step else (self.state,)
        return _telling(read_function(entry.function, (*states, *self._types(entry.arguments, {}))))

    def check(self) -> None:
        """Read everything that is compiled. Raises OutsideLanguage where that cannot be.

        Initial states are made by CPython, so that they may use all of Python.
        """
        design = self.design
        for act in design.actions:
            for entry in act.guards:
                self.guard(act, entry)
            self.effect(act)
        for claim in design.checked:
            self.predicate(claim)
            if claim.premise is not None:
                self.predicate(claim.premise)
        if design.bounds is not None:
            self.predicate(design.bounds)

    def _types(
        self, arguments: Iterable[str], parameters: Mapping[str, Domain]
    ) -> tuple[Type, ...]:
        return tuple(
            ScopeType(type(self.scope))
            if name == SCOPE
            else type_of_values(parameters[name].sized(self.scope).enum)
            for name in arguments
        )


def _telling(function: Function) -> Function:
    """`function`, which has to say whether something is true."""
    if not is_scalar(function.result):
        code = function.source.__code__
        what = "nothing" if function.result == NOTHING else str(function.result)
        raise OutsideLanguage(
            f"{code.co_filename}:{code.co_firstlineno}: {function.name!r} returns {what}; "
            "return True or False"
        )
    return function
