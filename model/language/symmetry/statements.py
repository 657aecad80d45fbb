"""The rules for statements: what is stored where, and loops whose order nobody can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.walking import nodes_in
from tierproof.model.language.symmetry.expressions import EQUAL, TEST, check_fits
from tierproof.model.language.symmetry.facts import changes_state, names_in
from tierproof.model.language.symmetry.judging import Judging
from tierproof.model.language.symmetry.loops import check_order
from tierproof.model.language.symmetry.sorts import (
    NUMBER,
    OPAQUE,
    Several,
    in_words,
    joined,
)
from tierproof.model.language.symmetry.sources import item_of


def judge_block(body: Judging, statements: Sequence[tree.Statement]) -> bool:
    """Judge statements that follow each other; whether the end can be reached."""
    for statement in statements:
        with body.at(statement):
            if not _STATEMENTS[type(statement)](body, statement):
                return False
    return True


def _set_local(body: Judging, node: tree.SetLocal) -> bool:
    body.set_variable(node.name, body.sort(node.value))
    body.assigned.add(node.name)
    return True


def _store(body: Judging, node: tree.Store) -> bool:
    value = body.sort(node.value)
    check_fits(body, body.sort(node.place), value)
    body.forget_state()
    return True


def _update(body: Judging, node: tree.Update) -> bool:
    place, value = body.sort(node.place), body.sort(node.value)
    if not isinstance(place, Several):
        for found in (place, value):
            if joined(found, NUMBER) is None:
                raise body.refuse(f"computes with {in_words(found)}", EQUAL)
    else:
        body.both(place, value, "mixes", "keep them in two sets")
    body.forget_state()
    return True


def _if(body: Judging, node: tree.If) -> bool:
    body.number(node.test, "tests the number of", TEST)
    before = body.facts
    body.facts = before | body.shown(node.test, True)
    then, after_then = judge_block(body, node.then), body.facts
    body.facts = before | body.shown(node.test, False)
    otherwise, after = judge_block(body, node.otherwise), body.facts
    if then and otherwise:
        body.facts = after_then & after
    else:
        body.facts = after_then if then else after
    return then or otherwise


def _while(body: Judging, node: tree.While) -> bool:
    body.facts = _kept(body, (tree.Evaluate(node.test), *node.body))
    before = body.facts
    body.number(node.test, "tests the number of", TEST)
    body.facts |= body.shown(node.test, True)
    judge_block(body, node.body)
    body.fail()
    body.facts = before
    return True


def _for(body: Judging, node: tree.For) -> bool:
    item, ordered = item_of(body, node.source)
    before, fails = set(body.assigned), body.fails
    body.facts, body.fails = _kept(body, node.body), None
    facts = body.facts
    body.set_variable(node.name, item)
    body.assigned.add(node.name)
    judge_block(body, node.body)
    if ordered:
        check_order(body, node, ordered, before)
        body.assigned = before
    body.facts, body.fails = facts, fails or body.fails
    return True


def _kept(body: Judging, statements: Sequence[tree.Statement]) -> frozenset[Any]:
    """The facts that hold at the beginning of each iteration."""
    nodes = nodes_in(tuple(statements))
    names = {node.name for node in nodes if isinstance(node, (tree.SetLocal, tree.For))}
    if changes_state(tuple(statements)):
        body.forget_state()
    return frozenset(fact for fact in body.facts if names.isdisjoint(names_in(fact)))


def _return(body: Judging, node: tree.Return) -> bool:
    found = OPAQUE if node.value is None else body.sort(node.value)
    before = found if body.result is None else body.result
    body.result = body.both(before, found, "returns both", "return one of them")
    return False


def _evaluate(body: Judging, node: tree.Evaluate) -> bool:
    body.sort(node.value)
    return True


def _leave(body: Judging, node: tree.Break | tree.Continue) -> bool:
    return False


_STATEMENTS: dict[type, Callable[[Judging, Any], bool]] = {
    tree.SetLocal: _set_local,
    tree.Store: _store,
    tree.Update: _update,
    tree.If: _if,
    tree.While: _while,
    tree.For: _for,
    tree.Break: _leave,
    tree.Continue: _leave,
    tree.Return: _return,
    tree.Evaluate: _evaluate,
}
