"""Results of comparing the model with a recording: agreeing rows, and the first disagreement.

A replayer is a function from a file's content to one Row for each recorded row, in order.
It raises NotARecording if the file as a whole violates the format; a row that does is one
that does not agree, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tierproof.model.language import Misused

UNREADABLE = "cannot be read"
"""How the model's answer to a row begins that is not in the format of a recording."""

NOT_REPLAYED = "not replayed yet"
"""The model's answer to a recording that this version cannot replay."""


class NotARecording(Misused):
    """A folder or a file that is not a recording; the message says why."""


@dataclass(frozen=True)
class Row:
    """One recorded row: the operation, Kafka's answer, the model's answer.

    `at` names the last comparison in a row of several answers.
    """

    name: str
    given: Any
    recorded: Any
    modelled: Any
    at: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the model's answer is Kafka's."""
        return bool(self.recorded == self.modelled)

    @property
    def is_unread(self) -> bool:
        """Whether the row is not in the format of a recording."""
        return isinstance(self.modelled, str) and self.modelled.startswith(f"{UNREADABLE}: ")

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as `--json` prints a disagreement."""
        return {
            "row": self.name,
            "input": self.given,
            "at": self.at,
            "recorded": self.recorded,
            "modelled": self.modelled,
        }


@dataclass(frozen=True)
class FileResult:
    """A file of recordings and the number of rows that the model reproduces."""

    file: str
    agreed: int
    total: int
    first_disagreement: Row | None
    unread: tuple[Row, ...] = ()
    """The rows that cannot be read; none of them agrees."""

    @property
    def agrees(self) -> bool:
        """Whether every row agrees."""
        return self.agreed == self.total

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as `--json` prints them."""
        first = self.first_disagreement
        return {
            "file": self.file,
            "agreed": self.agreed,
            "total": self.total,
            "first_disagreement": first.as_dict() if first else None,
            "unread": [row.as_dict() for row in self.unread],
        }


Replayer = Callable[[Any], Iterator[Row]]


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Context for parsing a file: an error there becomes NotARecording."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise NotARecording(
            f"{what} is not in the format of a recording: {type(error).__name__}: {error}"
        ) from error


def row_of_answers(
    name: str, operations: Sequence[str], recorded: Sequence[str], modelled: Sequence[str]
) -> Row:
    """A row of several operations, each with an answer: cut after the first that differs."""
    for number, (theirs, ours) in enumerate(zip(recorded, modelled, strict=True)):
        if theirs != ours:
            at = f"operation {number + 1}: {operations[number]}"
            return Row(name, list(operations[: number + 1]), theirs, ours, at)
    return Row(name, list(operations), list(recorded), list(modelled))


def differences(
    recorded: dict[str, Any], modelled: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both sides without the fields that agree; of a field that one side lacks, null."""
    names = [*modelled, *(name for name in recorded if name not in modelled)]
    differing = [name for name in names if modelled.get(name) != recorded.get(name)]
    return {n: recorded.get(n) for n in differing}, {n: modelled.get(n) for n in differing}


def not_replayed(name: str, given: Any, recorded: Any) -> Row:
    """A row that this version cannot replay; it never counts as agreed."""
    return Row(name, given, recorded, NOT_REPLAYED)
