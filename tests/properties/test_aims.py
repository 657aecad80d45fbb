"""Walks that are aimed reach states that others do not; profiles say how far walks go."""

from typing import Annotated

import pytest
from hypothesis import Phase, settings

from tierproof.model.language import (
    Design,
    Index,
    Range,
    Scope,
    State,
    UnknownName,
    action,
    bound,
    initial,
    invariant,
    limit,
)
from tierproof.properties import DRIVING, PROFILES, Violation, check
from tierproof.properties.profiles import settings_of

STEADY = settings(DRIVING, max_examples=20, derandomize=True, database=None)


class Dials(Scope):
    digits: int = bound(1, 40, default=20)


class Vault(State):
    right: Annotated[int, Range(0, Dials.digits)]
    wrong: Annotated[int, Range(0, 100)]


@initial
def nothing_is_dialled(state: Vault) -> None:
    """The vault is closed."""


@limit
def is_closed(state: Vault, scope: Dials) -> bool:
    """Some digit is missing, and a try is left."""
    return state.right < scope.digits and state.wrong < 100


@action(guards=[is_closed], actor="thief")
def thief_dials(state: Vault, digit: Annotated[int, Index(10)]) -> None:
    """Try a digit: one of ten is right."""
    if digit == (state.right * 7 + 3) % 10:
        state.right += 1
    else:
        state.wrong += 1


@invariant()
def vault_stays_closed(state: Vault, scope: Dials) -> bool:
    """Nobody knows all digits."""
    return state.right < scope.digits


VAULT = Design(
    name="vault",
    title="A vault",
    state=Vault,
    initial=(nothing_is_dialled,),
    system=(thief_dials,),
    properties=(vault_stays_closed,),
    scopes={"twenty": Dials()},
)


def digits_known(state: Vault) -> int:
    """How many digits are right."""
    return state.right


def test_walks_without_an_aim_do_not_get_far():
    driven = check(VAULT, Dials(), settings=STEADY)
    assert driven.closest is None


def test_walks_with_an_aim_get_there_and_the_trace_is_shrunk():
    with pytest.raises(Violation) as caught:
        check(VAULT, Dials(digits=12), settings=STEADY, towards=digits_known)
    assert len(caught.value.trace) == 12


def test_an_aim_that_is_reached_without_a_violation_is_told():
    safe = VAULT.with_only()
    assert check(safe, Dials(), settings=STEADY, towards=digits_known).closest == 20


def test_an_aim_turns_on_the_phase_that_changes_walks():
    assert Phase.target not in settings_of("default").phases
    assert Phase.target in settings_of("default", is_aimed=True).phases
    assert settings_of(STEADY, is_aimed=True).max_examples == STEADY.max_examples


def test_profiles_go_from_quick_to_thorough():
    counts = [PROFILES[name].max_examples for name in ("quick", "default", "thorough")]
    assert counts == sorted(counts)
    assert PROFILES["ci"].derandomize
    assert check(VAULT, Dials(), settings="quick").walks >= PROFILES["quick"].max_examples


def test_a_profile_that_does_not_exist_offers_names():
    with pytest.raises(UnknownName, match="did you mean thorough"):
        check(VAULT, Dials(), settings="thoroughly")
