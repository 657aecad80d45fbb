"""The interpreter runs a design in CPython, one state at a time."""

from typing import Any

import pytest

from tests.language.walk import (
    Lane,
    Walk,
    Walker,
    Way,
    begun,
    first_place,
    last_place,
    somewhere,
    walk,
    walker_steps,
    walker_turns,
)
from tests.toys import jugs, two_phase_commit
from tierproof.model.language import (
    DesignError,
    Interpreter,
    Step,
    Steps,
    UnknownName,
    initial,
    within_bounds,
)
from tierproof.model.language.errors import (
    AssignmentInPredicate,
    NoInitialState,
    OutOfDomain,
)

# -- initial states


def test_initial_states_are_quantified_over_their_parameters_in_order():
    states = walk(start=(somewhere,)).initial_states()
    assert [state.leaves for state in states] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_an_initial_state_that_comes_twice_is_there_once():
    states = walk(start=(last_place, first_place, somewhere)).initial_states()
    assert [state.leaves for state in states[:2]] == [(2, 0), (0, 0)]
    assert len(states) == len(set(states)) == 6


def test_an_initial_state_may_ask_for_the_scope():
    assert begun(walk(start=(last_place,))).leaves == (2, 0)


def test_initial_states_are_frozen():
    with pytest.raises(AssignmentInPredicate, match="assigns 1 to at"):
        begun(walk()).at = 1


def test_a_design_without_an_initial_state_in_the_scope_says_so():
    @initial
    def each_walker_begins(state: Walk, walker: Walker) -> None:
        """One state a walker."""

    design = walk(start=(each_walker_begins,)).design
    with pytest.raises(NoInitialState, match=r"'walk' has no initial state in places=3 walkers=0"):
        Interpreter(design, Lane(walkers=0)).initial_states()


def test_an_initial_state_outside_its_domain_names_the_function():
    @initial
    def far_out(state: Walk, scope: Lane) -> None:
        state.at = scope.places

    with pytest.raises(OutOfDomain, match=r"'far_out' assigned 3 to at, whose domain is 0\.\.2"):
        walk(start=(far_out,)).initial_states()


# -- steps


def test_enabled_steps_come_in_declaration_order():
    design = two_phase_commit.DESIGN
    interpreter = Interpreter(design, two_phase_commit.Managers(resource_managers=2))
    state = begun(interpreter)
    assert [str(step) for step in interpreter.enabled(state)] == [
        "tm_aborts()",
        "rm_prepares(rm=0)",
        "rm_prepares(rm=1)",
        "rm_chooses_to_abort(rm=0)",
        "rm_chooses_to_abort(rm=1)",
    ]


def test_the_first_parameter_changes_slowest():
    steps = [str(step) for step in walk(walker_turns).enabled(begun(walk()))]
    assert steps[0] == "walker_turns(walker=0, way=BACK, to=0)"
    assert steps[1] == "walker_turns(walker=0, way=BACK, to=1)"
    assert steps[-1] == "walker_turns(walker=1, way=ON, to=2)"
    assert len(steps) == 2 * 2 * 3


def test_successors_are_the_enabled_steps_with_the_states_that_they_lead_to():
    interpreter = walk(walker_steps)
    ((step, after),) = interpreter.successors(begun(interpreter))
    assert (step, after.leaves) == (Step("walker_steps"), (1, 0))


def test_a_step_leaves_the_state_before_as_it_was_and_freezes_the_one_after():
    interpreter = walk(walker_steps)
    before = begun(interpreter)
    after = interpreter.take(before, Step("walker_steps"))
    assert before.leaves == (0, 0)
    with pytest.raises(AssignmentInPredicate):
        after.at = 0


def test_a_guard_asks_the_scope_where_it_wants_to():
    interpreter = walk(walker_steps, start=(last_place,))
    assert interpreter.enabled(begun(interpreter)) == []


def test_the_published_figures_of_two_phase_commit_come_out():
    """3 resource managers: 288 distinct and 1,146 generated states, 10 steps deep."""
    interpreter = Interpreter(two_phase_commit.DESIGN, two_phase_commit.DESIGN.scope("three"))
    assert figures(interpreter) == (288, 1146, 10)


def test_the_known_figures_of_the_water_jugs_come_out():
    interpreter = Interpreter(jugs.DESIGN, jugs.Jugs())
    assert figures(interpreter)[:2] == (16, 97)


def figures(interpreter: Interpreter) -> tuple[int, int, int]:
    """(distinct, generated, depth in steps), breadth first."""
    frontier = interpreter.initial_states()
    visited, generated, depth = set(frontier), len(frontier), -1
    while frontier:
        depth += 1
        reached = [after for state in frontier for _, after in interpreter.successors(state)]
        generated += len(reached)
        frontier = list(dict.fromkeys(state for state in reached if state not in visited))
        visited.update(frontier)
    return len(visited), generated, depth


def test_states_outside_the_bounds_are_told_apart():
    @within_bounds
    def is_near(state: Walk) -> bool:
        """Not at the end."""
        return state.at < 1

    interpreter = walk(bounds=is_near)
    state = begun(interpreter)
    assert interpreter.within_bounds(state)
    assert not interpreter.within_bounds(interpreter.take(state, Step("walker_steps")))
    assert walk(start=(last_place,)).within_bounds(state)


# -- labels


@pytest.mark.parametrize("walkers", [0, 1, 3])
def test_each_label_is_one_step_and_back(walkers):
    interpreter = walk(walker_steps, walker_turns)
    steps = Steps(interpreter.design, Lane(walkers=walkers))
    named = [steps.step(label) for label in range(steps.count)]
    assert [steps.label(step) for step in named] == list(range(1 + walkers * 2 * 3))
    assert len(set(named)) == steps.count


def test_labels_number_the_steps_in_the_order_in_which_they_are_enabled():
    interpreter = walk(walker_turns, walker_steps)
    labels = [interpreter.steps.label(step) for step in interpreter.enabled(begun(interpreter))]
    assert labels == list(range(interpreter.steps.count))


def test_an_action_without_any_step_does_not_shift_the_labels():
    design = walk(walker_turns, walker_steps).design
    steps = Steps(design, Lane(walkers=0))
    assert (steps.count, steps.step(0)) == (1, Step("walker_steps"))


def test_a_label_gives_parameters_in_their_own_type():
    steps = walk(walker_turns).steps
    assert dict(steps.step(3).arguments)["way"] is Way.ON


def turn(**arguments: Any) -> Step:
    """A turn with these arguments."""
    return Step("walker_turns", tuple(arguments.items()))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Step("walker_turn"), "unknown action 'walker_turn': did you mean walker_turns"),
        (turn(walker=0), "does not give the parameters of 'walker_turns'"),
        (turn(walker=0, way=0, to=0, by=0), "does not give the parameters"),
        (turn(walker=2, way=0, to=0), r"walker is outside 0\.\.1"),
        (turn(walker=0, way=2, to=0), "way is outside Way"),
    ],
)
def test_a_step_that_the_design_has_not_has_no_label(step, message):
    with pytest.raises((UnknownName, DesignError), match=message):
        walk().steps.label(step)


def test_an_unknown_action_is_neither_asked_nor_taken():
    interpreter = walk()
    state = begun(interpreter)
    with pytest.raises(UnknownName, match="did you mean walker_steps"):
        interpreter.is_enabled(state, Step("walker_step"))
    with pytest.raises(UnknownName, match="did you mean walker_steps"):
        interpreter.take(state, Step("walker_step"))
