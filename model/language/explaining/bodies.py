"""Bodies: why the statements of a function led to the return that was taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Protocol

from tierproof.model.language.explaining.folding import LOOKED_AT, folded, with_bindings
from tierproof.model.language.explaining.frames import Frame
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.running import Exit, Looped, Round, Tested, Trail
from tierproof.model.language.explaining.watched import Words


class Explaining(Protocol):
    """What explains the expressions of a body."""

    words: Words

    def truth(self, frame: Frame, node: ast.expr) -> Part:
        """A condition, and what decides it."""

    def value(self, frame: Frame, node: ast.expr) -> Part:
        """An expression that is compared or returned, and what decides its value."""

    def shallow(self) -> AbstractContextManager[None]:
        """Divide no calls and no quantifiers inside."""

    def apart(self) -> AbstractContextManager[None]:
        """Explain inside what variables of outside are, as if it was explained nowhere else."""


def reasons(
    explainer: Explaining, trail: Trail, left: ast.expr, frame: Frame, truth: bool | None
) -> tuple[Part, ...]:
    """The conditions that led to a return, and what decides the value that it returns.

    A condition that another return stands under is among them if that one would have returned
    something else. `truth` is None for a function that is not used as a condition.
    """
    return tuple(_Body(explainer, left, frame, truth).parts(trail))


class _Body:
    """One function that was run, and the return that was taken."""

    def __init__(
        self, explainer: Explaining, left: ast.expr, frame: Frame, truth: bool | None
    ) -> None:
        self.explainer, self.frame, self.node, self.truth = explainer, frame, left, truth
        self.is_constant = isinstance(left, ast.Constant) or (
            isinstance(left, (ast.Name, ast.Attribute)) and not _names(left, frame)
        )
        self.returned = frame.value(left)

    def parts(self, trail: Trail) -> Iterator[Part]:
        """What led to the return along a trail, and the value itself unless it is written down."""
        has_led = any(entry.has_led for entry in trail)
        yield from self._along(trail, is_deep=self.is_constant and not has_led)
        if not self.is_constant and not (trail and isinstance(trail[-1], Looped) and has_led):
            yield self._value(self.frame)

    def _value(self, frame: Frame) -> Part:
        explain = self.explainer.value if self.truth is None else self.explainer.truth
        return explain(frame, self.node)

    def _along(self, trail: Trail, *, is_deep: bool) -> Iterator[Part]:
        for entry in trail:
            if isinstance(entry, Looped):
                yield from self._loop(entry, is_deep=is_deep)
            elif entry.has_led or any(map(self._would_differ, entry.skipped)):
                yield self._test(entry, is_deep=is_deep or entry.has_led)

    def _test(self, entry: Tested, *, is_deep: bool) -> Part:
        if is_deep:
            return self.explainer.truth(entry.frame, entry.test)
        with self.explainer.shallow():
            return self.explainer.truth(entry.frame, entry.test)

    def _would_differ(self, one: Exit) -> bool:
        """Whether a return that was not taken may return something else; so may a continue."""
        if not isinstance(one, ast.Return) or not isinstance(one.value, ast.Constant):
            return True
        other = one.value.value
        return bool(other) != self.truth if self.truth is not None else other != self.returned

    # -- loops

    def _loop(self, entry: Looped, *, is_deep: bool) -> Iterator[Part]:
        if entry.has_led:
            yield from self._last_round(entry, entry.rounds[-1])
        elif any(map(self._would_differ, entry.returns)):
            yield self._ended(entry, is_deep=is_deep)

    def _last_round(self, entry: Looped, last: Round) -> Iterator[Part]:
        """The round of a loop in which the function returned."""
        parts = list(self._along(last.trail, is_deep=False))
        is_inner = bool(last.trail) and isinstance(last.trail[-1], Looped)
        if not self.is_constant and not (is_inner and last.trail[-1].has_led):
            parts.append(self._value(self.frame))
        bindings = self._bindings(last)
        if len(parts) == 1:
            yield with_bindings(parts[0], bindings)
        else:
            truth = self.truth
            shown = self.explainer.words.of_value(self.returned)
            yield Part(_head(entry), f"returns {shown}", truth, bindings, tuple(parts))

    def _ended(self, entry: Looped, *, is_deep: bool) -> Part:
        """A loop in which no round returned, with what kept each from it."""
        found = [part for one in entry.rounds[:LOOKED_AT] for part in self._kept(one, is_deep)]
        parts, more = folded(found, max(0, len(entry.rounds) - LOOKED_AT))
        value = "does not return" if entry.rounds else "has no round"
        return Part(_head(entry), value, None, (), parts, (), more)

    def _kept(self, one: Round, is_deep: bool) -> Iterator[Part]:
        """What kept a round of a loop from a return: a test that left it, or those of returns."""
        with self.explainer.apart():
            yield from self._keeping(one, is_deep)

    def _keeping(self, one: Round, is_deep: bool) -> Iterator[Part]:
        leaving = [entry for entry in one.trail if entry.has_led]
        asked = [
            entry
            for entry in one.trail
            if not isinstance(entry, Looped)
            and any(isinstance(it, ast.Return) and self._would_differ(it) for it in entry.skipped)
        ]
        inner = [
            self._ended(entry, is_deep=is_deep)
            for entry in one.trail
            if isinstance(entry, Looped) and any(map(self._would_differ, entry.returns))
        ]
        tests = [entry for entry in leaving if isinstance(entry, Tested)] or asked
        parts = [self._test(entry, is_deep=is_deep) for entry in islice(tests, 3)]
        for part in (*parts, *inner):
            yield with_bindings(part, self._bindings(one))

    def _bindings(self, one: Round) -> tuple[tuple[str, str], ...]:
        if one.name is None:
            return ()
        return ((one.name, self.explainer.words.of_value(one.value)),)


def changes(explainer: Explaining, frame: Frame, name: str) -> tuple[tuple[Part, ...], int]:
    """The rounds of loops, and the tests, in which a variable was computed further."""
    found = frame.changes[name]
    told = (part for around in found[:LOOKED_AT] for part in _change(explainer, around))
    return folded(told, len(found[LOOKED_AT:]))


def _change(explainer: Explaining, around: tuple[Tested | Round, ...]) -> Iterator[Part]:
    rounds = [one for one in around if isinstance(one, Round) and one.name is not None]
    bindings = tuple((str(one.name), explainer.words.of_value(one.value)) for one in rounds)
    tests = [one for one in around if isinstance(one, Tested)]
    if tests:
        with explainer.shallow():
            yield with_bindings(explainer.truth(tests[-1].frame, tests[-1].test), bindings)


def _head(entry: Looped) -> str:
    """The first line of a loop, without its colon."""
    return ast.unparse(entry.statement).partition("\n")[0].removesuffix(":")


def _names(node: ast.expr, frame: Frame) -> bool:
    """Whether an expression names a variable."""
    return any(isinstance(one, ast.Name) and one.id in frame.names for one in ast.walk(node))
