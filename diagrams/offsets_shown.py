"""Which lines of a table of offsets a mail shows: what changes, and what its text speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOCAL_SEGMENTS = "local segments"
EMPTY = frozenset({"", "none"})
"""Values that say nothing, if a line has no other."""
IDLE = ("follower",), ("no replica",)
"""What is said of a broker that takes no part, unless one of its lines is shown."""
ALL_READ = "all read"
"""A broker has read all of the metadata topic: what it knows is what another line shows."""

DERIVED = {
    "high watermark": r"high watermark",
    "log end": r"log end",
    "highest remote": r"highest remote|highest copied|counts? as copied",
    "remote metadata": r"\breads? (the|it|so|all|any|noth|COPY|DELETE)|cache|\blists?\b|consumer|lag",
}
"""Lines that follow from others, or that the story tells: shown only if a sentence names them."""
NAMED = DERIVED | {
    LOCAL_SEGMENTS: r"local (segments?|log)\b(?! start)|segments? \w+ local",
    "log start": r"(?<!local )log start",
    "producers in memory": r"in memory",
}
"""How sentences name a line, where that is not the line's own name."""
ROLES = ("old leader", "follower")
"""Brokers that a sentence names otherwise than by number; other sentences speak of the leader."""


@dataclass(frozen=True)
class Key:
    """A line of the table: the broker, or other place, that it belongs to, and its name."""

    place: str
    name: str
    is_detail: bool = False


Items = tuple[str, ...]
Cells = Mapping[Key, Items]


def shown(keys: Sequence[Key], told: Sequence[Cells], said: Sequence[str]) -> list[Key]:
    """The lines to show, in their order; of a broker that takes no part, none."""
    sentences = [one for text in said for one in re.split(r"(?<=[.:;])\s", text)]
    roles = {key.place: _role(told[-1].get(key, ())) for key in keys if not key.is_detail}
    kept = [
        key
        for key in keys
        if not key.is_detail or _is_shown(key, told, sentences, roles.get(key.place, ""))
    ]
    busy = {key.place for key in kept if key.is_detail}
    return [
        key
        for key in kept
        if key.is_detail or key.place in busy or not _is_idle([one.get(key, ()) for one in told])
    ]


def _role(head: Items) -> str:
    """What a sentence calls the broker."""
    return next((role for role in ROLES if head and head[0].startswith(role)), "leader")


def _is_idle(cells: Sequence[Items]) -> bool:
    return cells[0] in IDLE and all(cell == cells[0] for cell in cells)


def _is_shown(key: Key, told: Sequence[Cells], sentences: Sequence[str], role: str) -> bool:
    """A detail changes and does not repeat others, or a sentence names it."""
    cells = [one.get(key, ()) for one in told]
    if {item for cell in cells for item in cell} <= EMPTY | {ALL_READ}:
        return False
    is_named = any(_names(sentence, key, role) for sentence in sentences)
    log_starts = [one.get(Key(key.place, "log start", is_detail=True)) for one in told]
    if key.name == "local log start" and cells == log_starts:
        return is_named
    is_only_log = not key.place.startswith("broker")
    if key.name == LOCAL_SEGMENTS and (is_only_log or len(told) == 1):
        return True
    if key.name not in DERIVED and any(cell != cells[0] for cell in cells):
        return True
    return is_named


def _names(sentence: str, key: Key, role: str) -> bool:
    """The sentence speaks of the line of this broker, by its number or by its role."""
    if not re.search(NAMED.get(key.name, re.escape(key.name)), sentence, re.IGNORECASE):
        return False
    brokers = re.findall(r"broker \d", sentence.lower())
    if brokers or not key.place.startswith("broker"):
        return key.place in brokers or not brokers
    return role == next((one for one in ROLES if one in sentence.lower()), "leader")
