"""Layout: the position of each field of a State that a Scope has sized.

A state is one vector of integers, its *leaves*, in the order of declaration. The
Python objects of `state.py`, the buffer that compiled code sees and the packed bits
that are fingerprinted are three views of that one vector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from tierproof.model.language.domains import (
    Array,
    Bag,
    Domain,
    Enumeration,
    Kind,
    Sequence,
    Set,
    Sized,
)
from tierproof.model.language.errors import DesignError, ScopeError
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.scope import Scope, Size, size_in


@dataclass(frozen=True)
class Leaf:
    """One integer of the state: its `domain` in this scope, and the purpose of the field."""

    domain: Sized
    kind: Kind
    size: int = 1

    @cached_property
    def shown(self) -> Callable[[int], Any] | None:
        """The Python value of a raw integer, as `Sized.value`; None if it is the integer."""
        domain = self.domain
        if domain.is_set:
            return domain.value
        if domain.enum is None:
            return None
        return {raw: domain.value(raw) for raw in range(domain.low, domain.high + 1)}.__getitem__


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


@dataclass(frozen=True)
class SequenceNode:
    """A leaf for the number of elements, then room for `length` elements.

    Unused room holds the lowest values, so that equal sequences have equal leaves.
    """

    used: Leaf
    element: Node
    length: int
    count: Size

    @property
    def size(self) -> int:
        return 1 + self.length * self.element.size


@dataclass(frozen=True)
class BagNode:
    """A leaf for the count of each member."""

    element: Leaf
    length: int
    of: Any
    enum: type[IntEnum] | None

    @property
    def size(self) -> int:
        return self.length


Node = Leaf | ArrayNode | RecordNode | SequenceNode | BagNode


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
            # A packed value has one spare bit; it marks values outside the domain.
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
        self.shown = tuple(_shown(self.root, state.__name__, "", 0))

    @property
    def bookkeeping(self) -> tuple[str, ...]:
        """The paths of the fields that no broker has: ghosts and budgets."""
        return tuple(path for path, offset, node in self.shown if self._is_besides(offset, node))

    def _is_besides(self, offset: int, node: Node) -> bool:
        placed = self.leaves[offset : offset + node.size]
        return bool(placed) and all(one.leaf.kind is not Kind.PROTOCOL for one in placed)


def layout_of(state: type, scope: Scope | None) -> Layout:
    """The layout of `state` in `scope`, cached."""
    return _layout(state, scope)


@lru_cache(maxsize=256)
def _layout(state: type, scope: Scope | None) -> Layout:
    return Layout(state, scope)


def ghost_names(layout: Layout) -> set[str]:
    """The names that are ghost fields in every record that has them."""
    kinds: dict[str, set[Kind]] = {}
    for placed in layout.leaves:
        for part in placed.path.split("."):
            kinds.setdefault(part.partition("[")[0], set()).add(placed.leaf.kind)
    return {name for name, found in kinds.items() if found == {Kind.GHOST}}


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
        _check_set(domain, base, what)
        if domain is None:
            domain, inherited = domain_of(base, what)
            return domain, kind or inherited
        return domain, kind or domain.kind
    raise DesignError(
        f"{what}: {annotation!r} is not a finite domain; "
        "use bool, an IntEnum, a Record, Annotated[int, Range(low, high)] "
        "or Annotated[set[int], Set(count)]"
    )


def _check_set(domain: Domain | None, base: Any, what: str) -> None:
    """Raise DesignError unless a Set is annotated as a set, and nothing else is."""
    if isinstance(domain, Set) != (get_origin(base) is set):
        raise DesignError(f"{what}: a set is written Annotated[set[int], Set(count)]")


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
        collection = next((extra for extra in extras if isinstance(extra, (Sequence, Bag))), None)
        if isinstance(collection, Sequence):
            return _sequence(base, collection, scope, what, kind)
        if isinstance(collection, Bag):
            return _bag(base, collection, scope, what, kind)
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


def _sequence(
    base: Any, sequence: Sequence, scope: Scope | None, what: str, kind: Kind | None
) -> Node:
    if get_origin(base) is not list:
        raise DesignError(f"{what}: Sequence needs Annotated[list[Element], Sequence(count)]")
    element = _lowest(_node(get_args(base)[0], scope, what, kind), what)
    length = size_in(sequence.count, scope)
    if length < 1:
        raise ScopeError(f"{what}: a sequence of at most {length} ({sequence.count} in {scope})")
    used = Leaf(Sized(0, length, 0), kind or Kind.PROTOCOL)
    return SequenceNode(used, element, length, sequence.count)


def _lowest(node: Node, what: str) -> Node:
    """The node of an element; unused room holds the lowest values."""
    if isinstance(node, Leaf) and node.kind is not Kind.BUDGET and node.domain.lifecycle is None:
        return replace(node, domain=replace(node.domain, start=node.domain.low))
    if isinstance(node, RecordNode):
        fields = {name: (at, _lowest(child, what)) for name, (at, child) in node.fields.items()}
        return RecordNode(node.record, fields, node.size)
    raise DesignError(
        f"{what}: an element of a Sequence is a number, a member of an enum without a lifecycle, "
        "a truth, a Set, or a Record of these"
    )


def _bag(base: Any, bag: Bag, scope: Scope | None, what: str, kind: Kind | None) -> Node:
    if get_origin(base) is not Counter:
        raise DesignError(f"{what}: Bag needs Annotated[Counter[int], Bag(of, at_most=2)]")
    length, enum, counted = bag.counted(scope)
    if length < 1:
        raise ScopeError(f"{what}: a bag of {length} members ({bag.of} in {scope})")
    return BagNode(Leaf(counted, kind or Kind.PROTOCOL), length, bag.of, enum)


def _shown(node: Node, path: str, prefix: str, offset: int) -> Iterator[tuple[str, int, Node]]:
    """(path, first leaf, node) of each part that is shown as one value."""
    if isinstance(node, ArrayNode):
        for index in range(node.length):
            place, at = f"{path}[{index}]", offset + index * node.element.size
            yield from _shown(node.element, place, f"{place}.", at)
    elif isinstance(node, RecordNode):
        for name, (inside, child) in node.fields.items():
            place = prefix + name
            yield from _shown(child, place, f"{place}.", offset + inside)
    else:
        yield path, offset, node


def _walk(node: Node, path: str, prefix: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(node, Leaf):
        yield path, node
    elif isinstance(node, RecordNode):
        for name, (_, child) in node.fields.items():
            yield from _walk(child, prefix + name, f"{prefix}{name}.")
    else:
        if isinstance(node, SequenceNode):
            yield path, node.used
        for index in range(node.length):
            yield from _walk(node.element, f"{path}[{index}]", f"{path}[{index}].")
