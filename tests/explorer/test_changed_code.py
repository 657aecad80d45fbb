"""What is explored is what the functions say: where they change on the way, that is refused."""

import inspect
import sys
import types
from typing import Annotated, Any

import pytest

from tierproof.model.language import (
    Design,
    Range,
    Scope,
    State,
    action,
    guard,
    initial,
    invariant,
)
from tierproof.model.language.errors import OutsideLanguage
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate

LIMIT = 3
STRIDES = (1, 1)
UNREAD = 0
BOUNDS = types.ModuleType("bounds")
vars(BOUNDS)["MOST"] = 5
HERE: Any = sys.modules[__name__]


class Cell(State):
    value: Annotated[int, Range(0, 9)]


def stride(value: int, times: int = 1) -> int:
    """How far a value moves."""
    return STRIDES[value % 2] * times


def stride_of_two(value: int, times: int = 1) -> int:
    """Another."""
    return 2 * times


def bonus(value: int) -> int:
    """Nothing, as a rule."""
    return 0


@guard
def is_below(state: Cell) -> bool:
    """Not there yet."""
    return state.value < LIMIT


@action(guards=[is_below])
def cell_rises(state: Cell) -> None:
    """One up."""
    state.value += stride(state.value) + bonus(state.value)


@invariant()
def stays_below(state: Cell) -> bool:
    """The value stays below the most."""
    return state.value < BOUNDS.MOST


@initial
def zero(state: Cell) -> None:
    """The lowest value."""


def cell(begin=zero) -> Design:
    return Design(
        name="cell",
        title="A cell",
        state=Cell,
        initial=(begin,),
        system=(cell_rises,),
        properties=(stays_below,),
        scopes={"only": Scope()},
    )


@initial
def a_global(state: Cell) -> None:
    """Assign a constant of a guard."""
    global LIMIT
    LIMIT = 8


@initial
def an_attribute(state: Cell) -> None:
    """Assign a constant of another module, which an invariant reads."""
    vars(BOUNDS)["MOST"] = 3


@initial
def a_table(state: Cell) -> None:
    """Assign a table of a helper."""
    HERE.STRIDES = (1, 2)


@initial
def a_helper(state: Cell) -> None:
    """Give a helper's name to another function."""
    HERE.bonus = lambda value: 1


@initial
def unread(state: Cell) -> None:
    """Assign what no function of the design reads, and a constant that stays as it was."""
    global UNREAD, LIMIT
    UNREAD += 1
    LIMIT = 4 - 1


@pytest.fixture
def kept(monkeypatch):
    """What the initial states assign is as it was after a test."""
    for name in ("LIMIT", "STRIDES", "UNREAD", "bonus"):
        monkeypatch.setattr(HERE, name, getattr(HERE, name))
    monkeypatch.setitem(vars(BOUNDS), "MOST", 5)


ENGINES = {
    "memory": lambda design: explore(design, Scope(), MemoryExecution),
    "simulate": lambda design: simulate(design, Scope(), walks=5, seed=1),
    "identity": lambda design: Kernel(design, Scope()).identity,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("begin", "name"),
    [(a_global, "LIMIT"), (an_attribute, "MOST"), (a_table, "STRIDES"), (a_helper, "bonus")],
)
def test_initial_states_that_change_what_the_functions_read_are_refused(kept, engine, begin, name):
    with pytest.raises(OutsideLanguage, match=f"'{name}' has another meaning in .* initial states"):
        ENGINES[engine](cell(begin))


def test_initial_states_that_change_the_meaning_of_nothing_are_not(kept):
    result = explore(cell(unread), Scope(), MemoryExecution)
    assert [entry.verdict for entry in result.properties] == [Verdict.HOLDS]
    assert UNREAD > 0


def test_a_constant_that_changes_between_declaration_and_use_has_its_new_value(kept):
    design = cell()
    HERE.LIMIT = 8
    result = explore(design, Scope(), MemoryExecution)
    assert [entry.verdict for entry in result.properties] == [Verdict.VIOLATED]


def test_a_helper_that_is_put_in_the_place_of_another_is_the_one_that_is_explored(kept):
    design = cell()
    HERE.bonus = stride_of_two
    assert explore(design, Scope(), MemoryExecution).distinct_states == 2


# -- function objects


def signed(value: int) -> int:
    """Another signature."""
    return value


ALTERATIONS = {
    "__code__": lambda: stride_of_two.__code__,
    "__defaults__": lambda: (2,),
}


@pytest.mark.parametrize("part", ALTERATIONS)
def test_a_function_whose_object_was_altered_after_the_declaration_is_refused(monkeypatch, part):
    design = cell()
    monkeypatch.setattr(stride, part, ALTERATIONS[part]())
    with pytest.raises(OutsideLanguage, match=rf"'stride' was altered .*: its {part} is another"):
        explore(design, Scope(), MemoryExecution)


@pytest.mark.parametrize("part", ALTERATIONS)
def test_an_initial_state_that_alters_a_function_object_is_refused(monkeypatch, part):
    monkeypatch.setattr(stride, part, getattr(stride, part))

    def altering(state: Cell) -> None:
        setattr(stride, part, ALTERATIONS[part]())

    altering.__annotations__ = zero.effect.__annotations__
    with pytest.raises(OutsideLanguage, match="'stride' was altered"):
        explore(cell(initial(altering)), Scope(), MemoryExecution)


def test_an_initial_state_whose_own_function_was_altered_is_refused(monkeypatch):
    design = cell()
    monkeypatch.setattr(zero.effect, "__code__", unread.effect.__code__)
    with pytest.raises(OutsideLanguage, match="was altered after it was declared"):
        explore(design, Scope(), MemoryExecution)


def keyworded(value: int, *, times: int = 1) -> int:
    """A default by name."""
    return value * times


@invariant()
def asks_by_keyword(state: Cell) -> bool:
    """Calls a helper with a default by name."""
    return keyworded(state.value) < 9


def test_a_default_by_name_that_was_altered_is_refused(monkeypatch):
    design = Design(
        name="keyworded",
        title="A cell",
        state=Cell,
        initial=(zero,),
        system=(cell_rises,),
        properties=(asks_by_keyword,),
        scopes={"only": Scope()},
    )
    monkeypatch.setitem(keyworded.__kwdefaults__, "times", 9)
    with pytest.raises(OutsideLanguage, match=r"'keyworded' was altered .* its __kwdefaults__"):
        explore(design, Scope(), MemoryExecution)


def test_a_signature_that_python_does_not_call_by_is_refused(monkeypatch):
    design = cell()
    monkeypatch.setattr(stride, "__signature__", inspect.signature(signed), raising=False)
    with pytest.raises(OutsideLanguage, match="'stride' has a __signature__ of its own"):
        explore(design, Scope(), MemoryExecution)


def below(most: int):
    """A guard with its bound in a closure."""

    @guard
    def is_below_most(state: Cell) -> bool:
        return state.value < most

    return is_below_most


def test_a_closure_that_changes_has_its_new_value():
    bounded = below(3)
    design = Design(
        name="closed",
        title="A cell",
        state=Cell,
        initial=(zero,),
        system=(cell_rises.with_guards([bounded]),),
        properties=(stays_below,),
        scopes={"only": Scope()},
    )
    assert explore(design, Scope(), MemoryExecution).distinct_states == 4
    bounded.function.__closure__[0].cell_contents = 6
    assert explore(design, Scope(), MemoryExecution).distinct_states == 7
