"""Reaching: how near states come to a witness, or to a premise, that is true in none of them."""

from __future__ import annotations

import ast
import builtins
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.actions import Predicate
from tierproof.model.language.design import Design
from tierproof.model.language.explaining.cases import called_frame, cases
from tierproof.model.language.explaining.explainer import Explainer
from tierproof.model.language.explaining.frames import Frame, body_of, called, written
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.predicates import given_to
from tierproof.model.language.explaining.running import Looped, NotDivided, Trail, returned
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State

MOST_STEPS = 200
"""How many steps random walks take in all unless a caller says more."""
WALK = 50
"""How many steps a walk has at most."""


@dataclass(frozen=True)
class Nearest:
    """How near `states` states come to a predicate that is true in none of them.

    `conditions` are the parts that all have to be true, each with the number of states in which
    it is, for some value of its variables of which it is asked. `nearest` explains the state in
    which the most are.
    """

    name: str
    states: int
    conditions: tuple[tuple[str, int], ...]
    nearest: Part

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {
            "name": self.name,
            "states": self.states,
            "conditions": dict(self.conditions),
            "nearest": self.nearest.as_dict(),
        }


def walked_states(
    design: Design, scope: Scope, *, steps: int = MOST_STEPS, seed: int = 0
) -> list[State]:
    """Distinct states that random walks of CPython meet: the same for the same seed.

    They take `steps` steps in all. A step of a large design takes CPython a tenth of a second.
    """
    interpreter, chance = Interpreter(design, scope), random.Random(seed)
    first = interpreter.initial_state(0)
    met, state, length = {first: None}, first, 0
    for _ in range(steps):
        is_open = length < WALK and interpreter.within_bounds(state)
        enabled = interpreter.enabled(state) if is_open else []
        if enabled:
            state, length = interpreter.take(state, chance.choice(enabled)), length + 1
            met[state] = None
        else:
            state, length = first, 0
    return list(met)


def nearest_to(
    design: Design, scope: Scope, entry: Predicate, states: Iterable[State]
) -> Nearest | None:
    """How near states come to a witness or a premise; None if it is true in one of them."""
    counts: Counter[str] = Counter()
    best: tuple[int, State] | None = None
    looked_at = 0
    for state in states:
        looked_at += 1
        given = given_to(entry, scope, state)
        if entry(*given):
            return None
        truths = _Survey(design).of(entry, given)
        counts.update({text: int(truth) for text, truth in truths.items()})
        reached = sum(truths.values())
        if best is None or reached > best[0]:
            best = reached, state
    if best is None:
        return None
    why = Explainer(design).function(entry, given_to(entry, scope, best[1]))
    return Nearest(entry.name, looked_at, tuple(counts.items()), why)


class _Survey:
    """Which conditions of a predicate are true in a state, for some value of their variables."""

    def __init__(self, design: Design) -> None:
        self.reads = Explainer(design).reads
        self.truths: dict[str, bool] = {}

    def of(self, entry: Predicate, given: list[Any]) -> dict[str, bool]:
        """Condition -> its truth. A condition without an answer is not true."""
        function = called(entry)
        assert function is not None
        watched = [self.reads.watch(one) for one in given]
        names = dict(zip(function.__code__.co_varnames, watched, strict=False))
        trail: Trail = []
        frame = Frame.of_call(function, names)
        try:
            left = returned(frame, body_of(function), trail)
        except NotDivided:
            left = None
        self._trail(trail)
        if left is not None and not isinstance(left, ast.Constant):
            self._condition(frame, left)
        return self.truths

    def _trail(self, trail: Trail) -> None:
        """The tests of a body: what has to be true for a return of True, and false for others."""
        for entry in trail:
            if isinstance(entry, Looped):
                for one in entry.rounds:
                    self._trail(one.trail)
                continue
            exits = entry.exits if entry.has_led else entry.skipped
            if not exits:
                continue
            is_under_test = entry.has_led == entry.truth
            if is_under_test and any(_gives(one, True) for one in exits):
                self._condition(entry.frame, entry.test)
            elif is_under_test:
                self._note(_negated(entry.test), not entry.truth)
            else:
                self._note(written(entry.test), entry.truth)

    def _condition(self, frame: Frame, node: ast.expr) -> None:
        """A condition that has to be true, by its own conditions."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for one in node.values:
                self._condition(frame, one)
            return
        inside = self._inside(frame, node)
        if inside is None:
            self._note(written(node), self._is_true(frame, node))
        for inner, one in inside or ():
            self._condition(inner, one)

    def _inside(self, frame: Frame, node: ast.expr) -> Iterable[tuple[Frame, ast.expr]] | None:
        """What a quantifier asks of each value, or what a helper of one line returns."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        target = frame.value(node.func)
        if target is builtins.any and isinstance(node.args[0], ast.GeneratorExp):
            return _of_cases(frame, node.args[0])
        function = called(target)
        if function is None:
            return None
        last = body_of(function)[-1]
        lines = [one for one in body_of(function) if not isinstance(one, ast.Expr)]
        if len(lines) > 1 or not isinstance(last, ast.Return) or last.value is None:
            return None
        try:
            with self.reads.strict():
                return [(called_frame(frame, node, function), last.value)]
        except Exception:  # an argument that an earlier condition guards has no answer
            return None

    def _is_true(self, frame: Frame, node: ast.expr) -> bool:
        with self.reads.strict():
            try:
                return bool(frame.value(node))
            except Exception:  # whatever it raises, an earlier condition is there to prevent it
                return False

    def _note(self, text: str, truth: bool) -> None:
        self.truths[text] = self.truths.get(text, False) or truth


def _of_cases(frame: Frame, inside: ast.GeneratorExp) -> Iterator[tuple[Frame, ast.expr]]:
    tests = [test for loop in inside.generators for test in loop.ifs]
    for case in cases(frame, inside.generators, ()):
        if case.refused_by is not None:
            yield case.frame, case.refused_by
            continue
        for asked in (*tests, inside.elt):
            yield case.frame, asked


def _negated(node: ast.expr) -> str:
    """The opposite of a test, as text."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return written(node.operand)
    return f"not ({written(node)})"


def _gives(one: ast.stmt, truth: bool) -> bool:
    """Whether an exit returns this truth, as it is written."""
    return (
        isinstance(one, ast.Return)
        and isinstance(one.value, ast.Constant)
        and one.value.value is truth
    )
