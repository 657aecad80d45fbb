"""Loops over alike things: whatever their order, they leave the same behind.

An iteration may use variables of its own, and store at its own place of an array. What iterations
share may only be added to by an operation that commutes, or set to one constant, and is not read.
A loop that ends early decides by a constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import BOOL, SetType
from tierproof.model.language.reading.walking import nodes_in
from tierproof.model.language.symmetry.judging import Judging
from tierproof.model.language.symmetry.overlaps import NOWHERE, UNKNOWN, Depths, Places

COMMUTING = {"+": "+", "-": "+", "&": "&", "|": "|", "^": "^"}
"""Sign -> the family of operations that can be done in any order; the left side is shared."""
OWN = "its own"


def check_order(body: Judging, loop: tree.For, of: str, before: Collection[str]) -> None:
    """Raise Asymmetric unless a loop over the alike things of a bound does the same in any order.

    `before` are the variables that have a value before it; `body.fails` is a place in it at which a
    value can be an error.
    """
    found = _Loop(body, loop, of, before)
    found.check_ends()
    found.check_variables()
    found.check_state()


class _Loop:
    def __init__(self, body: Judging, loop: tree.For, of: str, before: Collection[str]) -> None:
        self.body, self.loop, self.of = body, loop, of
        self.nodes = list(nodes_in(loop.body))
        self.shared = set(before)
        self.places = Places(loop, body.function)
        self.returns = [node for node in self.nodes if isinstance(node, tree.Return)]
        self.breaking = list(_breaking(loop.body))

    def refuse(self, node: Any, what: str, instead: str) -> Exception:
        """An error about a node of the loop."""
        spot = getattr(node, "spot", None)
        spot = self.loop.spot if spot in (None, NOWHERE) else spot
        whole = f"{what}, in a loop over the alike {self.of}, which have no order"
        return self.body.refuse(whole, instead, spot)

    # -- leaving early

    def check_ends(self) -> None:
        """What an early end decides is the same wherever the loop ends."""
        values = {(type(r.value), getattr(r.value, "value", None)) for r in self.returns}
        constant = all(r.value is None or isinstance(r.value, tree.Constant) for r in self.returns)
        if len(values) > 1 or not constant:
            raise self.refuse(
                self.returns[0], "returns what depends on which is first", "return one constant"
            )
        if self.returns and self.breaking:
            raise self.refuse(self.returns[0], "returns beside a `break`", "use one of them")
        if (self.returns or self.breaking) and self.body.fails is not None:
            raise self.body.refuse(
                f"may be an error for one of the alike {self.of}, while the loop ends with another",
                "let the loop run to its end",
                self.body.fails,
            )

    # -- variables

    def check_variables(self) -> None:
        """Variables of the function are only added to, and not read."""
        assigned: dict[str, list[tree.SetLocal]] = {}
        for node in self.nodes:
            if isinstance(node, tree.SetLocal):
                assigned.setdefault(node.name, []).append(node)
            elif isinstance(node, tree.For) and node.name in self.shared | {self.loop.name}:
                raise self.refuse(node, f"assigns {node.name!r} again", "use another name")
        if self.loop.name in self.shared or self.loop.name in assigned:
            what = f"assigns {self.loop.name!r}, which has another value here"
            raise self.refuse(self.loop, what, "use another name")
        shared = {name: nodes for name, nodes in assigned.items() if name in self.shared}
        for name, nodes in shared.items():
            self._check_shared(name, nodes)
        if self.breaking:
            self._check_breaking(shared)

    def _check_shared(self, name: str, nodes: Sequence[tree.SetLocal]) -> None:
        how = {_operation(node, self.body.risky) for node in nodes}
        reads = sum(isinstance(n, tree.Local) and n.name == name for n in self.nodes)
        own = sum(not isinstance(node.value, tree.Constant) for node in nodes)
        if len(how) > 1 or None in how or reads > own:
            what = f"lets {name!r} depend on which is the last"
            instead = f"only add to {name!r}, or set it to one constant, or use any, all and sum"
            raise self.refuse(nodes[0], what, instead)

    def _check_breaking(self, shared: dict[str, list[tree.SetLocal]]) -> None:
        """Whichever iteration ends the loop, the same variables are set, and no others ever."""
        sets = [
            [node for node in block if isinstance(node, tree.SetLocal) and node.name in shared]
            for block in self.breaking
        ]
        names = {frozenset(node.name for node in block) for block in sets}
        nodes = [node for found in shared.values() for node in found]
        is_constant = all(isinstance(node.value, tree.Constant) for node in nodes)
        if len(names) > 1 or sum(map(len, sets)) != len(nodes) or not is_constant:
            what = "may be left out by a `break`"
            raise self.refuse(nodes[0], what, "leave the `break` out, or set it only right before")

    # -- the state

    def check_state(self) -> None:
        """Iterations store at places of their own, or add to what nobody reads here."""
        written: dict[str, tuple[str, Depths]] = {}
        for node in self.nodes:
            if isinstance(node, (collected.Append, collected.Pop, collected.Clear)):
                raise self.refuse(node, "changes a sequence or a bag", "keep it in an array or set")
            if isinstance(node, tree.Call) and node.function.assigns is not None:
                what = f"calls {node.function.name!r}, which assigns"
                raise self.refuse(node, what, "write its assignments here")
            place = _place(node)
            if place is None:
                continue
            if self.returns or self.breaking:
                raise self.refuse(node, "assigns, and may end early", "let it run to its end")
            for name, depths in self.places.fields(place).items():
                self._check_store(node, name, depths, written)
        clash = self.places.reads({name: depths for name, (_, depths) in written.items()})
        if clash is not None:
            name, node = clash
            what = f"reads {name!r}, which another iteration assigns"
            raise self.refuse(node, what, f"read it at {self.loop.name!r} only, or use two loops")

    def _check_store(
        self, node: Any, name: str, depths: Depths, written: dict[str, tuple[str, Depths]]
    ) -> None:
        """Note how a field is stored at: each at its own place, or all by one operation."""
        how = OWN if depths else _shared_operation(node)
        if name == UNKNOWN or how is None:
            instead = f"store at the index {self.loop.name!r}, or sum up, and store after the loop"
            raise self.refuse(node, "stores what depends on which is the last", instead)
        before, known = written.setdefault(name, (how, depths))
        if before != how or (depths and not depths & known):
            raise self.refuse(node, f"changes {name!r} in several ways", "use two loops")
        written[name] = how, depths & known


def _breaking(statements: Sequence[tree.Statement]) -> Iterator[Sequence[tree.Statement]]:
    """The blocks that end a loop by `break`."""
    for node in statements:
        if isinstance(node, tree.Break):
            yield statements
        elif isinstance(node, tree.If):
            yield from _breaking(node.then)
            yield from _breaking(node.otherwise)


def _operation(node: tree.SetLocal, risky: Collection[int]) -> Any:
    """How a variable is added to, so that the order does not matter; None if it may.

    `risky` are the `and` and `or` of which an operand that may be left out may be an error.
    """
    value = node.value
    if isinstance(value, tree.Constant):
        return ("constant", value.value)
    if isinstance(value, tree.Binary) and value.sign in COMMUTING:
        is_left = _is_variable(value.left, node.name)
        is_right = _is_variable(value.right, node.name) and value.sign != "-"
        return COMMUTING[value.sign] if is_left or is_right else None
    if isinstance(value, tree.Logical) and value.type == BOOL:
        is_there = any(_is_variable(operand, node.name) for operand in value.operands)
        is_safe = is_there and id(value) not in risky
        return ("and" if value.is_and else "or") if is_safe else None
    if isinstance(value, tree.Extreme):
        is_there = any(_is_variable(operand, node.name) for operand in value.operands)
        return ("extreme", value.is_min) if is_there else None
    return None


def _is_variable(node: tree.Expression, name: str) -> bool:
    return isinstance(node, tree.Local) and node.name == name


def _place(node: Any) -> tree.Expression | None:
    if isinstance(node, (tree.Store, tree.Update)):
        return node.place
    return node.place if isinstance(node, collected.Alter) else None


def _shared_operation(node: Any) -> str | None:
    """How a place that iterations share is changed, so that the order does not matter.

    A number may only grow, or only shrink: if it did both, the order would decide whether it leaves
    its domain in between.
    """
    if isinstance(node, tree.Store):
        value = node.value
        return f"is {value.value}" if isinstance(value, tree.Constant) else None
    if isinstance(node, collected.Alter):
        return node.how if node.how in ("add", "discard", "clear") else None
    kind, value = node.place.type, node.value
    if node.sign in "+-":
        is_step = isinstance(value, tree.Constant) and value.value > 0
        is_one_way = isinstance(kind, SetType) or is_step or value.type == BOOL
        return node.sign if is_one_way else None
    is_safe = isinstance(kind, SetType) or kind == value.type == BOOL
    return node.sign if is_safe and node.sign in COMMUTING else None
