"""A variant edits slots of a design, whose names stay, and changes nothing else."""

import pytest

from tests.language.lock import (
    DESIGN,
    UNCHANGED,
    all_free,
    entries,
    free_all,
    is_mostly_free,
)
from tierproof.model.language import DesignError, Interpreter


def test_a_variant_replaces_a_guard_wherever_it_stands_and_nothing_else():
    weaker = DESIGN.with_variant("weaker")
    assert entries(weaker) == {
        **UNCHANGED,
        "client_takes": ["is_free", "is_not_held", "few_takes"],
    }
    assert weaker.guards["is_free"].function is is_mostly_free.function
    assert weaker.chosen_variants == ("weaker",)
    assert (weaker.initial, weaker.checked, weaker.scopes) == (
        DESIGN.initial,
        DESIGN.checked,
        DESIGN.scopes,
    )


def test_a_variant_replaces_an_effect_in_its_slot_and_nothing_else():
    frees_all = DESIGN.with_variant("frees-all")
    assert entries(frees_all) == UNCHANGED
    assert frees_all.action("client_frees").effect is free_all
    assert frees_all.system[0] == DESIGN.system[0]
    assert frees_all.environment == DESIGN.environment


def test_a_variant_drops_an_action_and_nothing_else():
    immortal = DESIGN.with_variant("immortal")
    assert (immortal.system, immortal.environment) == (DESIGN.system, ())


def test_a_variant_drops_a_guard_wherever_it_stands():
    assert entries(DESIGN.with_variant("unfenced")) == {
        **UNCHANGED,
        "client_frees": [],
        "client_dies": [],
    }


def test_a_variant_drops_an_initial_state():
    assert DESIGN.with_variant("one-start").initial == (all_free,)
    with pytest.raises(DesignError, match="has no initial state"):
        DESIGN.with_variant("no-start")


def test_a_variant_changes_an_initial_state():
    def begun(name: str) -> list[list[bool]]:
        changed = DESIGN.with_variant(name)
        states = Interpreter(changed, changed.scope("two")).initial_states()
        return [list(state.held) for state in states]

    assert begun("last-first") == [[False, False], [False, True]]
    assert begun("last-too") == [[False, False], [True, True]]


def test_a_variant_adds_actions_behind_the_others():
    more = DESIGN.with_variant("more")
    assert [act.name for act in more.actions] == [
        "client_takes",
        "client_frees",
        "client_frees_all",
        "client_dies",
    ]


def test_a_variant_adds_nothing_that_is_there_already():
    with pytest.raises(DesignError, match="'twice' adds 'client_dies', which is there already"):
        DESIGN.with_variant("twice")


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("misfit", "'client_dies' replaces a guard, and is an Action"),
        ("unfit", "is no plain function: write it with `def`"),
    ],
)
def test_a_variant_puts_like_in_the_place_of_like(variant, message):
    with pytest.raises(DesignError, match=message):
        DESIGN.with_variant(variant)


def test_a_variant_leaves_the_design_as_it_was():
    DESIGN.with_variant("weaker").with_variant("immortal")
    assert entries(DESIGN) == UNCHANGED
    assert DESIGN.chosen_variants == ()


def test_variants_add_up_in_the_order_in_which_they_are_chosen():
    both = DESIGN.with_variant("weaker").with_variant("immortal")
    assert both.chosen_variants == ("weaker", "immortal")
    assert entries(both) == {
        "client_takes": ["is_free", "is_not_held", "few_takes"],
        "client_frees": ["is_held"],
    }
