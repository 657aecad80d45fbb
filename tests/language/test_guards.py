"""A guard tests and never assigns, and it never reads what no broker can know."""

import pytest

from tests.language.cluster import (
    Broker,
    Cluster,
    Log,
    Mode,
    begun,
    broker_appends,
    broker_copies,
    design,
)
from tierproof.model.language import (
    DesignError,
    Interpreter,
    Step,
    action,
    guard,
    invariant,
    limit,
    step_property,
    within_bounds,
)
from tierproof.model.language.errors import AssignmentInPredicate, OutsideLanguage

# -- guards do not assign


def set_mode(state: Log) -> bool:
    """A helper that assigns."""
    state.mode = Mode.DELETE
    return True


def assigns_directly(state: Log) -> bool:
    """Assigns to a field."""
    state.mode = Mode.DELETE
    return True


def assigns_in_place(state: Log) -> bool:
    """Assigns by an operator."""
    state.copied += 1
    return True


def assigns_through_a_helper(state: Log) -> bool:
    """Assigns in a function that it calls."""
    return set_mode(state)


def assigns_to_an_element(state: Log) -> bool:
    """Assigns to an element of an array."""
    state.offset[0] = 3
    return True


def assigns_to_a_global(state: Log) -> bool:
    """Remembers what is no part of the state."""
    global calls
    calls = 1
    return True


calls = 0

IMPURE = [
    (assigns_directly, "assigns_directly assigns to the attribute mode"),
    (assigns_in_place, "assigns_in_place assigns to the attribute copied"),
    (assigns_through_a_helper, "set_mode assigns to the attribute mode"),
    (assigns_to_an_element, "assigns_to_an_element assigns to an element"),
    (assigns_to_a_global, "assigns_to_a_global assigns to the global calls"),
]


@pytest.mark.parametrize(("function", "how"), IMPURE)
def test_a_guard_that_assigns_is_refused_when_it_is_declared(function, how):
    message = rf"guard '{function.__name__}' assigns: {how} \(.*test_guards\.py:\d+\)"
    with pytest.raises(AssignmentInPredicate, match=message):
        guard(function)


@pytest.mark.parametrize(("function", "how"), IMPURE)
@pytest.mark.parametrize(
    ("declare", "role"),
    [(limit, "guard"), (invariant(), "invariant"), (within_bounds, "within_bounds")],
)
def test_so_is_every_other_predicate_of_a_state(declare, role, function, how):
    with pytest.raises(AssignmentInPredicate, match=f"{role} '{function.__name__}' assigns: {how}"):
        declare(function)


def test_a_step_property_that_assigns_is_refused():
    def changes_the_past(before: Log, after: Log) -> bool:
        before.mode = after.mode
        return True

    with pytest.raises(AssignmentInPredicate, match="step property 'changes_the_past' assigns"):
        step_property()(changes_the_past)


@guard
def assigns_below(state: Log) -> bool:
    """Calls a helper that is not there yet when the guard is declared."""
    return declared_later(state)


@invariant()
def checks_below(state: Log) -> bool:
    """Calls a helper that is not there yet when the invariant is declared."""
    return declared_later(state)


def declared_later(state: Log) -> bool:
    """A helper that assigns, below what calls it."""
    state.mode = Mode.DELETE
    return True


def test_a_helper_declared_below_its_guard_is_looked_into_by_the_design():
    appends = broker_appends.with_guards([assigns_below])
    with pytest.raises(
        AssignmentInPredicate, match="guard 'assigns_below' assigns: declared_later"
    ):
        design(appends)
    with pytest.raises(AssignmentInPredicate, match="'checks_below' assigns: declared_later"):
        design(broker_appends, properties=(checks_below,))


def test_a_guard_that_assigns_behind_the_byte_code_is_refused_by_the_design():
    @guard
    def sets_by_name(state: Log, broker: Broker) -> bool:
        setattr(state, "mode", Mode.DELETE)  # noqa: B010
        return True

    with pytest.raises(OutsideLanguage, match=r"in 'sets_by_name', .* calls setattr\(\)"):
        design(broker_appends.with_guards([sets_by_name]))


def test_a_state_that_a_guard_is_given_cannot_be_assigned_to():
    _, state = begun(broker_appends)
    with pytest.raises(AssignmentInPredicate, match=r"guard 'g' assigns .* to mode"):
        state.frozen_for("guard 'g'").mode = Mode.DELETE


# -- ghosts


def copied_in(state: Log) -> bool:
    """A helper that reads a ghost."""
    return state.copied > 0


@guard
def reads_a_ghost(state: Log) -> bool:
    """Looks at what no broker can know."""
    return state.copied > 0


@guard
def reads_a_ghost_through_a_helper(state: Log) -> bool:
    """Looks at it in a function that it calls."""
    return copied_in(state)


@guard
def reads_a_ghost_through_a_guard(state: Log) -> bool:
    """Looks at it in another guard."""
    return not reads_a_ghost(state)


@pytest.mark.parametrize(
    "fence", [reads_a_ghost, reads_a_ghost_through_a_helper, reads_a_ghost_through_a_guard]
)
def test_a_guard_that_reads_a_ghost_is_refused(fence):
    with pytest.raises(DesignError, match=f"'{fence.name}' reads the ghost field 'copied'"):
        design(broker_copies.with_guards([fence]))


@guard
def reads_a_ghost_record(state: Log, broker: Broker) -> bool:
    """The field `offset` is also one of the protocol; `seen` is not."""
    return state.seen[broker].offset > 0


def test_a_guard_that_reads_into_a_ghost_record_is_refused():
    with pytest.raises(DesignError, match="'reads_a_ghost_record' reads the ghost field 'seen'"):
        design(broker_appends.with_guards([reads_a_ghost_record]))


def test_a_limit_may_read_a_ghost_because_it_is_no_fence():
    few_copies = limit(copied_in)
    assert design(broker_copies.with_guards([few_copies])).guards == {"copied_in": few_copies}


def test_an_effect_and_a_property_may_read_a_ghost():
    @action()
    def broker_counts(state: Log) -> None:
        """Count in a ghost."""
        state.copied += 1

    made = design(broker_counts, properties=(invariant()(copied_in),))
    interpreter = Interpreter(made, Cluster())
    (state,) = interpreter.initial_states()
    assert interpreter.violated_in(state) == list(made.properties)
    assert interpreter.violated_in(interpreter.take(state, Step("broker_counts"))) == []
