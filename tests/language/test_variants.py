"""A variant replaces, drops or adds named entries of a design, and changes nothing else."""

import pytest

from tests.language.lock import (
    DESIGN,
    UNCHANGED,
    all_free,
    entries,
    last_holds,
)
from tierproof.model.language import DesignError


def test_a_variant_replaces_a_guard_wherever_it_stands_and_nothing_else():
    weaker = DESIGN.with_variant("weaker")
    assert entries(weaker) == {
        **UNCHANGED,
        "client_takes": ["is_mostly_free", "is_not_held", "few_takes"],
    }
    assert weaker.chosen_variants == ("weaker",)
    assert (weaker.initial, weaker.checked, weaker.scopes) == (
        DESIGN.initial,
        DESIGN.checked,
        DESIGN.scopes,
    )


def test_a_variant_replaces_an_action_in_its_place_and_nothing_else():
    frees_all = DESIGN.with_variant("frees-all")
    assert list(entries(frees_all)) == ["client_takes", "client_frees_all", "client_dies"]
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


def test_a_variant_replaces_an_initial_state():
    assert DESIGN.with_variant("last-first").initial == (all_free, last_holds)


def test_a_variant_adds_actions_behind_the_others():
    more = DESIGN.with_variant("more")
    assert [act.name for act in more.actions] == [
        "client_takes",
        "client_frees",
        "client_frees_all",
        "client_dies",
    ]


def test_a_variant_is_held_to_what_every_design_is_held_to():
    with pytest.raises(DesignError, match="'client_dies' is declared twice"):
        DESIGN.with_variant("twice")


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("misfit", "'is_free', which is Guard, by Action 'client_dies'"),
        ("unfit", "'client_dies', which is Action, by Guard 'is_free'"),
    ],
)
def test_a_variant_replaces_like_by_like(variant, message):
    with pytest.raises(DesignError, match=f"variant '{variant}' replaces {message}"):
        DESIGN.with_variant(variant)


def test_a_variant_leaves_the_design_as_it_was():
    DESIGN.with_variant("weaker").with_variant("immortal")
    assert entries(DESIGN) == UNCHANGED
    assert DESIGN.chosen_variants == ()


def test_variants_add_up_in_the_order_in_which_they_are_chosen():
    both = DESIGN.with_variant("weaker").with_variant("immortal")
    assert both.chosen_variants == ("weaker", "immortal")
    assert entries(both) == {
        "client_takes": ["is_mostly_free", "is_not_held", "few_takes"],
        "client_frees": ["is_held"],
    }
