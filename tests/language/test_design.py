"""A Design is data: variants replace and drop its entries, an ablation drops one guard."""

import pytest

from tests.language.lock import (
    DESIGN,
    ENTRIES,
    UNCHANGED,
    Locks,
    Other,
    Pool,
    at_most_one_holds,
    client_dies,
    client_takes,
    entries,
    lock_is_held,
)
from tierproof.model.language import Design, DesignError, Interpreter, State, UnknownName, guard


def explored(design: Design) -> set[State]:
    """Every reachable state, found in the plainest way."""
    interpreter = Interpreter(design, design.scope("two"))
    visited = set(interpreter.initial_states())
    frontier = list(visited)
    while frontier:
        fresh = {after for _, after in interpreter.successors(frontier.pop())} - visited
        visited |= fresh
        frontier.extend(fresh)
    return visited


# -- declaration


def test_actions_and_guards_come_in_the_order_of_declaration():
    assert list(UNCHANGED) == ["client_takes", "client_frees", "client_dies"]
    assert list(DESIGN.guards) == ["is_free", "is_not_held", "few_takes", "is_held"]
    assert [p.name for p in DESIGN.checked] == [
        "at_most_one_holds",
        "at_most_three_takes",
        "lock_is_held",
    ]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"initial": ()}, "'lock' has no initial state"),
        ({"name": None}, "a design has the name None: write a text"),
        ({"title": " "}, "a design has the title ' ': write a text"),
        ({"scopes": {}}, "'lock' has no scope"),
        ({"environment": (client_takes,)}, "action 'client_takes' is declared twice"),
        (
            {"properties": (at_most_one_holds, at_most_one_holds)},
            "property 'at_most_one_holds' is declared twice",
        ),
        (
            {"variants": (DESIGN.variants[0], DESIGN.variants[0])},
            "variant 'weaker' is declared twice",
        ),
    ],
)
def test_entries_that_are_missing_or_declared_twice_are_refused(changed, message):
    with pytest.raises(DesignError, match=message):
        Design(**{**ENTRIES, **changed})


def test_two_guards_of_one_name_are_refused():
    def is_free(state: Locks) -> bool:
        return True

    with pytest.raises(DesignError, match="two guards are named 'is_free' in 'lock'"):
        Design(**{**ENTRIES, "environment": (client_dies.with_guards([guard(is_free)]),)})


def test_a_property_stands_where_it_is_checked():
    with pytest.raises(DesignError, match="'lock_is_held' is a witness: it belongs in `witnesses`"):
        Design(**{**ENTRIES, "properties": (lock_is_held,), "witnesses": ()})
    with pytest.raises(DesignError, match="'at_most_one_holds' is no witness"):
        Design(**{**ENTRIES, "properties": (), "witnesses": (at_most_one_holds,)})


def test_a_scope_of_another_class_is_refused():
    with pytest.raises(DesignError, match=r"Other\(clients=2\) is not a scope of 'lock'"):
        Interpreter(DESIGN, Other())


# -- names


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: DESIGN.scope("tree"), "unknown scope 'tree': did you mean three"),
        (lambda: DESIGN.action("client_take"), "unknown action 'client_take': .*client_takes"),
        (lambda: DESIGN.without("is_fre"), "unknown guard 'is_fre': did you mean is_free"),
        (lambda: DESIGN.with_variant("week"), "unknown variant 'week': did you mean weaker"),
        (lambda: DESIGN.with_only("lock_held"), "unknown property 'lock_held': .*lock_is_held"),
        (
            lambda: DESIGN.with_variant("misspelt"),
            "unknown action.* 'client_die': did you mean client_dies",
        ),
    ],
)
def test_an_unknown_name_offers_the_closest(ask, message):
    with pytest.raises(UnknownName, match=message):
        ask()


def test_a_name_of_nothing_says_that_there_is_nothing():
    with pytest.raises(UnknownName, match="there is no variant at all"):
        Design(**ENTRIES).with_variant("weaker")


def test_known_names_are_found():
    assert DESIGN.scope("three") == Pool(clients=3)
    assert DESIGN.action("client_dies") is client_dies


# -- ablation


def test_an_ablated_guard_no_longer_holds_a_step_back():
    safe, unsafe = explored(DESIGN), explored(DESIGN.without("is_free"))
    assert safe < unsafe
    assert {sum(state.held) for state in safe} == {0, 1}
    assert {sum(state.held) for state in unsafe} == {0, 1, 2}


def test_the_other_guards_of_the_action_stay():
    interpreter = Interpreter(DESIGN.without("is_free"), Pool())
    held = interpreter.initial_states()[1]
    taken = [step for step in interpreter.enabled(held) if step.action == "client_takes"]
    assert [str(step) for step in taken] == ["client_takes(client=1)"]


def test_ablations_add_up_and_leave_the_design_as_it_was():
    ablated = DESIGN.without("is_free").without("is_held")
    assert ablated.dropped_guards == {"is_free", "is_held"}
    assert ablated == DESIGN.without("is_free", "is_held")
    assert DESIGN.dropped_guards == frozenset()


def test_an_ablation_keeps_the_guards_in_the_drawing():
    assert entries(DESIGN.without("is_free")) == UNCHANGED


def test_a_limit_is_no_fence_and_is_never_ablated():
    with pytest.raises(DesignError, match="'few_takes' limits the scope"):
        DESIGN.without("few_takes")


# -- properties


def test_with_only_claims_the_named_properties_and_witnesses():
    only = DESIGN.with_only("at_most_three_takes", "lock_is_held")
    assert [p.name for p in only.properties] == ["at_most_three_takes"]
    assert [p.name for p in only.witnesses] == ["lock_is_held"]
    assert DESIGN.with_only("at_most_one_holds").witnesses == ()
    assert only.actions == DESIGN.actions
