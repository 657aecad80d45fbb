"""A counter up to a limit, with one property of every kind; some hold and some do not."""

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
    guard,
    initial,
    invariant,
    limit,
    step_property,
    witness,
)


class Limits(Scope):
    highest: int = bound(1, 1_000)
    jumps: int = bound(0, 3, default=1)


class Phase(IntEnum):
    LOW = 0
    HIGH = 1
    BROKEN = 2


PHASES = Lifecycle(
    Phase,
    [("rise", Phase.LOW, Phase.HIGH), ("break", Phase.HIGH, Phase.BROKEN)],
)


class Counter(State):
    value: Annotated[int, Range(0, Limits.highest)]
    phase: Phase
    jumps: Annotated[int, Budget(Limits.jumps)]


@initial
def zero(state: Counter) -> None:
    """Nothing is counted."""


@limit
def below_the_highest(state: Counter, scope: Limits) -> bool:
    """The scope has room for one more."""
    return state.value < scope.highest


@limit
def two_below_the_highest(state: Counter, scope: Limits) -> bool:
    """The scope has room for two more."""
    return state.value + 2 <= scope.highest


@guard
def is_high(state: Counter) -> bool:
    """The phase is HIGH."""
    return state.phase == Phase.HIGH


@guard
def is_over_a_thousand(state: Counter) -> bool:
    """Never true in any scope."""
    return state.value > 1_000


@action(guards=[below_the_highest])
def counter_counts(state: Counter) -> None:
    """One more; from three on the phase is HIGH."""
    state.value = state.value + 1
    if state.value >= 3:
        state.phase = Phase.HIGH


@action(guards=[is_high])
def counter_falls(state: Counter) -> None:
    """Back to zero and, against the lifecycle, to LOW."""
    state.value = 0
    state.phase = Phase.LOW


@action(guards=[is_over_a_thousand])
def counter_overflows(state: Counter) -> None:
    """Never happens."""
    state.value = 0


@action(guards=[two_below_the_highest], budget="jumps")
def counter_jumps(state: Counter) -> None:
    """Two more at once, as often as the budget lasts."""
    state.value = state.value + 2


@invariant()
def value_is_counted(state: Counter, scope: Limits) -> bool:
    """The value never exceeds the highest."""
    return state.value <= scope.highest


@invariant(premise=is_over_a_thousand)
def nothing_above_a_thousand(state: Counter) -> bool:
    """Whatever is above a thousand is wrong."""
    return False


@invariant(premise=is_high)
def high_is_at_least_three(state: Counter) -> bool:
    """The phase is HIGH from three on."""
    return state.value >= 3


@step_property()
def counts_by_one(before: Counter, after: Counter) -> bool:
    """A step adds at most one."""
    return after.value <= before.value + 1


@witness()
def reaches_the_highest(state: Counter, scope: Limits) -> bool:
    """The counter can be full."""
    return state.value == scope.highest


@witness()
def breaks(state: Counter) -> bool:
    """The counter can break. (It cannot.)"""
    return state.phase == Phase.BROKEN


DESIGN = Design(
    name="counter",
    title="A counter",
    state=Counter,
    initial=(zero,),
    system=(counter_counts, counter_falls, counter_overflows),
    environment=(counter_jumps,),
    properties=(
        value_is_counted,
        nothing_above_a_thousand,
        high_is_at_least_three,
        counts_by_one,
    ),
    witnesses=(reaches_the_highest, breaks),
    scopes={"ten": Limits(highest=10), "no_jumps": Limits(highest=10, jumps=0)},
)
