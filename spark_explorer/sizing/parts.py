"""Parts of a state: declared fields, records, budgets, ghosts, and what one actor changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tierproof.model.language.domains import Kind
from tierproof.model.language.layout import Layout

DEEPEST = 2
"""How many records deep a record is that is a part by itself: `broker[0].cache`."""


class PartKind(StrEnum):
    """What makes leaves one part."""

    FIELD = "field"
    RECORD = "record"
    BUDGETS = "budgets"
    GHOSTS = "ghosts"
    ACTOR = "actor"


@dataclass(frozen=True)
class Part:
    """Some leaves of the state, by their offsets."""

    name: str
    kind: PartKind
    leaves: tuple[int, ...]


def parts_of(layout: Layout, own: Mapping[str, tuple[int, ...]]) -> list[Part]:
    """The parts of a state; `own` has the leaves that only one actor changes, by its name.

    Of groups with the same leaves the first one is a part.
    """
    fields = list(_fields(layout))
    met = {part.leaves for part in fields}
    groups = []
    for part in (*_records(layout), *_purposes(layout), *_own(own)):
        if part.leaves and part.leaves not in met:
            met.add(part.leaves)
            groups.append(part)
    return fields + groups


def _fields(layout: Layout) -> Iterator[Part]:
    """Each declared field, whatever its indexes are: `broker[*].log_start_offset`."""
    found: dict[str, list[int]] = {}
    for path, offset, node in layout.shown:
        name = re.sub(r"\[\d+\]", "[*]", path)
        found.setdefault(name, []).extend(range(offset, offset + node.size))
    for name, leaves in found.items():
        yield Part(name, PartKind.FIELD, tuple(leaves))


def _records(layout: Layout) -> Iterator[Part]:
    """Each record, with what is in it: `broker[0]`, what this broker has and believes."""
    found: dict[str, list[int]] = {}
    for path, offset, node in layout.shown:
        names = path.split(".")
        for depth in range(1, min(len(names), DEEPEST + 1)):
            leaves = found.setdefault(".".join(names[:depth]), [])
            leaves.extend(range(offset, offset + node.size))
    for name, leaves in found.items():
        yield Part(name, PartKind.RECORD, tuple(leaves))


def _purposes(layout: Layout) -> Iterator[Part]:
    """All budgets, and all ghosts."""
    for kind, purpose in ((PartKind.BUDGETS, Kind.BUDGET), (PartKind.GHOSTS, Kind.GHOST)):
        leaves = (placed.offset for placed in layout.leaves if placed.leaf.kind is purpose)
        yield Part(f"all {kind}", kind, tuple(leaves))


def _own(own: Mapping[str, tuple[int, ...]]) -> Iterator[Part]:
    for name, leaves in own.items():
        yield Part(name, PartKind.ACTOR, leaves)
