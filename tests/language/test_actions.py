"""An Action says who acts, over which parameters, under which guards, and what it assigns."""

from typing import Annotated

import pytest

from tests.language.cluster import (
    Broker,
    Cluster,
    Log,
    Mode,
    begun,
    broker_appends,
    broker_copies,
    broker_crashes,
    broker_loses_log,
    broker_pauses,
    design,
    has_room,
)
from tierproof.model.language import (
    DesignError,
    Step,
    action,
    guard,
    invariant,
    step_property,
    within_bounds,
)
from tierproof.model.language.errors import NothingChanged, OutsideLanguage

# -- declaration


def test_an_action_has_the_name_the_parameters_and_the_first_line_of_its_effect():
    assert broker_loses_log.name == "broker_loses_log"
    assert list(broker_loses_log.parameters) == ["broker", "mode"]
    assert broker_appends.statement == "Append one record."
    assert has_room.statement == "The log of `broker` takes another record."


@pytest.mark.parametrize("annotation", [int, str, Log, Annotated[int, "a broker"], None])
def test_a_parameter_without_a_finite_domain_is_refused(annotation):
    def effect(state, broker):
        state.offset[broker] = 1

    effect.__annotations__ = {"state": Log, "broker": annotation}
    with pytest.raises(DesignError, match=r"action effect, broker: .* is not a finite domain"):
        action()(effect)


def test_a_parameter_without_an_annotation_is_refused():
    def effect(state, broker):
        state.offset[broker] = 1

    with pytest.raises(DesignError, match="action effect: parameter 'broker' has no domain"):
        action()(effect)


def test_an_annotation_that_is_not_a_name_of_the_module_is_refused():
    def effect(state, broker):
        state.offset[broker] = 1

    effect.__annotations__ = {"broker": "Brocker"}
    with pytest.raises(DesignError, match="'Brocker' is not a module-level name"):
        action()(effect)


def test_an_effect_or_guard_without_a_state_is_refused():
    with pytest.raises(DesignError, match="nothing takes no state"):
        guard(nothing)


def nothing() -> bool:
    """A predicate of nothing."""
    return True


def test_a_guard_that_needs_a_parameter_which_the_action_lacks_is_refused():
    message = "guard 'has_room' of action 'broker_rests' needs broker.* it has mode"
    with pytest.raises(DesignError, match=message):

        @action(guards=[has_room])
        def broker_rests(state: Log, mode: Mode) -> None:
            """Rest."""


def test_it_is_refused_as_well_where_an_action_gets_other_guards():
    with pytest.raises(DesignError, match="'has_room' of action 'broker_crashes' needs broker"):
        broker_crashes.with_guards([has_room])


def test_a_plain_function_is_no_guard():
    with pytest.raises(DesignError, match=r"action broker_rests: .* is not a guard; decorate it"):

        @action(guards=[nothing])  # type: ignore[list-item]
        def broker_rests(state: Log) -> None:
            """Rest."""


def test_a_premise_and_the_bounds_take_the_state_alone():
    def any_invariant(state: Log) -> bool:
        return True

    with pytest.raises(DesignError, match="premise 'has_room' of 'any_invariant' takes"):
        invariant(premise=has_room)(any_invariant)
    with pytest.raises(DesignError, match="within_bounds 'has_room' takes"):
        within_bounds(has_room.function)


@pytest.mark.parametrize("declare", [invariant(), step_property()])
def test_a_property_takes_states_and_the_scope_alone(declare):
    def nosy(state: Log, after: Log, broker: Broker) -> bool:
        return True

    with pytest.raises(DesignError, match=r"'nosy' takes \((state|before, after)\), perhaps"):
        declare(nosy)


# -- parameters


def test_an_action_is_quantified_over_the_domains_of_its_parameters():
    interpreter, state = begun(broker_loses_log)
    assert [str(step) for step in interpreter.enabled(state)] == [
        "broker_loses_log(broker=0, mode=COPY)",
        "broker_loses_log(broker=0, mode=DELETE)",
        "broker_loses_log(broker=1, mode=COPY)",
        "broker_loses_log(broker=1, mode=DELETE)",
    ]


def test_the_scope_is_handed_to_whoever_asks_and_not_quantified_over():
    @action()
    def broker_resigns(state: Log, scope: Cluster, broker: Broker) -> None:
        """Take the offset that is the number of brokers."""
        state.offset[broker] = scope.brokers

    interpreter, state = begun(broker_resigns, scope=Cluster(brokers=3))
    assert list(broker_resigns.parameters) == ["broker"]
    after = interpreter.take(state, Step("broker_resigns", (("broker", 1),)))
    assert after.changes_to(state) == [("offset[1]", 3, 0)]


def test_a_guard_is_asked_for_each_value_of_a_parameter():
    interpreter, state = begun(broker_appends)
    full = state.copy_for("test")
    full.offset[0] = 9
    assert interpreter.enabled(full) == [Step("broker_appends", (("broker", 1),))]


# -- budgets and stutters


@pytest.mark.parametrize(
    ("act", "path"), [(broker_crashes, "crashes"), (broker_pauses, "pauses[1]")]
)
def test_a_step_spends_its_budget_and_an_empty_budget_ends_the_action(act, path):
    interpreter, state = begun(act)
    (step,) = interpreter.enabled(state)
    after = interpreter.take(state, step)
    assert (state.fields()[path], after.fields()[path]) == (1, 0)
    assert interpreter.enabled(after) == []
    assert not interpreter.is_enabled(after, step)


def test_a_budget_lasts_as_often_as_the_scope_says():
    interpreter, state = begun(broker_loses_log, scope=Cluster(crashes=2))
    for broker in (0, 1):
        arguments = (("broker", broker), ("mode", Mode.COPY))
        state = interpreter.take(state, Step("broker_loses_log", arguments))
    assert state.fields()["lost.crashes"] == 0
    assert interpreter.enabled(state) == []


def test_a_scope_without_a_budget_never_enables_the_action():
    interpreter, state = begun(broker_crashes, scope=Cluster(crashes=0))
    assert interpreter.enabled(state) == []


@pytest.mark.parametrize("budget", ["mode", "crash", "lost", "offset[0]"])
def test_a_budget_is_a_budget_field(budget):
    @action(budget=budget)
    def broker_halts(state: Log) -> None:
        """Halt."""

    with pytest.raises(DesignError, match=r"'broker_halts' spends .* is no Budget field"):
        design(broker_halts)


def test_spending_alone_is_no_change():
    @action(budget="crashes")
    def broker_idles(state: Log) -> None:
        """Do nothing at the cost of a crash."""

    interpreter, state = begun(broker_idles)
    with pytest.raises(NothingChanged, match="'broker_idles' changes nothing"):
        interpreter.take(state, Step("broker_idles"))


def test_an_action_that_stutters_may_leave_the_state_as_it_was():
    interpreter, state = begun(broker_copies)
    (step,) = interpreter.enabled(state)
    assert interpreter.take(state, step) == state


# -- whole numbers


def half(value: int) -> int:
    return int(value / 2)


def test_an_effect_that_divides_into_fractions_is_refused():
    def log_halves(state: Log) -> None:
        state.offset[0] = half(state.offset[0])

    with pytest.raises(OutsideLanguage, match=r"in 'half', `value / 2` .* write // for whole"):
        design(action()(log_halves))


def test_an_effect_with_a_floating_point_number_is_refused():
    def log_takes_a_half(state: Log) -> None:
        state.offset[0] = int(state.offset[0] + 1.5)

    with pytest.raises(OutsideLanguage, match=r"`1\.5` is of type float; states are whole"):
        design(action()(log_takes_a_half))
