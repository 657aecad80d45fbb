"""Explaining: which parts of a guard or a property decide its value, in a state and in a step."""

import json
from dataclasses import replace

import pytest

from tests.language import shelves
from tests.language.shelves import DESIGN, SCOPE, Colour, Light
from tierproof.model.language import Interpreter, Step, Trace, UnknownName, action
from tierproof.model.language.errors import DesignError, NoSuchStep
from tierproof.model.language.explaining import (
    Part,
    explain,
    nearest_to,
    walked_states,
    what_if,
    why_disabled,
    why_never,
    why_not,
    why_of,
    why_violated,
)
from tierproof.model.language.named_steps import step_named


def room(**fields):
    """The empty room, but for these fields; `full`, `blue` and `high` are of boards."""
    state = Interpreter(DESIGN, SCOPE).initial_state(0).copy_for("a test")
    for n in fields.pop("full", ()):
        state.board[n].is_full = True
    for n in fields.pop("blue", ()):
        state.board[n].colour = Colour.BLUE
    for n, number in fields.pop("high", {}).items():
        state.board[n].high = number
    for n, number in fields.pop("low", {}).items():
        state.board[n].low = number
    for name, value in fields.items():
        setattr(state, name, value)
    return state.frozen_for("a test")


def texts(part: Part) -> list[str]:
    return [one.text for one in part.parts]


# -- and, or, not


def test_each_false_operand_of_a_conjunction_is_a_part():
    (whole,) = explain(shelves.both, room(key=3)).parts
    assert texts(whole) == ["state.key > 5", "state.light == Light.ON"]
    assert [one.truth for one in whole.parts] == [False, False]


def test_a_conjunction_that_one_operand_makes_false_is_that_operand():
    (only,) = explain(shelves.both, room(key=6, light=Light.ON, full=[0])).parts
    assert (only.text, only.truth) == ("not state.board[0].is_full", False)
    assert only.fields == (("board[0].is_full", "True"),)


def test_what_an_earlier_operand_guards_is_left_out_though_python_takes_the_last_element():
    (only,) = explain(shelves.behind_a_guard, room()).parts
    assert only.text == "state.best != NONE"
    (asked,) = explain(shelves.behind_a_guard, room(best=1)).parts
    assert asked.text == "state.board[state.best].colour == Colour.BLUE"


def test_each_operand_of_a_false_disjunction_is_a_part():
    (whole,) = explain(shelves.either, room()).parts
    assert texts(whole) == ["state.key > 5", "state.light == Light.ON"]


def test_an_implication_is_false_by_what_is_implied_and_what_implies_it():
    (whole,) = explain(shelves.implied, room(full=[0], key=1)).parts
    assert texts(whole) == ["not state.board[0].is_full", "state.key in (4, 5)"]


# -- comparisons


def test_a_comparison_has_the_sides_that_are_no_constants_with_their_values():
    (asked,) = explain(shelves.either, room(key=9), design=DESIGN).parts
    assert asked.text == "state.key > 5"
    assert [(one.text, one.value) for one in asked.parts] == [("state.key", "key number 9")]


def test_members_of_enums_are_named():
    whole = explain(shelves.either, room(light=Light.BROKEN)).parts[0]
    assert whole.parts[1].parts[0].value == "BROKEN"


def test_of_a_chain_the_first_false_link_is_the_part():
    (link,) = explain(shelves.chained, room(low={0: 4}, high={0: 2})).parts
    assert link.text == "state.board[0].low < state.board[0].high"
    assert [one.value for one in link.parts] == ["4", "2"]


def test_a_conditional_expression_is_its_test_and_the_branch_that_is_taken():
    (whole,) = explain(shelves.conditional, room(key=7)).parts
    assert texts(whole) == ["state.light == Light.ON", "state.key < 5"]
    assert [one.truth for one in whole.parts] == [False, False]


# -- quantifiers


def test_all_is_false_by_the_first_three_values_and_counts_the_others():
    big = SCOPE.replace(shelves=8)
    state = Interpreter(DESIGN, big).initial_state(0)
    (whole,) = explain(shelves.every, state).parts
    assert (len(whole.parts), whole.more) == (3, 5)
    assert [one.bindings for one in whole.parts] == [(("n", str(n)),) for n in range(3)]


def test_values_that_decide_alike_are_one_part():
    (whole,) = explain(shelves.no_board_is_full, room(full=[0, 1])).parts
    assert [one.bindings for one in whole.parts] == [
        (("board", "board 0"),),
        (("board", "board 1"),),
    ]
    (none,) = explain(shelves.some_marked, room()).parts
    (folded,) = none.parts
    assert folded.bindings == (("n", "0, 1, 2"),)
    assert (folded.text, folded.truth) == ("n in state.marked", False)


def test_a_quantifier_over_nothing_has_no_parts():
    assert explain(shelves.some_marked, room()).truth is False


# -- functions


def test_the_return_that_was_taken_stands_with_the_condition_that_led_to_it():
    (led,) = explain(shelves.found_one, room()).parts
    assert (led.text, led.truth) == ("found == NONE", True)
    (found,) = led.parts
    assert (found.text, found.value) == ("found", "-1")
    assert found.parts[0].text == "least_above(state, 3)"


def test_a_condition_under_another_return_is_named_if_that_would_have_differed():
    found = explain(shelves.found_one, room(high={1: 4}))
    assert found.truth is True
    assert texts(found) == ["found == NONE", "not state.board[found].is_full"]
    refused = explain(shelves.found_one, room(high={1: 4}, full=[1]))
    assert texts(refused) == ["not state.board[found].is_full"]


def test_a_loop_that_returned_says_for_which_value():
    (round_,) = explain(shelves.is_some_full, room(full=[1])).parts
    assert (round_.text, round_.bindings) == ("state.board[n].is_full", (("n", "1"),))


def test_a_loop_that_returned_for_no_value_says_what_kept_it():
    loop, returned = explain(shelves.is_some_full, room()).parts
    assert returned.text == "state.key == 30"
    assert loop.text == "for n in range(len(state.board))"
    assert [one.text for one in loop.parts] == ["state.board[n].is_full"] * 3


def test_a_number_that_a_loop_counts_says_for_which_values_it_grew():
    (asked,) = explain(shelves.at_most_one, room(full=[0, 2], blue=[0, 1, 2])).parts
    (count,) = asked.parts
    assert (count.text, count.value) == ("count", "2")
    assert [one.bindings for one in count.parts] == [(("n", "0"),), (("n", "2"),)]


def test_a_parameter_is_explained_by_the_argument_it_was_given():
    (call,) = explain(shelves.low_is_below, room(low={1: 7})).parts
    assert call.bindings == (("low", "7"), ("most", "4"))
    low = call.parts[0].parts[0]
    assert (low.text, low.value, low.fields) == ("low", "7", (("board[1].low", "7"),))


def test_what_the_call_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        explain(shelves.divides, room())


def test_an_explanation_is_json():
    found = explain(shelves.found_one, room()).as_dict()
    assert json.loads(json.dumps(found)) == found


# -- properties


def test_a_step_property_says_what_the_step_changed():
    before, after = room(), room(full=[1])
    step = Step("shelf_fills", (("shelf", 1),))
    found = why_violated(DESIGN, SCOPE, "no_board_fills", (before, step, after))
    (whole,) = found.parts
    assert whole.bindings == (("n", "1"),)
    assert whole.parts[0].fields == (("board[1].is_full", "False -> True"),)


def test_the_premise_stands_beside_what_is_false():
    found = why_violated(DESIGN, SCOPE, "bounds_are_in_order", room(light=Light.ON, low={0: 1}))
    assert found.truth is False
    assert (found.parts[-1].text, found.parts[-1].truth) == ("is_light", True)


def test_without_its_premise_a_property_holds_for_that_reason():
    found = why_violated(DESIGN, SCOPE, "bounds_are_in_order", room(low={0: 1}))
    assert (found.truth, texts(found)) == (True, ["is_light"])


def test_a_lifecycle_law_names_the_field_and_the_edge():
    move = (room(light=Light.BROKEN), Step("light_goes_on"), room(light=Light.ON))
    found = why_violated(DESIGN, SCOPE, "Light_lifecycle", move)
    assert found.parts[0].fields == (("light", "BROKEN -> ON"),)


def test_a_step_property_is_asked_of_a_step_and_an_invariant_of_a_state():
    with pytest.raises(DesignError, match="a step: give"):
        why_violated(DESIGN, SCOPE, "no_board_fills", room())
    with pytest.raises(DesignError, match="a state: give one"):
        why_violated(DESIGN, SCOPE, "no_board_is_full", (room(), Step("light_goes_on"), room()))
    with pytest.raises(UnknownName, match="no_board_is_full"):
        why_violated(DESIGN, SCOPE, "no_bord_is_full", room())


def test_a_trace_is_explained_where_it_first_violates_a_property():
    steps = (Step("light_goes_on"), Step("shelf_fills", (("shelf", 2),)))
    trace = Trace(DESIGN, SCOPE, 0, steps)
    found = why_of(trace, "no_board_is_full")
    assert found is not None
    assert found.parts[0].parts[0].bindings == (("board", "board 2"),)
    assert why_of(Trace(DESIGN, SCOPE, 0, steps[:1]), "no_board_is_full") is None


# -- steps


def test_each_false_guard_of_a_step_is_named_in_order():
    found = why_disabled(DESIGN, SCOPE, room(full=[1]), "shelf_fills", {"shelf": 1})
    assert [name for name, _ in found] == ["is_light", "is_free"]
    assert why_disabled(DESIGN, SCOPE, room(light=Light.ON), "shelf_fills", {"shelf": 1}) == ()


def test_a_guard_that_relies_on_an_earlier_one_is_left_out():
    assert [name for name, _ in why_disabled(DESIGN, SCOPE, room(), "best_falls", {})] == [
        "has_best"
    ]


def test_a_budget_that_is_spent_refuses_a_step():
    ((name, part),) = why_disabled(DESIGN, SCOPE, room(falls=0), "light_breaks", {})
    assert (name, part.fields) == ("falls", (("falls", "0"),))


def test_a_guard_that_is_left_out_of_the_design_refuses_nothing():
    without = DESIGN.without("is_free")
    found = why_disabled(
        without, SCOPE, room(full=[1], light=Light.ON), "shelf_fills", {"shelf": 1}
    )
    assert found == ()


def test_a_cycle_names_the_goal_and_the_steps_that_would_reach_it():
    trace = Trace(DESIGN, SCOPE, 0, (), 0)
    found = why_never(trace, "first_is_full")
    goal, *steps = found.parts
    assert (goal.text, goal.truth, goal.bindings) == ("first_is_full", False, (("state", "0"),))
    (fills,) = steps
    assert (fills.text, fills.truth) == ("shelf_fills(shelf=0)", False)
    assert texts(fills) == ["is_light"]


@action(guards=[shelves.has_best])
def spirit_fills(state: shelves.Room) -> None:
    """The first shelf fills by itself, if any is the best: none ever is."""
    state.board[0].is_full = True


def test_first_comes_the_step_that_the_trace_had_enabled():
    haunted = replace(DESIGN, system=(spirit_fills, *DESIGN.system))
    steps = (Step("light_goes_on"), Step("light_breaks"))
    found = why_never(Trace(haunted, SCOPE, 0, steps, 2), "first_is_full")
    assert [one.text for one in found.parts[1:]] == ["shelf_fills(shelf=0)", "spirit_fills()"]


# -- what is not reached


def test_a_predicate_that_is_true_nowhere_has_its_conditions_counted():
    states = [room(), room(best=0), room(best=0, full=[0]), room(full=[1])]
    found = nearest_to(DESIGN, SCOPE, shelves.best_is_full_and_light, states)
    assert found is not None
    assert (found.name, found.states) == ("best_is_full_and_light", 4)
    assert dict(found.conditions) == {
        "not (state.best == NONE)": 2,
        "state.board[state.best].is_full": 1,
        "state.light == Light.ON": 0,
    }
    assert texts(found.nearest) == ["state.light == Light.ON"]


def test_of_a_loop_each_test_counts_that_is_true_for_some_value_of_which_it_is_asked():
    states = [room(full=[0], blue=[1]), room(full=[0])]
    found = nearest_to(DESIGN, SCOPE, shelves.has_full_blue_board, states)
    assert found is not None
    assert dict(found.conditions) == {
        "state.board[n].is_full": 2,
        "state.board[n].colour == Colour.BLUE": 0,
    }


def test_nothing_is_said_of_a_predicate_that_is_reached():
    assert nearest_to(DESIGN, SCOPE, shelves.is_light, [room(), room(light=Light.ON)]) is None


def test_walks_meet_the_same_states_again_and_the_first_one():
    once, again = walked_states(DESIGN, SCOPE, steps=30), walked_states(DESIGN, SCOPE, steps=30)
    assert once == again
    assert once[0] == room()
    assert len(once) > 3


# -- along a trace

STEPS = (
    Step("light_goes_on"),
    Step("shelf_fills", (("shelf", 0),)),
    Step("light_breaks"),
)
TRACE = Trace(DESIGN, SCOPE, 0, STEPS)


def test_of_each_false_guard_it_is_said_which_step_made_it_true_and_which_false():
    found = why_not(TRACE, Step("shelf_fills", (("shelf", 0),)))
    told = [(one.name, one.made_true_by, one.made_false_by) for one in found.guards]
    assert told == [("is_light", 1, 3), ("is_free", None, 2)]
    assert all(one.was_true for one in found.guards)
    assert found.enabled_in == (1,)
    assert why_not(TRACE, Step("shelf_fills", (("shelf", 1),)), 2).is_enabled


def test_a_guard_that_was_never_true_says_so():
    (guard,) = why_not(TRACE, Step("best_falls")).guards
    assert (guard.was_true, guard.made_true_by, guard.made_false_by) == (False, None, None)


def test_a_position_that_the_trace_does_not_have_is_refused():
    with pytest.raises(NoSuchStep, match="states 0 to 3"):
        why_not(TRACE, Step("best_falls"), 4)
    with pytest.raises(NoSuchStep, match="steps 1 to 3"):
        what_if(TRACE, 0, Step("light_breaks"))


def test_another_step_is_taken_and_the_rest_goes_on_as_far_as_it_goes():
    found = what_if(TRACE, 1, Step("light_breaks"))
    assert found.trace.steps == (Step("light_breaks"),)
    assert found.stop is not None
    assert (found.stop.number, found.stop.original, found.stop.step) == (2, 2, STEPS[1])
    assert [name for name, _ in found.stop.guards] == ["is_light"]


def test_a_step_that_is_inserted_replaces_none():
    found = what_if(TRACE, 3, Step("shelf_fills", (("shelf", 1),)), is_inserted=True)
    assert [step.action for step in found.trace.steps] == [
        "light_goes_on",
        "shelf_fills",
        "shelf_fills",
        "light_breaks",
    ]
    assert found.stop is None
    assert dict(found.broken)["no_board_is_full"] == 2


# -- steps in words


def test_a_step_is_named_as_traces_print_it():
    steps = Interpreter(DESIGN, SCOPE).steps
    assert step_named(steps, "shelf_fills(shelf=2)") == Step("shelf_fills", (("shelf", 2),))
    assert step_named(steps, "light_goes_on()") == step_named(steps, "light_goes_on")


@pytest.mark.parametrize(
    ("words", "error", "told"),
    [
        ("shelf_fils(shelf=2)", UnknownName, "shelf_fills"),
        ("shelf_fills(shell=2)", UnknownName, "did you mean shelf"),
        ("shelf_fills()", NoSuchStep, r"say shelf \(0..2\)"),
        ("shelf_fills(shelf=3)", NoSuchStep, "none of 0..2"),
        ("shelf_fills(shelf=True)", NoSuchStep, "none of 0..2"),
        ("shelf_fills(2)", NoSuchStep, "ACTION"),
        ("shelf_fills(shelf=1, shelf=2)", NoSuchStep, "ACTION"),
        ("shelf fills", NoSuchStep, "ACTION"),
    ],
)
def test_words_that_name_no_step_are_refused(words, error, told):
    with pytest.raises(error, match=told):
        step_named(Interpreter(DESIGN, SCOPE).steps, words)
