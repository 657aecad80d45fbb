"""The text of the compiled explorer of one design: generated, put in a real file, cached by Numba.

The generated module is straight-line Python over the design's own functions, which the
loader puts into its namespace as `guard_i`, `effect_i`, `property_i`. Its text depends on
the names and order of the design's entries only; sizes and limits come in as tables, so
that scopes with equal array lengths, and all ablations, share one compilation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.language.actions import Action
from model.language.design import Design
from model.language.domains import Enumeration
from model.language.properties import Property, PropertyKind


def source_of(design: Design, digest: str) -> str:
    """The module text; `digest` names everything that the functions it calls depend on."""
    parts = [
        _HEADER.format(design=design.name, digest=digest),
        *enabled_functions(design),
        _enabled_steps(len(design.actions)),
        _apply(design.actions),
        _within_bounds(design),
        _check_state(design.checked),
        _check_step(design.checked),
        _EXPAND,
        _mark_state(design.checked),
        _CONNECT,
    ]
    return "\n\n".join(parts) + "\n"


def enabled_functions(design: Design) -> list[str]:
    """The text of `enabled_i` for each action i, which calls that action's guards alone."""
    guards = list(design.guards)
    return [_enabled(index, act, guards) for index, act in enumerate(design.actions)]


def _enabled(index: int, act: Action, guards: Sequence[str]) -> str:
    """Append every enabled step of an action; a guard is tested once its parameters are known."""
    tests: list[list[str]] = [[] for _ in act.guards_by_depth]
    if act.budget:
        tests[0].append(f"state.{act.budget} > 0")
    for depth, entries in enumerate(act.guards_by_depth):
        for entry in entries:
            number = guards.index(entry.name)
            call = f"guard_{number}({_arguments(entry.arguments, act)})"
            tests[depth].append(f"(dropped[{number}] or {call})")
    body = "\n".join(_loops(index, list(act.parameters), tests))
    return (
        "@njit(**INNER)\n"
        f"def enabled_{index}(state, scope, dropped, low, sizes, first, steps, n):\n"
        f"    # {act.name}\n{body}\n    return n"
    )


def _loops(index: int, names: Sequence[str], tests: Sequence[Sequence[str]]) -> Iterator[str]:
    pad = "    "
    for depth, conditions in enumerate(tests):
        if depth:
            name, column = names[depth - 1], depth - 1
            yield f"{pad}for raw_{name} in range(sizes[{index}, {column}]):"
            pad += "    "
            yield f"{pad}{name} = raw_{name} + low[{index}, {column}]"
        if conditions:
            yield f"{pad}if {' and '.join(conditions)}:"
            pad += "    "
    offset = "0"
    for column, name in enumerate(names):
        offset = f"({offset}) * sizes[{index}, {column}] + raw_{name}"
    yield f"{pad}steps[n, 0] = first[{index}] + {offset}"
    yield f"{pad}steps[n, 1] = {index}"
    for column, name in enumerate(names, start=2):
        yield f"{pad}steps[n, {column}] = {name}"
    yield f"{pad}n += 1"


def _arguments(arguments: Sequence[str], act: Action, values: dict[str, str] | None = None) -> str:
    """The argument list of a call; a boolean parameter is passed as one."""
    rendered = ["state"]
    for name in arguments:
        value = (values or {}).get(name, name)
        domain = act.parameters.get(name)
        is_flag = isinstance(domain, Enumeration) and domain.enum is bool
        rendered.append(f"{value} != 0" if is_flag else value)
    return ", ".join(rendered)


def _enabled_steps(actions: int) -> str:
    calls = "\n".join(
        f"    n = enabled_{index}(state, scope, dropped, low, sizes, first, steps, n)"
        for index in range(actions)
    )
    return (
        "@njit(**INNER)\n"
        "def enabled_steps(state, scope, dropped, low, sizes, first, steps):\n"
        f"    n = 0\n{calls}\n    return n"
    )


def _apply(actions: Sequence[Action]) -> str:
    lines = ["@njit(**INNER)", "def apply(state, scope, step):"]
    for index, act in enumerate(actions):
        values = {name: f"step[{column}]" for column, name in enumerate(act.parameters, start=2)}
        lines.append(f"    {'el' if index else ''}if step[1] == {index}:")
        lines.append(f"        effect_{index}({_arguments(act.arguments, act, values)})")
    lines += ["", "", "@njit(**INNER)", "def spend(state, action):"]
    for index, act in enumerate(actions):
        if act.budget:
            lines += [f"    if action == {index}:", f"        state.{act.budget} -= 1"]
    spending = [index for index, act in enumerate(actions) if act.budget]
    test = " or ".join(f"action == {index}" for index in spending) or "False"
    lines += ["    return", "", "", "@njit(**INNER)", "def spends(action):", f"    return {test}"]
    return "\n".join(lines)


def _within_bounds(design: Design) -> str:
    call = "True"
    if design.bounds is not None:
        call = f"bounds_0({', '.join(['state', *design.bounds.arguments])})"
    return f"@njit(**INNER)\ndef within_bounds(state, scope):\n    return {call}"


def _check_state(checked: Sequence[Property]) -> str:
    """Invariants and witnesses: note in `hits` where one is violated, or reached."""
    lines = ["@njit(**INNER)", "def check_state(state, scope, me, label, checks):"]
    for number, entry in enumerate(checked):
        if entry.kind not in (PropertyKind.INVARIANT, PropertyKind.WITNESS):
            continue
        pad = "    "
        if entry.premise is not None:
            lines.append(f"    if premise_{number}({_with_scope(entry.premise.arguments)}):")
            lines.append(f"        checks.premises[{number}] += 1")
            pad += "    "
        negation = "not " if entry.kind is PropertyKind.INVARIANT else ""
        lines.append(f"{pad}if {negation}property_{number}({_with_scope(entry.arguments)}):")
        lines.append(f"{pad}    note(checks, {number}, me, label)")
    return "\n".join([*lines, "    return"])


def _with_scope(arguments: Sequence[str]) -> str:
    return ", ".join(["state", *arguments])


def _check_step(checked: Sequence[Property]) -> str:
    lines = ["@njit(**INNER)", "def check_step(before, after, scope, me, label, checks):"]
    for number, entry in enumerate(checked):
        if entry.kind is PropertyKind.STEP:
            arguments = ", ".join(["before", "after", *entry.arguments])
            lines.append(f"    if not property_{number}({arguments}):")
            lines.append(f"        note(checks, {number}, me, label)")
    return "\n".join([*lines, "    return"])


def _mark_state(checked: Sequence[Property]) -> str:
    """Liveness properties: write which goals and premises hold."""
    lines = ["@njit(**INNER)", "def mark_state(state, scope, marks):"]
    claims = [n for n, entry in enumerate(checked) if entry.kind is PropertyKind.LIVENESS]
    for column, number in enumerate(claims):
        entry = checked[number]
        lines.append(f"    marks[{column}] = 0")
        lines.append(f"    if property_{number}({_with_scope(entry.arguments)}):")
        lines.append(f"        marks[{column}] |= GOAL")
        premise = "True"
        if entry.premise is not None:
            premise = f"premise_{number}({_with_scope(entry.premise.arguments)})"
        lines.append(f"    if {premise}:")
        lines.append(f"        marks[{column}] |= PREMISE")
    return "\n".join([*lines, "    return"])


def deadlock_number(design: Design) -> int:
    """The number of the deadlock property among `design.checked`, or -1 if it is not claimed."""
    kinds = [entry.kind for entry in design.checked]
    return kinds.index(PropertyKind.DEADLOCK) if PropertyKind.DEADLOCK in kinds else -1


_HEADER = '''"""Generated by tierproof for the design {design}. Do not edit: it is rewritten.

Functions: {digest}
"""

from numba import njit

from spark_explorer.native.expansion import check_law, copy_leaves, emit
from spark_explorer.native.expansion import has_room, is_lifecycle_changed, note
from spark_explorer.native.expansion import same_leaves, same_words
from spark_explorer.native.edges import GOAL, PREMISE, has_room_for, join, join_refused
from spark_explorer.native.packing import fingerprint, pack, unpack

INNER = {{"nogil": True, "_nrt": False}}'''

_EXPAND = '''@njit(cache=True, **INNER)
def expand(block, row, tables, packing, scopes, work, flat, steps, checks, output, spot):
    """Expand rows of `block` from `row` on; returns the first row not expanded."""
    state = work[0]
    after = work[1]
    scope = scopes[0]
    while row < len(block):
        if not has_room(output, len(steps)):
            return row
        spot[0] = row
        unpack(block[row], packing, flat[0])
        me = fingerprint(block[row])
        check_state(state, scope, me, -1, checks)
        n = enabled_steps(
            state, scope, tables.dropped, tables.low, tables.sizes, tables.first, steps
        )
        if n == 0 and tables.deadlock >= 0:
            note(checks, tables.deadlock, me, -1)
        for j in range(n):
            copy_leaves(flat)
            apply(after, scope, steps[j])
            action = steps[j, 1]
            label = steps[j, 0]
            checks.taken[action] += 1
            is_same = spends(action) and same_leaves(flat)
            spend(after, action)
            if not pack(flat[1], packing, output.scratch):
                spot[1] = 1
                return row
            if (is_same or same_words(block[row], output.scratch)) and not tables.stutters[action]:
                spot[1] = 1
                return row
            if is_lifecycle_changed(block[row], output.scratch, tables.law_bits):
                check_law(flat, tables, checks, me, label)
            check_step(state, after, scope, me, label, checks)
            if within_bounds(after, scope):
                emit(output, me, label)
            else:
                check_state(after, scope, me, label, checks)
        row += 1
    return row'''

_CONNECT = '''@njit(cache=True, **INNER)
def connect(block, row, tables, packing, scopes, work, flat, steps, edges, is_lifting):
    """Write marks and steps of rows of `block` from `row` on; returns the first row not done."""
    state = work[0]
    after = work[1]
    scope = scopes[0]
    while row < len(block):
        if not has_room_for(edges, 2 * len(steps)):
            return row
        edges.row[0] = row
        unpack(block[row], packing, flat[0])
        mark_state(state, scope, edges.marks[row])
        n = enabled_steps(
            state, scope, tables.dropped, tables.low, tables.sizes, tables.first, steps
        )
        for j in range(n):
            copy_leaves(flat)
            apply(after, scope, steps[j])
            spend(after, steps[j, 1])
            pack(flat[1], packing, edges.scratch)
            if not same_words(block[row], edges.scratch):
                join(edges, steps[j, 0], within_bounds(after, scope))
        if is_lifting:
            m = enabled_steps(
                state, scope, edges.lifted, tables.low, tables.sizes, tables.first, edges.steps
            )
            join_refused(edges, steps, n, m)
        row += 1
        edges.first[row] = edges.total[0]
    return row'''
