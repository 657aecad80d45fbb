"""Facts: which values a test shows to be one of the alike things, and not NONE."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.walking import nodes_in
from tierproof.model.language.symmetry.sorts import NoOne, One, Several, Sort

Path = tuple[Any, ...]
SortOf = Callable[[tree.Expression], Sort]


def path_of(node: tree.Expression) -> Path | None:
    """What a variable, or a part of one, is called, wherever it is written; None for the rest."""
    if isinstance(node, tree.Constant):
        return ("constant", node.value)
    if isinstance(node, tree.Local):
        return ("local", node.name)
    for kind, whole, part in (
        (tree.Field, "record", "name"),
        (collected.Part, "record", "place"),
        (tree.Item, "whole", "place"),
    ):
        if isinstance(node, kind):
            owner = path_of(getattr(node, whole))
            return None if owner is None else (owner, getattr(node, part))
    if isinstance(node, tree.Element):
        owner, index = path_of(node.array), path_of(node.index)
        return None if owner is None or index is None else (owner, "at", index)
    return None


def names_in(path: Path) -> Iterable[str]:
    """The variables that a path depends on."""
    if path[0] == "local":
        yield path[1]
    for part in path:
        if isinstance(part, tuple):
            yield from names_in(part)


def is_variable(path: Path) -> bool:
    """Whether a path is a variable, which no assignment to the state changes."""
    return path[0] == "local"


def facts_of(test: tree.Expression, is_true: bool, sort_of: SortOf) -> frozenset[Path]:
    """The paths that are not NONE where `test` is true, or false."""
    if isinstance(test, tree.Not):
        return facts_of(test.operand, not is_true, sort_of)
    if isinstance(test, tree.Logical) and test.is_and is is_true:
        parts = (facts_of(operand, is_true, sort_of) for operand in test.operands)
        return frozenset().union(*parts)
    if isinstance(test, tree.Comparison) and len(test.rest) == 1:
        ((sign, other),) = test.rest
        return _compared(test.first, other, (sign == "==") is is_true, sign, sort_of)
    is_member = isinstance(test, tree.Membership) and test.is_negated is not is_true
    if is_member and isinstance(test, tree.Membership):
        source = test.source
        if isinstance(source, collected.Ascending) and isinstance(sort_of(source.members), Several):
            return _known(test.item)
    return frozenset()


def _compared(
    one: tree.Expression, other: tree.Expression, is_equal: bool, sign: str, sort_of: SortOf
) -> frozenset[Path]:
    if sign not in ("==", "!="):
        return frozenset()
    found: frozenset[Path] = frozenset()
    for node, against in ((one, other), (other, one)):
        sort = sort_of(against)
        is_there = isinstance(sort, One) and not sort.is_optional
        if is_there if is_equal else isinstance(sort, NoOne):
            found |= _known(node)
    return found


def _known(node: tree.Expression) -> frozenset[Path]:
    path = path_of(node)
    return frozenset() if path is None else frozenset({path})


def changes_state(part: Any) -> bool:
    """Whether a statement or an expression, or one within it, assigns to the state."""
    return any(map(_changes, nodes_in(part)))


def _changes(node: Any) -> bool:
    if isinstance(node, tree.Call):
        return node.function.assigns is not None
    is_assignment = isinstance(node, (tree.Store, tree.Update))
    return is_assignment or collected.place_changed(node) is not None
