"""A state of every kind of field, for the tests of domains and of states."""

from enum import IntEnum
from typing import Annotated, ClassVar

from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Lifecycle,
    Range,
    Record,
    Scope,
    State,
    Subset,
    bound,
)


class Size(Scope):
    brokers: int = bound(1, 5, default=2)
    offsets: int = bound(0, 100, default=7)
    crashes: int = bound(0, 3, default=2)


class Role(IntEnum):
    FOLLOWER = 0
    LEADER = 1
    OFFLINE = 2


class Copying(IntEnum):
    STARTED = 0
    IDLE = 1


Lifecycle(Copying, [("start", Copying.IDLE, Copying.STARTED)], initial=Copying.IDLE)

Offset = Annotated[int, Range(0, Size.offsets)]
Broker = Annotated[int, Index(Size.brokers)]


class Replica(Record):
    log_end_offset: Offset
    role: Role


class Observed(Record):
    highest: Offset
    by: Annotated[int, Index(Size.brokers, optional=True)]


class Topic(State):
    version: ClassVar[int] = 3
    controller: Broker
    leader: Annotated[int, Index(Size.brokers, optional=True)]
    tiered: bool
    copying: Copying
    restored: Annotated[int, Range(1, 9, start=4)]
    in_sync: Annotated[int, Subset(Size.brokers)]
    replica: Annotated[list[Replica], Array(Size.brokers)]
    spare: Replica
    grid: Annotated[list[list[Offset]], Array(2, Size.brokers)]
    small: Annotated[list[Annotated[int, Range(0, 1)]], Array(2)]
    wide: Annotated[list[Offset], Array(2)]
    crashes: Annotated[int, Budget(Size.crashes)]
    lost: Annotated[list[bool], Array(2), GHOST]
    seen: Annotated[list[Observed], Array(Size.brokers), GHOST]
    last: Annotated[Observed, GHOST]


SCOPE = Size()
