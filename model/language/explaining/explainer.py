"""Explainer: divides expressions of a design into the parts that decide their values.

Every value is CPython's; the syntax tree only says of which parts an expression consists.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.explaining.bodies import changes, reasons
from tierproof.model.language.explaining.cases import Case, called_frame, cases
from tierproof.model.language.explaining.folding import LOOKED_AT, folded, with_bindings
from tierproof.model.language.explaining.frames import (
    Frame,
    arguments_by_name,
    body_of,
    called,
    written,
)
from tierproof.model.language.explaining.part import Named, Part
from tierproof.model.language.explaining.running import NotDivided, Trail, returned
from tierproof.model.language.explaining.watched import Reads, Words

MOST_PARTS = 4000
"""Of how many parts an explanation consists at most; what comes then is not divided."""
MOST_FIELDS = 8
"""How many fields an undivided expression names; if it reads more, it names none."""


class Explainer:
    """Explains expressions of one design in one state or step.

    `leaf_made` is told each undivided expression, the frame and its part: for tests.
    """

    def __init__(
        self,
        design: Design | None = None,
        leaf_made: Callable[[ast.expr, Frame, Part], None] | None = None,
    ) -> None:
        self.reads = Reads()
        self.words = Words(self.reads, design)
        self.leaf_made = leaf_made
        self.coarse = 0
        self.is_shallow = False
        self._made = 0
        self._told: dict[tuple[int, int], Frame] = {}

    # -- functions

    def function(self, function: Any, given: list[Any], text: str = "") -> Part:
        """The value of a call of a guard, a property or a helper, and what decides it."""
        plain = called(function)
        assert plain is not None
        arguments = arguments_by_name(plain, [self.reads.watch(one) for one in given], {})
        value = plain(*arguments.values())
        frame = Frame.of_call(plain, arguments)
        return self._run(plain, frame, value, text or plain.__name__, is_truth=True)

    def _run(self, function: Any, frame: Frame, value: Any, text: str, *, is_truth: bool) -> Part:
        """A call that gave `value`, divided by the statements of the function."""
        truth = bool(value) if is_truth else None
        whole = Part(text, self.words.of_value(value), truth, self._bound(frame.names))
        if not self._has_room():
            return whole
        trail = Trail()
        try:
            left = returned(frame, body_of(function), trail)
        except NotDivided:
            left = None
        if left is None or frame.value(left) != value:
            self.coarse += 1
            return whole
        parts = reasons(self, trail, left, frame, truth)
        return replace(whole, parts=parts)

    def _bound(self, given: dict[str, Any]) -> Named:
        """The arguments of a call that are numbers, members of enums or truths."""
        return tuple(
            (name, self.words.of_value(value))
            for name, value in given.items()
            if isinstance(value, int)
        )

    def _has_room(self) -> bool:
        self._made += 1
        return self._made <= MOST_PARTS and not self.is_shallow

    # -- conditions

    def truth(self, frame: Frame, node: ast.expr) -> Part:
        """A condition, and what decides it."""
        self._made += 1
        if isinstance(node, ast.BoolOp):
            return self._logical(frame, node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._not(frame, node)
        if isinstance(node, ast.Compare):
            return self._comparison(frame, node)
        if isinstance(node, ast.IfExp):
            return self._choice(frame, node, self.truth)
        if isinstance(node, ast.Call):
            return self._call(frame, node, is_truth=True)
        if isinstance(node, ast.Name) and node.id in frame.origins:
            return self._variable(frame, node, self.truth)
        if isinstance(node, ast.BinOp):
            return replace(self.value(frame, node), truth=bool(frame.value(node)))
        return self.leaf(frame, node, is_truth=True)

    def leaf(self, frame: Frame, node: ast.expr, *, is_truth: bool = False) -> Part:
        """An expression that is not divided: its value, and the fields that it reads."""
        with self.reads.collected() as read:
            value = frame.value(node)
        fields = self.words.of_fields(read) if len(read) <= MOST_FIELDS else ()
        is_path = isinstance(node, (ast.Attribute, ast.Subscript))
        shown = self.words.of_value(value, read if is_path else None)
        truth = bool(value) if is_truth else None
        made = Part(written(node), shown, truth, fields=fields)
        if self.leaf_made is not None:
            self.leaf_made(node, frame, made)
        return made

    def _logical(self, frame: Frame, node: ast.BoolOp) -> Part:
        """The operands that make a conjunction false, or a disjunction true, or else all."""
        decides = not isinstance(node.op, ast.And)
        truth = bool(frame.value(node))
        if truth != decides:
            parts = [self.truth(frame, one) for one in node.values]
        else:
            parts = self._deciding(frame, node.values, decides)
        if len(parts) == 1:
            return parts[0]
        shown = self.words.of_value(frame.value(node))
        return Part(written(node), shown, truth, parts=tuple(parts))

    def _deciding(self, frame: Frame, operands: list[ast.expr], decides: bool) -> list[Part]:
        """The operands of that truth: the one at which CPython stops, and those behind it.

        One that has no answer, as an earlier one guards it, is left out.
        """
        first = next(n for n, one in enumerate(operands) if bool(frame.value(one)) == decides)
        found = [self.truth(frame, operands[first])]
        for one in operands[first + 1 :]:
            with self.reads.strict():
                try:
                    if bool(frame.value(one)) == decides:
                        found.append(self.truth(frame, one))
                except Exception:  # whatever it raises, an earlier operand is there to prevent it
                    continue
        return found

    def _not(self, frame: Frame, node: ast.UnaryOp) -> Part:
        inside, value = self.truth(frame, node.operand), frame.value(node)
        text, shown = written(node), self.words.of_value(value)
        if inside.text != written(node.operand):
            return Part(text, shown, bool(value), parts=(inside,))
        return replace(inside, text=text, value=shown, truth=bool(value))

    def _choice(
        self, frame: Frame, node: ast.IfExp, explain: Callable[[Frame, ast.expr], Part]
    ) -> Part:
        chosen = node.body if frame.value(node.test) else node.orelse
        inside = explain(frame, chosen)
        test = self.truth(frame, node.test)
        parts = (test,) if _is_constant(frame, chosen) else (test, inside)
        return Part(written(node), inside.value, inside.truth, parts=parts)

    # -- comparisons

    def _comparison(self, frame: Frame, node: ast.Compare) -> Part:
        """A comparison with both sides; of a chain that is false, its first false link."""
        value = frame.value(node)
        sides = [node.left, *node.comparators]
        if len(node.ops) > 1 and not value:
            for left, sign, right in zip(sides, node.ops, sides[1:], strict=False):
                link = ast.Compare(left, [sign], [right])
                if not frame.value(link):
                    return self._comparison(frame, link)
        parts = [self.value(frame, one) for one in sides if not _is_constant(frame, one)]
        shown = self.words.of_value(value)
        return Part(written(node), shown, bool(value), parts=tuple(parts))

    def value(self, frame: Frame, node: ast.expr) -> Part:
        """An expression that is compared, and what decides its value."""
        self._made += 1
        if isinstance(node, ast.Call):
            return self._call(frame, node, is_truth=False)
        if isinstance(node, ast.Name) and node.id in frame.origins:
            return self._variable(frame, node, self.value)
        if isinstance(node, ast.Name) and node.id in frame.changes and not self.is_shallow:
            parts, more = changes(self, frame, node.id)
            return replace(self.leaf(frame, node), parts=parts, more=more)
        if isinstance(node, ast.IfExp):
            return self._choice(frame, node, self.value)
        if isinstance(node, ast.BinOp):
            return self._computed(frame, node, [node.left, node.right])
        is_truth = isinstance(node, (ast.BoolOp, ast.Compare, ast.UnaryOp)) and isinstance(
            frame.value(node), bool
        )
        return self.truth(frame, node) if is_truth else self.leaf(frame, node)

    def _computed(self, frame: Frame, node: ast.expr, operands: list[ast.expr]) -> Part:
        """A number that is computed of others."""
        parts = [self.value(frame, one) for one in operands if not _is_constant(frame, one)]
        return replace(self.leaf(frame, node), parts=tuple(parts), fields=())

    def _variable(
        self, frame: Frame, node: ast.Name, explain: Callable[[Frame, ast.expr], Part]
    ) -> Part:
        """A variable, explained by the expression that gave it its value."""
        origin, before = frame.origins[node.id]
        if (key := (id(before), id(origin))) in self._told:
            return self.leaf(frame, node, is_truth=explain == self.truth)
        inside = explain(before, origin)
        if not inside.parts:
            return replace(inside, text=node.id, bindings=())
        if not self.is_shallow:
            self._told[key] = before
        return Part(node.id, inside.value, inside.truth, parts=(inside,))

    # -- calls

    def _call(self, frame: Frame, node: ast.Call, *, is_truth: bool) -> Part:
        target = None
        if isinstance(node.func, (ast.Name, ast.Attribute)):
            target = frame.value(node.func)
        if target in (builtins.any, builtins.all) and isinstance(node.args[0], ast.GeneratorExp):
            return self._quantified(frame, node, node.args[0], target is builtins.all)
        if target is builtins.bool and node.args:
            inside = self.truth(frame, node.args[0])
            return Part(written(node), str(inside.truth), inside.truth, parts=(inside,))
        if target in (builtins.min, builtins.max) and len(node.args) > 1 and not is_truth:
            return self._computed(frame, node, node.args)
        function = called(target)
        if function is None:
            return self.leaf(frame, node, is_truth=is_truth)
        value = frame.value(node)
        is_truth = is_truth or isinstance(value, bool)
        inner = called_frame(frame, node, function)
        return self._run(function, inner, value, written(node), is_truth=is_truth)

    def _quantified(
        self, frame: Frame, node: ast.Call, inside: ast.GeneratorExp, is_all: bool
    ) -> Part:
        """`any` or `all`: the values that decide it, or of which each does."""
        truth = bool(frame.value(node))
        whole = Part(written(node), str(truth), truth)
        if not self._has_room():
            return whole
        met = cases(frame, inside.generators, ())
        if truth != is_all:
            met = (one for one in met if _decides(one, inside.elt, truth))
        first = list(islice(met, LOOKED_AT))
        parts, more = folded((self._case(one, inside) for one in first), sum(1 for _ in met))
        return replace(whole, parts=parts, more=more)

    def _case(self, case: Case, inside: ast.GeneratorExp) -> Part:
        """What a quantifier asks of one value of its variables."""
        with self.apart():
            return self._asked_of(case, inside)

    def _asked_of(self, case: Case, inside: ast.GeneratorExp) -> Part:
        bindings = tuple((name, self.words.of_value(value)) for name, value in case.bindings)
        if case.refused_by is not None:
            return with_bindings(self.truth(case.frame, case.refused_by), bindings)
        asked = self.truth(case.frame, inside.elt)
        tests = [test for loop in inside.generators for test in loop.ifs]
        if tests:
            with self.shallow():
                met = tuple(self.truth(case.frame, test) for test in tests)
            asked = _with_conditions(asked, written(inside.elt), met)
        return with_bindings(asked, bindings)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Explain inside what variables of outside are, as if it was explained nowhere else."""
        outer, self._told = self._told, dict(self._told)
        try:
            yield
        finally:
            self._told = outer

    @contextmanager
    def shallow(self) -> Iterator[None]:
        """Divide no calls and no quantifiers inside."""
        was, self.is_shallow = self.is_shallow, True
        try:
            yield
        finally:
            self.is_shallow = was


def _decides(case: Case, asked: ast.expr, truth: bool) -> bool:
    return case.refused_by is None and bool(case.frame.value(asked)) == truth


def _with_conditions(asked: Part, text: str, met: tuple[Part, ...]) -> Part:
    """What is asked of a value, behind the conditions under which it is asked."""
    if asked.text != text:
        return Part(text, str(asked.truth), asked.truth, parts=(*met, asked))
    return replace(asked, parts=(*met, *asked.parts))


def _is_constant(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression means the same in every state: a number, a member of an enum."""
    used = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
    return not any(name in frame.names for name in used) and not any(
        isinstance(one, ast.Call) for one in ast.walk(node)
    )
