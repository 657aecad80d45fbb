"""Reading statements: assignments, branches, loops and returns."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.calls import read_iteration
from tierproof.model.language.reading.collecting import combined, fits
from tierproof.model.language.reading.expressions import INSTEAD as INSTEAD_OF_EXPRESSIONS
from tierproof.model.language.reading.expressions import binary_sign, no_field, read, type_of_binary
from tierproof.model.language.reading.types import (
    NOTHING,
    MadeType,
    RecordType,
    ScopeType,
    SetType,
    TupleType,
    is_row_of_sequences,
    is_scalar,
)

INSTEAD = {
    ast.Assert: "state the condition as a guard or as a property",
    ast.Raise: "an effect never refuses: state the condition as a guard",
    ast.Try: "test for what could fail before it does",
    ast.With: "leave files and locks to programs",
    ast.Global: "keep it in a field of the state",
    ast.Nonlocal: "keep it in a field of the state",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.FunctionDef: "write the function beside this one",
    ast.ClassDef: "write the class at the top of the file",
    ast.Delete: "assign NONE (-1) to say that something is gone",
    ast.Match: "write if, elif and else",
}


def read_block(body: Body, nodes: list[ast.stmt]) -> tuple[tree.Statement, ...]:
    """The trees of statements that follow each other. Raises OutsideLanguage."""
    found: list[tree.Statement] = []
    for node in nodes:
        reader = _READERS.get(type(node))
        if reader is None:
            instead = INSTEAD.get(type(node), "say it with assignments, if, for and while")
            raise body.source.refuse(node, "is not in the modelling language", instead)
        if body.assigned is None:
            raise body.source.refuse(node, "is never reached", "take it out")
        found.extend(_at(body.source.spot(node), one) for one in reader(body, node))
    return tuple(found)


def _at(spot: tree.Spot, statement: tree.Statement) -> tree.Statement:
    """The statement with its place, if it has none of its own."""
    if isinstance(statement, (tree.Break, tree.Continue)) or statement.spot is not None:
        return statement
    return replace(statement, spot=spot)


def _expression(body: Body, node: ast.Expr) -> list[tree.Statement]:
    value = node.value.value if isinstance(node.value, ast.Constant) else None
    if value is Ellipsis or isinstance(value, str):  # an empty body, a docstring
        return []
    if not isinstance(node.value, ast.Call):
        raise body.source.refuse(node, "does nothing", "assign it, or take it out")
    return [tree.Evaluate(read(body, node.value))]


def _pass(body: Body, node: ast.Pass) -> list[tree.Statement]:
    return []


def _return(body: Body, node: ast.Return) -> list[tree.Statement]:
    is_nothing = node.value is None or (
        isinstance(node.value, ast.Constant) and node.value.value is None
    )
    value = None if node.value is None or is_nothing else read(body, node.value)
    body.returns(node, NOTHING if value is None else value.type)
    body.assigned = None
    return [tree.Return(value)]


# -- assignments


def _assign(body: Body, node: ast.Assign) -> list[tree.Statement]:
    value = body.read(node.value)
    if len(node.targets) == 1:
        return _give(body, node, node.targets[0], value)
    held, name = _held(body, node, value)
    given = [_give(body, node, target, tree.Local(value.type, name)) for target in node.targets]
    return [held, *(one for part in given for one in part)]


def _annotated(body: Body, node: ast.AnnAssign) -> list[tree.Statement]:
    if node.value is None:
        return []
    return _give(body, node, node.target, body.read(node.value))


def _held(body: Body, node: ast.stmt, value: tree.Expression) -> tuple[tree.SetLocal, str]:
    """A statement that stores a value in a generated variable."""
    name = body.fresh("held")
    body.set_type(node, name, value.type)
    return tree.SetLocal(name, value), name


def _give(
    body: Body, node: ast.stmt, target: ast.expr, value: tree.Expression
) -> list[tree.Statement]:
    """Assign a value to a name, a place or several of them."""
    if isinstance(target, ast.Name):
        if isinstance(value.type, ScopeType):
            raise body.source.refuse(node, f"assigns {value.type}", "assign a value")
        body.set_type(node, target.id, value.type)
        body.assign(target.id)
        return [tree.SetLocal(target.id, value)]
    if isinstance(target, (ast.Tuple, ast.List)):
        return _unpack(body, node, target.elts, value)
    place = _place(body, node, target)
    _check_fits(body, node, place, value)
    return [tree.Store(place, value, body.source.spot(node))]


def _unpack(
    body: Body, node: ast.stmt, targets: list[ast.expr], value: tree.Expression
) -> list[tree.Statement]:
    if any(isinstance(target, ast.Starred) for target in targets):
        raise body.source.refuse(node, "takes the rest", INSTEAD_OF_EXPRESSIONS[ast.Starred])
    if not isinstance(value.type, TupleType) or len(value.type.items) != len(targets):
        what = f"unpacks {value.type} into {len(targets)} names"
        raise body.source.refuse(node, what, "give a tuple of as many")
    held, name = _held(body, node, value)
    found: list[tree.Statement] = [held]
    for number, (target, kind) in enumerate(zip(targets, value.type.items, strict=True)):
        item = tree.Item(kind, tree.Local(body.variables[name], name), number)
        found.extend(_give(body, node, target, item))
    return found


def _place(body: Body, node: ast.stmt, target: ast.expr) -> tree.Field | tree.Element:
    if body.assigns is None:
        body.assigns = body.source.spot(node)
    if isinstance(target, ast.Attribute):
        owner = body.read(target.value)
        if isinstance(owner.type, RecordType):
            if target.attr not in owner.type.fields:
                raise no_field(body, target, owner.type)
            return tree.Field(owner.type.fields[target.attr], owner, target.attr)
        if isinstance(owner.type, MadeType):
            what = f"assigns to {owner.type}"
            raise body.source.refuse(target, what, "make another one, and assign that")
        raise body.source.refuse(target, f"assigns to {owner.type}", "only records have fields")
    if isinstance(target, ast.Subscript):
        found = body.read(target)
        if isinstance(found, tree.Element):
            return found
    raise body.source.refuse(target, "cannot be assigned to", "assign to a field or an element")


def _check_fits(
    body: Body, node: ast.stmt, place: tree.Field | tree.Element, value: tree.Expression
) -> None:
    """Assign a number to a field, a record to one of its class, or an array to an array."""
    if not fits(place.type, value.type):
        what = f"assigns {value.type} to what is {place.type}"
        instead = "assign what the field holds"
        if is_row_of_sequences(place.type):
            instead = "assign the sequences one by one, in a loop"
        raise body.source.refuse(node, what, instead)


def _augmented(body: Body, node: ast.AugAssign) -> list[tree.Statement]:
    sign = binary_sign(body, node, node.op)
    if isinstance(node.target, ast.Name):
        if isinstance(body.read(node.target).type, SetType):
            what = "changes a set that a variable holds"
            raise body.source.refuse(node, what, f"write `{_in_full(node)}`")
        current = body.scalar(node.target)
        value = body.scalar(node.value)
        kind = type_of_binary(sign, current, value)
        spot = body.source.spot(node)
        return _give(body, node, node.target, tree.Binary(kind, sign, current, value, spot))
    place = _place(body, node, node.target)
    if isinstance(place.type, SetType):
        value = body.read(node.value)
        combined(body, node, sign, place, value)
        return [tree.Update(place, sign, value, body.source.spot(node))]
    if not is_scalar(place.type):
        raise body.source.refuse(node, f"computes with {place.type}", "compute with numbers")
    return [tree.Update(place, sign, body.scalar(node.value), body.source.spot(node))]


def _in_full(node: ast.AugAssign) -> str:
    """An augmented assignment, written out."""
    assert isinstance(node.target, ast.Name)
    read = ast.Name(node.target.id, ast.Load())
    return f"{node.target.id} = {ast.unparse(ast.BinOp(read, node.op, node.value))}"


# -- branches and loops


def _if(body: Body, node: ast.If) -> list[tree.Statement]:
    test = body.truth(node.test)
    before = body.assigned
    then = read_block(body, node.body)
    after_then, body.assigned = body.assigned, before
    otherwise = read_block(body, node.orelse)
    body.assigned = _both(after_then, body.assigned)
    return [tree.If(test, then, otherwise)]


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The variables assigned on both branches; None is a branch that does not continue."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _for(body: Body, node: ast.For) -> list[tree.Statement]:
    if node.orelse:
        raise body.source.refuse(node, "has an `else`", "set a variable before `break`")
    if not isinstance(node.target, ast.Name):
        raise body.source.refuse(node.target, "is no single name", "loop over one name")
    source = read_iteration(body, node.iter)
    body.set_type(node, node.target.id, source.type)
    before = body.assigned
    body.assign(node.target.id)
    inside, _ = _loop_body(body, node.body)
    body.assigned = before
    return [tree.For(node.target.id, source, inside)]


def _while(body: Body, node: ast.While) -> list[tree.Statement]:
    if node.orelse:
        raise body.source.refuse(node, "has an `else`", "set a variable before `break`")
    test = body.truth(node.test)
    before = body.assigned
    inside, after_breaks = _loop_body(body, node.body)
    is_endless = isinstance(test, tree.Constant) and test.value != 0
    if is_endless and after_breaks is None and not _returns(node):
        instead = "leave it with `break` or `return`"
        raise body.source.refuse(node, "never ends", instead)
    body.assigned = after_breaks if is_endless else before
    return [tree.While(test, inside, body.source.spot(node))]


def _returns(node: ast.While) -> bool:
    """Whether a loop has a `return`."""
    return any(isinstance(one, ast.Return) for one in ast.walk(node))


def _loop_body(
    body: Body, nodes: list[ast.stmt]
) -> tuple[tuple[tree.Statement, ...], frozenset[str] | None]:
    """The trees of a loop's body, and the variables assigned at each `break`."""
    outer, body.after_breaks = body.after_breaks, None
    inside = read_block(body, nodes)
    found, body.after_breaks = body.after_breaks, outer
    return inside, found


def _break(body: Body, node: ast.Break) -> list[tree.Statement]:
    body.after_breaks = _both(body.after_breaks, body.assigned)
    body.assigned = None
    return [tree.Break()]


def _continue(body: Body, node: ast.Continue) -> list[tree.Statement]:
    body.assigned = None
    return [tree.Continue()]


_READERS: dict[type[ast.stmt], Any] = {
    ast.Expr: _expression,
    ast.Pass: _pass,
    ast.Return: _return,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
}
