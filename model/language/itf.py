"""Traces in the Informal Trace Format (ITF), JSON that Apalache, Quint and their viewers share.

https://apalache-mc.org/docs/adr/015adr-trace.html (Apalache's ADR-015, of 2023-09-14). Integers are
`{"#bigint": "3"}`, members of an enum strings, sets `#set`, arrays functions from 0 (`#map`), bags
functions to counts, sequences lists, records objects. `loop` is the state from which the steps
repeat: the last state is that state again. What tierproof adds stands in `#meta`: a reader that
ignores it has every state, and reading back needs the states alone. `why`, of the last state, says
which parts of the violated property are false, see `explaining`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.decimals import whole_number
from tierproof.model.language.design import Design
from tierproof.model.language.domains import Sized
from tierproof.model.language.errors import NoTrace
from tierproof.model.language.explaining import Part, why_of
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.itf_meta import (
    META,
    OURS,
    Found,
    check_numbers,
    said_of_state,
    said_of_trace,
)
from tierproof.model.language.layout import ArrayNode, BagNode, Leaf, Node, RecordNode, SequenceNode
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"


# -- writing


def trace_as_itf(trace: Trace, name: str = "") -> dict[str, Any]:
    """The trace as an object for JSON; `name` is the property that it violates, if any."""
    design, states = trace.design, trace.states
    layout = design.layout(trace.scope)
    root = layout.root
    acts = [None, *trace.steps]
    told = f" that violates {name}" if name else ""
    found: dict[str, Any] = {
        META: {
            "format": "ITF",
            "format-description": FORMAT,
            "source": design.name,
            "description": f"{design.title}: a trace of {len(trace)} steps{told}",
            OURS: {
                "scope": dict(trace.scope),
                "variants": list(design.chosen_variants),
                "without": sorted(design.dropped_guards),
                "property": name,
            },
        },
        "params": [],
        "vars": list(root.fields),
        "states": [
            {META: _meta(trace, number, act), **_written(root, state.leaves, 0)}
            for number, (act, state) in enumerate(zip(acts, states, strict=True))
        ],
    }
    if trace.cycle_start is not None:
        found["loop"] = trace.cycle_start
    if name and (why := _why(trace, name)) is not None:
        found["states"][-1][META]["why"] = why.as_dict()
    return found


def _why(trace: Trace, name: str) -> Part | None:
    """Why the trace violates the property; None for a witness, which it reaches."""
    witnesses = {claim.name for claim in trace.design.witnesses}
    return None if name in witnesses else why_of(trace, name)


def itf_as_text(found: Found) -> str:
    """An ITF object as JSON, one line for each state."""
    head = json.dumps({name: value for name, value in found.items() if name != "states"})
    states = ",\n".join(map(json.dumps, found["states"]))
    return f'{head[:-1]}, "states": [\n{states}\n]}}\n'


def _meta(trace: Trace, number: int, step: Step | None) -> dict[str, Any]:
    """The number of a state, and the step that led to it."""
    if step is None:
        return {"index": number}
    domains = trace.design.action(step.action).parameters
    given = {
        name: _plain(domains[name].sized(trace.scope), value) for name, value in step.arguments
    }
    return {"index": number, "action": step.action, "arguments": given}


def _written(node: Node, leaves: tuple[int, ...], offset: int) -> Any:
    """The value of a part of the state."""
    if isinstance(node, Leaf):
        return _plain(node.domain, node.domain.value(leaves[offset]))
    if isinstance(node, RecordNode):
        return {
            name: _written(child, leaves, offset + inside)
            for name, (inside, child) in node.fields.items()
        }
    if isinstance(node, SequenceNode):
        places = _places(node, offset + 1, leaves[offset])
        return [_written(node.element, leaves, place) for place in places]
    places = _places(node, offset, node.length)
    values = [_written(node.element, leaves, place) for place in places]
    if isinstance(node, ArrayNode):
        return {"#map": [[_integer(number), value] for number, value in enumerate(values)]}
    counts = zip(_members(node), values, strict=True)
    return {"#map": [[member, count] for member, count in counts if count != _integer(0)]}


def _places(node: SequenceNode | ArrayNode | BagNode, first: int, count: int) -> range:
    width = node.element.size
    return range(first, first + count * width, width)


def _members(node: BagNode) -> list[Any]:
    numbers = range(node.length)
    return [_integer(n) if node.enum is None else node.enum(n).name for n in numbers]


def _plain(domain: Sized, value: Any) -> Any:
    if domain.is_set:
        return {"#set": [_single(domain, one) for one in value]}
    return _single(domain, value)


def _single(domain: Sized, value: Any) -> Any:
    if domain.enum is None:
        return _integer(value)
    return bool(value) if domain.enum is bool else domain.enum(value).name


def _integer(value: int) -> dict[str, str]:
    return {"#bigint": str(int(value))}


# -- reading


def trace_of_itf(found: Found, design: Design, scope: Scope) -> Trace:
    """The trace of a design in a scope whose states are those of an ITF object.

    Where `#meta` names no step, the first that leads to the next state is taken. Variables that
    the design does not have are not read. Raises NoTrace, with the number of the state, for
    what is no ITF, a value outside its domain, a state that is not initial or that no step reaches.
    """
    interpreter = Interpreter(design, scope)
    objects = found.get("states") if isinstance(found, Mapping) else None
    if not isinstance(objects, list) or not objects:
        raise NoTrace("this is no trace in ITF: it has no list of `states`")
    said_of_trace(found)
    states = [_state(design, scope, number, one) for number, one in enumerate(objects)]
    beginnings = interpreter.initial_states()
    if states[0] not in beginnings:
        raise NoTrace(f"state 0 is no initial state of {design.name!r} in {scope}")
    steps = [
        _step(interpreter, number, states[number - 1], states[number], objects[number])
        for number in range(1, len(states))
    ]
    loop = found.get("loop")
    if loop is not None:
        if type(loop) is not int or not 0 <= loop < len(states):
            raise NoTrace(f"loop={loop!r}: it is the number of one of {len(states)} states")
        if states[loop] != states[-1]:
            steps.append(_step(interpreter, len(states), states[-1], states[loop], {}))
    said_of_state(0, objects[0])
    check_numbers(objects)
    trace = Trace(design, scope, beginnings.index(states[0]), tuple(steps), loop)
    return trace.begun_in(states[0])


def _state(design: Design, scope: Scope, number: int, found: Found) -> State:
    layout = design.layout(scope)
    leaves = list(layout.start)
    try:
        _read(layout.root, found, leaves, 0, "")
    except _Unreadable as error:
        raise NoTrace(f"state {number}: {error}") from None
    except (TypeError, ValueError) as error:
        raise NoTrace(f"state {number} is not written in ITF: {error}") from None
    made: State = design.state.of_leaves(layout, leaves)
    return made


class _Unreadable(Exception):
    """A value that is not one of its place."""


def _read(node: Node, value: Any, leaves: list[int], offset: int, path: str) -> None:
    """Assign the value of a part of the state."""
    if isinstance(node, Leaf):
        leaves[offset] = _raw(node.domain, value, path)
    elif isinstance(node, RecordNode):
        for name, (inside, child) in node.fields.items():
            if not isinstance(value, Mapping) or name not in value:
                raise _Unreadable(f"{path or 'the state'} has no {name!r}")
            below = f"{path}.{name}" if path else name
            _read(child, value[name], leaves, offset + inside, below)
    elif isinstance(node, BagNode):
        _read_bag(node, value, leaves, offset, path)
    else:
        elements, first = list(_elements(node, value, path)), offset
        if isinstance(node, SequenceNode):
            leaves[offset], first = len(elements), offset + 1
        for number, element in enumerate(elements):
            place = first + number * node.element.size
            _read(node.element, element, leaves, place, f"{path}[{number}]")


def _elements(node: ArrayNode | SequenceNode, value: Any, path: str) -> Iterator[Any]:
    """The elements in their order; a function from 0 and a list are both read."""
    if isinstance(value, Mapping) and "#map" in value:
        pairs = {_number(key, path): element for key, element in value["#map"]}
        if sorted(pairs) != list(range(len(pairs))):
            raise _Unreadable(f"{path} is a function of {sorted(pairs)}, not of 0, 1, 2, ...")
        value = [pairs[number] for number in range(len(pairs))]
    elif isinstance(value, Mapping) and "#tup" in value:
        value = value["#tup"]
    is_short = isinstance(node, SequenceNode)
    if not isinstance(value, list) or len(value) > node.length:
        raise _Unreadable(f"{path} is no list of {node.length} elements: {value!r}")
    if not is_short and len(value) != node.length:
        raise _Unreadable(f"{path} has {len(value)} elements, not {node.length}")
    yield from value


def _read_bag(node: BagNode, value: Any, leaves: list[int], offset: int, path: str) -> None:
    if not isinstance(value, Mapping) or "#map" not in value:
        raise _Unreadable(f"{path} is no function: {value!r}")
    members, domain = _members(node), node.element.domain
    leaves[offset : offset + node.length] = [0] * node.length
    for member, count in value["#map"]:
        if member not in members:
            raise _Unreadable(f"{path} has the member {member!r}, which it cannot have")
        leaves[offset + members.index(member)] = _raw(domain, count, path)


def _raw(domain: Sized, value: Any, path: str) -> int:
    """The integer of a value. Raises _Unreadable outside the domain."""
    if domain.is_set:
        if not isinstance(value, Mapping) or "#set" not in value:
            raise _Unreadable(f"{path} is no set: {value!r}")
        raw = domain.raw(frozenset(_one(domain, each, path) for each in value["#set"]))
    else:
        raw = domain.raw(_one(domain, value, path))
    if raw is None:
        raise _Unreadable(f"{path} is {value!r}, whose domain is {domain}")
    return raw


def _one(domain: Sized, value: Any, path: str) -> Any:
    if domain.enum is None:
        return _number(value, path)
    if domain.enum is bool:
        if not isinstance(value, bool):
            raise _Unreadable(f"{path} is {value!r}, whose domain is {domain}")
        return value
    if value not in domain.enum.__members__:
        raise _Unreadable(f"{path} is {value!r}, no member of {domain.enum.__name__}")
    return domain.enum[value]


def _number(value: Any, path: str) -> int:
    """An integer, in either of the two ways that ITF has had for it."""
    text: Any = value.get("#bigint") if isinstance(value, Mapping) else value
    if type(text) is int:
        return text
    try:
        return whole_number(text if isinstance(text, str) else "")
    except ValueError:
        raise _Unreadable(f"{path} is {value!r}, not an integer") from None


def _step(interpreter: Interpreter, number: int, before: State, after: State, found: Found) -> Step:
    """The step to state `number`: the one that its `#meta` names, or the first that leads there."""
    named = _named(interpreter, number, found)
    if named is not None and not interpreter.is_enabled(before, named):
        raise NoTrace(f"state {number}: {named} is not enabled in the state before")
    able = interpreter.enabled(before) if named is None else [named]
    for step in able:
        if interpreter.take(before, step) == after:
            return step
    told = f"{named} leads to another state" if named else "no step leads to it"
    raise NoTrace(f"state {number}: {told}")


def _named(interpreter: Interpreter, number: int, found: Found) -> Step | None:
    """The step that `#meta` of a state names. Raises NoTrace, UnknownName for an action."""
    said = said_of_state(number, found)
    if said is None:
        return None
    act, given = interpreter.design.action(said[0]), said[1]
    if set(given) != set(act.parameters):
        raise NoTrace(f"state {number}: #meta does not give the parameters of {act.name}")
    values = []
    for name, domain in act.parameters.items():
        sized = domain.sized(interpreter.scope)
        try:
            raw = _raw(sized, given[name], name)
        except (_Unreadable, TypeError, ValueError) as error:
            raise NoTrace(f"state {number}, {act.name}: {error}") from None
        values.append((name, sized.value(raw)))
    return Step(act.name, tuple(values))
