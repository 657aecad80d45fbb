"""Loops that end in some states and not in others: only Ctrl-C ends a search of these designs."""

from typing import Annotated, Any

from tierproof.model.language import (
    Design,
    Index,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    liveness,
)


class Yard(Scope):
    places: int = bound(2, 9, default=6)


class Walker(State):
    place: Annotated[int, Index(Yard.places)]


@initial
def at_the_gate(state: Walker) -> None:
    """The first place."""


@action()
def walker_goes_on(state: Walker, scope: Yard) -> None:
    """To the next place; from the last to the first."""
    state.place = (state.place + 1) % scope.places


@action(stutters=True)
def walker_turns_round(state: Walker) -> None:
    """Back to the gate, unless it is place 2: it turns there for ever."""
    while state.place != 0:
        if state.place != 2:
            state.place = state.place - 1
    state.place = 1


@action(stutters=True)
def walker_counts(state: Walker) -> None:
    """Count the stars at place 2: there are too many."""
    found = 0
    if state.place == 2:
        for star in range(state.place, 1 << 60):
            found = (found + star * star) % 7
    state.place = 1 + found // 7


@action(stutters=True)
def walker_counts_by_threes(state: Walker) -> None:
    """As `walker_counts`, every third star from the last."""
    found = 0
    if state.place == 2:
        for star in range(1 << 60, state.place, -3):
            found = (found + star) % 7
    state.place = 1 + found // 7


@guard
def sees_no_end(state: Walker) -> bool:
    """Look for it at place 2."""
    return state.place != 2 or sum(1 for star in range(1 << 60) if star % 7 == 3) > 0


@action(guards=[sees_no_end], stutters=True)
def walker_looks(state: Walker) -> None:
    """Back to place 1."""
    state.place = 1


@invariant()
def stars_are_few(state: Walker) -> bool:
    """No star has a number that cannot be: whoever looks through all at place 2 does not end."""
    return state.place != 2 or all(star >= 0 for star in range(state.place, 1 << 60))


@liveness(weak=[walker_goes_on])
def comes_home(state: Walker) -> bool:
    """The walker comes to the gate; at place 2 nobody ends thinking about it."""
    thought = state.place
    while thought == 2:
        thought = state.place
    return thought == 0


def yard(name: str, **parts: Any) -> Design:
    """A design with these parts beside the walker who goes on."""
    return Design(
        name=name,
        title="A walk that is stopped by a loop",
        state=Walker,
        initial=(at_the_gate,),
        system=(walker_goes_on, *parts.pop("system", ())),
        scopes={"only": Yard()},
        **parts,
    )


EFFECT = yard("effect", system=(walker_turns_round,))
RANGE = yard("range", system=(walker_counts,))
STEPS_OF_THREE = yard("steps_of_three", system=(walker_counts_by_threes,))
GUARD = yard("guard", system=(walker_looks,))
INVARIANT = yard("invariant", properties=(stars_are_few,))
GOAL = yard("goal", properties=(comes_home,))
