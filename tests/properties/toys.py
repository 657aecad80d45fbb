"""Small designs with a planted bug: a lamp and a corridor."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    Budget,
    Design,
    Lifecycle,
    Range,
    Scope,
    State,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    step_property,
    within_bounds,
    witness,
)


class Light(IntEnum):
    OFF = 0
    ON = 1
    BROKEN = 2


LIGHT = Lifecycle(Light, [("switch_on", Light.OFF, Light.ON), ("break", Light.ON, Light.BROKEN)])


class Evenings(Scope):
    switches: int = bound(0, 100)


class Lamp(State):
    light: Light
    switches: Annotated[int, Budget(Evenings.switches)]


@initial
def off(state: Lamp) -> None:
    """The lamp is off."""


@guard
def is_off(state: Lamp) -> bool:
    """The lamp is off."""
    return state.light == Light.OFF


@guard
def is_on(state: Lamp) -> bool:
    """The lamp is on."""
    return state.light == Light.ON


@action(guards=[is_off], budget="switches")
def switch_on(state: Lamp) -> None:
    """Light it."""
    state.light = Light.ON


@action(guards=[is_on])
def switch_off(state: Lamp) -> None:
    """Off again: an edge that the lifecycle does not declare."""
    state.light = Light.OFF


@step_property()
def no_light_goes_out(before: Lamp, after: Lamp) -> bool:
    """A light that is on stays on."""
    return not (before.light == Light.ON and after.light == Light.OFF)


LAMP = Design(
    name="lamp",
    title="A lamp",
    state=Lamp,
    initial=(off,),
    system=(switch_on, switch_off),
    properties=(no_light_goes_out, deadlock_free),
    scopes={"evening": Evenings(switches=2)},
)
"""Switching off breaks the law and the step property; spent budgets end in a deadlock."""


class Doors(Scope):
    doors: int = bound(1, 1000)


class Corridor(State):
    place: Annotated[int, Range(0, Doors.doors)]


@initial
def outside(state: Corridor) -> None:
    """Before the first door."""


@guard
def has_door_ahead(state: Corridor, scope: Doors) -> bool:
    """There is another door."""
    return state.place < scope.doors


@action(guards=[has_door_ahead])
def go_on(state: Corridor) -> None:
    """Through the next door."""
    state.place += 1


@action()
def fall(state: Corridor) -> None:
    """An effect at fault: it leaves the domain."""
    if state.place == 3:
        state.place = -1
    else:
        state.place += 1


@within_bounds
def is_before_third_door(state: Corridor) -> bool:
    """Nobody looks behind the third door."""
    return state.place < 3


@witness()
def third_door_reached(state: Corridor) -> bool:
    """The third door can be passed."""
    return state.place == 3


CORRIDOR = Design(
    name="corridor",
    title="A corridor",
    state=Corridor,
    initial=(outside,),
    system=(go_on,),
    properties=(deadlock_free,),
    witnesses=(third_door_reached,),
    bounds=is_before_third_door,
    scopes={"ten": Doors(doors=10)},
)
