"""A cluster of brokers with budgets and ghosts, for the tests of actions and of guards."""

from enum import IntEnum
from typing import Annotated, Any

from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Design,
    Index,
    Interpreter,
    Range,
    Record,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
)


class Cluster(Scope):
    brokers: int = bound(1, 3, default=2)
    crashes: int = bound(0, 2, default=1)


Broker = Annotated[int, Index(Cluster.brokers)]
Offset = Annotated[int, Range(0, 9)]


class Mode(IntEnum):
    COPY = 0
    DELETE = 1


class Lost(Record):
    crashes: Annotated[int, Budget(Cluster.crashes)]


class Seen(Record):
    offset: Offset
    highest: Offset


class Log(State):
    offset: Annotated[list[Offset], Array(Cluster.brokers)]
    mode: Mode
    crashes: Annotated[int, Budget(Cluster.crashes)]
    lost: Lost
    pauses: Annotated[list[Annotated[int, Budget(1)]], Array(Cluster.brokers)]
    copied: Annotated[int, Range(0, 9), GHOST]
    seen: Annotated[list[Seen], Array(Cluster.brokers), GHOST]


@initial
def empty(state: Log) -> None:
    """Nothing is appended."""


@guard
def has_room(state: Log, broker: Broker) -> bool:
    """The log of `broker` takes another record."""
    return state.offset[broker] < 9


@action(guards=[has_room], actor="broker {broker}")
def broker_appends(state: Log, broker: Broker) -> None:
    """Append one record.

    **Who**: a producer.
    """
    state.offset[broker] += 1


@action(budget="crashes")
def broker_crashes(state: Log) -> None:
    """Lose the mode."""
    state.mode = Mode.DELETE if state.mode == Mode.COPY else Mode.COPY


@action(budget="lost.crashes")
def broker_loses_log(state: Log, broker: Broker, mode: Mode) -> None:
    """Lose everything."""
    state.offset[broker] = 9


@action(budget="pauses[1]")
def broker_pauses(state: Log) -> None:
    """Pause, by the budget of the second broker."""
    state.offset[1] = 8


@action(stutters=True)
def broker_copies(state: Log) -> None:
    """Copy, whatever it was doing."""
    state.mode = Mode.COPY


def design(*actions: Any, **more: Any) -> Design:
    """A design of these actions."""
    return Design(
        name="log",
        title="A log",
        state=Log,
        initial=(empty,),
        system=actions,
        scopes={"two": Cluster()},
        **more,
    )


def begun(*actions: Any, scope: Scope | None = None) -> tuple[Interpreter, State]:
    """The interpreter of such a design, and its initial state."""
    interpreter = Interpreter(design(*actions), scope or Cluster())
    return interpreter, interpreter.initial_states()[0]
