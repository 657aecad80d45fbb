"""Invariants judge states, step properties judge steps, liveness judges fair behaviours."""

from typing import Any

import pytest

from tests.language import lock
from tests.language.walk import (
    Lane,
    Walk,
    somewhere,
    walk,
)
from tierproof.model.language import (
    Design,
    DesignError,
    Fairness,
    State,
    Step,
    UnknownName,
    Variant,
    guard,
    invariant,
    liveness,
    step_property,
)


@guard
def has_turned(state: Walk) -> bool:
    """The premise: the walker has turned."""
    return state.turned


@invariant()
def stays_at_home(state: Walk) -> bool:
    """The walker is at the first place."""
    return state.at == 0


@invariant(premise=has_turned)
def is_far_once_turned(state: Walk, scope: Lane) -> bool:
    """Who has turned is at the end of the scope."""
    return state.at == scope.places - 1


@step_property()
def never_jumps(before: Walk, after: Walk) -> bool:
    """A step leads to a neighbouring place."""
    return abs(after.at - before.at) <= 1


@step_property()
def never_leaves_the_end(before: Walk, after: Walk, scope: Lane) -> bool:
    """The end is the end."""
    return before.at < scope.places - 1 or after.at == before.at


CHECKED = walk(
    start=(somewhere,),
    properties=(stays_at_home, is_far_once_turned, never_jumps, never_leaves_the_end),
)


def at(place: int, turned: bool) -> State:
    """That state of the walk."""
    return next(s for s in CHECKED.initial_states() if s.leaves == (place, int(turned)))


def names(properties: list[Any]) -> list[str]:
    """Their names."""
    return [entry.name for entry in properties]


@pytest.mark.parametrize(
    ("place", "turned", "violated"),
    [
        (0, False, []),
        (1, False, ["stays_at_home"]),
        (1, True, ["stays_at_home", "is_far_once_turned"]),
        (0, True, ["is_far_once_turned"]),
        (2, True, ["stays_at_home"]),
    ],
)
def test_an_invariant_bites_where_its_premise_holds(place, turned, violated):
    assert names(CHECKED.violated_in(at(place, turned))) == violated


@pytest.mark.parametrize(
    ("before", "after", "violated"),
    [
        (0, 1, []),
        (0, 2, ["never_jumps"]),
        (2, 1, ["never_leaves_the_end"]),
        (2, 0, ["never_jumps", "never_leaves_the_end"]),
        (2, 2, []),
    ],
)
def test_a_step_property_is_asked_of_the_states_before_and_after(before, after, violated):
    step = Step("walker_steps")
    assert names(CHECKED.violated_by(at(before, False), step, at(after, False))) == violated


# -- liveness

TAKES = lock.client_takes


def lock_is_taken(state: lock.Locks) -> bool:
    """Somebody holds the lock."""
    return state.held[0]


def locks_with(*claims: Any, variants: tuple[Variant, ...] = ()) -> Design:
    """The lock that claims these properties only."""
    return Design(**{**lock.ENTRIES, "properties": claims, "variants": variants})


def test_every_system_action_is_weakly_fair_unless_it_is_said_otherwise():
    assert liveness()(lock_is_taken).fairness == Fairness()
    assert Fairness().statement == "weakly fair: every system action"


def test_fair_actions_are_named_or_given():
    claim = liveness(weak=[TAKES], strong=["client_frees"])(lock_is_taken)
    assert claim.fairness == Fairness(("client_takes",), ("client_frees",))
    assert claim.fairness.statement == "weakly fair: client_takes; strongly fair: client_frees"
    assert liveness(weak=())(lock_is_taken).fairness == Fairness(())
    assert Fairness(()).statement == "nothing is fair"


@pytest.mark.parametrize(
    "declare", [liveness(weak=["client_take"]), liveness(strong=["client_take"])]
)
def test_a_fair_action_that_the_design_has_not_is_refused_with_the_closest(declare):
    claim = declare(lock_is_taken)
    with pytest.raises(UnknownName, match="client_takes"):
        locks_with(claim)


def test_a_variant_is_as_fair_to_an_action_that_it_edits():
    """And no longer fair to what it drops."""
    claim = liveness(weak=["client_takes", "client_dies"], strong=["client_frees"])(lock_is_taken)
    changed = Variant(
        name="changed",
        because="a test",
        effect={lock.client_frees: lock.free_all},
        drop=(lock.client_dies,),
    )
    (kept,) = locks_with(claim, variants=(changed,)).with_variant("changed").properties
    assert kept.fairness == Fairness(("client_takes",), ("client_frees",))


def test_a_goal_speaks_of_one_state():
    def jumps(before: lock.Locks, after: lock.Locks) -> bool:
        """Of two."""
        return before.taken < after.taken

    with pytest.raises(DesignError, match="liveness 'jumps' takes"):
        liveness()(jumps)
