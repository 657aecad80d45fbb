"""Reading one recorded row: a row that cannot be read is named with its field, and costs no other.

A row is read twice at most. The second time, which only a row that failed has, every access is
noted: the last one is the field that is missing, or as a rule the one that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from tierproof.conformance.rows import UNREADABLE, NotARecording, Row
from tierproof.model.language import TierproofError

FAULTS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    TierproofError,
)
"""What reading a row raises if a field is missing or holds something else."""

SHOWN = 80
"""Characters of a wrong value that are shown."""

Read = Callable[[Any], Row]


def read_row(name: str, place: str, recorded: Any, read: Read) -> Row:
    """The row that `read` makes of it, or one that does not agree and says which field is wrong."""
    try:
        return read(recorded)
    except FAULTS as error:
        return Row(name, None, None, f"{UNREADABLE}: {_fault_of(recorded, read, error)}", place)


def read_rows(content: Any, read: Callable[[int, Any], Row]) -> Iterator[Row]:
    """A row for each element of a list; `read` takes its number, from 0 on, and the element.

    Raises NotARecording if the content is no list.
    """
    if not isinstance(content, list):
        raise NotARecording(f"it holds {_shown(content)}, and no list of rows")
    for number, recorded in enumerate(content):
        place = place_of(content, number)
        yield read_row(f"row {number}", place, recorded, partial(read, number))


class Lines(list[Any]):
    """The values of JSON lines; `numbers` has the line of each, from 1 on."""

    def __init__(self, numbered: dict[int, Any]) -> None:
        super().__init__(numbered.values())
        self.numbers = tuple(numbered)


class NotJson(str):
    """A line that is not JSON, in place of its value; the text says why."""


def place_of(content: list[Any], number: int) -> str:
    """Where a row stands in its file: its line, or its `id` if it has one, or its number."""
    if isinstance(content, Lines):
        return f"line {content.numbers[number]}"
    row = content[number]
    return f"case {row['id']!r}" if isinstance(row, dict) and "id" in row else f"row {number}"


def _fault_of(recorded: Any, read: Read, error: Exception) -> str:
    """What is wrong with a row, in a sentence that names the field."""
    if isinstance(recorded, NotJson):
        return f"it is not JSON: {recorded}"
    accesses = _Accesses()
    with suppress(*FAULTS):
        read(accesses.noting(recorded, ""))
    if isinstance(error, NotARecording):
        return str(error)
    if accesses.is_missing:
        return f"the field {accesses.place} is missing"
    why = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason'}"
    if not accesses.place:
        return f"it is {_shown(recorded)}, and not in the format of a recording ({why})"
    return f"the field read last, {accesses.place}, holds {_shown(accesses.value)} ({why})"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


class _Accesses:
    """The last access to a part of a row: its place, its value, and whether it was there."""

    def __init__(self) -> None:
        self.place, self.value, self.is_missing = "", None, False

    def note(self, place: str, value: Any, *, is_missing: bool = False) -> None:
        """An access."""
        self.place, self.value, self.is_missing = place, value, is_missing

    def noting(self, value: Any, place: str) -> Any:
        """The same value, which notes every access to it and to its parts."""
        if isinstance(value, dict):
            begun = f"{place}." if place else ""
            parts = {name: self.noting(part, f"{begun}{name}") for name, part in value.items()}
            return _Fields(parts, begun, self)
        if isinstance(value, list):
            return _Elements(
                [self.noting(part, f"{place}[{at}]") for at, part in enumerate(value)], place, self
            )
        return value


class _Fields(dict[str, Any]):
    """An object of a row that notes which of its fields is read."""

    def __init__(self, parts: dict[str, Any], begun: str, accesses: _Accesses) -> None:
        super().__init__(parts)
        self._begun, self._accesses = begun, accesses

    def __getitem__(self, name: str) -> Any:
        place = f"{self._begun}{name}"
        if name not in self:
            self._accesses.note(place, None, is_missing=True)
        value = super().__getitem__(name)
        self._accesses.note(place, value)
        return value

    def get(self, name: str, otherwise: Any = None) -> Any:
        if name not in self:
            return otherwise
        return self[name]


class _Elements(list[Any]):
    """A list of a row that notes which of its elements is read."""

    def __init__(self, parts: list[Any], place: str, accesses: _Accesses) -> None:
        super().__init__(parts)
        self._place, self._accesses = place, accesses

    def __getitem__(self, at: Any) -> Any:
        place = f"{self._place}[{at}]"
        if isinstance(at, int) and not -len(self) <= at < len(self):
            self._accesses.note(place, None, is_missing=True)
        value = super().__getitem__(at)
        if isinstance(at, int):
            self._accesses.note(place, value)
        return value

    def __iter__(self) -> Iterator[Any]:
        for at in range(len(self)):
            yield self[at]
