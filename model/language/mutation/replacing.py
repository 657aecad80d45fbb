"""A design with one mutant in it: what it does is changed, and what judges it is not.

The functions of actions that call the changed one are copied, and the copies call the mutant.
Initial states, properties, ghosts' bookkeeping and limits stay as they are written.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tierproof.model.language.actions import Action, Guard, Predicate
from tierproof.model.language.definitions import as_written, copied
from tierproof.model.language.design import Design
from tierproof.model.language.layout import ghost_names
from tierproof.model.language.mutation.mutants import Mutant
from tierproof.model.language.mutation.places import DROPPED_GUARD
from tierproof.model.language.purity import referenced
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.ghosts import assigned_besides

Function = Callable[..., Any]


def mutated(design: Design, mutant: Mutant) -> Design:
    """`design` with one mutant. Raises DesignError if the language refuses its text."""
    if mutant.place.kind == DROPPED_GUARD:
        return _with_actions(design, lambda act: _without_guard(act, mutant))
    with_mutant = _Replacing(mutant)
    reader = Reader(design)
    ghosts = ghost_names(design.layout(reader.scope))

    def effect(act: Action, function: Function) -> Function:
        read = reader.effect(act, function)
        if read.assigns is not None and not any(assigned_besides(read, ghosts)):
            return function
        return with_mutant.function(function)

    def changed(act: Action) -> Action:
        parts: dict[str, Any] = {
            part: tuple(effect(act, one) for one in getattr(act, part))
            for part in ("first", "also", "last")
        }
        guards = tuple(one if one.is_limit else with_mutant.value(one) for one in act.guards)
        return replace(act, effect=effect(act, act.effect), guards=guards, **parts)

    return _with_actions(design, changed)


def _with_actions(design: Design, change: Callable[[Action], Action]) -> Design:
    return replace(
        design,
        system=tuple(map(change, design.system)),
        environment=tuple(map(change, design.environment)),
    )


def _without_guard(act: Action, mutant: Mutant) -> Action:
    if act.name not in mutant.place.actions:
        return act
    return act.with_guards([one for one in act.guards if one.name != mutant.guard])


class _Replacing:
    """Copies of functions that call a mutant, each made once."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self._made: dict[Function, Function] = {}

    def function(self, given: Function) -> Function:
        """`given`, or the mutant of it, or a copy that calls the mutant."""
        if given not in self._made:
            self._made[given] = given  # a function that calls itself is refused elsewhere
            names = self._names(given)
            if as_written(given) is self.mutant.place.function:
                self._made[given] = copied(given, names, self.mutant.code)
            elif names:
                self._made[given] = copied(given, names)
        return self._made[given]

    def value(self, given: Any) -> Any:
        """What a name means with the mutant in place: a function, a guard, an action, another."""
        if isinstance(given, types.FunctionType):
            return self.function(given)
        if isinstance(given, (Guard, Predicate)):
            function = self.function(given.function)
            return given if function is given.function else replace(given, function=function)
        if isinstance(given, Action):
            effect = self.function(given.effect)
            return given if effect is given.effect else replace(given, effect=effect)
        return given

    def _names(self, caller: Function) -> dict[str, Any]:
        """The names in `caller` that mean something else with the mutant in place."""
        asked = {*caller.__code__.co_names}
        found = {}
        for name, value in referenced(caller).items():
            is_module = isinstance(value, types.ModuleType)
            new = self._module(value, asked) if is_module else self.value(value)
            if new is not value:
                found[name] = new
        return found

    def _module(self, given: types.ModuleType, asked: set[str]) -> types.ModuleType:
        """A module whose functions are called through it, with the mutant among them."""
        known = {name: value for name, value in vars(given).items() if name in asked}
        new = {name: self.value(value) for name, value in known.items()}
        if all(new[name] is value for name, value in known.items()):
            return given
        made = types.ModuleType(given.__name__)
        vars(made).update({**vars(given), **new})
        return made
