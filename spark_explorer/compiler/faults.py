"""Faults: errors of compiled code, with their places in the source.

A fault is a number that compiled code stores in the context: 0 for none, otherwise 1 plus its index
in the list of faults. The interpreter then produces the error text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tierproof.model.language.errors import DesignError, NonDeterministic, OutsideLanguage
from tierproof.model.language.reading.tree import Spot
from tierproof.model.language.state import State


class FaultKind(Enum):
    """Why compiled code stops. All except OVERFLOW and NO_MEMBER are errors in CPython, too.

    STOPPED is no error: somebody asked the loop to end.
    """

    INDEX = "an index outside of its array"
    DIVISION = "a division by zero"
    SHIFT = "a shift by less than 0"
    DOMAIN = "a value outside of its domain"
    MEMBER = "a number that is no member of its enum"
    LENGTH = "arrays of two lengths, the one assigned to the other"
    FULL = "an element appended to a sequence that is full"
    ABSENT = "a member removed that is not there"
    EMPTY = "the least or the greatest of an empty set"
    NO_MEMBER = "a set with a member that is none of 0 to 61"
    OVERFLOW = "a number of more than 64 bits"
    STOPPED = "a loop that has not ended"


NO_MORE_STATES, LEAVE = 1, 2
"""What the context says of stopping: begin no further state; leave loops, too."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault at a place in the source."""

    kind: FaultKind
    spot: Spot

    def __str__(self) -> str:
        return f"{self.spot}: {self.kind.value} in `{self.spot.text}`"


KEEP = {
    FaultKind.OVERFLOW: "keep numbers below 2**63",
    FaultKind.NO_MEMBER: "keep the members of sets below 62",
}
"""Faults of compiled code that are no errors in CPython -> what to write instead."""


def unexplained(fault: Fault | None, engine: str, state: State) -> DesignError:
    """The error text if compiled code failed and CPython does not."""
    instead = None if fault is None else KEEP.get(fault.kind)
    if instead is not None:
        return OutsideLanguage(
            f"{fault} in the state\n{state.describe()}\n"
            f"CPython computes with it, compiled code cannot: {instead}."
        )
    return NonDeterministic(
        f"compiled code failed ({fault or engine}) where CPython does not, in the state\n"
        f"{state.describe()}\n"
    )
