"""Checking a design: each function that a reduced search calls treats alike things alike.

Initial states may differ in which is which. Liveness is judged on the whole graph, so that its
properties may, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tierproof.model.language.actions import SCOPE, STEP, Action
from tierproof.model.language.domains import Domain
from tierproof.model.language.errors import Asymmetric
from tierproof.model.language.initial import Initial
from tierproof.model.language.layout import Layout, layout_of
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.reading import Reader, tree
from tierproof.model.language.reading.source import spot_of
from tierproof.model.language.scope import Expression, Scope, Size
from tierproof.model.language.symmetry.expressions import sort_of_expression
from tierproof.model.language.symmetry.judging import Judged, Judging
from tierproof.model.language.symmetry.sorts import (
    NO_ONE,
    NUMBER,
    OPAQUE,
    Group,
    One,
    Queue,
    Row,
    Several,
    Sort,
    Tally,
    in_words,
    joined,
    sort_of,
    sort_of_values,
)
from tierproof.model.language.symmetry.statements import judge_block

if TYPE_CHECKING:
    from tierproof.model.language.design import Design


def alike_in(design: Design) -> tuple[Expression, ...]:
    """The bounds of which an Index says that what they count is alike, each once."""
    scope = next(iter(design.scopes.values()))
    domains = [placed.leaf.domain for placed in layout_of(design.state, scope).leaves]
    entries: tuple[Action | Initial, ...] = (*design.actions, *design.initial)
    for entry in entries:
        domains += [domain.sized(scope) for domain in entry.parameters.values()]
    sizes: list[Size] = [domain.of for domain in domains if domain.is_alike]
    return tuple(dict.fromkeys(sizes))


def check_alike(design: Design) -> None:
    """Raise Asymmetric where the design distinguishes things that it declares alike."""
    alike = alike_in(design)
    if alike:
        _Rules(design, alike).check()


class _Rules:
    """The functions of a design under the rules, each judged once for arguments of its sorts."""

    def __init__(self, design: Design, alike: tuple[Expression, ...]) -> None:
        self.design, self.alike = design, alike
        self.reader = Reader(design)
        self.scope: Scope = self.reader.scope
        self.layout: Layout = layout_of(design.state, self.scope)
        self.state = sort_of(self.layout.root, alike)
        self.bounds = {name: getattr(type(self.scope), name) for name in self.scope.bounds}
        self.judged: dict[tuple[tree.Function, tuple[Sort, ...]], Judged] = {}

    def check(self) -> None:
        """Judge every function that a reduced search calls."""
        design, reader = self.design, self.reader
        self._check_use()
        for act in design.actions:
            self._check_budget(act)
            for entry in act.guards:
                self._truth(reader.guard(act, entry), self._given(act, entry.arguments))
            for function, names in reader.effects(act):
                self.judge(function, (self.state, *self._given(act, names)))
        for claim in design.checked:
            if claim.kind is PropertyKind.LIVENESS:
                continue
            known = {SCOPE: OPAQUE, STEP: OPAQUE}
            given = tuple(known[name] for name in claim.arguments)
            states = (self.state,) if claim.kind is PropertyKind.STEP else ()
            self._truth(reader.predicate(claim), (*states, *given))
            if claim.premise is not None:
                rest = tuple(OPAQUE for _ in claim.premise.arguments)
                self._truth(reader.predicate(claim.premise), rest)
        if design.bounds is not None:
            rest = tuple(OPAQUE for _ in design.bounds.arguments)
            self._truth(reader.predicate(design.bounds), rest)

    def judge(self, function: tree.Function, given: tuple[Sort, ...]) -> Judged:
        """What a function is for arguments of these sorts. Raises Asymmetric."""
        key = function, given
        if key not in self.judged:
            self.judged[key] = _judged(self, function, given)
        return self.judged[key]

    def argument(self, name: str) -> Sort | None:
        """The sort of a step's argument of that name, None if it is both a number and not."""
        found: Sort = NO_ONE
        for act in self.design.actions:
            if name in act.parameters:
                both = joined(found, self._sort(act.parameters[name]))
                if both is None:
                    return None
                found = both
        has_all = all(name in act.parameters for act in self.design.actions)
        return found if has_all or found == NO_ONE else joined(found, NO_ONE)

    def _truth(self, function: tree.Function, given: tuple[Sort, ...]) -> None:
        found = self.judge(function, (self.state, *given)).result
        if joined(found, NUMBER) is None:
            raise Asymmetric(
                f"{spot_of(function.source)}: in {function.name!r}, what is returned is "
                f"{in_words(found)}, whose number decides; return True or False"
            )

    def _given(self, act: Action, names: Iterable[str]) -> tuple[Sort, ...]:
        return tuple(
            OPAQUE if name == SCOPE else self._sort(act.parameters[name]) for name in names
        )

    def _sort(self, domain: Domain) -> Sort:
        return sort_of_values(domain.sized(self.scope), self.alike)

    def _check_use(self) -> None:
        """Raise for alike things of which the state says nothing."""
        for one in self.alike:
            if not _has(self.state, one):
                raise Asymmetric(
                    f"design {self.design.name!r}: alike=True of Index({one.text}) would do "
                    f"nothing, as no field of {self.design.state.__name__} is an Index, an Array, "
                    f"a Set or a Bag of {one.text}; take it out"
                )

    def _check_budget(self, act: Action) -> None:
        """Raise for a budget that is that of one of the alike things."""
        found: Sort = self.state
        for part in re.findall(r"\w+", act.budget or ""):
            if isinstance(found, Row) and found.is_alike:
                raise Asymmetric(
                    f"action {act.name!r} spends {act.budget!r}, which is that of {part} of the "
                    f"alike {found.count.text}; give all of them one budget"
                )
            assert isinstance(found, (Row, Group))
            found = found.element if isinstance(found, Row) else found.field(part)


def _has(sort: Sort, one: Expression) -> bool:
    """Whether values of this sort say anything of the alike things that `one` counts."""
    if isinstance(sort, Group):
        return any(_has(field, one) for _, field in sort.fields)
    if isinstance(sort, Row) and sort.is_alike and sort.count is one:
        return True
    if isinstance(sort, (Row, Queue)):
        return _has(sort.element, one)
    return isinstance(sort, (One, Several, Tally)) and sort.of is one


def _judged(rules: _Rules, function: tree.Function, given: tuple[Sort, ...]) -> Judged:
    names = [name for name, _ in function.parameters]
    body = _Body(rules, function, dict(zip(names, given, strict=True)))
    while True:
        body.begin(names)
        judge_block(body, function.body)
        if not body.is_widened:
            return Judged(body.result or OPAQUE, body.fails)


class _Body(Judging):
    """A Judging that knows how each part is judged."""

    def __init__(self, rules: _Rules, function: tree.Function, variables: dict[str, Sort]) -> None:
        super().__init__(function, variables, rules.bounds, rules.alike)
        self.rules = rules

    def begin(self, names: Iterable[str]) -> None:
        """Begin another pass, with what is known of the variables."""
        self.assigned, self.facts, self.is_widened = set(names), frozenset(), False
        self.fails = self.result = None

    def sort(self, node: tree.Expression) -> Sort:
        """The sort of an expression. Raises Asymmetric."""
        return sort_of_expression(self, node)

    def call(self, function: tree.Function, given: tuple[Sort, ...]) -> Judged:
        """What a function is for arguments of these sorts. Raises Asymmetric."""
        return self.rules.judge(function, given)

    def argument(self, name: str) -> Sort:
        """The sort of a step's argument of that name. Raises Asymmetric."""
        found = self.rules.argument(name)
        if found is None:
            what = f"asks for {name!r}, which is one of alike things in some actions only"
            raise self.refuse(what, "give these parameters two names")
        return found
