"""Results of comparing the model with a recording: agreeing rows, and the first disagreement.

A replayer is a function from a file's content to one Row for each recorded row, in order.
It raises NotARecording if a row violates the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tierproof.model.language import Misused

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
        }


Replayer = Callable[[Any], Iterator[Row]]


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Context for parsing a row: an error there becomes NotARecording."""
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


def not_replayed(name: str, given: Any, recorded: Any) -> Row:
    """A row that this version cannot replay; it never counts as agreed."""
    return Row(name, given, recorded, NOT_REPLAYED)
