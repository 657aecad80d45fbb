"""A courier that takes parcels to a shelf, and may fall: a thread with a lifecycle."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    GHOST,
    Actor,
    Array,
    Budget,
    Design,
    Edit,
    Index,
    Lifecycle,
    Range,
    Scope,
    State,
    Step,
    Variant,
    action,
    bound,
    fence,
    guard,
    history,
    history_before,
    initial,
    invariant,
    step_property,
    witness,
)


class Shelf(Scope):
    """How many couriers there are, and how often one falls."""

    couriers: int = bound(1, 3, default=1)
    falls: int = bound(0, 3, default=1)


class Way(IntEnum):
    """Where a courier is."""

    AT_HOME = 0
    ON_THE_WAY = 1
    AT_THE_SHELF = 2


WAY = Lifecycle(Way, [("falls", [Way.ON_THE_WAY, Way.AT_THE_SHELF], Way.AT_HOME)])
Courier = Annotated[int, Index(Shelf.couriers)]
Parcels = Annotated[int, Range(0, 3)]


class Hall(State):
    """Couriers and the shelf; `delivered` counts what was ever put there, as a ghost."""

    way: Annotated[list[Way], Array(Shelf.couriers)]
    shelf: Parcels
    falls: Annotated[int, Budget(Shelf.falls)]
    delivered: Annotated[int, Range(0, 9), GHOST]


COURIER = Actor("courier {courier}", at="way[courier]", life=WAY)


@initial
def all_at_home(state: Hall) -> None:
    """Nobody carries anything."""


@fence(protects="shelf_is_not_overfull", scope="two")
def has_room(state: Hall) -> bool:
    """The shelf takes another parcel: a third one falls down."""
    return state.shelf == 0


@COURIER.action(Way.AT_HOME, Way.ON_THE_WAY)
def courier_leaves(state: Hall, courier: Courier) -> None:
    """Take a parcel along."""


@COURIER.action(Way.ON_THE_WAY, Way.AT_THE_SHELF, guards=[has_room])
def courier_delivers(state: Hall, courier: Courier) -> None:
    """Put the parcel on the shelf."""
    state.shelf = min(state.shelf + 1, 3)


@COURIER.action(Way.AT_THE_SHELF, (Way.AT_HOME, Way.ON_THE_WAY))
def courier_goes_back(state: Hall, courier: Courier) -> None:
    """Go home, or set out again at once where the shelf is empty."""
    state.way[courier] = Way.ON_THE_WAY if state.shelf == 0 else Way.AT_HOME


@guard
def is_full(state: Hall) -> bool:
    """A parcel is there."""
    return state.shelf > 0


@action(guards=[is_full])
def customer_takes(state: Hall) -> None:
    """Take a parcel."""
    state.shelf -= 1


@guard
def is_out(state: Hall, courier: Courier) -> bool:
    """The courier is not at home."""
    return state.way[courier] != Way.AT_HOME


@action(guards=[is_out], actor="courier {courier}", budget="falls")
def courier_falls(state: Hall, courier: Courier) -> None:
    """Lose the parcel and begin anew."""
    state.way[courier] = Way.AT_HOME


@invariant()
def shelf_is_not_overfull(state: Hall) -> bool:
    """One parcel has room."""
    return state.shelf <= 1


@step_property()
def parcels_come_by_couriers(before: Hall, after: Hall, step: Step, scope: Shelf) -> bool:
    """Who delivers is on the way; nothing else fills the shelf."""
    if after.shelf <= before.shelf:
        return step.action != "courier_delivers"
    is_courier = step.action in ("courier_delivers", "courier_leaves")
    return is_courier and step.courier >= 0 and before.way[step.courier] == Way.ON_THE_WAY


@witness()
def something_is_delivered(state: Hall) -> bool:
    """A parcel lies on the shelf."""
    return state.shelf == 1


def count_delivery(state: Hall) -> None:
    """Ghost: one more."""
    state.delivered = min(state.delivered + 1, 9)


def count_if_empty(state: Hall) -> None:
    """Ghost: one more, where the shelf was empty before the step."""
    if state.shelf == 0:
        state.delivered = min(state.delivered + 1, 9)


COUNTED = history(courier_delivers=count_delivery)
COUNTED_BEFORE = history_before(courier_delivers=count_if_empty)


@guard
def is_full_or_not(state: Hall) -> bool:
    """Anything goes."""
    return True


def take_all(state: Hall) -> None:
    """Take every parcel."""
    state.shelf = 0


def lose_all(state: Hall) -> None:
    """Lose every parcel."""
    state.shelf = 0


@COURIER.action(Way.ON_THE_WAY, Way.AT_HOME)
def courier_turns_back(state: Hall, courier: Courier) -> None:
    """Give up."""


TAKE_ALL = Variant(name="take_all", because="a test", effect={customer_takes: take_all})
LOSE_ALL = Variant(name="lose_all", because="a test", effect={customer_takes: lose_all})
LOSE_AFTER = Variant(
    name="lose_after", because="a test", effect={customer_takes: lose_all}, after=(TAKE_ALL,)
)
UNFENCED = Variant(name="unfenced", because="a test", unfence={courier_delivers: has_room})
TURN_BACK = Variant(
    name="turn_back",
    because="a test",
    add_system=(courier_turns_back,),
    drop=(courier_falls,),
)
FENCE_TURNS = Variant(name="fence_turns", because="a test", fence={courier_turns_back: is_full})
ANY = Variant(
    name="any", because="a test", test={is_full: is_full_or_not}, stutters=(customer_takes,)
)
ALL = Variant(name="all", because="a test", parts=(FENCE_TURNS, TURN_BACK, TAKE_ALL))

DESIGN = Design(
    name="courier",
    title="A courier",
    state=Hall,
    initial=(all_at_home,),
    system=(courier_leaves, courier_delivers, courier_goes_back, customer_takes),
    environment=(courier_falls,),
    properties=(shelf_is_not_overfull, parcels_come_by_couriers),
    witnesses=(something_is_delivered,),
    variants=(TAKE_ALL, LOSE_ALL, LOSE_AFTER, UNFENCED, TURN_BACK, FENCE_TURNS, ANY, ALL),
    scopes={"one": Shelf(), "two": Shelf(couriers=2)},
)

CHANGE = Edit(
    drop=(courier_falls, something_is_delivered),
    effect={customer_takes: take_all},
    fence={customer_takes: is_full_or_not},
)
DERIVED = DESIGN.derive(name="derived", title="A courier whose customer takes all", change=CHANGE)
