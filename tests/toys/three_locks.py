"""A door with three locks and a bell: it opens where all locks fail, whether the bell rings or not.

So one harm takes three causes, and a fourth cause has no part in it.
"""

from tierproof.model.language import (
    Design,
    Scope,
    State,
    Variant,
    action,
    bound,
    guard,
    initial,
    invariant,
)
from tierproof.register import register_of


class House(Scope):
    doors: int = bound(1, 1, default=1)


class Door(State):
    is_picked: bool
    is_rusted: bool
    is_unchained: bool
    is_mute: bool
    is_open: bool


@initial
def locked(state: Door) -> None:
    """All locks hold."""


@guard
def is_not_picked(state: Door) -> bool:
    """The upper lock holds."""
    return not state.is_picked


@guard
def is_not_rusted(state: Door) -> bool:
    """The lower lock holds."""
    return not state.is_rusted


@guard
def is_chained(state: Door) -> bool:
    """The chain holds."""
    return not state.is_unchained


@guard
def is_loud(state: Door) -> bool:
    """The bell rings."""
    return not state.is_mute


@action(actor="thief", guards=[is_not_picked])
def thief_picks_lock(state: Door) -> None:
    """The upper lock is picked."""
    state.is_picked = True


@action(actor="rain", guards=[is_not_rusted])
def rain_rusts_lock(state: Door) -> None:
    """The lower lock is rusted."""
    state.is_rusted = True


@action(actor="cat", guards=[is_chained])
def cat_lifts_chain(state: Door) -> None:
    """The chain is off."""
    state.is_unchained = True


@action(actor="rain", guards=[is_loud])
def rain_drowns_bell(state: Door) -> None:
    """The bell is mute."""
    state.is_mute = True


@guard
def has_no_lock(state: Door) -> bool:
    """No lock holds, and the door is shut."""
    return state.is_picked and state.is_rusted and state.is_unchained and not state.is_open


@action(actor="wind", guards=[has_no_lock])
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
def chain_holds(state: Door) -> bool:
    """The chain holds."""
    return not state.is_unchained


@invariant()
def bell_rings(state: Door) -> bool:
    """The bell rings."""
    return not state.is_mute


@invariant()
def door_is_shut(state: Door) -> bool:
    """The door is shut."""
    return not state.is_open


CAUSES = (
    ("upper_lock_is_picked", upper_lock_holds, thief_picks_lock),
    ("lower_lock_rusts", lower_lock_holds, rain_rusts_lock),
    ("cat_meets_chain", chain_holds, cat_lifts_chain),
    ("bell_is_drowned", bell_rings, rain_drowns_bell),
)
REPAIRS = [
    Variant(name=f"repair_{name}", because="It fails.", drop=(step,)) for name, _, step in CAUSES
]
DESIGN = Design(
    name="three_locks",
    title="A door with three locks",
    state=Door,
    initial=(locked,),
    system=(thief_picks_lock, rain_rusts_lock, cat_lifts_chain, rain_drowns_bell, wind_opens),
    environment=(),
    properties=(upper_lock_holds, lower_lock_holds, chain_holds, bell_rings, door_is_shut),
    variants=tuple(REPAIRS),
    scopes={"house": House()},
)

FINDINGS = register_of(DESIGN).findings
