"""The inventory of designs, and the parts of one design, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tierproof.model.language import source_listing
from tierproof.model.language.actions import Guard, GuardKind, Predicate
from tierproof.model.language.design import Design
from tierproof.register import ledger
from tierproof.register.ledger.file import Entry
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS


def of_all() -> list[dict[str, Any]]:
    """Every registered design: name, title, document, scopes with the known counts."""
    known = ledger.read()
    return [_summary(_find(name), known) for name in DESIGNS]


def of_design(words: str) -> dict[str, Any]:
    """One design in full, by its name. Raises UnknownName or DesignError."""
    return of(_find(words))


def of(design: Design) -> dict[str, Any]:
    """A design in full.

    `guards` are the ordinary guards of its actions, without program counters and limits.
    """
    return {
        **_summary(design, ledger.read()),
        "bounds": {
            name: {"low": bound.low, "high": bound.high, "unit": bound.unit}
            for name, bound in type(next(iter(design.scopes.values()))).bounds.items()
        },
        "variants": {variant.name: variant.because for variant in design.variants},
        "lost_variants": dict(design.lost_variants),
        "redefined": design.moved,
        "system": {act.name: act.statement for act in design.system},
        "environment": {act.name: act.statement for act in design.environment},
        "fences": {one.name: _fence(one) for one in _of_kind(design, GuardKind.FENCE)},
        "guards": _statements(_of_kind(design, GuardKind.CONDITION)),
        "properties": _statements(design.properties),
        "witnesses": _statements(design.witnesses),
    }


def source_of(words: str) -> dict[str, Any]:
    """Where the parts of a design are imported from. Raises UnknownName or DesignError."""
    design = _find(words)
    return {"import": DESIGNS.get(words, words), **source_listing.source_of(design)}


def _find(words: str) -> Design:
    return Question(design=words).resolve()[0]


def _summary(design: Design, entries: Mapping[str, Mapping[str, Entry]]) -> dict[str, Any]:
    known = entries.get(design.name, {})
    return {
        "name": design.name,
        "title": design.title,
        "document": design.document,
        "scopes": {
            name: {
                "bounds": dict(scope),
                "distinct_states": known.get(name, {}).get("distinct_states"),
                "verdict": known.get(name, {}).get("verdict"),
            }
            for name, scope in design.scopes.items()
        },
    }


def _of_kind(design: Design, kind: GuardKind) -> list[Guard]:
    return [one for one in design.guards.values() if one.kind is kind]


def _fence(one: Guard) -> dict[str, Any]:
    """A fence's statement, and what breaks in which scope without it, or why it is kept."""
    protects = {"protects": list(one.protects), "scope": one.scope, "stays": one.stays}
    return {"says": one.statement, **protects}


def _statements(entries: Iterable[Predicate]) -> dict[str, str]:
    return {entry.name: entry.statement for entry in entries}
