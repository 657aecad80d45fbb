"""Quiescence: what may be so once a design has taken every step that it takes by itself."""

from __future__ import annotations

from typing import Annotated

import pytest

from tests.toys import clock
from tierproof.conformance.brokers.quiescence import OutOfScope, Quiescence
from tierproof.model.language import (
    Design,
    Range,
    Scope,
    State,
    Step,
    action,
    bound,
    guard,
    initial,
    limit,
)


class Shelf(Scope):
    cups: int = bound(1, 9, default=3)


class Kitchen(State):
    dirty: Annotated[int, Range(0, Shelf.cups)]
    clean: Annotated[int, Range(0, Shelf.cups)]
    broken: Annotated[int, Range(0, Shelf.cups)]
    is_humming: bool


@initial
def all_clean(state: Kitchen, scope: Shelf) -> None:
    """Every cup is clean."""
    state.clean = scope.cups


@guard
def has_dirty(state: Kitchen) -> bool:
    """A cup is dirty."""
    return state.dirty > 0


@guard
def has_clean(state: Kitchen) -> bool:
    """A cup is clean."""
    return state.clean > 0


@action(actor="cook", guards=[has_dirty])
def cook_washes(state: Kitchen) -> None:
    """A dirty cup becomes clean."""
    state.dirty -= 1
    state.clean += 1


@action(actor="cook", guards=[has_dirty])
def cook_drops(state: Kitchen) -> None:
    """A dirty cup breaks."""
    state.dirty -= 1
    state.broken += 1


@action(actor="fridge")
def fridge_switches(state: Kitchen) -> None:
    """The fridge hums, or stops."""
    state.is_humming = not state.is_humming


@action(actor="guest", guards=[has_clean])
def guest_drinks(state: Kitchen) -> None:
    """A clean cup becomes dirty."""
    state.clean -= 1
    state.dirty += 1


KITCHEN = Design(
    name="kitchen",
    title="A kitchen",
    state=Kitchen,
    initial=(all_clean,),
    system=(cook_washes, cook_drops, fridge_switches),
    environment=(guest_drinks,),
    properties=(),
    scopes={"three": Shelf()},
)


@limit
def has_place(state: Kitchen, scope: Shelf) -> bool:
    """The shelf is as long as the scope says."""
    return state.clean < scope.cups


@action(actor="host", guards=[has_place])
def host_buys(state: Kitchen) -> None:
    """Another cup: there is always one that is wanted."""
    state.clean += 1


GREEDY = Design(
    name="greedy",
    title="A kitchen with a host who buys cups",
    state=Kitchen,
    initial=(all_clean,),
    system=(host_buys,),
    properties=(),
    scopes={"three": Shelf()},
)
DRINK = Step("guest_drinks", ())


def kitchen() -> Quiescence[Kitchen]:
    return Quiescence(KITCHEN, Shelf())


def cups(rest):
    return {(state.clean, state.dirty, state.broken) for state in rest.states}


def test_a_design_that_does_nothing_but_repeat_is_at_rest_in_all_states_of_the_cycle():
    rest = kitchen().beginning()
    assert cups(rest) == {(3, 0, 0)}
    assert len(rest.states) == 2


def test_what_follows_from_an_action_is_waited_for_and_every_outcome_is_known():
    assert cups(kitchen().after(kitchen().beginning().states, [[DRINK]])) == {(3, 0, 0), (2, 0, 1)}


def test_system_steps_come_between_the_groups_of_an_action():
    """A cup that is drunk from four times, and breaks at most once, was washed in between."""
    one: Quiescence[Kitchen] = Quiescence(KITCHEN, Shelf(cups=1))
    assert cups(one.after(one.beginning().states, [[DRINK]] * 4)) == {(1, 0, 0), (0, 0, 1)}
    many = kitchen().after(kitchen().beginning().states, [[DRINK]] * 4)
    assert {broken for _, _, broken in cups(many)} == {0, 1, 2, 3}


def test_no_system_step_comes_between_the_steps_of_a_group():
    """Two cups and three drinks at once: the third is passed over, as no cup is washed yet."""
    shelf: Quiescence[Kitchen] = Quiescence(KITCHEN, Shelf(cups=2))
    at_once = shelf.after(shelf.beginning().states, [[DRINK] * 3])
    assert at_once.passed == 14
    apart = shelf.after(shelf.beginning().states, [[DRINK]] * 3)
    assert apart.passed > at_once.passed


def test_rest_is_told_from_states_that_agree_with_what_was_seen():
    quiescence = kitchen()
    first = quiescence.after(quiescence.beginning().states, [[DRINK]])
    seen = [state for state in first.states if state.broken == 1]
    assert cups(quiescence.after(seen, [[DRINK]])) == {(2, 0, 1), (1, 0, 2)}


def test_a_clock_is_at_rest_at_every_hour():
    dial: Quiescence[clock.Clock] = Quiescence(clock.DESIGN, clock.DESIGN.scopes["half_day"])
    rest = dial.beginning()
    assert {state.hour for state in rest.states} == set(range(1, 13))


def test_a_limit_of_the_scope_is_no_rest():
    with pytest.raises(OutOfScope, match="host_buys: has_place"):
        Quiescence(GREEDY, Shelf()).beginning()


def test_a_normal_form_stands_for_states_that_nothing_tells_apart():
    def silent(state):
        made = state.copy_for("silent")
        made.is_humming = False
        return made.frozen_for("a predicate")

    quiescence = Quiescence(KITCHEN, Shelf(), silent)
    assert len(quiescence.beginning().states) == 1
    assert cups(quiescence.after(quiescence.beginning().states, [[DRINK]])) == {
        (3, 0, 0),
        (2, 0, 1),
    }
