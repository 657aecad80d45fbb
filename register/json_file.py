"""JSON files that are kept between runs: a file that is not as it was written is refused by name.

A merge may have left its marks in one, or both sides' lines: nothing in it counts then.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tierproof.model.language.errors import TierproofError


class Unreadable(TierproofError):
    """A kept file that is not as tierproof writes it; the message names it, and what to do."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(
            f"{path} cannot be read: {why}; restore it as it was committed, "
            "or remove it and write it anew"
        )
        self.path = path


@dataclass(frozen=True)
class Field:
    """A field of an object: what its value has to be, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]
    is_needed: bool = True


def read(path: Path) -> Any:
    """The content of a JSON file. Raises Unreadable."""
    try:
        return decoded(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(path, error) from None


def decoded(text: str) -> Any:
    """The value of JSON in which no object has a name twice. Raises ValueError."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def write(path: Path, text: str) -> None:
    """Write a file as a whole: if the disk is full, the one that was there stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check(place: str, found: Any, fields: Mapping[str, Field]) -> None:
    """Raise ValueError unless an object has these fields, and no others."""
    if not isinstance(found, dict):
        raise ValueError(f"{place} is no object")
    for name, field in fields.items():
        if name not in found:
            if field.is_needed:
                raise ValueError(f"{place} has no {name!r}")
        elif not field.fits(found[name]):
            raise ValueError(f"{place}: {name!r} is not {field.words}")
    if unknown := sorted(set(found) - set(fields)):
        raise ValueError(f"{place} has an unknown {unknown[0]!r}")


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0 on."""
    return type(value) is int and value >= 0


def is_text(value: Any) -> bool:
    """Whether a value is text."""
    return isinstance(value, str)


def are_names(value: Any) -> bool:
    """Whether a value is a list of different names."""
    return isinstance(value, list) and all(map(is_text, value)) and len(set(value)) == len(value)


def is_table_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test whether a value is an object all of whose values fit."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"it has {name!r} twice in one object")
        found[name] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _umask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found
