"""Initial: how a design may begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tierproof.model.language.actions import SCOPE, arguments_of
from tierproof.model.language.domains import Domain
from tierproof.model.language.layout import domain_of, hints_of


@dataclass(frozen=True)
class Initial:
    """An initial assignment: runs on a state of start values, once per parameter value."""

    name: str
    effect: Callable[..., None]
    arguments: tuple[str, ...]
    parameters: Mapping[str, Domain]
    first: tuple[Callable[..., None], ...] = ()
    also: tuple[Callable[..., None], ...] = ()

    @property
    def parts(self) -> tuple[tuple[Callable[..., None], tuple[str, ...]], ...]:
        """Each function that assigns, with its arguments, in order."""
        functions = (*self.first, self.effect, *self.also)
        return tuple((function, arguments_of(function)) for function in functions)

    def __hash__(self) -> int:
        return hash(self.name)


def initial(effect: Callable[..., None]) -> Initial:
    """Declare initial states: the decorated function assigns to a state of start values."""
    hints = hints_of(effect, f"initial {effect.__name__}")
    arguments = arguments_of(effect)
    parameters = {
        name: domain_of(hints.get(name), f"initial {effect.__name__}, {name}")[0]
        for name in arguments
        if name != SCOPE
    }
    return Initial(effect.__name__, effect, arguments, parameters)
