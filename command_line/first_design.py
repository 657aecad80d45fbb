"""A first design: a leader moves the segments of a partition to the remote store.

One broker copies each segment, then deletes its local files. The store may fail while it copies.

A design has a Scope (how large), a State (what there is), actions (what can happen, and when)
and properties (what must be true). tierproof explores every order of the actions in the scope.
"""

from enum import IntEnum
from typing import Annotated

from tierproof import (
    Array,
    Budget,
    Design,
    Index,
    Scope,
    State,
    action,
    bound,
    fence,
    guard,
    initial,
    invariant,
    witness,
)


# How large: bound(least, largest, default=...). `tierproof explore --set segments=3` changes one.
class Topic(Scope):
    """How many segments there are, and how often the store may fail."""

    segments: int = bound(1, 5, default=2)
    failures: int = bound(0, 3, default=1)


# What there is. Every field has finitely many values, and starts at the first of them.
Segment = Annotated[int, Index(Topic.segments)]


class Copy(IntEnum):
    """How far the copy of a segment is."""

    NONE = 0
    STARTED = 1
    FINISHED = 2


class Partition(State):
    """What the leader and the remote store hold."""

    is_local: Annotated[list[bool], Array(Topic.segments)]  # the leader has the segment's files
    copy: Annotated[list[Copy], Array(Topic.segments)]  # the segment's copy in the remote store
    failures: Annotated[int, Budget(Topic.failures)]  # how often the store may still fail


@initial
def every_segment_is_local(state: Partition) -> None:
    """Nothing is copied yet."""
    for segment in range(len(state.is_local)):
        state.is_local[segment] = True


# When it can happen: a guard tests, and never assigns. A fence is a guard that safety rests on:
# it names the property that is violated without it, and the scope that shows it.
@guard
def is_local(state: Partition, segment: Segment) -> bool:
    """The leader has the files of the segment."""
    return state.is_local[segment]


@guard
def has_no_copy(state: Partition, segment: Segment) -> bool:
    """The remote store has nothing of the segment."""
    return state.copy[segment] == Copy.NONE


@guard
def is_being_copied(state: Partition, segment: Segment) -> bool:
    """The copy has begun, and has not ended."""
    return state.copy[segment] == Copy.STARTED


@fence(protects="every_segment_is_readable", scope="default")
def is_copied(state: Partition, segment: Segment) -> bool:
    """The local files may be deleted only when the copy is whole: a copy may still fail."""
    return state.copy[segment] == Copy.FINISHED


# What can happen: an effect assigns. It happens for every segment that its guards admit.
@action(actor="leader", to="remote store", guards=[is_local, has_no_copy])
def leader_starts_copy(state: Partition, segment: Segment) -> None:
    """Begin to write the segment to the remote store."""
    state.copy[segment] = Copy.STARTED


@action(actor="leader", to="remote store", guards=[is_being_copied])
def leader_finishes_copy(state: Partition, segment: Segment) -> None:
    """The remote store has the whole segment."""
    state.copy[segment] = Copy.FINISHED


@action(actor="remote store", to="leader", guards=[is_being_copied], budget="failures")
def store_fails(state: Partition, segment: Segment) -> None:
    """The store loses what it has of the segment, and the leader copies it again later."""
    state.copy[segment] = Copy.NONE


@action(actor="leader", guards=[is_local, is_copied])
def leader_deletes_local_segment(state: Partition, segment: Segment) -> None:
    """Local retention: delete the local files, as the remote store has the segment."""
    state.is_local[segment] = False


# What must be true in every state, and what must be possible: a design that does nothing is safe.
@invariant()
def every_segment_is_readable(state: Partition) -> bool:
    """Every segment is on the leader's disk or, whole, in the remote store."""
    return all(
        state.is_local[segment] or state.copy[segment] == Copy.FINISHED
        for segment in range(len(state.is_local))
    )


@witness()
def local_log_is_empty(state: Partition) -> bool:
    """All segments are in the remote store only."""
    return all(not is_local for is_local in state.is_local)


DESIGN = Design(
    name="first_design",
    title="A leader moves segments to the remote store",
    state=Partition,
    initial=(every_segment_is_local,),
    system=(leader_starts_copy, leader_finishes_copy, leader_deletes_local_segment),
    environment=(store_fails,),
    properties=(every_segment_is_readable,),
    witnesses=(local_log_is_empty,),
    scopes={"default": Topic(), "large": Topic(segments=4, failures=3)},
)
