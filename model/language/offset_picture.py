"""A state as a picture along an axis of offsets: plain records, which a renderer draws.

A design says with its `picture` how a state of it is drawn; what the words mean is the design's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierproof.model.language.trace import Trace


class Look(StrEnum):
    """How a box is drawn."""

    PLAIN = "plain"
    ACTIVE = "active"
    BEGUN = "begun"
    DONE = "done"
    ENDING = "ending"
    STRAY = "stray"
    BELIEVED = "believed"
    DOUBLE = "double"
    MISSING = "missing"
    FAINT = "faint"
    UNREAD = "unread"
    DELETED = "deleted"


@dataclass(frozen=True, kw_only=True)
class Box:
    """Offsets `first` to before `end`; an empty box stands at its first offset.

    Equal `meaning`s are one entry of the legend. `records` describes each offset in the box.
    `wrong` is what is wrong with it in a word (`lost`, `twice`), empty if nothing is.
    """

    first: int
    end: int
    look: Look
    meaning: str
    label: str = ""
    records: tuple[str, ...] = ()
    wrong: str = ""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A value along the axis: at the beginning of `offset`, or on it (`is_on`)."""

    offset: int
    label: str
    is_on: bool = False


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of boxes with the marks below it, named on the left, or lines of `text`.

    `alarm` is a note that should be noticed; an `is_detail` row belongs to the one above. `wrong`
    is what is wrong in no single box: each a word, a colon, and where or why.
    """

    name: str
    notes: tuple[str, ...] = ()
    alarm: str = ""
    boxes: tuple[Box, ...] = ()
    marks: tuple[Mark, ...] = ()
    text: str = ""
    is_detail: bool = False
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OffsetPicture:
    """A state, drawn; the axis has the offsets 0 to before `end`.

    `reading` explains the words in the boxes.
    """

    end: int
    rows: tuple[Row, ...]
    reading: str = ""

    def boxes(self, meaning: str) -> list[tuple[str, Box]]:
        """(name of the row, box) of every box that means this."""
        return [(row.name, box) for row in self.rows for box in row.boxes if box.meaning == meaning]


def pictures_of(trace: Trace, numbers: Iterable[int]) -> list[OffsetPicture]:
    """The states of a trace after so many steps, drawn; none if its design draws no picture."""
    picture = trace.design.picture
    if picture is None:
        return []
    return [picture(trace.design, trace.states[number], trace.scope) for number in numbers]
