"""A clock: one cycle, no choice, no end."""

from typing import Annotated

from tierproof.model.language import (
    Design,
    Range,
    Scope,
    State,
    action,
    bound,
    deadlock_free,
    initial,
)


class Dial(Scope):
    hours: int = bound(1, 100_000, unit="hours")


class Clock(State):
    hour: Annotated[int, Range(1, Dial.hours)]


@initial
def one_o_clock(state: Clock) -> None:
    """The clock starts at 1."""


@action(actor="clock")
def clock_ticks(state: Clock, scope: Dial) -> None:
    """The next hour, or the first one after the last."""
    state.hour = 1 if state.hour == scope.hours else state.hour + 1


DESIGN = Design(
    name="clock",
    title="A clock",
    state=Clock,
    initial=(one_o_clock,),
    system=(clock_ticks,),
    properties=(deadlock_free,),
    scopes={"half_day": Dial(hours=12)},
)
