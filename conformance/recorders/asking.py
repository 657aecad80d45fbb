"""What every kind of recording has: questions with answers, and a class that is asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tierproof.conformance.recorders.bridge import CannotRecord, Classes, Thrown

Answer = str | list[str]
"""What a row records: one answer, or one for each operation of a sequence."""


@dataclass(frozen=True)
class Asked:
    """A row: the question as it is recorded, and the answer."""

    question: list[Any]
    answer: Answer


@dataclass(frozen=True, kw_only=True)
class Recorder:
    """A kind of file: how it is read and written, and who answers.

    `asker` makes, from the classes of a release, the function that answers a question; `written`
    makes the file's content from the earlier content, the new rows and the release.
    """

    file: str
    title: str
    asked_of: str
    """Kafka's method or class, in Kafka's words."""
    read: Callable[[Any], list[Asked]]
    asker: Callable[[Classes], Callable[[list[Any]], Answer]]
    written: Callable[[Any, Sequence[Asked], str], Any]


def expected(thrown: Thrown, known: Sequence[str], question: object) -> str:
    """The name of an exception that this class is known to throw.

    Raises CannotRecord for another: it may be our own mistake in asking.
    """
    if thrown.name not in known:
        raise CannotRecord(f"unexpected {thrown} as an answer to {question}")
    return thrown.name
