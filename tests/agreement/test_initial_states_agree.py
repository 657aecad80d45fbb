"""Compiled code makes the same initial states as CPython, in the same order, or leaves them to it.

Few candidates are never compiled; here all are.
"""

from dataclasses import replace
from enum import IntEnum
from importlib import import_module
from typing import Annotated, Any

import numpy as np
import pytest

from tests.agreement.constructs import toy
from tests.toys import (
    alternating_bit,
    clock,
    corridor,
    counter,
    courier,
    dials,
    election,
    jugs,
    leaky_tank,
    locks,
    mutex,
    overflowing,
    reactions,
    three_locks,
    two_phase_commit,
)
from tierproof.model.language import (
    Array,
    Design,
    DesignError,
    Index,
    Interpreter,
    Range,
    Scope,
    Set,
    State,
    action,
    initial,
)
from tierproof.spark_explorer.native import beginning
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.registry import DESIGNS

TOYS = (
    alternating_bit,
    clock,
    corridor,
    counter,
    courier,
    dials,
    election,
    jugs,
    leaky_tank,
    locks,
    mutex,
    overflowing,
    reactions,
    three_locks,
    two_phase_commit,
)


@pytest.fixture(autouse=True)
def compiled(monkeypatch) -> None:
    """Compiled code makes as few candidates as there are, three between two reports."""
    monkeypatch.setattr(beginning, "WORTH_COMPILING", 0)
    monkeypatch.setattr(beginning, "BLOCK", 3)


def compared(design: Design, scope: Scope) -> Kernel:
    """A kernel whose initial states are CPython's."""
    kernel = Kernel(design, scope)
    states = Interpreter(design, scope).initial_states()
    words = kernel.initial()
    assert words.tolist() == [kernel.pack(state).tolist() for state in states]
    assert [kernel.beginnings.first(number) for number in range(len(states))] == states
    return kernel


def registered(name: str) -> Design:
    module, member = DESIGNS[name].split(":")
    found: Design = getattr(import_module(module), member)
    return found


@pytest.mark.parametrize("name", DESIGNS)
def test_every_registered_design_begins_the_same(name):
    compared(registered(name), registered(name).scope("smoke"))


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_every_registered_design_begins_the_same_in_every_scope(name):
    design = registered(name)
    kernels = [compared(design, scope) for scope in design.scopes.values()]
    for kernel in kernels:  # refused at a place in the source, or compiled
        assert not kernel.beginnings.refusal or ".py:" in kernel.beginnings.refusal


@pytest.mark.parametrize("module", TOYS, ids=lambda module: module.__name__.split(".")[-1])
def test_toys_begin_the_same(module):
    for scope in module.DESIGN.scopes.values():
        assert compared(module.DESIGN, scope).beginnings.refusal == ""


class Color(IntEnum):
    RED = 0
    GREEN = 1


class Size(Scope):
    pass


class Cell(State):
    value: Annotated[int, Range(-3, 5)]
    color: Color
    is_on: bool
    group: Annotated[set[int], Set(3)]
    row: Annotated[list[Annotated[int, Range(0, 9)]], Array(3)]


Number = Annotated[int, Range(-3, 5)]


@action()
def cell_switches(state: Cell) -> None:
    """On and off."""
    state.is_on = not state.is_on


@initial
def any_kind(
    state: Cell, color: Color, is_on: bool, group: Annotated[set[int], Set(3)], value: Number
) -> None:
    """A parameter of each kind."""
    state.color, state.is_on, state.group = color, is_on, group
    state.value = value if is_on else -value % 4


@initial
def a_single_one(state: Cell) -> None:
    """One that another function gives, too."""


@initial
def in_python(state: Cell, value: Number) -> None:
    """Words that the language does not have."""
    state.value = int(f"{value}")


@initial
def computed_far(state: Cell, value: Number) -> None:
    """A number of more than 64 bits for some candidates, which CPython computes with."""
    state.value = (value + (1 << 61)) * (value + 4) % 5


@initial
def divides(state: Cell, value: Number) -> None:
    """By zero for one candidate."""
    state.value = 3 // value


@initial
def outside_its_domain(state: Cell, value: Number) -> None:
    """For the last candidate."""
    state.value = value + 1


@initial
def astray(state: Cell, value: Number) -> None:
    """Outside the domain for one candidate, and back."""
    state.value = value + 9 * (value == 2)
    state.value = 0


@initial
def behind_the_end(state: Cell, at: Annotated[int, Index(5)]) -> None:
    """An element that is not there."""
    state.row[at] = 1


@initial
def no_such_color(state: Cell, value: Number) -> None:
    """A number that is no member."""
    state.color = Color(abs(value))


def begun_by(*entries: Any, **changes: Any) -> Design:
    return Design(
        name="cell",
        title="A cell",
        state=Cell,
        initial=entries,
        system=(cell_switches,),
        scopes={"only": Size()},
        **changes,
    )


@pytest.mark.parametrize(
    "entries", [(any_kind,), (a_single_one, any_kind), (any_kind, a_single_one)]
)
def test_every_kind_of_parameter_is_made_once_and_in_order(entries):
    kernel = compared(begun_by(*entries), Size())
    assert kernel.beginnings.refusal == ""
    assert kernel.beginnings.count > len(kernel.beginnings.words) > 1


def test_what_is_outside_of_the_language_is_made_by_cpython_which_the_refusal_says():
    kernel = compared(begun_by(a_single_one, in_python), Size())
    assert "'in_python'" in kernel.beginnings.refusal


def test_numbers_of_more_than_64_bits_are_computed_by_cpython(monkeypatch):
    made: list[int] = []
    usual = Interpreter.begin

    def noted(self: Interpreter, number: int) -> Any:
        made.append(number)
        return usual(self, number)

    kernel = Kernel(begun_by(computed_far), Size())
    monkeypatch.setattr(Interpreter, "begin", noted)
    kernel.initial()
    assert made == [3, 4, 5, 6, 7, 8]  # from value 0 on: four times 1 << 61, and more
    assert compared(begun_by(computed_far), Size()).beginnings.refusal == ""


@pytest.mark.parametrize(
    "entry", [divides, outside_its_domain, astray, behind_the_end, no_such_color]
)
def test_a_candidate_that_fails_raises_the_error_of_cpython(entry):
    design = begun_by(any_kind, entry)
    with pytest.raises(DesignError) as expected:
        Interpreter(design, Size()).initial_states()
    kernel = Kernel(design, Size())
    with pytest.raises(type(expected.value)) as caught:
        kernel.initial()
    assert str(caught.value) == str(expected.value)
    assert kernel.beginnings.refusal == ""


def test_what_an_edit_adds_to_an_initial_state_is_made_too():
    def also_on(state: Cell) -> None:
        state.is_on = True

    compared(begun_by(replace(any_kind, also=(also_on,))), Size())


def test_every_construct_of_the_stage_begins_the_same():
    design = Design(
        name="toy",
        title="Toy",
        state=toy.Toy,
        initial=(toy.every_valuation,),
        system=(toy_turns,),
        scopes={"only": toy.Bounds()},
    )
    assert len(compared(design, toy.Bounds()).beginnings.words) == 135


@action()
def toy_turns(state: toy.Toy) -> None:
    """The next turn."""
    state.turn = (state.turn + 1) % 2


class Wide(State):
    much: Annotated[list[Annotated[int, Range(0, (1 << 40) - 1)]], Array(2)]


@initial
def wide(state: Wide, one: Annotated[int, Index(5)], other: Annotated[int, Index(5)]) -> None:
    """Two words."""
    state.much[0], state.much[1] = one, other << 30


@action()
def wide_turns(state: Wide) -> None:
    """The two change places."""
    state.much[0], state.much[1] = state.much[1], state.much[0] + 1


def test_states_that_differ_only_in_a_later_word_are_all_kept():
    design = replace(begun_by(a_single_one), state=Wide, initial=(wide,), system=(wide_turns,))
    kernel = compared(design, Size())
    assert kernel.words > 1
    assert len(np.unique(kernel.initial(), axis=0)) == len(kernel.initial()) == 25
