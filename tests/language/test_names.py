"""Each name that stands in a design as text is looked up when the design is constructed."""

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from typing import Annotated, Any

import pytest

from tests.language.house import (
    Door,
    House,
    Size,
    empty,
    has_room,
    house,
    visitor_enters,
    visitor_leaves,
)
from tierproof.model.language import (
    Design,
    Edit,
    Lifecycle,
    Range,
    State,
    Step,
    UnknownName,
    Variant,
    action,
    fence,
    history,
    initial,
    invariant,
    liveness,
    step_property,
)
from tierproof.model.language.errors import DesignError

# -- step properties


@step_property()
def asks_for_a_mistyped_action(before: House, after: House, step: Step) -> bool:
    """Of an action that there is not."""
    return step.action != "visitor_enter" or after.visitors >= before.visitors


@step_property()
def asks_for_mistyped_actions(before: House, after: House, step: Step) -> bool:
    """Of two actions, one of which there is not."""
    return step.action in ("visitor_enters", "visitor_leave") or after.visitors == before.visitors


@step_property()
def asks_for_a_mistyped_parameter(before: House, after: House, step: Step) -> bool:
    """Of a parameter that no action has."""
    return step.dor < 3 or after.visitors >= before.visitors


def is_of_a_mistyped_action(step: Step) -> bool:
    """A helper that is given the step."""
    return step.action == "visitor_entres"


@step_property()
def asks_a_helper(before: House, after: House, step: Step) -> bool:
    """Through a helper."""
    return not is_of_a_mistyped_action(step)


@pytest.mark.parametrize(
    ("claim", "name", "meant"),
    [
        (asks_for_a_mistyped_action, "visitor_enter", "visitor_enters"),
        (asks_for_mistyped_actions, "visitor_leave", "visitor_leaves"),
        (asks_for_a_mistyped_parameter, "dor", "door"),
        (asks_a_helper, "visitor_entres", "visitor_enters"),
    ],
)
def test_what_a_property_asks_a_step_for_is_an_action_or_a_parameter(claim, name, meant):
    with pytest.raises(UnknownName, match=rf"'{claim.name}' .* '{name}': did you mean {meant}"):
        house(properties=(claim,))


@step_property()
def only_visitors_enter(before: House, after: House, step: Step) -> bool:
    """By a door, which another action has not."""
    entered = step.action == "visitor_enters" and step.door >= 0
    return entered or after.visitors <= before.visitors


def test_a_derived_design_that_drops_an_action_keeps_the_property_that_asks_for_it():
    base = house(properties=(only_visitors_enter,))
    shut = base.derive(name="shut", title="Shut", change=Edit(drop=(visitor_enters,)))
    assert shut.properties == (only_visitors_enter,)
    never = Variant(name="never", because="Nobody comes.", drop=(visitor_enters,))
    assert len(replace(base, variants=(never,)).with_variant("never").actions) == 1


@action()
def burglar_enters(state: House, window: Door) -> None:
    """Another way."""
    state.visitors = min(3, state.visitors + 1)


@step_property()
def no_burglar_enters(before: House, after: House, step: Step) -> bool:
    """Of an action that a variant adds."""
    return step.action != "burglar_enters" and step.window < 0


def test_a_property_may_ask_for_an_action_that_a_variant_adds():
    night = Variant(name="night", because="It is dark.", add_environment=(burglar_enters,))
    assert house(properties=(no_burglar_enters,), variants=(night,)).properties
    with pytest.raises(UnknownName, match="burglar_enters"):
        house(properties=(no_burglar_enters,))


# -- fences


def fenced(protects: str, scope: str = "two") -> Any:
    @fence(protects=protects, scope=scope)
    def is_not_full(state: House) -> bool:
        """There is a chair."""
        return state.visitors < 3

    return is_not_full


def with_guard(guard: Any) -> Design:
    return house(system=(visitor_enters.with_guards([guard]), visitor_leaves))


def in_a_variant(guard: Any) -> Design:
    more = Variant(name="more", because="More care.", fence={visitor_enters: guard})
    return house(variants=(more,))


def in_a_test(guard: Any) -> Design:
    known = fenced("has_room")
    other = Variant(name="other", because="Another test.", test={known: guard})
    changed = visitor_enters.with_guards([known])
    return house(system=(changed, visitor_leaves), variants=(other,))


@pytest.mark.parametrize("place", [with_guard, in_a_variant, in_a_test])
def test_a_fence_protects_a_property_that_there_is_in_a_scope_that_there_is(place):
    with pytest.raises(UnknownName, match=r"fence 'is_not_full' protects 'has_rom'.* has_room\?"):
        place(fenced("has_rom"))
    with pytest.raises(UnknownName, match=r"scope of fence 'is_not_full' 'tow': did you mean two"):
        place(fenced("has_room", "tow"))
    assert place(fenced("has_room"))


def test_a_fence_may_protect_the_law_of_a_lifecycle():
    assert with_guard(fenced("Phase_lifecycle"))


@invariant()
def nobody_is_there(state: House) -> bool:
    """A claim of a variant."""
    return state.visitors == 0


def test_a_fence_may_protect_a_property_that_only_a_variant_adds():
    strict = Variant(name="strict", because="More to hold.", add_properties=(nobody_is_there,))
    guarded = visitor_enters.with_guards([fenced("nobody_is_there")])
    design = house(system=(guarded, visitor_leaves), variants=(strict,))
    assert nobody_is_there in design.with_variant("strict").properties


def test_a_fence_may_protect_a_property_that_a_derived_design_drops():
    base = with_guard(fenced("has_room"))
    derived = base.derive(
        name="crowd",
        title="A crowd",
        change=Edit(drop=(has_room,)),
        scopes={"one": Size(doors=1)},
    )
    assert list(derived.guards) == ["is_not_full"]


# -- fairness


@liveness(weak=("visitor_leavs",))
def somebody_leaves(state: House) -> bool:
    """The house empties."""
    return state.visitors == 0


@liveness(strong=("visitor_leavs",))
def somebody_leaves_at_last(state: House) -> bool:
    """The house empties."""
    return state.visitors == 0


@pytest.mark.parametrize("claim", [somebody_leaves, somebody_leaves_at_last])
def test_a_fair_action_is_one_that_there_is(claim):
    more = Variant(name="more", because="More to hold.", add_properties=(claim,))
    for declared in (
        lambda: house(properties=(claim,)),
        lambda: house(variants=(more,)),
        lambda: house().derive(name="b", title="B", change=Edit(add_properties=(claim,))),
    ):
        with pytest.raises(UnknownName, match=r"'visitor_leavs': did you mean visitor_leaves"):
            declared()


def test_a_fair_action_may_come_with_the_property():
    @liveness(weak=(burglar_enters,))
    def somebody_is_there(state: House) -> bool:
        """The house is never empty for ever."""
        return state.visitors > 0

    change = Edit(add_environment=(burglar_enters,), add_properties=(somebody_is_there,))
    assert house().derive(name="b", title="B", change=change).properties


# -- budgets, words, histories, lifecycles


@action(budget="knoks")
def child_knocks(state: House) -> None:
    """Knock."""
    state.visitors = (state.visitors + 1) % 4


def test_a_budget_is_a_field_also_in_an_action_that_a_variant_adds():
    more = Variant(name="more", because="A child.", add_environment=(child_knocks,))
    for changed in ({"system": (child_knocks,)}, {"variants": (more,)}):
        with pytest.raises(DesignError, match=r"spends 'knoks', .* Budget field: there is knocks"):
            house(**changed)


def words(design: Design, scope: Any, number: int) -> str:
    """Words for a number."""
    return f"{number} of them"


def test_fields_that_have_words_are_fields_of_the_state():
    assert house(words={"visitors": words})
    for path in ("visitor", "visitors[*]", "visitors[0]"):
        with pytest.raises(UnknownName, match=r"field that has words '.*': did you mean visitors"):
            house(words={path: words})


class Hut(State):
    guests: Annotated[int, Range(0, 3)]


@initial
def empty_hut(state: Hut) -> None:
    """Nobody."""


@action()
def guest_enters(state: Hut) -> None:
    """One more."""
    state.guests = (state.guests + 1) % 4


def test_a_derived_design_of_another_state_inherits_words_of_fields_that_it_has_no_more():
    change = Edit(
        drop=(visitor_enters, visitor_leaves, has_room, empty),
        add_system=(guest_enters,),
        add_initial=(empty_hut,),
    )
    base = house(words={"visitors": words})
    assert base.derive(name="hut", title="A hut", state=Hut, change=change).words


def test_a_history_names_actions_that_there_are():
    with pytest.raises(UnknownName, match=r"unknown action 'visitor_enter': did you mean"):
        house().with_history(history(visitor_enter=child_knocks.effect))


class Gate(IntEnum):
    SHUT = 0
    OPEN = 1


@pytest.mark.parametrize("triple", [("go", "SHUT", Gate.OPEN), ("go", Gate.SHUT, "OPEN")])
def test_a_lifecycle_has_its_values_themselves_and_not_their_names(triple):
    with pytest.raises(DesignError, match="is not an edge of it"):
        Lifecycle(Gate, [triple])


NONE = Variant(name="none", because="Nothing.", stutters=(visitor_leaves,))

# -- what is asked of a design


@pytest.mark.parametrize(
    "asked",
    [
        lambda design: design.scope("tow"),
        lambda design: design.action("visitor_enter"),
        lambda design: design.without("is_nt_full"),
        lambda design: design.with_only("has_rom"),
        lambda design: design.with_variants("nine"),
    ],
)
def test_a_question_names_what_the_design_has(asked: Callable[[Design], Any]):
    with pytest.raises(UnknownName, match="did you mean"):
        asked(replace(with_guard(fenced("has_room")), variants=(NONE,)))
