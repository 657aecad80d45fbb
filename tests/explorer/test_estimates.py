"""An estimate is right on scopes that are known, and silent where it cannot be."""

from __future__ import annotations

import json
import random

import pytest

from tests.explorer.commands import tierproof
from tests.toys import clock, two_phase_commit
from tierproof.model.language.errors import ScopeError
from tierproof.spark_explorer.sizing import larger
from tierproof.spark_explorer.sizing.growth import estimate
from tierproof.spark_explorer.sizing.larger import MOST_STATES, Larger, of_larger

TWO_PHASE = "tests.toys.two_phase_commit:DESIGN"
PUBLISHED = [288, 1_568, 8_832, 50_816, 296_448, 1_745_408, 10_340_352]
"""Distinct states of two-phase commit with three to nine managers."""


def of_managers(managers: int, max_states: int = MOST_STATES) -> Larger:
    scope = two_phase_commit.Managers(resource_managers=managers)
    return of_larger(two_phase_commit.DESIGN, scope, "resource_managers", max_states=max_states)


@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_published_counts_lie_within_the_error_of_the_estimate(ahead):
    found = estimate(PUBLISHED[:-ahead], ahead)
    assert found is not None
    assert found.low <= PUBLISHED[-1] <= found.high


@pytest.mark.parametrize("counts", [[3, 7, 13, 21, 31], [10, 20, 30, 40, 50], [3, 9, 27, 81, 243]])
def test_a_growth_that_a_rule_describes_is_continued_exactly(counts):
    following = {31: 43, 50: 60, 243: 729}[counts[-1]]
    found = estimate(counts, 1)
    assert found is not None
    assert found.value == pytest.approx(following, rel=0.01)
    assert found.factor < 1.01


def test_counts_without_a_rule_give_no_estimate():
    made = random.Random(3)
    counts = [made.randint(10, 100_000) for _ in range(8)]
    assert estimate(counts, 2) is None


def test_three_counts_are_too_few_to_check_a_rule():
    assert estimate([2, 4, 8], 1) is None
    assert estimate([2, 4, 8, 16], 1) is not None


def test_the_further_the_less_sure():
    factors = [found.factor for ahead in (1, 2, 3) if (found := estimate(PUBLISHED[:5], ahead))]
    assert len(factors) == 3
    assert factors == sorted(factors)


def test_smaller_scopes_say_how_many_states_a_larger_one_has():
    found = of_managers(6)
    assert [one.distinct_states for one in found.known] == [12, 56, 288, 1_568, 8_832]
    assert found.states is not None
    assert found.states.low <= 50_816 <= found.states.high


def test_a_smaller_scope_over_the_limit_of_states_is_not_counted():
    found = of_managers(7, max_states=3_000)
    assert [one.value for one in found.known] == [1, 2, 3, 4]
    assert found.states is not None
    assert found.states.low <= 296_448 <= found.states.high


def test_too_few_smaller_scopes_give_no_estimate_and_the_reason():
    found = of_managers(7, max_states=300)
    assert (found.states, found.seconds, found.bytes) == (None, None, None)
    assert "3 smaller scopes are known, and a rule needs 4" in found.why_not
    assert "resource_managers=4 is over the limit" in found.why_not


def test_what_is_known_is_not_lost_when_a_search_is_interrupted(monkeypatch):
    kept = larger._explored

    def impatient(design, scope, value, *rest):
        if value == 6:
            raise KeyboardInterrupt
        return kept(design, scope, value, *rest)

    monkeypatch.setattr(larger, "_explored", impatient)
    found = of_managers(8)
    assert [one.value for one in found.known] == [1, 2, 3, 4, 5]
    assert found.states is not None
    assert found.states.low <= 1_745_408 <= found.states.high


def test_a_bound_at_its_lowest_has_no_smaller_scope():
    with pytest.raises(ScopeError, match="hours=1 has no smaller value"):
        of_larger(clock.DESIGN, clock.Dial(hours=1), "hours")


def test_the_command_prints_the_estimate_with_its_error():
    done = tierproof("estimate", TWO_PHASE, "--scope", "three", "--set", "resource_managers=6")
    assert done.returncode == 0
    assert "states: about " in done.stdout
    assert "(between " in done.stdout


def test_the_command_prints_the_estimate_as_json():
    words = ("estimate", TWO_PHASE, "--scope", "three", "--set", "resource_managers=5", "--json")
    found = json.loads(tierproof(*words).stdout)
    assert [one["distinct_states"] for one in found["known"]] == [12, 56, 288, 1_568]
    assert found["bounds"] == {"resource_managers": 5}
    assert found["states"]["value"] == pytest.approx(8_832, rel=0.15)


@pytest.mark.parametrize("bounds", [(), ("--set", "resource_managers=3")])
def test_a_scope_that_is_not_larger_is_refused(bounds):
    done = tierproof("estimate", TWO_PHASE, "--scope", "three", *bounds)
    assert done.returncode == 2
    assert "no --set makes a bound larger than in scope three" in done.stderr
