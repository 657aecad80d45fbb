"""A lock with all kinds of variants, for the tests of designs."""

from dataclasses import replace
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


def free_all(state: Locks) -> None:
    """Frees every lock."""
    for client in range(len(state.held)):
        state.held[client] = False


def hold_last(state: Locks) -> None:
    """The last client holds the lock."""
    state.held[len(state.held) - 1] = True


@action(guards=[is_held])
def client_die(state: Locks, client: Client) -> None:
    """An action of no design."""
    state.held[client] = False


def _variant(name: str, **changes: Any) -> Variant:
    return Variant(name=name, because="a test", **changes)


DESIGN = Design(
    **ENTRIES,
    variants=(
        _variant("weaker", test={is_free: is_mostly_free}),
        _variant("frees-all", effect={client_frees: free_all}),
        _variant("immortal", drop=(client_dies,)),
        _variant("unfenced", drop=(is_held,)),
        _variant("one-start", drop=(first_holds,)),
        _variant("no-start", drop=(first_holds, all_free)),
        _variant("more", add_system=(client_frees_all,)),
        _variant("twice", add_environment=(replace(client_dies, stutters=True),)),
        _variant("misspelt", drop=(client_die,)),
        _variant("misfit", test={is_free: client_dies}),
        _variant("unfit", effect={client_dies: is_free}),
        _variant("last-first", effect={first_holds: hold_last}),
        _variant("last-too", also={first_holds: hold_last}),
    ),
)


def entries(design: Design) -> dict[str, list[str]]:
    """Action -> its guards, by name."""
    return {act.name: [entry.name for entry in act.guards] for act in design.actions}


UNCHANGED = entries(DESIGN)
