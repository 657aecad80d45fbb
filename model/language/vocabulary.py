"""Vocabulary: the names that a design may use in words, and that each name used is one of them.

Properties and fences name actions, properties and scopes as text. A name that nothing
has would be a test that is never true, or a claim about nothing. Each is looked up when the design
is constructed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierproof.model.language.actions import Action, Guard
from tierproof.model.language.domains import Kind
from tierproof.model.language.edits import Edit, several
from tierproof.model.language.errors import DesignError, closest, closest_to
from tierproof.model.language.layout import Layout, layout_of
from tierproof.model.language.properties import Property
from tierproof.model.language.templates import check_formats

if TYPE_CHECKING:
    from tierproof.model.language.design import Design


@dataclass(frozen=True)
class Vocabulary:
    """The names of a design, of its variants, and of the designs that it was made from.

    A design that drops an action or a property keeps its name: what else the design has, such as
    a fence that protects the property, speaks of the design that it was made from. `actions` has
    the parameters of each.
    """

    actions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    properties: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters of all actions."""
        return frozenset().union(*self.actions.values())

    def with_names_of(self, design: Design) -> Vocabulary:
        """These names and those of a design."""
        layout = layout_of(design.state, next(iter(design.scopes.values())))
        actions = dict(self.actions)
        for act in _actions_of(design):
            actions[act.name] = actions.get(act.name, frozenset()) | set(act.parameters)
        laws = {law.law_name for placed in layout.leaves if (law := placed.lifecycle)}
        return Vocabulary(
            actions,
            self.properties | laws | {claim.name for claim in _claims_of(design)},
            self.scopes | set(design.scopes),
            self.fields | _paths(layout),
        )


def check_names(design: Design) -> None:
    """Raise UnknownName or DesignError for a name, in a design or its variants, of nothing."""
    known = design.vocabulary
    for claim in design.properties:
        for name in claim.fairness.named if claim.fairness else ():
            design.action(name)
    for variant in _edits_of(design):
        check_fairness((*variant.add_properties, *variant.add_witnesses), known.actions)
    for guard in _guards_of(design):
        _check_fence(guard, known)
    layout = layout_of(design.state, next(iter(design.scopes.values())))
    for act in _actions_of(design):
        _check_budget(act, layout)
        _check_place(act, known)
        check_formats(act.name, act.templates, act.parameters, layout.scope)
    for path in design.words:
        closest("field that has words", path, known.fields)


def check_fairness(claims: Iterable[Property], actions: Collection[str]) -> None:
    """Raise UnknownName for a fair action that does not exist."""
    for claim in claims:
        for name in claim.fairness.named if claim.fairness else ():
            closest(f"fair action of property {claim.name!r}", name, actions)


def _check_fence(guard: Guard, known: Vocabulary) -> None:
    for name in guard.protects:
        closest(f"property that fence {guard.name!r} protects", name, known.properties)
    if guard.scope:
        closest(f"scope of fence {guard.name!r}", guard.scope, known.scopes)


def _check_budget(act: Action, layout: Layout) -> None:
    if act.budget is None:
        return
    budgets = [placed.path for placed in layout.leaves if placed.leaf.kind is Kind.BUDGET]
    if act.budget not in budgets:
        known = ", ".join(closest_to(act.budget, budgets) or budgets) or "none"
        raise DesignError(
            f"action {act.name!r} spends {act.budget!r}, which is no Budget field: there is {known}"
        )


def _check_place(act: Action, known: Vocabulary) -> None:
    """An actor whose actions have several targets each has no function that names its field."""
    if act.move is not None and act.move.at:
        path = re.sub(r"\[\w+\]", "[*]", act.move.at)
        closest(f"field `at` of actor {act.move.actor!r}", path, known.fields)


# -- what a design and its variants have


def _edits_of(design: Design) -> Iterator[Edit]:
    return (part for variant in design.variants for part in variant.whole)


def _actions_of(design: Design) -> tuple[Action, ...]:
    return (*design.actions, *(act for edit in _edits_of(design) for act in edit.added))


def _claims_of(design: Design) -> Iterator[Property]:
    yield from design.checked
    for edit in _edits_of(design):
        yield from (*edit.add_properties, *edit.add_witnesses)


def _guards_of(design: Design) -> Iterator[Guard]:
    for act in _actions_of(design):
        yield from act.guards
    for edit in _edits_of(design):
        yield from (one for one in edit.test.values() if isinstance(one, Guard))
        for given in edit.fence.values():
            yield from several(given)


def _paths(layout: Layout) -> set[str]:
    """The fields that are shown, without the numbers of elements: `record[*].key`."""
    return {re.sub(r"\[\d+\]", "[*]", path) for path, _, _ in layout.shown}
