"""An error of a design names the function that failed and shows its state."""

from typing import Any

import pytest

from tests.language.walk import (
    Walk,
    Walker,
    begun,
    walk,
    walker_steps,
)
from tests.toys import two_phase_commit
from tierproof.model.language import (
    Interpreter,
    Step,
    action,
    guard,
    initial,
    invariant,
    step_property,
    within_bounds,
)
from tierproof.model.language.errors import (
    FunctionRaised,
    NothingChanged,
    OutOfDomain,
    OutsideLanguage,
)


def fails(state: Walk) -> bool:
    """Divides by zero."""
    return 1 // (state.at * 0) > 0


def raised_by(call: Any) -> str:
    """The text of the FunctionRaised that `call` ends in."""
    with pytest.raises(FunctionRaised) as raised:
        call()
    return str(raised.value)


IN_THE_STATE = "raised ZeroDivisionError: integer division or modulo by zero\nin the state\n"
AT_START = IN_THE_STATE + "  at = 0\n  turned = False"


def test_a_guard_that_raises_is_named_and_the_state_is_shown():
    interpreter = walk(walker_steps.with_guards([guard(fails)]))
    state = begun(interpreter)
    assert raised_by(lambda: interpreter.enabled(state)) == f"guard 'fails' {AT_START}"


def test_an_effect_that_raises_half_way_shows_the_state_that_it_was_given():
    @action()
    def walker_stumbles(state: Walk) -> None:
        """Assigns, then fails."""
        state.at = 2
        state.at = 1 // 0

    interpreter = walk(walker_stumbles)
    state = begun(interpreter)
    text = raised_by(lambda: interpreter.take(state, Step("walker_stumbles")))
    assert text == f"effect 'walker_stumbles' {AT_START}"


def test_an_initial_state_that_raises_is_named():
    @initial
    def nowhere(state: Walk) -> None:
        state.at = 1 // 0

    text = raised_by(walk(start=(nowhere,)).initial_states)
    assert text.startswith("initial 'nowhere' raised ZeroDivisionError")


def test_a_property_that_raises_is_named_and_the_state_is_shown():
    interpreter = walk(properties=(invariant()(fails),))
    state = begun(interpreter)
    assert raised_by(lambda: interpreter.violated_in(state)) == f"invariant 'fails' {AT_START}"


def test_a_premise_that_raises_is_named():
    def always(state: Walk) -> bool:
        return True

    interpreter = walk(properties=(invariant(premise=guard(fails))(always),))
    state = begun(interpreter)
    assert raised_by(lambda: interpreter.violated_in(state)).startswith("premise 'fails' raised")


def test_a_premise_may_be_a_function_without_a_decorator():
    def has_turned(state: Walk) -> bool:
        return state.turned

    def always(state: Walk) -> bool:
        return True

    premise = invariant(premise=has_turned)(always).premise
    assert premise is not None
    assert premise.name == "has_turned"


def test_a_step_property_that_raises_is_named_and_the_state_before_is_shown():
    def compares(before: Walk, after: Walk) -> bool:
        return 1 // before.at > after.at

    interpreter = walk(properties=(step_property()(compares),))
    state = begun(interpreter)
    after = interpreter.take(state, Step("walker_steps"))
    text = raised_by(lambda: interpreter.violated_by(state, Step("walker_steps"), after))
    assert text == f"step property 'compares' {AT_START}"


def test_bounds_that_raise_are_named():
    interpreter = walk(bounds=within_bounds(fails))
    state = begun(interpreter)
    assert raised_by(lambda: interpreter.within_bounds(state)).startswith("within_bounds 'fails'")


def test_an_index_out_of_range_names_the_function():
    rm_leaves = two_phase_commit.rm_prepares
    interpreter = Interpreter(two_phase_commit.DESIGN, two_phase_commit.DESIGN.scope("three"))
    state = begun(interpreter)
    text = raised_by(lambda: interpreter.take(state, Step(rm_leaves.name, (("rm", 3),))))
    assert "effect 'rm_prepares' raised IndexError: index 3 is outside the 3 elements" in text


def test_the_cause_of_an_error_is_kept():
    interpreter = walk(walker_steps.with_guards([guard(fails)]))
    with pytest.raises(FunctionRaised) as raised:
        interpreter.enabled(begun(interpreter))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_a_value_outside_its_domain_names_action_field_and_value():
    @action()
    def walker_leaps(state: Walk) -> None:
        """Off the lane."""
        state.at += 5

    interpreter = walk(walker_leaps)
    with pytest.raises(OutOfDomain, match=r"action 'walker_leaps' assigned 5 to at, .* 0\.\.2"):
        interpreter.take(begun(interpreter), Step("walker_leaps"))


def test_an_action_that_changes_nothing_is_named_with_its_step_and_the_state():
    @action()
    def walker_rests(state: Walk, walker: Walker) -> None:
        """Rest."""

    interpreter = walk(walker_rests)
    step = Step("walker_rests", (("walker", 1),))
    with pytest.raises(NothingChanged) as raised:
        interpreter.take(begun(interpreter), step)
    text = str(raised.value)
    assert "effect 'walker_rests' changes nothing as walker_rests(walker=1) in the state" in text
    assert "  at = 0\n  turned = False" in text
    assert "stutters=True" in text


def test_a_property_that_assigns_behind_the_byte_code_is_refused():
    def sets_by_name(before: Walk, after: Walk) -> bool:
        setattr(before, "at", 2)  # noqa: B010
        return True

    with pytest.raises(OutsideLanguage, match=r"in 'sets_by_name', .* calls setattr\(\)"):
        walk(properties=(step_property()(sets_by_name),))
