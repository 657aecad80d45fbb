"""Traces in the Informal Trace Format: written, read back, and read as other tools write them."""

import importlib
import json
import pkgutil
import random
from collections import Counter
from enum import IntEnum
from typing import Annotated

import pytest

import tests.toys
from tests.designs.stored_traces import STORED, trace_of
from tests.properties.toys import LAMP, Evenings
from tests.toys import mutex
from tests.toys.digraph import digraph
from tierproof.model.language import (
    Array,
    Bag,
    Design,
    DesignError,
    Index,
    Interpreter,
    Range,
    Record,
    Scope,
    Sequence,
    Set,
    State,
    Step,
    Trace,
    action,
    initial,
)
from tierproof.model.language.errors import Misused, NoTrace
from tierproof.model.language.itf import itf_as_text, trace_as_itf, trace_of_itf


class Colour(IntEnum):
    RED = 0
    BLUE = 1


class Ball(Record):
    colour: Colour
    size: Annotated[int, Range(-2, 2)]


class Box(State):
    is_open: bool
    best: Ball
    balls: Annotated[list[Ball], Array(2)]
    queue: Annotated[list[Colour], Sequence(3)]
    marks: Annotated[set[int], Set(3)]
    shown: Annotated[set[Colour], Set(Colour)]
    stock: Annotated[Counter[Colour], Bag(Colour, at_most=2)]


Marks = Annotated[set[int], Set(3)]


@initial
def box_is_closed(state: Box) -> None:
    """Everything is as declared."""


@action()
def somebody_fills(state: Box, marks: Marks, ball: Annotated[int, Index(2)]) -> None:
    """Put something into each field."""
    state.is_open = True
    state.balls[ball].colour = Colour.BLUE
    state.balls[ball].size = 1
    state.queue.append(Colour.BLUE)
    state.marks = marks
    state.shown.add(Colour.BLUE)
    state.stock[Colour.BLUE] = 2


BOX = Design(
    name="box",
    title="A box with a field of every kind",
    state=Box,
    initial=(box_is_closed,),
    system=(somebody_fills,),
    scopes={"only": Scope()},
)
FILLED = Trace(
    BOX, Scope(), 0, (Step("somebody_fills", (("marks", frozenset({0, 2})), ("ball", 1))),)
)


def read_again(trace: Trace, written: object) -> Trace:
    return trace_of_itf(json.loads(json.dumps(written)), trace.design, trace.scope)


def number(value: int) -> dict[str, str]:
    return {"#bigint": str(value)}


def test_each_kind_of_value_is_written_as_the_format_says():
    _, after = trace_as_itf(FILLED)["states"]
    ball = {"colour": "BLUE", "size": number(1)}
    assert after == {
        "#meta": {
            "index": 1,
            "action": "somebody_fills",
            "arguments": {"marks": {"#set": [number(0), number(2)]}, "ball": number(1)},
        },
        "is_open": True,
        "best": {"colour": "RED", "size": number(-2)},
        "balls": {"#map": [[number(0), {"colour": "RED", "size": number(-2)}], [number(1), ball]]},
        "queue": ["BLUE"],
        "marks": {"#set": [number(0), number(2)]},
        "shown": {"#set": ["BLUE"]},
        "stock": {"#map": [["BLUE", number(2)]]},
    }


def test_the_trace_names_its_variables_and_says_where_it_comes_from():
    found = trace_as_itf(FILLED, "no_claim")
    assert found["vars"] == ["is_open", "best", "balls", "queue", "marks", "shown", "stock"]
    assert (found["#meta"]["format"], found["params"]) == ("ITF", [])
    assert found["#meta"]["tierproof"]["property"] == "no_claim"
    assert "loop" not in found
    assert json.loads(itf_as_text(found)) == found


TOYS = {
    f"{module.name}.{name}": value
    for module in pkgutil.iter_modules(tests.toys.__path__)
    for name, value in vars(importlib.import_module(f"tests.toys.{module.name}")).items()
    if isinstance(value, Design)
    if module.name not in ("overflowing", "endless")  # whose walks end in a fault, or do not end
}
TOYS["digraph.triangle"] = digraph(3, [(0, 1), (1, 2), (2, 0)])


def walk_of(design: Design, scope: Scope, seed: int) -> Trace:
    """A random walk of at most fifteen steps."""
    chosen, interpreter = random.Random(seed), Interpreter(design, scope)
    beginnings = interpreter.initial_states()
    first, steps = chosen.randrange(len(beginnings)), list[Step]()
    state = beginnings[first]
    while len(steps) < 15 and (enabled := interpreter.enabled(state)):
        steps.append(chosen.choice(enabled))
        state = interpreter.take(state, steps[-1])
    return Trace(design, scope, first, tuple(steps))


@pytest.mark.parametrize("toy", TOYS)
def test_walks_of_every_toy_are_read_back_as_they_were(toy):
    design = TOYS[toy]
    scope = next(iter(design.scopes.values()))
    for seed in range(5):
        trace = walk_of(design, scope, seed)
        assert read_again(trace, trace_as_itf(trace)) == trace
        bare = trace_as_itf(trace)
        for state in bare["states"]:
            del state["#meta"]
        assert read_again(trace, bare).states == trace.states


@pytest.mark.parametrize("design", ["kip405_producers", "log_cleaner"])
def test_traces_of_findings_are_read_back_as_they_were(design):
    stored = [one for name, one in STORED.items() if name.startswith(f"{design}/")]
    assert stored
    for one in stored:
        trace = trace_of(one)
        assert read_again(trace, trace_as_itf(trace)) == trace


WORKER = (("worker", 1),)
ROUND = tuple(Step(f"worker_{what}_lock", WORKER) for what in ("wants", "takes", "frees"))
LASSO = Trace(mutex.DESIGN, mutex.DESIGN.scope("two"), 0, ROUND, 0)


def test_a_lasso_keeps_its_loop():
    written = trace_as_itf(LASSO)
    assert written["loop"] == 0
    assert read_again(LASSO, written) == LASSO


def test_a_loop_whose_last_state_leads_back_is_read_too():
    written = trace_as_itf(LASSO)
    del written["states"][-1]
    assert read_again(LASSO, written) == LASSO


def test_a_trace_of_another_tool_is_read():
    written = {
        "vars": ["light", "switches", "mbt::actionTaken"],
        "states": [
            {"light": "OFF", "switches": 2, "mbt::actionTaken": "init"},
            {"light": "ON", "switches": 1, "mbt::actionTaken": "on"},
            {"light": "OFF", "switches": {"#bigint": "1"}, "mbt::actionTaken": "off"},
        ],
    }
    found = trace_of_itf(written, LAMP, Evenings(switches=2))
    assert [step.action for step in found.steps] == ["switch_on", "switch_off"]


ON = {"#meta": {"index": 1}, "light": "ON", "switches": 1}
OFF = {"#meta": {"index": 0}, "light": "OFF", "switches": 2}
MISNAMED = {"#meta": {"action": "switch_off", "arguments": {}}}


@pytest.mark.parametrize(
    ("states", "told"),
    [
        ([], "no list of `states`"),
        ([ON], "state 0 is no initial state of 'lamp'"),
        ([OFF, OFF], "state 1: no step leads to it"),
        ([OFF, {**ON, "light": "GREEN"}], "state 1: light is 'GREEN', no member of Light"),
        ([OFF, {**ON, "switches": 7}], "state 1: switches is 7, whose domain is 0..2"),
        ([OFF, {**ON, "switches": True}], "state 1: switches is True, not an integer"),
        ([OFF, {"light": "ON"}], "state 1: the state has no 'switches'"),
        ([OFF, "ON"], "state 1: the state has no 'light'"),
        ([OFF, {**ON, **MISNAMED}], r"state 1: switch_off\(\) is not enabled"),
    ],
)
def test_what_is_no_behaviour_of_the_design_is_refused(states, told):
    with pytest.raises(DesignError, match=told):
        trace_of_itf({"states": states}, LAMP, Evenings(switches=2))


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("queue", ["RED"] * 4, "queue is no list of 3 elements"),
        ("balls", [], "balls has 0 elements, not 2"),
        ("balls", {"#map": [[1, {}], [2, {}]]}, r"balls is a function of \[1, 2\]"),
        ("balls", {"#map": 3}, "state 0 is not written in ITF"),
        ("marks", [0], "marks is no set"),
        ("marks", {"#set": [5]}, "marks is .*, whose domain is subsets of 0..2"),
        ("stock", {"#map": [["GREEN", 1]]}, "stock has the member 'GREEN'"),
        ("stock", {"#map": [["RED", 3]]}, "stock is 3, whose domain is 0..2"),
        ("is_open", 1, "is_open is 1, whose domain is False, True"),
    ],
)
def test_a_value_outside_its_domain_is_refused(field, value, told):
    written = trace_as_itf(FILLED)
    written["states"][0][field] = value
    with pytest.raises(DesignError, match=told):
        read_again(FILLED, written)


def test_a_step_that_leads_elsewhere_is_refused():
    written = trace_as_itf(FILLED)
    written["states"][1]["#meta"]["arguments"]["ball"] = number(0)
    with pytest.raises(DesignError, match="leads to another state"):
        read_again(FILLED, written)


@pytest.mark.parametrize("digits", ["1_0", " 1", "1 ", "+1", "\u0661", "", "0x1", "1.0"])
def test_a_number_in_other_than_decimal_digits_is_refused(digits):
    states = [{**OFF, "switches": {"#bigint": digits}}]
    with pytest.raises(NoTrace, match=r"state 0: switches is .*, not an integer"):
        trace_of_itf({"states": states}, LAMP, Evenings(switches=2))


@pytest.mark.parametrize(
    ("meta", "told"),
    [
        (3, "state 1 has #meta=3, which is no object"),
        ({"index": 4}, "state 1: #meta says that it is state 4"),
        ({"action": "switch_on"}, "state 1: #meta has no `arguments` of switch_on"),
        ({"arguments": {}}, "state 1: #meta has arguments of the action None"),
        ({"action": 5, "arguments": {}}, "state 1: #meta has arguments of the action 5"),
        (
            {"action": "switch_on", "arguments": [1]},
            r"#meta has arguments=\[1\], which",
        ),
        ({"action": "switch_on", "arguments": {"x": 1}}, "does not give the parameters of"),
        ({"action": "switch_onn", "arguments": {}}, "unknown action 'switch_onn'.*switch_on"),
    ],
)
def test_a_state_whose_meta_is_not_as_it_is_written_is_refused(meta, told):
    with pytest.raises(Misused, match=told):
        trace_of_itf({"states": [OFF, {**ON, "#meta": meta}]}, LAMP, Evenings(switches=2))


def test_no_action_leads_to_the_first_state():
    named = {"action": "switch_on", "arguments": {}}
    with pytest.raises(NoTrace, match="state 0: #meta names the action switch_on"):
        trace_of_itf({"states": [{**OFF, "#meta": named}]}, LAMP, Evenings(switches=2))


@pytest.mark.parametrize(
    ("ours", "told"),
    [
        ("tierproof", "#meta has tierproof='tierproof', which is no object"),
        ({"scop": {}}, "#meta.tierproof has a field 'scop': known are scope, variants"),
        ({"scope": [["switches", 2]]}, "#meta.tierproof.scope is .*, and not an object of whole"),
        ({"scope": {"switches": "2"}}, "#meta.tierproof.scope is .*, and not an object of whole"),
        ({"scope": {"switches": True}}, "#meta.tierproof.scope is .*, and not an object of whole"),
        ({"variants": "all"}, "#meta.tierproof.variants is 'all', and not a list of names"),
        ({"without": [1]}, "#meta.tierproof.without is .*, and not a list of names"),
        ({"property": None}, "#meta.tierproof.property is None, and not a name"),
    ],
)
def test_what_a_trace_says_of_itself_is_checked(ours, told):
    found = {"#meta": {"tierproof": ours}, "states": [OFF]}
    with pytest.raises(NoTrace, match=told):
        trace_of_itf(found, LAMP, Evenings(switches=2))


def test_what_other_tools_say_of_a_trace_is_left_alone():
    found = {"#meta": {"varTypes": {}, "source": "lamp.qnt"}, "states": [OFF]}
    assert len(trace_of_itf(found, LAMP, Evenings(switches=2))) == 0
