"""What a test asks, as a Question: a design that is at hand, or its import path, and a scope."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tierproof.model.language import Design, Scope
from tierproof.model.language.errors import Misused
from tierproof.pytest_plugin.cases import Case, Options, names_of
from tierproof.spark_explorer.question import Question, find_design


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question with the design and the scope that it resolves to."""

    question: Question
    design: Design
    scope: Scope

    @property
    def scope_title(self) -> str:
        """The scope in words."""
        return self.question.scope_title(self.design)


@dataclass(frozen=True)
class Place:
    """An attribute of a module that holds a design."""

    module: str
    attribute: str

    @property
    def folder(self) -> str:
        """The folder from which the module is imported, empty if it has no file."""
        file = getattr(sys.modules[self.module], "__file__", None)
        if file is None:
            return ""
        path, depth = Path(file), self.module.count(".")
        return str(path.parents[depth + (1 if path.stem == "__init__" else 0)])


def ask(
    case: Case,
    options: Options,
    *,
    design: Design | str | None,
    scope: Scope | str | None,
    properties: Any = None,
    variants: Any = None,
    without: Any = None,
) -> Asked:
    """The question of a call; what it does not give comes from the case, then from the options.

    Raises UnknownName, ScopeError, DesignError, and Misused if no design is named.
    """
    given = design if design is not None else case.design
    if given is None:
        raise Misused("name a design: explore(DESIGN), or the mark tierproof(designs=[DESIGN])")
    found = find_design(given, Path(options.folder)) if isinstance(given, str) else given
    chosen = next((one for one in (scope, case.scope, options.scope) if one is not None), None)
    name, bounds = _named(found, chosen)
    place = None if isinstance(given, str) else place_of(found)
    question = Question(
        design=given if isinstance(given, str) else _words(place, found),
        scope=name,
        bounds=bounds,
        variants=_placed(variants if variants is not None else case.variants or (), options),
        without=names_of(without or ()),
        properties=names_of(properties if properties is not None else case.properties or ()),
        folder=options.folder if place is None else place.folder,
    )
    design, sized = question.put_to(found)
    return Asked(question=question, design=design, scope=sized)


def _placed(variants: Any, options: Options) -> tuple[str, ...]:
    """The names of variants; a file of edits is one of the project, wherever the design is."""
    return tuple(
        str(Path(options.folder, one)) if ".py:" in one or one.endswith(".py") else one
        for one in names_of(variants)
    )


def _words(place: Place | None, design: Design) -> str:
    return design.name if place is None else f"{place.module}:{place.attribute}"


def _named(design: Design, scope: Scope | str | None) -> tuple[str | None, tuple[Any, ...]]:
    """A scope by its name in the design, with the bounds that differ from it."""
    if scope is None or isinstance(scope, str):
        return scope, ()
    design.layout(scope)  # raises if it is the scope of another design
    for name, known in design.scopes.items():
        if known == scope:
            return name, ()
    name = Question(design=design.name).scope_name_in(design)
    usual = dict(design.scope(name))
    return name, tuple((bound, value) for bound, value in scope if usual[bound] != value)


def place_of(design: Design) -> Place | None:
    """Where a design can be imported from, as it is; None if no module holds it."""
    return next((place for place, found in _designs(design) if found is design), None)


def plain_place_of(design: Design) -> Place | None:
    """Where a design can be imported from, before variants were chosen and guards ablated."""
    for place, found in _designs(design):
        is_plain = not found.chosen_variants and not found.dropped_guards
        if is_plain and found.name == design.name and found.state is design.state:
            return place
    return None


def _designs(design: Design) -> Iterator[tuple[Place, Design]]:
    """Every design that a module holds, those of the state's own module first."""
    own = design.state.__module__
    names = [own, *(name for name in list(sys.modules) if name != own)]
    for name in names:
        for attribute, value in list(getattr(sys.modules.get(name), "__dict__", {}).items()):
            if isinstance(value, Design):
                yield Place(name, attribute), value
