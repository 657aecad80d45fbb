"""A tank with two leaks and a lid that blows off: three causes, and repairs for two of them."""

from typing import Annotated

from tierproof.model.language import (
    Budget,
    Design,
    Range,
    Scope,
    State,
    Variant,
    action,
    bound,
    initial,
    invariant,
    limit,
    witness,
)
from tierproof.register import register_of


class Plumbing(Scope):
    litres: int = bound(1, 9, unit="litres")
    storms: int = bound(0, 1, default=0, unit="storms")


class Tank(State):
    level: Annotated[int, Range(0, Plumbing.litres)]
    is_dry: bool
    has_lid: bool
    storms: Annotated[int, Budget(Plumbing.storms)]


@initial
def full(state: Tank, scope: Plumbing) -> None:
    """The tank is full and closed."""
    state.level = scope.litres
    state.has_lid = True


@limit
def has_room(state: Tank, scope: Plumbing) -> bool:
    """There is room for another litre."""
    return state.level < scope.litres


@limit
def has_water(state: Tank) -> bool:
    """There is something to lose."""
    return state.level > 0


@action(actor="rain", guards=[has_room])
def rain_fills(state: Tank) -> None:
    """A litre falls into the tank."""
    state.level += 1


@action(actor="left seam", guards=[has_water])
def left_seam_drips(state: Tank) -> None:
    """A litre runs out at the left seam."""
    state.level -= 1
    state.is_dry = state.level == 0


@action(actor="right seam", guards=[has_water])
def right_seam_drips(state: Tank) -> None:
    """A litre runs out at the right seam."""
    state.level -= 1
    state.is_dry = state.level == 0


@action(actor="storm", budget="storms")
def storm_takes_lid(state: Tank) -> None:
    """The lid is blown off."""
    state.has_lid = False


@invariant()
def tank_has_water(state: Tank) -> bool:
    """The tank is never dry."""
    return not state.is_dry


@invariant()
def tank_is_closed(state: Tank) -> bool:
    """The lid is on."""
    return state.has_lid


@witness()
def tank_is_filled(state: Tank) -> bool:
    """The tank is full."""
    return state.level == 2


SEAL_LEFT = Variant(name="repair_seal_left", because="It drips.", drop=(left_seam_drips,))
SEAL_RIGHT = Variant(name="repair_seal_right", because="It drips.", drop=(right_seam_drips,))

DESIGN = Design(
    name="leaky_tank",
    title="A tank with two leaks",
    state=Tank,
    initial=(full,),
    system=(rain_fills, left_seam_drips, right_seam_drips),
    environment=(storm_takes_lid,),
    properties=(tank_has_water, tank_is_closed),
    witnesses=(tank_is_filled,),
    variants=(SEAL_LEFT, SEAL_RIGHT),
    scopes={"small": Plumbing(litres=2), "storm": Plumbing(litres=2, storms=1)},
)

LEFT, RIGHT, LID = register_of(DESIGN).findings
