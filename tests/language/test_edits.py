"""A design is changed by edits of slots, which keep their names and compose in any order."""

from dataclasses import replace
from enum import IntEnum

import pytest

from tests.toys import courier, election
from tests.toys.courier import DESIGN, Way
from tierproof.model.language import (
    Actor,
    DesignError,
    Edit,
    Interpreter,
    Lifecycle,
    Step,
    UnknownName,
    Variant,
    fence,
    guard,
    history,
    step_property,
)
from tierproof.model.language.errors import LostVariant, OutsideLanguage
from tierproof.model.language.trace import Stop, Trace
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

TWO = DESIGN.scope("two")


@guard
def nobody_is_out(state: courier.Hall) -> bool:
    """Every courier is at home."""
    return all(way == Way.AT_HOME for way in state.way)


class Other(IntEnum):
    HERE = 0


def names(design):
    return [act.name for act in design.actions]


def counts(design, scope=TWO):
    result = explore(design, scope, MemoryExecution)
    return result.distinct_states, result.generated_states, result.depth


def plainly_counted(design, scope):
    """Distinct and generated states and depth, by a set and a queue in CPython."""
    interpreter = Interpreter(design, scope)
    frontier = visited = {state.leaves: state for state in interpreter.initial_states()}
    generated, depth = len(visited), 0
    while True:
        following = {}
        for state in frontier.values():
            for _, after in interpreter.successors(state):
                generated += 1
                if after.leaves not in visited:
                    following[after.leaves] = after
        if not following:
            return len(visited), generated, depth
        visited = visited | following
        frontier, depth = following, depth + 1


# -- actors


def test_an_edge_is_guard_and_assignment_at_once():
    interpreter = Interpreter(DESIGN, DESIGN.scope("one"))
    (state,) = interpreter.initial_states()
    leaves = Step("courier_leaves", (("courier", 0),))
    assert interpreter.is_enabled(state, leaves)
    after = interpreter.take(state, leaves)
    assert after.way[0] == Way.ON_THE_WAY
    assert not interpreter.is_enabled(after, leaves)


def test_an_edge_is_an_edge_of_the_chart_and_of_the_law():
    law = DESIGN.lifecycles[Way]
    assert ("courier_leaves", Way.AT_HOME, Way.ON_THE_WAY) in [
        (edge.trigger, edge.source, edge.target) for edge in law.edges
    ]
    assert law.allows(Way.AT_THE_SHELF, Way.AT_HOME)
    assert not law.allows(Way.AT_HOME, Way.AT_THE_SHELF)
    turned = DESIGN.with_variant("turn_back").lifecycles[Way]
    assert "courier_turns_back" in [edge.trigger for edge in turned.edges]
    assert "courier_turns_back" not in [edge.trigger for edge in law.edges]


def test_where_a_thread_stands_is_no_fence():
    (name,) = [entry for entry in DESIGN.guards if entry == "way_of_courier_is_AT_HOME"]
    with pytest.raises(DesignError, match="tests where a thread is"):
        DESIGN.without(name)


def test_edges_of_equal_fields_and_other_enums_are_apart():
    """Members of different enums are equal where their numbers are."""

    class Other(IntEnum):
        HERE = 0
        THERE = 1

    other = Actor("other {courier}", at="way[courier]", life=Lifecycle(Other))
    (name,) = (guard.name for guard in [other.stands_at((Other.THERE,))])
    assert name == "way_of_courier_is_THERE"
    assert courier.COURIER.stands_at((Way.ON_THE_WAY,)).name == "way_of_courier_is_ON_THE_WAY"


def test_both_executions_take_the_same_edges():
    assert counts(DESIGN) == plainly_counted(DESIGN, TWO)
    assert counts(DESIGN, DESIGN.scope("one")) == plainly_counted(DESIGN, DESIGN.scope("one"))


def has_parcel(state: courier.Hall) -> bool:
    """A parcel lies on the shelf."""
    return state.shelf > 0


def has_room_for_more(state: courier.Hall) -> bool:
    """The shelf takes another parcel."""
    return state.shelf < 3


def go_if_there_is_a_parcel(state: courier.Hall, courier: courier.Courier) -> None:
    """On the way if there is a parcel to take; else at home."""
    state.way[courier] = Way.ON_THE_WAY if has_parcel(state) else Way.AT_HOME


def bring_a_parcel(state: courier.Hall) -> None:
    """Somebody else brings a parcel."""
    state.shelf += 1


@courier.COURIER.action(
    Way.AT_HOME, (Way.ON_THE_WAY, Way.AT_HOME), stutters=True, last=go_if_there_is_a_parcel
)
def courier_looks(state: courier.Hall, courier: courier.Courier) -> None:
    """Look whether there is a parcel to take."""


def way_after_looking(**edit):
    """Where a courier is who has looked, in a design with a change."""
    changed = DESIGN.derive(name="looks", title="A toy", change=Edit(add_system=(courier_looks,)))
    changed = (
        changed.derive(name="changed", title="A toy", change=Edit(**edit)) if edit else changed
    )
    interpreter = Interpreter(changed, changed.scope("one"))
    (state,) = interpreter.initial_states()
    return interpreter.take(state, Step("courier_looks", (("courier", 0),))).way[0]


def test_what_comes_last_chooses_the_target_by_what_edits_have_added():
    assert way_after_looking() == Way.AT_HOME
    assert way_after_looking(also={courier_looks: bring_a_parcel}) == Way.ON_THE_WAY


def test_a_helper_is_redefined_in_what_comes_last_too():
    assert way_after_looking(define={has_parcel: has_room_for_more}) == Way.ON_THE_WAY


@pytest.mark.parametrize("target", [None, Way.ON_THE_WAY])
def test_last_is_refused_where_there_is_no_target_to_choose(target):
    with pytest.raises(DesignError, match="chooses among several targets, and the action has"):
        courier.COURIER.action(Way.AT_HOME, target, last=go_if_there_is_a_parcel)


def test_an_actor_cannot_stand_at_a_value_of_another_life():
    with pytest.raises(DesignError, match="is not in the lifecycle of actor"):
        courier.COURIER.action(Other.HERE)


# -- fences


def test_a_fence_that_is_dropped_breaks_what_it_protects():
    entry = DESIGN.guards["has_room"]
    assert (entry.protects, entry.scope) == (("shelf_is_not_overfull",), "two")
    result = explore(DESIGN.without("has_room"), TWO, MemoryExecution)
    broken = {one.name for one in result.properties if one.verdict == "VIOLATED"}
    assert "shelf_is_not_overfull" in broken


def test_a_fence_says_what_it_protects_or_why_it_stays():
    with pytest.raises(DesignError, match="neither which property it protects"):
        fence()(courier.is_out.function)
    assert fence(stays="a habit")(courier.is_out.function).stays == "a habit"


# -- steps


def test_a_step_property_knows_the_step():
    assert explore(DESIGN, TWO, MemoryExecution).verdict == "HOLDS"


@pytest.mark.parametrize(
    ("step", "violated"),
    [
        (Step("courier_delivers", (("courier", 0),)), []),
        (Step("courier_delivers", (("courier", 1),)), ["parcels_come_by_couriers"]),
        (Step("customer_takes"), ["parcels_come_by_couriers"]),
    ],
)
def test_the_action_and_the_arguments_of_a_step_are_told_apart(step, violated):
    interpreter = Interpreter(DESIGN, TWO)
    (state,) = interpreter.initial_states()
    before = interpreter.take(state, Step("courier_leaves", (("courier", 0),)))
    after = interpreter.take(before, Step("courier_delivers", (("courier", 0),)))
    assert [entry.name for entry in interpreter.violated_by(before, step, after)] == violated


def test_a_step_cannot_be_asked_for_a_set():
    @step_property()
    def asks(before: election.Ballot, after: election.Ballot, step: Step) -> bool:
        """The quorum is known."""
        return step.quorum == 0

    with pytest.raises(OutsideLanguage, match=r"test_edits.py:\d+: 'asks' asks a step for 'quor"):
        replace(election.DESIGN, properties=(asks,))


# -- edits


@pytest.mark.parametrize("name", [one.name for one in DESIGN.variants])
def test_a_variant_renames_nothing(name):
    changed = DESIGN.with_variants(name, *(["turn_back"] if name == "fence_turns" else []))
    assert set(names(changed)) <= {*names(DESIGN), "courier_turns_back"}


def test_variants_compose_in_any_order():
    there = DESIGN.with_variants("fence_turns", "unfenced", "turn_back")
    back = DESIGN.with_variants("turn_back", "unfenced", "fence_turns")
    assert there == back
    one_by_one = DESIGN.with_variant("unfenced").with_variant("turn_back")
    other_way = DESIGN.with_variant("turn_back").with_variant("unfenced")
    assert counts(one_by_one) == counts(other_way)


def test_two_that_replace_the_same_effect_are_named():
    with pytest.raises(DesignError, match="'lose_all' and variant 'take_all' both replace 'custom"):
        DESIGN.with_variants("lose_all", "take_all")
    after = DESIGN.with_variants("lose_after", "take_all")
    assert after.action("customer_takes").effect is courier.lose_all


def test_one_name_stands_for_several_variants():
    together = DESIGN.with_variant("all")
    apart = DESIGN.with_variants("take_all", "turn_back", "fence_turns")
    assert together.system == apart.system
    assert together.chosen_variants == ("all",)


def test_an_edit_of_what_is_not_there_is_an_error():
    with pytest.raises(UnknownName, match="courier_turns_back"):
        DESIGN.with_variant("fence_turns")
    with pytest.raises(DesignError, match="not its name"):
        Variant(name="wrong", because="a test", drop=("courier_falls",))  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="is_out"):
        DESIGN.derive(
            name="d",
            title="D",
            change=Edit(unfence={courier.courier_delivers: courier.is_out}),
        )


def test_a_test_is_replaced_under_its_name():
    changed = DESIGN.with_variant("any")
    (entry,) = changed.action("customer_takes").guards
    assert (entry.name, entry.function) == ("is_full", courier.is_full_or_not.function)


# -- derived designs


def test_a_design_is_derived_by_an_edit():
    derived = courier.DERIVED
    assert derived.base is not None
    assert (derived.base.name, derived.environment) == ("courier", ())
    assert derived.witnesses == ()
    assert derived.action("customer_takes").effect is courier.take_all
    assert [entry.name for entry in derived.action("customer_takes").guards] == [
        "is_full",
        "is_full_or_not",
    ]
    assert counts(derived) == plainly_counted(derived, TWO)


def test_a_derived_design_keeps_the_variants_that_apply_and_says_why_others_do_not():
    derived = courier.DERIVED
    assert [one.name for one in derived.variants] == ["unfenced", "fence_turns", "any"]
    lost = ["take_all", "lose_all", "lose_after", "turn_back", "all"]
    assert list(derived.lost_variants) == lost
    assert not derived.with_variant("unfenced").action("courier_delivers").guards[1:]
    message = "variant 'lose_all' does not apply to 'derived': variant 'lose_all' and variant 'der"
    with pytest.raises(LostVariant, match=message):
        derived.with_variant("lose_all")


# -- ghosts


def test_a_history_runs_in_the_step_and_leaves_the_protocol_alone():
    counted = DESIGN.with_history(courier.COUNTED)
    assert counted.action("courier_delivers").effect is courier.courier_delivers.effect
    assert counts(counted) == plainly_counted(counted, TWO)
    assert counts(counted) != counts(DESIGN)
    before = DESIGN.with_history(courier.COUNTED_BEFORE)
    assert counts(before) == plainly_counted(before, TWO)
    assert counts(before) == counts(counted)


def test_a_history_of_an_action_that_is_not_there_is_an_error():
    with pytest.raises(UnknownName, match="courier_delivers"):
        DESIGN.with_history(history(courier_deliver=courier.count_delivery))


def tidy_up(state: courier.Hall) -> None:
    """More than bookkeeping."""
    state.delivered = 0
    state.shelf = 0


def reset(hall: courier.Hall) -> None:
    """Assign to what is handed over."""
    hall.delivered = 0
    hall.shelf = 0


def reset_all(state: courier.Hall) -> None:
    """Assign by way of a helper."""
    reset(state)


@pytest.mark.parametrize("function", [tidy_up, reset_all])
def test_a_history_that_assigns_to_the_protocol_is_refused(function):
    with pytest.raises(
        DesignError, match=r"test_edits.py:\d+: .* no ghost: `state.shelf|hall.shelf"
    ):
        DESIGN.with_history(history(courier_delivers=function))


# -- traces


DELIVERY = Trace(
    DESIGN,
    TWO,
    0,
    (
        Step("courier_leaves", (("courier", 0),)),
        Step("courier_falls", (("courier", 0),)),
        Step("courier_leaves", (("courier", 0),)),
        Step("courier_delivers", (("courier", 0),)),
        Step("courier_leaves", (("courier", 1),)),
    ),
)
"""A behaviour of the design."""


def test_a_trace_replays_in_every_variant_and_shows_where_that_stops_it():
    assert DELIVERY.stop_in(DESIGN) is None
    assert DELIVERY.stop_in(DESIGN.with_variant("take_all")) is None
    stop = DELIVERY.stop_in(DESIGN.with_variant("turn_back"))
    assert stop == Stop(2, Step("courier_falls", (("courier", 0),)), "")
    alone = Variant(name="alone", because="a test", fence={courier.courier_leaves: nobody_is_out})
    fenced = replace(DESIGN, variants=(alone,)).with_variant("alone")
    assert DELIVERY.stop_in(fenced) == Stop(5, DELIVERY.steps[4], "nobody_is_out")
