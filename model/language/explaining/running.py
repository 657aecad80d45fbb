"""Running: the statements of a function one by one, with a trail of what led where.

Predicates assign to variables only, so that running one twice does no harm.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tierproof.model.language.explaining.frames import Frame

Exit = ast.Return | ast.Continue | ast.Break


@dataclass
class Tested:
    """The test of an `if`: its truth, the exits of the branch taken, and of that `skipped`.

    It `has_led` to an exit if the branch that was taken did not run to its end.
    """

    test: ast.expr
    truth: bool
    frame: Frame
    skipped: tuple[Exit, ...]
    exits: tuple[Exit, ...] = ()
    has_led: bool = False


@dataclass
class Round:
    """One iteration of a loop: the value of its variable, None for a `while`, and its trail."""

    name: str | None
    value: Any
    trail: Trail = field(default_factory=list)


@dataclass
class Looped:
    """A loop, with its rounds; it `has_led` to a return in the last one, or not."""

    statement: ast.For | ast.While
    rounds: list[Round] = field(default_factory=list)
    has_led: bool = False

    @property
    def returns(self) -> tuple[Exit, ...]:
        """Every return in its body."""
        return tuple(one for one in _exits(self.statement.body) if isinstance(one, ast.Return))


Trail = list["Tested | Looped"]


class NotDivided(Exception):
    """A statement that is not run here."""


def returned(frame: Frame, body: list[ast.stmt], trail: Trail) -> ast.expr | None:
    """Run a function; what its return evaluates, None if it gives nothing back."""
    left = run(frame, body, trail)
    return left.value if isinstance(left, ast.Return) else None


def run(frame: Frame, body: list[ast.stmt], trail: Trail) -> Exit | None:
    """Run statements; the exit at which they were left, None if they came to their end."""
    for node in body:
        runner = _RUNNERS.get(type(node))
        if runner is None:
            raise NotDivided(ast.unparse(node))
        found = runner(frame, node, trail)
        if found is not None:
            return found
    return None


def _return(frame: Frame, node: Exit, trail: Trail) -> Exit:
    return node


def _nothing(frame: Frame, node: ast.stmt, trail: Trail) -> None:
    return None


def _if(frame: Frame, node: ast.If, trail: Trail) -> Exit | None:
    truth = bool(frame.value(node.test))
    taken, skipped = (node.body, node.orelse) if truth else (node.orelse, node.body)
    exits = tuple(_exits(skipped)), tuple(_exits(taken))
    entry = Tested(node.test, truth, frame.now(), *exits)
    trail.append(entry)
    frame.around.append(entry)
    found = run(frame, taken, trail)
    frame.around.pop()
    entry.has_led = found is not None
    return found


def _exits(body: list[ast.stmt]) -> Iterator[Exit]:
    """The exits within statements; those that only leave a loop among them do not count."""
    for node in body:
        if isinstance(node, Exit):
            yield node
        elif isinstance(node, ast.If):
            yield from _exits(node.body)
            yield from _exits(node.orelse)
        elif isinstance(node, (ast.For, ast.While)):
            yield from (one for one in _exits(node.body) if isinstance(one, ast.Return))


def _for(frame: Frame, node: ast.For, trail: Trail) -> Exit | None:
    assert isinstance(node.target, ast.Name)
    entry = Looped(node)
    trail.append(entry)
    for value in frame.value(node.iter):
        frame.bind(node.target.id, value)
        found = _round(frame, node, entry, Round(node.target.id, value))
        if found is not None:
            return found if isinstance(found, ast.Return) else None
    return None


def _while(frame: Frame, node: ast.While, trail: Trail) -> Exit | None:
    entry = Looped(node)
    trail.append(entry)
    while frame.value(node.test):
        found = _round(frame, node, entry, Round(None, None))
        if found is not None:
            return found if isinstance(found, ast.Return) else None
    return None


def _round(
    frame: Frame, node: ast.For | ast.While, entry: Looped, made: Round
) -> ast.Return | ast.Break | None:
    entry.rounds.append(made)
    frame.around.append(made)
    found = run(frame, node.body, made.trail)
    frame.around.pop()
    entry.has_led = isinstance(found, ast.Return)
    return None if isinstance(found, ast.Continue) else found


# -- assignments


def _assign(frame: Frame, node: ast.Assign, trail: Trail) -> None:
    value = frame.value(node.value)
    for target in node.targets:
        _give(frame, target, node.value, value)


def _annotated(frame: Frame, node: ast.AnnAssign, trail: Trail) -> None:
    if node.value is not None:
        _give(frame, node.target, node.value, frame.value(node.value))


def _give(frame: Frame, target: ast.expr, node: ast.expr, value: Any) -> None:
    if isinstance(target, ast.Name):
        frame.assign(target.id, node, value)
        return
    assert isinstance(target, (ast.Tuple, ast.List))
    before = frame.now()
    for number, (inner, item) in enumerate(zip(target.elts, value, strict=True)):
        _give(frame, inner, node, item)
        if isinstance(inner, ast.Name) and isinstance(node, ast.Tuple):
            frame.origins[inner.id] = node.elts[number], before
        elif isinstance(inner, ast.Name):
            frame.origins.pop(inner.id)


def _augmented(frame: Frame, node: ast.AugAssign, trail: Trail) -> None:
    assert isinstance(node.target, ast.Name)
    operate = _OPERATORS[type(node.op)]
    value = operate(frame.names[node.target.id], frame.value(node.value))
    frame.change(node.target.id, value, tuple(frame.around))


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}

_RUNNERS: dict[type[ast.stmt], Callable[[Frame, Any, Trail], Exit | None]] = {
    ast.Return: _return,
    ast.Break: _return,
    ast.Continue: _return,
    ast.Expr: _nothing,
    ast.Pass: _nothing,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
}
