"""Signatures: what a function object takes, and whether it was altered since it was first read.

A function is read once, and run by CPython whenever a trace is replayed. Its code, its defaults and
what `inspect` says of it can be assigned: both would then run different functions.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from tierproof.model.language.errors import OutsideLanguage
from tierproof.model.language.purity import shown_path


class _Parts(NamedTuple):
    """The parts of a function object that can be assigned, and that say what a call does."""

    code: types.CodeType
    defaults: tuple[Any, ...]
    keyword_defaults: tuple[Any, ...]

    @classmethod
    def of(cls, function: Any) -> _Parts:
        """The parts as they are now."""
        named = function.__kwdefaults__
        flat = tuple(one for pair in sorted(named.items()) for one in pair) if named else ()
        return cls(function.__code__, function.__defaults__ or (), flat)

    def altered_in(self, now: _Parts) -> str:
        """The name of a part that is another object now, or nothing."""
        if now.code is not self.code:
            return "__code__"
        if not _are_same(now.defaults, self.defaults):
            return "__defaults__"
        same = _are_same(now.keyword_defaults, self.keyword_defaults)
        return "" if same else "__kwdefaults__"


_FIRST: dict[Callable[..., Any], _Parts] = {}
"""The parts of each function when it was first read."""
_SIGNATURES: dict[Callable[..., Any], tuple[_Parts, inspect.Signature]] = {}


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """What a function takes. Raises OutsideLanguage if it says so itself: CPython ignores that."""
    now = _parts_of(function)
    known = _SIGNATURES.get(function)
    if known is None or known[0].altered_in(now):
        known = _SIGNATURES[function] = now, inspect.signature(function, follow_wrapped=False)
    return known[1]


def check_unaltered(function: Callable[..., Any]) -> None:
    """Raise OutsideLanguage if a function object is no longer what it was when first read."""
    now = _parts_of(function)
    altered = _FIRST.setdefault(function, now).altered_in(now)
    if altered:
        raise OutsideLanguage(
            f"{_place_of(function)} was altered after it was declared: its {altered} is another "
            "one now; write another function, and let a variant replace this one"
        )


def _parts_of(function: Any) -> _Parts:
    if "__signature__" in vars(function):
        raise OutsideLanguage(
            f"{_place_of(function)} has a __signature__ of its own, by which Python does not "
            "call it: write its parameters where it is defined"
        )
    return _Parts.of(function)


def _are_same(some: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    if some is others:
        return True
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(one is other for one, other in pairs)


def _place_of(function: Any) -> str:
    code = function.__code__
    return f"{shown_path(code.co_filename)}:{code.co_firstlineno}: {function.__name__!r}"
