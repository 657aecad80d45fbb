"""Classes of values: refuse enums and records that change how values behave.

Compiled code compares members of enums as numbers, and records field by field.
"""

from __future__ import annotations

import inspect
from enum import IntEnum
from functools import cache

from tierproof.model.language.errors import OutsideLanguage
from tierproof.model.language.purity import shown_path
from tierproof.model.language.state import Record, State

_NUMBER = (
    *("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert", "abs", "bool", "int", "index"),
    *("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"),
    *("radd", "rsub", "rmul", "rfloordiv", "rmod", "rlshift", "rrshift", "rand", "ror", "rxor"),
    *("getattribute", "hash"),
)
_RECORD = ("eq", "ne", "init", "new", "getattr", "getattribute", "setattr", "delattr")


@cache
def flaw_of_enum(enum: type) -> str | None:
    """Why the members of an enum do not behave as plain numbers; None if they do."""
    if not issubclass(enum, IntEnum):
        return f"{enum.__name__} is no IntEnum; derive it of IntEnum"
    own = [name for name in _NUMBER if _inherited(enum, name) is not _inherited(IntEnum, name)]
    if own:
        return (
            f"{enum.__name__} has an operator of its own, __{own[0]}__; "
            "leave the members the numbers that they are"
        )
    if any(type(one.value) is not int or one.value != int(one) for one in enum):
        return f"{enum.__name__} has values that are no plain numbers; number the members"
    if any(not -(1 << 63) <= int(one) < 1 << 63 for one in enum):
        return f"{enum.__name__} has a member of more than 64 bits; use smaller numbers"
    if "_missing_" in {name for parent in enum.__mro__[:-4] for name in vars(parent)}:
        return f"{enum.__name__} makes members up (_missing_); declare them all"
    return None


def check_field_enum(enum: type) -> None:
    """Raise OutsideLanguage unless the enum of a field or a parameter is one of plain numbers."""
    flaw = flaw_of_enum(enum)
    if flaw is not None:
        raise OutsideLanguage(f"{_place(enum)}: {flaw}")


def check_record(record: type) -> None:
    """Raise OutsideLanguage if a record compares itself, or gives its fields, in its own way."""
    base = State if issubclass(record, State) else Record
    for name in _RECORD:
        if _inherited(record, name) is not _inherited(base, name):
            raise OutsideLanguage(
                f"{_place(record)}: {record.__name__} has a __{name}__ of its own; "
                "write a function that takes the record"
            )


def _inherited(one: type, name: str) -> object:
    return getattr(one, f"__{name}__", None)


def _place(one: type) -> str:
    """File and line of a class."""
    try:
        file, line = inspect.getsourcefile(one), inspect.getsourcelines(one)[1]
    except (OSError, TypeError):
        return one.__module__
    return f"{shown_path(file) if file else one.__module__}:{line}"
