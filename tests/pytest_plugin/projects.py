"""A project of a user: a room whose lock does not keep anybody out, and a repair."""

MODEL = '''
"""A room with a door and a lock."""

from typing import Annotated

from tierproof import Design, Edit, Range, Scope, State, Variant
from tierproof import action, bound, guard, initial, invariant, limit, liveness, step_property
from tierproof import witness


class Hall(Scope):
    people: int = bound(1, 4, default=1)


class Room(State):
    inside: Annotated[int, Range(0, Hall.people)]
    is_locked: bool


@initial
def nobody_is_inside(state: Room) -> None:
    """The room is empty and open."""


@limit
def somebody_is_outside(state: Room, scope: Hall) -> bool:
    """Not everybody is inside."""
    return state.inside < scope.people


@guard
def door_is_open(state: Room) -> bool:
    """The door is not locked."""
    return not state.is_locked


@guard
def door_is_locked(state: Room) -> bool:
    """The door is locked."""
    return state.is_locked


@guard
def room_is_crowded(state: Room) -> bool:
    """Three people are inside."""
    return state.inside >= 3


@action(guards=[somebody_is_outside], actor="person")
def person_enters(state: Room) -> None:
    """Go in, without trying the door."""
    state.inside += 1


@action(guards=[door_is_open], actor="janitor")
def janitor_locks(state: Room) -> None:
    """Lock the door."""
    state.is_locked = True


@action(guards=[door_is_locked], actor="janitor")
def janitor_unlocks(state: Room) -> None:
    """Unlock the door."""
    state.is_locked = False


@step_property()
def nobody_passes_a_locked_door(before: Room, after: Room) -> bool:
    """Nobody enters while the door is locked."""
    return not before.is_locked or after.inside <= before.inside


@invariant()
def room_holds_everybody(state: Room, scope: Hall) -> bool:
    """No more people are inside than there are."""
    return state.inside <= scope.people


@invariant(premise=room_is_crowded)
def crowds_are_small(state: Room) -> bool:
    """No crowd has more than four people."""
    return state.inside <= 4


@witness()
def somebody_is_inside(state: Room) -> bool:
    """The room can be entered."""
    return state.inside > 0


@liveness(premise=door_is_locked, weak=())
def door_is_opened_again(state: Room) -> bool:
    """A locked door is unlocked some day."""
    return not state.is_locked


REPAIR = Variant(
    name="repair_try_the_door",
    because="Whoever enters tries the door.",
    fence={person_enters: door_is_open},
)
DESIGN = Design(
    name="room",
    title="A room with a lock",
    state=Room,
    initial=(nobody_is_inside,),
    system=(person_enters, janitor_locks, janitor_unlocks),
    properties=(room_holds_everybody, nobody_passes_a_locked_door),
    variants=(REPAIR,),
    scopes={"one": Hall(), "four": Hall(people=4)},
)
MORE = DESIGN.derive(
    name="room_and_more",
    title="The same, with more claims",
    change=Edit(
        add_properties=(crowds_are_small, door_is_opened_again),
        add_witnesses=(somebody_is_inside,),
        drop=(nobody_passes_a_locked_door,),
    ),
)
'''
