"""Expressions over the fields of a state, as a link has them: witnesses in the modelling language.

    elected_leader == 1 and broker[elected_leader].tiering == DISABLED
    any(b.log_start_offset > 0 for b in broker) and not no_committed_record_lost

The language's own reader refuses all that it has no exact word for, by name, before anything is
run: what a link says is never free Python.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Any

from tierproof.model.language.actions import SCOPE, Predicate
from tierproof.model.language.design import Design
from tierproof.model.language.domains import NONE
from tierproof.model.language.errors import DesignError, Misused, closest_to
from tierproof.model.language.properties import PropertyKind, witness
from tierproof.model.language.scope import Scope
from tierproof.model.language.written import function_of

WANTED = "what_the_link_asks_for"
"""The name of the witness that an expression becomes."""
MOST_CHARACTERS = 1000
PLACE = re.compile(r"<written \w+>:\d+: in '\w+', ")
"""Where the language's reader found what it refuses: in a text that nobody has."""
OF_A_STATE = (PropertyKind.INVARIANT, PropertyKind.WITNESS)


class BadExpression(Misused):
    """An expression that cannot be read; the message says which part, and what to write."""


def with_witness(design: Design, scope: Scope, words: str) -> Design:
    """The design with one more witness, named WANTED: the expression. Raises BadExpression.

    Fields, members of enums, invariants and witnesses are called by their names alone.
    """
    if len(words) > MOST_CHARACTERS:
        raise BadExpression(f"an expression has at most {MOST_CHARACTERS} characters")
    known = _Known(design, scope)
    try:
        text = known.as_function_has_it(ast.parse(words.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadExpression(f"{words!r} is no expression: {error}") from None
    try:
        function = function_of(f"def {WANTED}(state, scope):\n    return {text}\n", known.names)
        return replace(design, witnesses=(*design.witnesses, witness()(function)))
    except (DesignError, SyntaxError) as error:
        told = PLACE.sub("", str(error))
        raise BadExpression(f"{words!r} cannot be asked: {told}") from None


class _Known(ast.NodeTransformer):
    """Writes the names of an expression as the functions of a design would have them."""

    def __init__(self, design: Design, scope: Scope) -> None:
        layout = design.layout(scope)
        self.fields = set(layout.root.fields)
        domains = (placed.leaf.domain for placed in layout.leaves)
        enums = {one.enum.__name__: one.enum for one in domains if one.enum not in (None, bool)}
        self.members = _members(enums)
        self.claims: Mapping[str, Predicate] = {
            one.name: one for one in design.checked if one.kind in OF_A_STATE
        }
        functions = {name: one.function for name, one in self.claims.items()}
        self.names: dict[str, Any] = {**functions, **enums, "NONE": NONE}
        self.bound: set[str] = set()

    def as_function_has_it(self, tree: ast.Expression) -> str:
        """The expression as the body of a function of state and scope, on one line."""
        nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        self.bound = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
        return ast.unparse(ast.fix_missing_locations(self.visit(tree)))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A field of the state, a member of an enum, or what a property says of the state."""
        if node.id in self.bound:
            return node
        if node.id in self.fields:
            return ast.Attribute(ast.Name("state", ast.Load()), node.id, ast.Load())
        if node.id in self.members:
            owners = self.members[node.id]
            if len(owners) > 1:
                told = " or ".join(f"{owner}.{node.id}" for owner in owners)
                raise BadExpression(f"{node.id} is a member of several enums: write {told}")
            return ast.Attribute(ast.Name(owners[0], ast.Load()), node.id, ast.Load())
        if node.id in self.claims:
            names = ["state", *(one for one in self.claims[node.id].arguments if one == SCOPE)]
            given: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
            return ast.Call(ast.Name(node.id, ast.Load()), given, [])
        if not hasattr(builtins, node.id) and node.id not in (*self.names, "state", SCOPE):
            known = sorted({*self.fields, *self.members, *self.claims})
            close = closest_to(node.id, known) or known[:8]
            raise BadExpression(f"unknown name {node.id!r}: did you mean {', '.join(close)}?")
        return node


def _members(enums: Mapping[str, type[IntEnum]]) -> dict[str, list[str]]:
    """The name of a member -> the enums that have it."""
    found: dict[str, list[str]] = {}
    for name, enum in enums.items():
        for member in enum.__members__:
            found.setdefault(member, []).append(name)
    return found
