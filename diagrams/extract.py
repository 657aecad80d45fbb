"""Extracts the charts of a Design: the lifecycles of its fields, and its overview."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tierproof.diagrams.access import assigned_fields
from tierproof.diagrams.records import ActionCard, Chart, ChartEdge, Field, Overview, Role
from tierproof.model.language import Action, Design, Kind, Lifecycle

SYSTEM, ENVIRONMENT = "system", "environment"
"""The actor of an action that names none."""


def charts_of(design: Design, results: Iterable[Mapping[str, Any]] = ()) -> tuple[Chart, ...]:
    """A chart for each lifecycle that a field of the design's state obeys.

    `results` are records of searches: they show which edges no search took, and which were
    taken without being declared.
    """
    results = list(results)
    untaken = set.intersection(*(set(r["untaken_edges"]) for r in results)) if results else None
    return tuple(
        _chart(law, fields, untaken, _illegal_edges(law, fields, results))
        for law, fields in _lifecycles(design)
    )


def cards_of(design: Design) -> tuple[ActionCard, ...]:
    """Every action at a glance, in declaration order."""
    fields = tuple(field.name for field in _top_fields(design))
    return tuple(_card(design, act, fields) for act in design.actions)


def overview_of(design: Design) -> Overview:
    """Roles with their actions, and the fields that these assign to, in declaration order."""
    cards = cards_of(design)
    roles = tuple(
        Role(
            name=actor,
            is_environment=outside,
            actions=tuple(c for c in cards if (c.actor, c.is_environment) == (actor, outside)),
        )
        for actor, outside in dict.fromkeys((c.actor, c.is_environment) for c in cards)
    )
    return Overview(name=design.name, roles=roles, fields=_top_fields(design))


def role(actor: str, is_environment: bool) -> str:
    """The role of an actor's template or name: `broker` for `broker {broker}` and `broker 1`."""
    plain = re.sub(r"\s*(\{[^}]*\}|-?\d+)", "", actor).strip()
    return plain or (ENVIRONMENT if is_environment else SYSTEM)


def without_index(path: str) -> str:
    """`broker[1].offset` as `broker[·].offset`."""
    return re.sub(r"\[\d+\]", "[·]", path)


def _lifecycles(design: Design) -> list[tuple[Lifecycle, tuple[str, ...]]]:
    found: dict[str, tuple[Lifecycle, dict[str, None]]] = {}
    laws: Mapping[Any, Lifecycle] = design.lifecycles
    for placed in design.layout(next(iter(design.scopes.values()))).leaves:
        if placed.lifecycle is not None:
            law = laws[placed.lifecycle.values]
            found.setdefault(law.name, (law, {}))[1][without_index(placed.path)] = None
    return [(law, tuple(fields)) for law, fields in found.values()]


def _chart(
    law: Lifecycle,
    fields: tuple[str, ...],
    untaken: set[str] | None,
    illegal: tuple[ChartEdge, ...],
) -> Chart:
    triggers: dict[tuple[str, str], list[str]] = {}
    for edge in law.edges:
        triggers.setdefault((edge.source.name, edge.target.name), []).append(edge.trigger)
    declared = [
        ChartEdge(
            trigger=", ".join(dict.fromkeys(names)),
            source=source,
            target=target,
            taken=None if untaken is None else f"{law.name}: {source} -> {target}" not in untaken,
        )
        for (source, target), names in triggers.items()
    ]
    return Chart(
        name=law.name,
        states=tuple(value.name for value in law.values),
        initial=law.initial.name,
        edges=(*declared, *illegal),
        fields=fields,
        source=law.source,
    )


def _illegal_edges(
    law: Lifecycle, fields: tuple[str, ...], results: list[Mapping[str, Any]]
) -> tuple[ChartEdge, ...]:
    """The undeclared edges at the end of the law's counterexamples, each once."""
    claims = [
        entry
        for result in results
        for entry in result["properties"]
        if entry["name"] == f"{law.name}_lifecycle" and entry["trace"] and entry["trace"]["steps"]
    ]
    found: dict[tuple[str, str], ChartEdge] = {}
    for last in (entry["trace"]["steps"][-1] for entry in claims):
        for path, (old, new) in last["changes"].items():
            if without_index(path) in fields and not law.allows(law.values[old], law.values[new]):
                found[old, new] = ChartEdge(
                    trigger=last["action"], source=old, target=new, taken=True, legal=False
                )
    return tuple(found.values())


def _top_fields(design: Design) -> tuple[Field, ...]:
    kinds: dict[str, set[Kind]] = {}
    for placed in design.layout(next(iter(design.scopes.values()))).leaves:
        top = re.split(r"[.\[]", placed.path)[0]
        kinds.setdefault(top, set()).add(placed.leaf.kind)
    return tuple(
        Field(name=top, kind=(found.pop() if len(found) == 1 else Kind.PROTOCOL).value)
        for top, found in kinds.items()
    )


def _card(design: Design, act: Action, fields: tuple[str, ...]) -> ActionCard:
    is_environment = act in design.environment
    written = assigned_fields(act.effect) | {act.budget}
    return ActionCard(
        name=act.name,
        actor=role(act.actor, is_environment),
        statement=act.statement,
        guards=tuple(g.name for g in act.guards if g.name not in design.dropped_guards),
        writes=tuple(name for name in fields if name in written),
        is_environment=is_environment,
        budget=act.budget,
    )
