"""Layout: where each field of a State lies, once a Scope has sized it.

A state is one vector of integers, its *leaves*, in the order of declaration. The
Python objects of `state.py`, the buffer that compiled code sees and the packed bits
that are fingerprinted are three views of that one vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from tierproof.model.language.domains import Array, Domain, Enumeration, Kind, Sized
from tierproof.model.language.errors import DesignError, ScopeError
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.scope import Scope, Size, size_in


@dataclass(frozen=True)
class Leaf:
    """One integer of the state: `domain` in this scope, and what the field is for."""

    domain: Sized
    kind: Kind
    size: int = 1


@dataclass(frozen=True)
class ArrayNode:
    """`length` elements, each `element.size` leaves wide; `count` is the length as declared."""

    element: Node
    length: int
    count: Size

    @property
    def size(self) -> int:
        return self.length * self.element.size


@dataclass(frozen=True)
class RecordNode:
    """Named fields of a Record class, each with the offset of its first leaf."""

    record: type
    fields: dict[str, tuple[int, Node]]
    size: int

    def __hash__(self) -> int:
        return id(self)


Node = Leaf | ArrayNode | RecordNode


@dataclass(frozen=True)
class PlacedLeaf:
    """A leaf with its path (`broker[1].log_start_offset`) and its place in the vector."""

    offset: int
    path: str
    leaf: Leaf

    @property
    def bits(self) -> int:
        """Bits that hold every value of the domain."""
        return (self.leaf.domain.size - 1).bit_length()

    @property
    def lifecycle(self) -> Lifecycle | None:
        """The lifecycle that the field obeys, if any. Ghosts may change at will."""
        return None if self.leaf.kind is Kind.GHOST else self.leaf.domain.lifecycle


class Layout:
    """The State class `state` sized by `scope`. Raises DesignError or ScopeError."""

    def __init__(self, state: type, scope: Scope | None) -> None:
        self.state, self.scope = state, scope
        self.root = _record(state, scope)
        self.leaves = tuple(
            PlacedLeaf(offset, path, leaf)
            for offset, (path, leaf) in enumerate(_walk(self.root, state.__name__, ""))
        )
        for placed in self.leaves:
            if placed.leaf.domain.size == 0:
                raise ScopeError(
                    f"field {placed.path} has an empty domain {placed.leaf.domain} ({scope})"
                )
            domain = placed.leaf.domain
            # A packed value has a bit to spare, which tells what is outside of its domain.
            if domain.low < -(1 << 63) or domain.high >= 1 << 63 or domain.size > 1 << 63:
                raise ScopeError(
                    f"field {placed.path} has the domain {domain}, which 63 bits do not hold "
                    f"({scope})"
                )
            if placed.leaf.domain.start not in placed.leaf.domain:
                raise ScopeError(
                    f"field {placed.path} starts at {placed.leaf.domain.start}, "
                    f"outside its domain {placed.leaf.domain} ({scope})"
                )
        self.start = [placed.leaf.domain.start for placed in self.leaves]


def layout_of(state: type, scope: Scope | None) -> Layout:
    """The layout of `state` in `scope`, made once."""
    return _layout(state, scope)


@lru_cache(maxsize=256)
def _layout(state: type, scope: Scope | None) -> Layout:
    return Layout(state, scope)


def hints_of(owner: Any, what: str) -> dict[str, Any]:
    """Annotations with their metadata; raises DesignError naming `what` when one is unknown."""
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise DesignError(
            f"{what}: annotation {error.name!r} is not a module-level name"
        ) from error


def domain_of(annotation: Any, what: str) -> tuple[Domain, Kind]:
    """The domain that an annotation states, and the kind of field it makes."""
    if isinstance(annotation, type) and issubclass(annotation, (bool, IntEnum)):
        return Enumeration(annotation), Kind.PROTOCOL
    if get_origin(annotation) is Annotated:
        base, *extras = get_args(annotation)
        domain = next((extra for extra in extras if isinstance(extra, Domain)), None)
        kind = next((extra for extra in extras if isinstance(extra, Kind)), None)
        if domain is None:
            domain, inherited = domain_of(base, what)
            return domain, kind or inherited
        return domain, kind or domain.kind
    raise DesignError(
        f"{what}: {annotation!r} is not a finite domain; "
        "use bool, an IntEnum, a Record or Annotated[int, Range(low, high)]"
    )


def _record(record: type, scope: Scope | None, kind: Kind | None = None) -> RecordNode:
    fields, offset = {}, 0
    for name, annotation in hints_of(record, record.__name__).items():
        if name.startswith("_") or get_origin(annotation) is ClassVar:
            continue
        if hasattr(record, name):
            raise DesignError(
                f"field {record.__name__}.{name} has a default or the name of a method; "
                "start values belong to the domain, other names are free"
            )
        node = _node(annotation, scope, f"field {record.__name__}.{name}", kind)
        fields[name] = (offset, node)
        offset += node.size
    if not fields:
        raise DesignError(f"{record.__name__} declares no field")
    return RecordNode(record, fields, offset)


def _node(annotation: Any, scope: Scope | None, what: str, kind: Kind | None = None) -> Node:
    if isinstance(annotation, type) and getattr(annotation, "is_record", False):
        return _record(annotation, scope, kind)
    if get_origin(annotation) is Annotated:
        base, *extras = get_args(annotation)
        array = next((extra for extra in extras if isinstance(extra, Array)), None)
        kind = next((extra for extra in extras if isinstance(extra, Kind)), kind)
        if array is not None:
            return _array(base, array, scope, what, kind)
        if isinstance(base, type) and getattr(base, "is_record", False):
            return _record(base, scope, kind)
    domain, own_kind = domain_of(annotation, what)
    return Leaf(domain.sized(scope), kind or own_kind)


def _array(base: Any, array: Array, scope: Scope | None, what: str, kind: Kind | None) -> Node:
    element = base
    for _ in array.counts:
        if get_origin(element) is not list:
            raise DesignError(f"{what}: Array needs Annotated[list[Element], Array(count)]")
        (element,) = get_args(element)
    node = _node(element, scope, what, kind)
    for count in reversed(array.counts):
        length = size_in(count, scope)
        if length < 1:
            raise ScopeError(f"{what}: an array of length {length} ({count} in {scope})")
        node = ArrayNode(node, length, count)
    return node


def _walk(node: Node, path: str, prefix: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(node, Leaf):
        yield path, node
    elif isinstance(node, ArrayNode):
        for index in range(node.length):
            yield from _walk(node.element, f"{path}[{index}]", f"{path}[{index}].")
    else:
        for name, (_, child) in node.fields.items():
            yield from _walk(child, prefix + name, f"{prefix}{name}.")
