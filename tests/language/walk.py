"""A walker on a lane of places, for the tests of the interpreter."""

from enum import IntEnum
from typing import Annotated, Any

from tierproof.model.language import (
    Design,
    Index,
    Initial,
    Interpreter,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
)


class Lane(Scope):
    places: int = bound(1, 9, default=3)
    walkers: int = bound(0, 3, default=2)


class Way(IntEnum):
    BACK = 0
    ON = 1


Place = Annotated[int, Range(0, Lane.places - 1)]
Walker = Annotated[int, Index(Lane.walkers)]


class Walk(State):
    at: Place
    turned: bool


@initial
def somewhere(state: Walk, at: Place, turned: bool) -> None:
    """Any place, facing any way."""
    state.at = at
    state.turned = turned


@initial
def first_place(state: Walk) -> None:
    """The first place, which `somewhere` has too."""


@initial
def last_place(state: Walk, scope: Lane) -> None:
    """The last place of the scope."""
    state.at = scope.places - 1


@guard
def is_before_the_end(state: Walk, scope: Lane) -> bool:
    """There is a place to go to."""
    return state.at < scope.places - 1


@action(guards=[is_before_the_end])
def walker_steps(state: Walk) -> None:
    """One place on."""
    state.at += 1


@action()
def walker_turns(state: Walk, walker: Walker, way: Way, to: Place) -> None:
    """Turn, in as many ways as there are."""
    state.turned = not state.turned


def walk(*actions: Any, start: tuple[Initial, ...] = (first_place,), **more: Any) -> Interpreter:
    """A walk by these actions."""
    design = Design(
        name="walk",
        title="A walk",
        state=Walk,
        initial=start,
        system=actions or (walker_steps, walker_turns),
        scopes={"three": Lane()},
        **more,
    )
    return Interpreter(design, Lane())


def begun(interpreter: Interpreter) -> State:
    """The only initial state."""
    (state,) = interpreter.initial_states()
    return state
