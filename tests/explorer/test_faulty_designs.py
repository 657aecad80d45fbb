"""An error of a design names the function and shows the state, in both executions.

The compiled execution finds the fault; the user reads the interpreter's error. A search and random
walks report the same.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import pytest

from tierproof.model.language import (
    Array,
    Design,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    within_bounds,
    witness,
)
from tierproof.model.language.errors import (
    FunctionRaised,
    NonDeterministic,
    NothingChanged,
    OutOfDomain,
    OutsideLanguage,
)
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate


class Small(Scope):
    top: int = bound(1, 9, default=5)


class Cell(State):
    value: Annotated[int, Range(0, Small.top)]
    row: Annotated[list[Annotated[int, Range(0, 3)]], Array(3)]


@initial
def empty(state: Cell) -> None:
    """All zero."""


@initial
def outside(state: Cell) -> None:
    """A value that the domain has not."""
    state.value = 77


@guard
def is_small(state: Cell) -> bool:
    """There is room."""
    return state.value < 5


@guard
def looks_outside(state: Cell) -> bool:
    """Reads an element that is not there, once the value is 3."""
    return state.row[state.value] == 0


@action(guards=[is_small])
def cell_grows(state: Cell) -> None:
    """One more."""
    state.value = state.value + 1


@action()
def cell_outgrows(state: Cell) -> None:
    """One more, without a limit."""
    state.value = state.value + 1


@action()
def cell_wraps(state: Cell) -> None:
    """A value that an eight-bit field would take for 1."""
    state.value = 257


@action(guards=[is_small])
def cell_writes_outside(state: Cell) -> None:
    """Assigns to an element that is not there, once the value is 3."""
    state.row[state.value] = 1
    state.value = state.value + 1


@action()
def cell_sleeps(state: Cell) -> None:
    """Changes nothing."""
    state.value = state.value + 0


IS_SUNNY = True


@guard
def is_sunny(state: Cell) -> bool:
    """Depends on something that is not in the state."""
    return IS_SUNNY


@action(guards=[is_small, is_sunny])
def cell_grows_in_the_sun(state: Cell) -> None:
    """One more."""
    state.value = state.value + 1


@action(guards=[is_small])
def cell_strays(state: Cell) -> None:
    """Leaves the domain and comes back before anybody looks."""
    state.value = state.value + 90
    state.value = state.value - 89


@action(guards=[is_small])
def cell_counts_too_far(state: Cell) -> None:
    """Computes with a number that 64 bits do not hold."""
    state.value = (state.value + 3 << 62) // (1 << 61) % 5


@action(guards=[looks_outside, is_small])
def cell_peeks(state: Cell) -> None:
    """Grows under a guard that reads too far."""
    state.value = state.value + 1


@invariant()
def value_divides(state: Cell) -> bool:
    """Divides by zero at first."""
    return 6 // (state.value - 2) < 100


@invariant()
def stays_below_four(state: Cell) -> bool:
    """The value stays below 4."""
    return state.value < 4


@witness()
def divides_by_what_is_left(state: Cell) -> bool:
    """Divides by zero at 5."""
    return 1 // (5 - state.value) == 1


@within_bounds
def is_far_from_five(state: Cell) -> bool:
    """Below 5."""
    return state.value < 5


DESIGN = Design(
    name="cell",
    title="A cell",
    state=Cell,
    initial=(empty,),
    system=(cell_grows,),
    scopes={"small": Small()},
)


def searched(design: Design, **changes) -> Result:
    changed = replace(design, **changes)
    return explore(changed, changed.scope("small"), MemoryExecution)


def walked(design: Design, **changes) -> Result:
    changed = replace(design, **changes)
    return simulate(changed, changed.scope("small"), seed=1, seconds=60, depth=20)


@pytest.fixture(params=[searched, walked])
def explored(request) -> Callable[..., Result]:
    return request.param


def test_a_value_outside_its_domain_names_field_action_and_value(explored):
    with pytest.raises(OutOfDomain) as caught:
        explored(DESIGN, system=(cell_outgrows,))
    error = caught.value
    assert (error.field, error.action, error.value) == ("value", "cell_outgrows", 6)
    assert "0..5" in str(error)


def test_a_value_never_wraps_into_its_domain(explored):
    with pytest.raises(OutOfDomain, match="257 to value"):
        explored(DESIGN, system=(cell_wraps,))


def test_an_initial_value_outside_its_domain_is_named(explored):
    with pytest.raises(OutOfDomain, match="77 to value"):
        explored(DESIGN, initial=(outside,))


def test_an_effect_that_raises_is_named_with_the_state(explored):
    with pytest.raises(
        FunctionRaised, match=r"effect 'cell_writes_outside' raised IndexError"
    ) as e:
        explored(DESIGN, system=(cell_writes_outside,))
    assert "value = 3" in str(e.value)


def test_a_guard_that_raises_is_named_with_the_state(explored):
    with pytest.raises(FunctionRaised, match=r"guard 'looks_outside' raised IndexError") as e:
        explored(DESIGN, system=(cell_peeks,))
    assert "value = 3" in str(e.value)


def test_a_property_that_raises_is_named_with_the_state(explored):
    with pytest.raises(FunctionRaised, match=r"invariant 'value_divides' raised ZeroDivision") as e:
        explored(DESIGN, properties=(value_divides,))
    assert "value = 2" in str(e.value)


def test_a_witness_that_raises_where_nothing_is_expanded_is_named(explored):
    changes = {"witnesses": (divides_by_what_is_left,), "bounds": is_far_from_five}
    with pytest.raises(FunctionRaised, match=r"witness 'divides_by_what_is_left'") as e:
        explored(DESIGN, **changes)
    assert "value = 5" in str(e.value)


def test_an_action_that_changes_nothing_is_named_with_the_state(explored):
    with pytest.raises(NothingChanged, match="'cell_sleeps' changes nothing") as e:
        explored(DESIGN, system=(cell_sleeps,))
    assert "value = 0" in str(e.value)
    assert "stutters=True" in str(e.value)


def test_a_value_outside_its_domain_is_told_even_if_the_effect_takes_it_back(explored):
    with pytest.raises(OutOfDomain) as caught:
        explored(DESIGN, system=(cell_strays,))
    assert (caught.value.field, caught.value.value) == ("value", 90)


def test_a_design_that_is_not_deterministic_is_said_to_be(monkeypatch):
    design = replace(DESIGN, system=(cell_grows_in_the_sun,), properties=(stays_below_four,))

    def change_the_weather(progress):
        monkeypatch.setitem(globals(), "IS_SUNNY", False)

    with pytest.raises(NonDeterministic, match="not deterministic") as e:
        explore(design, design.scope("small"), MemoryExecution, watch=change_the_weather)
    assert "a global that changes" in str(e.value)


def test_a_number_that_only_cpython_can_compute_is_refused_with_its_place(explored):
    with pytest.raises(OutsideLanguage, match=r"keep numbers below 2\*\*63") as e:
        explored(DESIGN, system=(cell_counts_too_far,))
    assert re.search(r"test_faulty_designs\.py:\d+: .* `state.value \+ 3 << 62`", str(e.value))
