"""A door with two locks: it opens only where both fail, so its harm takes two causes."""

from tierproof.model.language import (
    Design,
    Finding,
    Scope,
    Severity,
    State,
    Story,
    Variant,
    action,
    bound,
    guard,
    initial,
    invariant,
)


class House(Scope):
    doors: int = bound(1, 1, default=1)


class Door(State):
    is_picked: bool
    is_rusted: bool
    is_open: bool


@initial
def locked(state: Door) -> None:
    """Both locks hold."""


@guard
def is_shut(state: Door) -> bool:
    """The door is shut."""
    return not state.is_open


@guard
def is_not_picked(state: Door) -> bool:
    """The upper lock holds."""
    return not state.is_picked


@guard
def is_not_rusted(state: Door) -> bool:
    """The lower lock holds."""
    return not state.is_rusted


@action(actor="thief", guards=[is_not_picked])
def thief_picks_lock(state: Door) -> None:
    """The upper lock is picked."""
    state.is_picked = True


@action(actor="rain", guards=[is_not_rusted])
def rain_rusts_lock(state: Door) -> None:
    """The lower lock is rusted."""
    state.is_rusted = True


@guard
def has_no_lock(state: Door) -> bool:
    """No lock holds."""
    return state.is_picked and state.is_rusted


@action(actor="wind", guards=[has_no_lock, is_shut])
def wind_opens(state: Door) -> None:
    """The door opens."""
    state.is_open = True


@invariant()
def upper_lock_holds(state: Door) -> bool:
    """The upper lock holds."""
    return not state.is_picked


@invariant()
def lower_lock_holds(state: Door) -> bool:
    """The lower lock holds."""
    return not state.is_rusted


@invariant()
def door_is_shut(state: Door) -> bool:
    """The door is shut."""
    return not state.is_open


STEEL = Variant(name="repair_steel", because="It is picked.", drop=(thief_picks_lock,))
OIL = Variant(name="repair_oil", because="It rusts.", drop=(rain_rusts_lock,))


def failing(name: str, claim: str, repair: str) -> Finding:
    """A lock that fails, and what mends it."""
    return Finding(
        name=name,
        title="A lock fails",
        severity=Severity.LOSS,
        claims=(claim,),
        permitted_by="Lock",
        story=Story("", (("start", "It holds."), ("1", "It fails."), ("end", "It is open."))),
        turning=1,
        repair=repair,
        scope="house",
    )


DESIGN = Design(
    name="double_lock",
    title="A door with two locks",
    state=Door,
    initial=(locked,),
    system=(thief_picks_lock, rain_rusts_lock, wind_opens),
    environment=(),
    properties=(upper_lock_holds, lower_lock_holds, door_is_shut),
    variants=(STEEL, OIL),
    findings=(
        failing("upper_lock_is_picked", "upper_lock_holds", STEEL.name),
        failing("lower_lock_rusts", "lower_lock_holds", OIL.name),
    ),
    scopes={"house": House()},
)
