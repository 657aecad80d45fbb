"""Contradictions: two edits that were chosen together and cannot both do what they say.

Edits compose in any order, so a pair whose outcome would depend on the order is refused, and so
is a pair of which one would undo the other without a word. An edit that comes `after` another may
override it. What each pair means is a table in docs/language.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from tierproof.model.language.actions import Guard
from tierproof.model.language.edits import Edit, Variant, kind_of, several
from tierproof.model.language.errors import ContradictingEdits

Slot = tuple[str, str]
"""The kind of a slot, as `kind_of` says it, and its name."""


def check_pairs(edits: Sequence[Edit]) -> None:
    """Raise ContradictingEdits unless all of `edits` can do what they say."""
    for one, other in combinations(edits, 2):
        if not (_builds_on(one, other) or _builds_on(other, one)):
            for what in (*_places(one, other), *_guards(one, other)):
                raise ContradictingEdits(
                    f"{one.title} and {other.title} contradict each other: {what}; choose one of "
                    "them, or let one say that it comes `after` the other"
                )
        for name in (*_dropped_guards(one, other), *_dropped_guards(other, one)):
            raise ContradictingEdits(
                f"{one.title} and {other.title} contradict each other: one drops the guard "
                f"{name!r}, which the other adds or replaces; choose one of them"
            )


def dropped_by(edit: Edit, edits: Sequence[Edit]) -> set[Slot]:
    """The slots that `edit` drops for good: neither it nor an edit that builds on it adds them."""
    adding = [edit, *(one for one in edits if _builds_on(one, edit))]
    added = {(kind_of(entry), entry.name) for one in adding for _, entry in one.additions}
    return {(kind_of(entry), entry.name) for entry in edit.drop} - added


def _builds_on(edit: Edit, other: Edit) -> bool:
    return isinstance(other, Variant) and other.name in edit.foundations


def _placed(edit: Edit) -> dict[Slot, tuple[str, Any]]:
    """Slot -> the group in which the edit puts it, and the entry; ("", None) if it drops it."""
    found: dict[Slot, tuple[str, Any]] = {(kind_of(one), one.name): ("", None) for one in edit.drop}
    for group, entry in edit.additions:
        found[kind_of(entry), entry.name] = (group, entry)
    return found


def _places(one: Edit, other: Edit) -> Iterator[str]:
    """Slots of which one edit says that they are elsewhere, or otherwise, than the other."""
    first, second = _placed(one), _placed(other)
    for slot in first.keys() & second.keys():
        if first[slot] != second[slot]:
            words = sorted(
                f"puts it into `{group}`" if group else "drops it"
                for group, _ in (first[slot], second[slot])
            )
            yield f"of the {slot[0]} {slot[1]!r} one {words[0]}, the other {words[1]}"


def _guards(one: Edit, other: Edit) -> Iterator[str]:
    """Guards that one edit adds to an action and the other removes from it."""
    for adding, removing in ((one, other), (other, one)):
        for slot, guards in adding.fence.items():
            removed = {entry.name for entry in several(removing.unfence.get(slot, ()))}
            for entry in several(guards):
                if entry.name in removed:
                    yield f"one adds {entry.name!r} to {slot.name!r}, the other removes it"


def _dropped_guards(dropping: Edit, using: Edit) -> Iterator[str]:
    dropped = {entry.name for entry in dropping.drop if isinstance(entry, Guard)}
    fences = {entry.name for guards in using.fence.values() for entry in several(guards)}
    yield from sorted(dropped & (fences | {entry.name for entry in using.test}))
