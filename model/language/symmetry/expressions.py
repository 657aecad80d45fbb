"""The rules for expressions: alike things are compared for equality, are indexes and members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.asked import StepArgument, StepIs
from tierproof.model.language.symmetry.facts import changes_state, path_of
from tierproof.model.language.symmetry.judging import Judging
from tierproof.model.language.symmetry.sorts import (
    EMPTY,
    NO_ONE,
    NUMBER,
    OPAQUE,
    Group,
    Items,
    NoOne,
    Number,
    One,
    Queue,
    Row,
    Several,
    Sort,
    Tally,
    in_words,
    joined,
)
from tierproof.model.language.symmetry.sources import item_of

COMPARE = "compare alike things with each other and with NONE, by == and !="
TEST = "compare it with NONE, or with another one"
EQUAL = "alike things have no order, no first and no number"


def sort_of_expression(body: Judging, node: tree.Expression) -> Sort:
    """The sort of an expression. Raises Asymmetric."""
    with body.at(node):
        found = _SORTS[type(node)](body, node)
    if isinstance(found, One) and found.is_optional and path_of(node) in body.facts:
        found = One(found.of)
    body.sorts[id(node)] = found
    return found


def _constant(body: Judging, node: tree.Constant) -> Sort:
    return NO_ONE if node.value == -1 else NUMBER


def _local(body: Judging, node: tree.Local) -> Sort:
    return body.variables[node.name]


def _field(body: Judging, node: tree.Field) -> Sort:
    record = body.sort(node.record)
    assert isinstance(record, Group)
    return record.field(node.name)


def _part(body: Judging, node: collected.Part) -> Sort:
    record = body.sort(node.record)
    assert isinstance(record, Group)
    return record.fields[node.place][1]


def _element(body: Judging, node: tree.Element) -> Sort:
    whole, index = body.sort(node.array), body.sort(node.index)
    if isinstance(whole, Tally):
        member: Sort = One(whole.of) if whole.of is not None else NUMBER
        body.both(member, index, "looks up in a bag of", COMPARE)
        if whole.of is None or _may_be_none(index):
            body.fail()
        return NUMBER
    if isinstance(whole, Row) and whole.is_alike:
        if not isinstance(index, One) or index.of is not whole.count:
            what = f"takes an element of {in_words(whole)}, and the index is {in_words(index)}"
            raise body.refuse(
                what, f"let a parameter or a loop over all {whole.count.text} name it"
            )
        if index.is_optional:
            what = f"takes the last of the alike {whole.count.text} where the index is NONE"
            raise body.refuse(what, "test that it is not NONE before, in the same function")
        return whole.element
    if joined(index, NUMBER) is None:
        raise body.refuse(f"takes an element of {in_words(whole)} by {in_words(index)}", EQUAL)
    if not (isinstance(whole, Row) and _is_within(node.index, index, whole)):
        body.fail()
    assert isinstance(whole, (Row, Queue))
    return whole.element


def _may_be_none(index: Sort) -> bool:
    return isinstance(index, NoOne) or (isinstance(index, One) and index.is_optional)


def _is_within(node: tree.Expression, index: Sort, whole: Row) -> bool:
    """Whether an index is certain to be one of an array's; the last is also that of NONE."""
    if isinstance(index, Number) and index.of is not None and index.of is whole.count:
        return True
    if not isinstance(node, tree.Constant):
        return False
    count = whole.count if isinstance(whole.count, int) else 1
    return -count <= node.value < count


def _nested(body: Judging, node: Any) -> Sort:
    """A number whose operands are read, and all are numbers."""
    for operand in (node.operand,) if hasattr(node, "operand") else node.operands:
        body.number(operand, "makes a number of", EQUAL)
    if isinstance(node, tree.Member):
        body.fail()
    return NUMBER


def _truth(body: Judging, node: tree.Expression) -> Sort:
    body.number(node, "tests the number of", TEST)
    return NUMBER


def _not(body: Judging, node: tree.Not) -> Sort:
    return _truth(body, node.operand)


def _length(body: Judging, node: tree.Length) -> Sort:
    body.sort(node.whole)
    return NUMBER


def _plain(body: Judging, node: tree.Expression) -> Sort:
    return NUMBER


def _binary(body: Judging, node: tree.Binary) -> Sort:
    left, right = body.sort(node.left), body.sort(node.right)
    if isinstance(left, Several) and isinstance(right, Several):
        return body.both(left, right, "mixes", "keep them in two sets")
    for found in (left, right):
        if joined(found, NUMBER) is None:
            raise body.refuse(f"computes with {in_words(found)}", EQUAL)
    is_safe = isinstance(node.right, tree.Constant) and node.right.value > 0
    if node.sign in ("//", "%", "<<", ">>") and not is_safe:
        body.fail()
    return NUMBER


def _comparison(body: Judging, node: tree.Comparison) -> Sort:
    one = body.sort(node.first)
    for sign, operand in node.rest:
        other = body.sort(operand)
        ordered = next((side for side in (one, other) if isinstance(side, One)), None)
        if ordered is not None and sign not in ("==", "!="):
            raise body.refuse(f"puts {in_words(ordered)} in an order", COMPARE)
        body.both(one, other, "compares", COMPARE)
        one = other
    return NUMBER


def _membership(body: Judging, node: tree.Membership) -> Sort:
    one = body.sort(node.item)
    item, _ = item_of(body, node.source)
    body.both(one, item, "looks among values that are both", COMPARE)
    return NUMBER


def _logical(body: Judging, node: tree.Logical) -> Sort:
    """Each operand knows what the ones before it have shown."""
    before, fails, body.fails = body.facts, body.fails, None
    for number, operand in enumerate(node.operands):
        _truth(body, operand)
        body.facts |= body.shown(operand, node.is_and)
        if number == 0:
            fails, body.fails = fails or body.fails, None
    if body.fails is not None:
        body.risky.add(id(node))
    body.facts, body.fails = before & body.facts, fails or body.fails
    return NUMBER


def _choice(body: Judging, node: tree.Choice) -> Sort:
    _truth(body, node.test)
    before = body.facts
    body.facts = before | body.shown(node.test, True)
    then, after_then = body.sort(node.then), body.facts
    body.facts = before | body.shown(node.test, False)
    otherwise = body.sort(node.otherwise)
    body.facts &= before & after_then
    return body.both(then, otherwise, "is both", "let both branches be of one kind")


def _tuple(body: Judging, node: tree.TupleOf) -> Sort:
    return Items(tuple(map(body.sort, node.items)))


def _item(body: Judging, node: tree.Item) -> Sort:
    whole = body.sort(node.whole)
    assert isinstance(whole, Items)
    return whole.items[node.place]


def _pick(body: Judging, node: tree.Pick) -> Sort:
    whole = body.sort(node.whole)
    body.number(node.index, "picks from a tuple by", EQUAL)
    body.fail()
    assert isinstance(whole, Items)
    found = whole.items[0]
    for item in whole.items[1:]:
        found = body.both(found, item, "picks from a tuple of both", "use two tuples")
    return found


def _call(body: Judging, node: tree.Call) -> Sort:
    given = _in_turn(body, node.arguments, node.order)
    found = body.call(node.function, given)
    if found.fails is not None:
        body.fail()
    if node.function.assigns is not None:
        body.forget_state()
    return found.result


def _quantified(body: Judging, node: tree.Quantified) -> Sort:
    if changes_state((node.loops, node.value)):
        raise body.refuse(f"assigns within `{node.how}`", "write a loop")
    facts, fails, body.fails = body.facts, body.fails, None
    ordered = ""
    for name, source, conditions in node.loops:
        item, of = item_of(body, source)
        ordered = ordered or of
        body.set_variable(name, item)
        for condition in conditions:
            _truth(body, condition)
            body.facts |= body.shown(condition, True)
    if node.how == "set":
        value = body.sort(node.value)
        member = value.of if isinstance(value, One) else None
        if member is None or _may_be_none(value):
            body.fail()
        found: Sort = Several(member)
    else:
        found = _truth(body, node.value)
    if ordered and node.how in ("any", "all") and body.fails:
        raise body.refuse(*_may_fail(ordered, node.how), body.fails)
    body.facts, body.fails = facts & body.facts, fails or body.fails
    return found


def _may_fail(ordered: str, how: str) -> tuple[str, str]:
    what = f"may be an error for one of the alike {ordered}, while `{how}` ends with another"
    return what, "write what cannot be an error, such as an index that runs over the whole array"


def _set_of(body: Judging, node: collected.SetOf) -> Sort:
    found: Sort = EMPTY
    for item in node.items:
        sort = body.sort(item)
        if not (
            isinstance(item, tree.Constant) or (isinstance(sort, One) and not sort.is_optional)
        ):
            body.fail()
        member = Several(sort.of if isinstance(sort, One) else None)
        found = body.both(found, member, "is a set of both", "keep them in two sets")
    return found


def _in_turn(
    body: Judging, nodes: tuple[tree.Expression, ...], order: tuple[int, ...]
) -> tuple[Sort, ...]:
    """The sorts of expressions, judged in the order in which they are evaluated."""
    found = {number: body.sort(nodes[number]) for number in order}
    return tuple(found[number] for number in range(len(nodes)))


def _made(body: Judging, node: collected.Made) -> Sort:
    names = getattr(node.type, "names", ())
    return Group(tuple(zip(names, _in_turn(body, node.items, node.order), strict=True)))


def _edge(body: Judging, node: collected.Edge) -> Sort:
    members = body.sort(node.members)
    assert isinstance(members, Several)
    if members.of is not None:
        raise body.refuse(f"asks for the first or the last of {in_words(members)}", EQUAL)
    body.fail()
    return NUMBER


def _total(body: Judging, node: collected.Total) -> Sort:
    body.sort(node.bag)
    return NUMBER


def _alter(body: Judging, node: collected.Alter) -> Sort:
    members = body.sort(node.place)
    assert isinstance(members, Several)
    if node.how != "clear":
        item = One(members.of) if members.of is not None else NUMBER
        body.both(item, body.sort(node.member), "changes a set that would have both", COMPARE)
    body.fail()
    body.forget_state()
    return OPAQUE


def _append(body: Judging, node: collected.Append) -> Sort:
    sequence = body.sort(node.sequence)
    assert isinstance(sequence, Queue)
    check_fits(body, sequence.element, body.sort(node.value))
    body.fail()
    body.forget_state()
    return OPAQUE


def check_fits(body: Judging, place: Sort, value: Sort) -> None:
    """Raise Asymmetric unless a place holds values of this sort."""
    if joined(place, value) is None:
        what = f"stores {in_words(value)} where {in_words(place)} is kept"
        raise body.refuse(what, "declare the field as an Index, or a Set, of the same bound")


def _pop(body: Judging, node: collected.Pop) -> Sort:
    sequence = body.sort(node.sequence)
    assert isinstance(sequence, Queue)
    if node.index is not None:
        body.number(node.index, "takes an element by", EQUAL)
    body.fail()
    body.forget_state()
    return sequence.element


def _clear(body: Judging, node: collected.Clear) -> Sort:
    body.sort(node.whole)
    body.forget_state()
    return OPAQUE


def _step_argument(body: Judging, node: StepArgument) -> Sort:
    return body.argument(node.name)


_SORTS: dict[type, Callable[[Judging, Any], Sort]] = {
    tree.Constant: _constant,
    tree.Local: _local,
    tree.Field: _field,
    tree.Element: _element,
    tree.Length: _length,
    tree.Bound: _plain,
    tree.Unary: _nested,
    tree.Binary: _binary,
    tree.Comparison: _comparison,
    tree.Membership: _membership,
    tree.Logical: _logical,
    tree.Not: _not,
    tree.Choice: _choice,
    tree.Conversion: _nested,
    tree.Member: _nested,
    tree.Extreme: _nested,
    tree.TupleOf: _tuple,
    tree.Item: _item,
    tree.Pick: _pick,
    tree.Call: _call,
    tree.Quantified: _quantified,
    collected.SetOf: _set_of,
    collected.Made: _made,
    collected.Part: _part,
    collected.Edge: _edge,
    collected.Total: _total,
    collected.Alter: _alter,
    collected.Append: _append,
    collected.Pop: _pop,
    collected.Clear: _clear,
    StepIs: _plain,
    StepArgument: _step_argument,
}
