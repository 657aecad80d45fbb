"""A lock with all kinds of variants, for the tests of designs."""

from typing import Annotated, Any

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Range,
    Scope,
    State,
    Variant,
    action,
    bound,
    guard,
    initial,
    invariant,
    limit,
    witness,
)


class Pool(Scope):
    clients: int = bound(1, 4, default=2)


class Other(Scope):
    clients: int = bound(1, 4, default=2)


Client = Annotated[int, Index(Pool.clients)]


class Locks(State):
    held: Annotated[list[bool], Array(Pool.clients)]
    taken: Annotated[int, Range(0, 9)]


@initial
def all_free(state: Locks) -> None:
    """Nobody holds the lock."""


@initial
def first_holds(state: Locks) -> None:
    """The first client begins with the lock."""
    state.held[0] = True


@initial
def last_holds(state: Locks) -> None:
    """The last client begins with the lock."""
    state.held[-1] = True


@guard
def is_free(state: Locks) -> bool:
    """Nobody holds the lock."""
    return all(not held for held in state.held)


@guard
def is_held(state: Locks, client: Client) -> bool:
    """The client holds the lock."""
    return state.held[client]


@guard
def is_not_held(state: Locks, client: Client) -> bool:
    """The client does not hold the lock itself."""
    return not state.held[client]


@limit
def few_takes(state: Locks) -> bool:
    """At most three takes."""
    return state.taken < 3


@action(guards=[is_free, is_not_held, few_takes], actor="client {client}")
def client_takes(state: Locks, client: Client) -> None:
    """Take the lock."""
    state.held[client] = True
    state.taken += 1


@action(guards=[is_held])
def client_frees(state: Locks, client: Client) -> None:
    """Free the lock."""
    state.held[client] = False


@action(guards=[is_held])
def client_dies(state: Locks, client: Client) -> None:
    """The lock is freed by its lease."""
    state.held[client] = False


@action()
def client_frees_all(state: Locks, client: Client) -> None:
    """Frees every lock."""
    for other in range(len(state.held)):
        state.held[other] = False


@invariant()
def at_most_one_holds(state: Locks) -> bool:
    """At most one client holds the lock."""
    return sum(state.held) <= 1


@invariant()
def at_most_three_takes(state: Locks) -> bool:
    """The limit holds."""
    return state.taken <= 3


@witness()
def lock_is_held(state: Locks) -> bool:
    """The lock can be held."""
    return state.held[0]


ENTRIES: dict[str, Any] = {
    "name": "lock",
    "title": "A lock",
    "state": Locks,
    "initial": (all_free, first_holds),
    "system": (client_takes, client_frees),
    "environment": (client_dies,),
    "properties": (at_most_one_holds, at_most_three_takes),
    "witnesses": (lock_is_held,),
    "scopes": {"two": Pool(), "three": Pool(clients=3)},
}


@guard
def is_mostly_free(state: Locks) -> bool:
    """A weaker fence."""
    return not state.held[0]


DESIGN = Design(
    **ENTRIES,
    variants=(
        Variant(name="weaker", because="a test", replace={"is_free": is_mostly_free}),
        Variant(name="frees-all", because="a test", replace={"client_frees": client_frees_all}),
        Variant(name="immortal", because="a test", drop=("client_dies",)),
        Variant(name="unfenced", because="a test", drop=("is_held",)),
        Variant(name="one-start", because="a test", drop=("first_holds",)),
        Variant(name="no-start", because="a test", drop=("first_holds", "all_free")),
        Variant(name="more", because="a test", add_system=(client_frees_all,)),
        Variant(name="twice", because="a test", add_environment=(client_dies,)),
        Variant(name="misspelt", because="a test", drop=("client_die",)),
        Variant(name="misfit", because="a test", replace={"is_free": client_dies}),
        Variant(name="unfit", because="a test", replace={"client_dies": is_free}),
        Variant(name="last-first", because="a test", replace={"first_holds": last_holds}),
    ),
)


def entries(design: Design) -> dict[str, list[str]]:
    """Action -> its guards, by name."""
    return {act.name: [entry.name for entry in act.guards] for act in design.actions}


UNCHANGED = entries(DESIGN)
