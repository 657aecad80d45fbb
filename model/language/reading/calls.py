"""Reading calls: helpers of the design, the few builtins, and what loops run over."""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from enum import EnumMeta
from typing import Any

from tierproof.model.language.actions import Predicate
from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.collecting import (
    ascending,
    edge,
    empty_set,
    member_type,
    read_made,
    read_method,
)
from tierproof.model.language.reading.source import MISSING
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    BagType,
    Enumerated,
    ScopeType,
    SequenceType,
    SetType,
    TupleType,
    Type,
    is_scalar,
    joined,
)
from tierproof.model.language.reading.values import check_enum, constant, static
from tierproof.model.language.signatures import signature_of
from tierproof.model.language.state import Record

BUILTINS = "len, range, min, max, abs, int, bool, any, all, sum, set and sorted"


def read_call(body: Body, node: ast.Call) -> tree.Expression:
    """The tree of a call. Raises OutsideLanguage for what cannot be called."""
    value = static(body, node.func)
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        raise body.source.refuse(node, "spreads its arguments", "write them one by one")
    special = _BUILTINS.get(id(value))
    if special is not None:
        if node.keywords:
            raise body.source.refuse(node, "names an argument", "leave the name out")
        found: tree.Expression = special(body, node)
        return found
    if isinstance(value, EnumMeta):
        return _member(body, node, value)
    if isinstance(value, type) and issubclass(value, Record):
        return read_made(body, node, value)
    if isinstance(node.func, ast.Attribute) and value is MISSING:
        method = read_method(body, node)
        if method is not None:
            return method
    if isinstance(value, types.FunctionType):
        return _helper(body, node, value)
    if isinstance(value, Predicate):
        if node.keywords:
            raise body.source.refuse(node, "names an argument of a guard", "leave the name out")
        truth = _helper(body, node, value.function)
        if not is_scalar(truth.type):
            raise body.source.refuse(node, f"is {truth.type}", "let it return True or False")
        return tree.Conversion(BOOL, truth)
    raise _not_callable(body, node, value)


def _not_callable(body: Body, node: ast.Call, value: Any) -> Exception:
    if isinstance(node.func, ast.Attribute) and value is MISSING:
        return body.source.refuse(node, "calls a method", "write a function that takes the record")
    if value is MISSING and isinstance(node.func, ast.Name):
        if node.func.id in body.locals or any(node.func.id in names for names in body.scopes):
            return body.source.refuse(node, "calls a variable", "call a function by its own name")
        known = {*body.source.function.__globals__, *_NAMES}
        what = "calls what nothing defines"
        return body.source.refuse_name(node, what, node.func.id, known)
    if value is MISSING:
        body.read(node.func)
        return body.source.refuse(node, "calls a value", "call a function by its own name")
    name = getattr(value, "__name__", None) or getattr(value, "name", None) or type(value).__name__
    if getattr(value, "__module__", None) == "builtins":
        return body.source.refuse(node, f"calls {name}()", f"of the builtins there are {BUILTINS}")
    what = f"calls {name!r}, which is no plain function"
    return body.source.refuse(node, what, "write it with `def`, of numbers and fields")


def _helper(body: Body, node: ast.Call, function: Any) -> tree.Expression:
    """A call of a function: the written arguments from left to right, then the defaults."""
    given = _bound(body, node, function)
    written = [*node.args, *(keyword.value for keyword in node.keywords)]
    arguments, places = [], []
    for name, parameter in signature_of(function).parameters.items():
        value = given.get(name)
        if isinstance(value, ast.expr):
            arguments.append(body.read(value))
            places.append(written.index(value))
        else:
            arguments.append(constant(body, node, parameter.default))
            places.append(len(written))
    order = tuple(sorted(range(len(places)), key=places.__getitem__))
    kinds = tuple(argument.type for argument in arguments)
    return tree.Call(body.function(node, function, kinds), tuple(arguments), order)


def _bound(body: Body, node: ast.Call, function: Any) -> dict[str, Any]:
    signature = signature_of(function)
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD} or len(
        named
    ) != len(node.keywords):
        raise body.source.refuse(node, "has any number of arguments", "name each of them")
    try:
        return dict(signature.bind(*node.args, **named).arguments)
    except TypeError as error:
        raise body.source.refuse(node, f"does not fit: {error}", "give what it takes") from None


def _member(body: Body, node: ast.Call, enum: Any) -> tree.Expression:
    check_enum(body, node, enum)
    (operand,) = _scalars(body, node, 1, 1)
    return tree.Member(Enumerated(enum), operand, body.source.spot(node))


# -- builtins


def _scalars(body: Body, node: ast.Call, least: int, most: int) -> list[tree.Expression]:
    if not least <= len(node.args) <= most or node.keywords:
        raise body.source.refuse(node, "has another number of arguments", "give what it takes")
    return [body.scalar(argument) for argument in node.args]


def _len(body: Body, node: ast.Call) -> tree.Expression:
    if len(node.args) != 1:
        raise body.source.refuse(node, "has another number of arguments", "give it one array")
    enum = static(body, node.args[0])
    if isinstance(enum, EnumMeta):
        return tree.Constant(INT, len(enum))
    whole = body.read(node.args[0])
    if isinstance(whole.type, BagType):
        what = "asks for the length of a bag"
        instead = "write .total() for all, or sum(1 for one in ...) for the distinct ones"
        raise body.source.refuse(node, what, instead)
    if not isinstance(whole.type, (ArrayType, TupleType, SetType, SequenceType)):
        raise body.source.refuse(node, f"asks for the length of {whole.type}", "give it an array")
    return tree.Length(whole)


def _abs(body: Body, node: ast.Call) -> tree.Expression:
    (operand,) = _scalars(body, node, 1, 1)
    return tree.Unary("abs", operand, body.source.spot(node))


def _conversion(to: Type) -> Any:
    def reader(body: Body, node: ast.Call) -> tree.Expression:
        if to == BOOL and len(node.args) == 1:
            return tree.Conversion(to, body.truth(node.args[0]))
        (operand,) = _scalars(body, node, 1, 1)
        return tree.Conversion(to, operand)

    return reader


def _extreme(is_min: bool) -> Any:
    def reader(body: Body, node: ast.Call) -> tree.Expression:
        if len(node.args) == 1 and not isinstance(node.args[0], ast.GeneratorExp):
            return edge(body, node, is_min=is_min)
        if len(node.args) == 1:
            what = "has one argument"
            raise body.source.refuse(node, what, "give it a set, or two numbers or more")
        operands = _scalars(body, node, 2, 64)
        kind: Any = operands[0].type
        for operand in operands[1:]:
            kind = joined(kind, operand.type)
        return tree.Extreme(kind, is_min, tuple(operands))

    return reader


def _quantified(how: str) -> Any:
    def reader(body: Body, node: ast.Call) -> tree.Expression:
        if len(node.args) != 1:
            raise body.source.refuse(node, "has another number of arguments", "give it one loop")
        inside = node.args[0]
        if isinstance(inside, ast.GeneratorExp):
            return _looped(body, node, inside, how)
        kind = INT if how == "sum" else BOOL
        spot = body.source.spot(node)
        source, name = read_iteration(body, inside), body.fresh("item")
        body.variables[name] = _only_scalar(body, inside, source.type)
        value: tree.Expression = tree.Local(source.type, name)
        return tree.Quantified(kind, how, ((name, source, ()),), value, spot)

    return reader


def _looped(
    body: Body, node: ast.expr, inside: ast.GeneratorExp | ast.SetComp, how: str
) -> tree.Expression:
    """The tree of a value over the loops of a generator."""
    loops = []
    spot = body.source.spot(node)
    targets = [_single_name(body, loop) for loop in inside.generators]
    for number, (target, loop) in enumerate(zip(targets, inside.generators, strict=True)):
        source, name = read_iteration(body, loop.iter), body.fresh(target)
        if number == 0:  # what the first loop runs over is evaluated outside
            body.scopes.append(dict.fromkeys(targets))
        body.variables[name] = source.type
        body.scopes[-1] = {**body.scopes[-1], target: name}
        conditions = tuple(body.truth(condition) for condition in loop.ifs)
        loops.append((name, source, conditions))
    is_truth = how in ("any", "all")
    value = body.truth(inside.elt) if is_truth else body.scalar(inside.elt)
    body.scopes.pop()
    kinds: dict[str, Type] = {"sum": INT, "set": SetType(member_type([value.type]))}
    return tree.Quantified(kinds.get(how, BOOL), how, tuple(loops), value, spot)


def read_comprehension(body: Body, node: ast.SetComp) -> tree.Expression:
    """The tree of `{f(x) for x in ... if ...}`."""
    return _looped(body, node, node, "set")


def _set(body: Body, node: ast.Call) -> tree.Expression:
    if not node.args:
        return empty_set(body, node)
    if len(node.args) > 1:
        raise body.source.refuse(node, "has another number of arguments", "give it one loop")
    inside = node.args[0]
    if isinstance(inside, ast.GeneratorExp):
        return _looped(body, node, inside, "set")
    source, name = read_iteration(body, inside, in_any_order=True), body.fresh("item")
    body.variables[name] = _only_scalar(body, inside, source.type)
    value = tree.Local(source.type, name)
    kind = SetType(member_type([source.type]))
    return tree.Quantified(kind, "set", ((name, source, ()),), value, body.source.spot(node))


def _single_name(body: Body, loop: ast.comprehension) -> str:
    if loop.is_async or not isinstance(loop.target, ast.Name):
        raise body.source.refuse(loop.target, "is no single name", "loop over one name")
    return loop.target.id


def _only_scalar(body: Body, node: ast.expr, kind: Type) -> Type:
    if not is_scalar(kind):
        raise body.source.refuse(node, f"has elements that are {kind}", "say what of each")
    return kind


def _no_sorted(body: Body, node: ast.Call) -> tree.Expression:
    raise body.source.refuse(node, "is a list", "loop over it: `for x in sorted(...)`, of a set")


def _no_range(body: Body, node: ast.Call) -> tree.Expression:
    raise body.source.refuse(node, "is a range outside of a loop", "write `for i in range(...)`")


_NAMES = {
    "len": _len,
    "abs": _abs,
    "int": _conversion(INT),
    "bool": _conversion(BOOL),
    "min": _extreme(True),
    "max": _extreme(False),
    "any": _quantified("any"),
    "all": _quantified("all"),
    "sum": _quantified("sum"),
    "range": _no_range,
    "set": _set,
    "sorted": _no_sorted,
}
_BUILTINS = {id(getattr(builtins, name)): reader for name, reader in _NAMES.items()}


# -- what a loop runs over


def read_iteration(
    body: Body, node: ast.expr, *, in_any_order: bool = False, is_asked: bool = False
) -> tree.Iteration:
    """What a loop runs over: a range, an array, a tuple, an enum, a set, a sequence or a bag.

    With `is_asked` there is no loop: the source is the right side of `in`. Raises OutsideLanguage.
    """
    called = static(body, node.func) if isinstance(node, ast.Call) else MISSING
    if called is range:
        assert isinstance(node, ast.Call)
        return _range(body, node)
    if called is sorted and not is_asked:
        assert isinstance(node, ast.Call)
        return _sorted(body, node)
    enum = static(body, node)
    if isinstance(enum, EnumMeta) and not is_asked:
        return _members(body, node, enum)
    source = body.read(node)
    if isinstance(source.type, SetType):
        any_order = in_any_order or is_asked
        return ascending(body, node, source, source.type, in_any_order=any_order)
    if isinstance(source.type, SequenceType):
        return collected.InTurn(source.type.element, source)
    if isinstance(source.type, BagType):
        return collected.Distinct(source.type.member, source)
    if isinstance(source.type, ArrayType):
        return tree.Over(source.type.element, source)
    if not isinstance(source.type, TupleType) or not source.type.items:
        what = f"is {source.type}, which nothing loops over"
        raise body.source.refuse(node, what, "loop over a range, an array or a tuple")
    kind: Any = source.type.items[0]
    for item in source.type.items[1:]:
        kind = kind and joined(kind, item)
    if kind is None or isinstance(kind, ScopeType):
        raise body.source.refuse(node, "has items of several types", "give them one type")
    return tree.Each(kind, source)


def _sorted(body: Body, node: ast.Call) -> tree.Iteration:
    if len(node.args) != 1 or node.keywords:
        raise body.source.refuse(node, "has another number of arguments", "give it one set")
    source = body.read(node.args[0])
    if not isinstance(source.type, SetType):
        raise body.source.refuse(node, f"sorts {source.type}", "give it a set")
    return ascending(body, node, source, source.type, in_any_order=True)


def _members(body: Body, node: ast.expr, enum: Any) -> tree.Iteration:
    """Each member of an enum once, in the order of declaration."""
    check_enum(body, node, enum)
    items = tuple(constant(body, node, member) for member in enum)
    if not items:
        raise body.source.refuse(node, "has no members", "loop over an enum that has some")
    kinds = tuple(item.type for item in items)
    return tree.Each(kinds[0], tree.TupleOf(TupleType(kinds), items))


def _range(body: Body, node: ast.Call) -> tree.Iteration:
    if node.keywords:
        raise body.source.refuse(node, "names an argument", "leave the name out")
    numbers = _scalars(body, node, 1, 3)
    start: tree.Expression = tree.Constant(INT, 0)
    stop = numbers[0]
    if len(numbers) > 1:
        start, stop = numbers[0], numbers[1]
    step = numbers[2] if len(numbers) == 3 else tree.Constant(INT, 1)
    if not isinstance(step, tree.Constant) or step.value == 0:
        raise body.source.refuse(node, "has a step that is computed, or 0", "write the step down")
    return tree.Count(start, stop, step.value, body.source.spot(node))
