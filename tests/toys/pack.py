"""A pack of dogs: every way in which a state can name alike things, and initial states that differ.

TIRED is a pack that comes to rest.
"""

from collections import Counter
from typing import Annotated

from tierproof.model.language import (
    NONE,
    Array,
    Bag,
    Design,
    Index,
    Scope,
    Sequence,
    Set,
    State,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    invariant,
    step_property,
    witness,
)


class Yard(Scope):
    dogs: int = bound(1, 6, default=3)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True)]


class Pack(State):
    """Every way in which a state can name alike things, fields that name each other included."""

    follows: Annotated[list[MaybeDog], Array(Yard.dogs)]
    leader: MaybeDog
    inside: Annotated[set[int], Set(Yard.dogs)]
    queue: Annotated[list[Dog], Sequence(2)]
    barks: Annotated[Counter[int], Bag(Yard.dogs, at_most=1)]


@initial
def first_leads(state: Pack) -> None:
    """The first dog leads, so that initial states are not symmetric."""
    state.leader = 0


@initial
def last_is_inside(state: Pack, dog: Dog) -> None:
    """Some dog is inside."""
    state.inside.add(dog)


@guard
def is_no_leader(state: Pack, dog: Dog) -> bool:
    """The dog does not lead."""
    return state.leader != dog


@guard
def has_room(state: Pack, dog: Dog) -> bool:
    """The queue has room, and the dog is not in it."""
    return len(state.queue) < 2 and dog not in state.queue


@guard
def somebody_waits(state: Pack) -> bool:
    """The queue is not empty."""
    return len(state.queue) > 0


@action(guards=[is_no_leader], actor="dog {dog}", stutters=True)
def dog_follows(state: Pack, dog: Dog) -> None:
    """Follow the leader."""
    state.follows[dog] = state.leader


@action(guards=[has_room], actor="dog {dog}")
def dog_queues(state: Pack, dog: Dog) -> None:
    """Wait at the door."""
    state.queue.append(dog)


@action(guards=[somebody_waits], actor="door", stutters=True)
def door_opens(state: Pack) -> None:
    """The first in the queue comes in, barks and leads."""
    dog = state.queue.pop(0)
    state.inside.add(dog)
    state.leader = dog


@action(actor="dog {dog}", stutters=True)
def dog_barks(state: Pack, dog: Dog) -> None:
    """Bark once."""
    state.barks[dog] = 1


@invariant()
def not_all_bark_inside(state: Pack) -> bool:
    """Not everybody is inside and barks while following another."""
    return not all(
        state.barks[dog] == 1 and dog in state.inside and state.follows[dog] not in (NONE, dog)
        for dog in range(len(state.follows))
    )


@step_property()
def leader_changes_once(before: Pack, after: Pack) -> bool:
    """Only the dog that leads first is followed by another leader."""
    return after.leader == before.leader or len(before.inside) == 1


@witness()
def a_ring_of_two(state: Pack) -> bool:
    """Two dogs follow each other."""
    return any(
        state.follows[dog] == other and state.follows[other] == dog and dog != other
        for dog in range(len(state.follows))
        for other in range(len(state.follows))
    )


PACK = Design(
    name="pack",
    title="A pack of dogs",
    state=Pack,
    initial=(first_leads, last_is_inside),
    system=(dog_follows, dog_queues, door_opens, dog_barks),
    properties=(not_all_bark_inside, leader_changes_once),
    witnesses=(a_ring_of_two,),
    scopes={"two": Yard(dogs=2), "three": Yard(), "six": Yard(dogs=6)},
)


@guard
def is_quiet(state: Pack, dog: Dog) -> bool:
    """The dog leads, or has not barked."""
    return state.barks[dog] == 0 and state.leader != dog


@action(guards=[is_quiet], actor="dog {dog}")
def dog_gets_tired(state: Pack, dog: Dog) -> None:
    """Bark, and no more."""
    state.barks[dog] = 1


TIRED = Design(
    name="tired",
    title="A pack of tired dogs",
    state=Pack,
    initial=(first_leads, last_is_inside),
    system=(dog_gets_tired,),
    properties=(deadlock_free,),
    scopes={"three": Yard()},
)
