"""Cups that overflow: nothing stops the pouring, so an effect assigns outside a domain."""

from typing import Annotated

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Range,
    Scope,
    State,
    action,
    bound,
    initial,
)


class Bar(Scope):
    cups: int = bound(1, 9, default=4)
    size: int = bound(1, 9, default=5)


class Cups(State):
    filled: Annotated[list[Annotated[int, Range(0, Bar.size)]], Array(Bar.cups)]


@initial
def empty(state: Cups) -> None:
    """All cups are empty."""


@action()
def waiter_pours(state: Cups, cup: Annotated[int, Index(Bar.cups)]) -> None:
    """One more unit, whatever the cup holds."""
    state.filled[cup] += 1


DESIGN = Design(
    name="overflowing",
    title="Cups that overflow",
    state=Cups,
    initial=(empty,),
    system=(waiter_pours,),
    scopes={"default": Bar()},
)
