"""A Scope bounds an exploration: validated, frozen, whole numbers, arithmetic over its bounds."""

from typing import Annotated

import pytest

from tierproof.model.language import Array, Range, Scope, ScopeError, State, UnknownName, bound
from tierproof.model.language.scope import size_in


class Cluster(Scope):
    brokers: int = bound(1, 5, default=2)
    segments: int = bound(0, 9)

    def inconsistency(self) -> str | None:
        """More brokers than segments would leave one idle."""
        if self.brokers > self.segments:
            return f"brokers={self.brokers} is above segments={self.segments}"
        return None


class Racks(Cluster):
    racks: int = bound(1, 3, default=1)


class Elsewhere(Scope):
    partitions: int = bound(1, 3, default=1)
    slots: int = bound(0, 3, default=1)


class Log(State):
    segment: Annotated[list[bool], Array(Elsewhere.slots)]


# -- limits


def test_a_bound_takes_its_value_or_its_default():
    scope = Cluster(segments=4)
    assert (scope.brokers, scope.segments) == (2, 4)


@pytest.mark.parametrize("brokers", [1, 5])
def test_the_limits_themselves_are_allowed(brokers):
    assert Cluster(brokers=brokers, segments=9).brokers == brokers


@pytest.mark.parametrize("brokers", [0, 6, -1])
def test_a_value_out_of_range_names_the_bound_the_value_and_the_limits(brokers):
    with pytest.raises(ScopeError, match=rf"brokers={brokers} .* limits are 1 to 5"):
        Cluster(brokers=brokers, segments=9)


def test_a_bound_without_a_value_names_itself_and_its_limits():
    with pytest.raises(ScopeError, match="bound segments has no value: it takes 0 to 9"):
        Cluster(brokers=1)  # type: ignore[call-arg]


def test_a_default_is_held_to_the_limits_too():
    class Careless(Scope):
        brokers: int = bound(1, 3, default=4)

    with pytest.raises(ScopeError, match="brokers=4 is out of range"):
        Careless()


@pytest.mark.parametrize("value", [2.0, "2", True, None, [2]])
def test_only_whole_numbers_are_bounds(value):
    with pytest.raises(ScopeError, match="bound segments"):
        Cluster(segments=value)


def test_an_unknown_bound_offers_the_closest_name():
    with pytest.raises(UnknownName, match="unknown bound 'broker': did you mean brokers"):
        Cluster(broker=2, segments=3)  # type: ignore[call-arg]


def test_an_unknown_bound_without_a_likeness_offers_all_names():
    with pytest.raises(UnknownName, match="brokers, segments") as raised:
        Cluster(zzz=2, segments=3)  # type: ignore[call-arg]
    assert raised.value.close == ("brokers", "segments")


def test_a_scope_may_reject_bounds_that_contradict_each_other():
    with pytest.raises(ScopeError, match="brokers=3 is above segments=2"):
        Cluster(brokers=3, segments=2)


def test_a_scope_inherits_bounds_and_their_consistency():
    assert dict(Racks(segments=3)) == {"brokers": 2, "segments": 3, "racks": 1}
    with pytest.raises(ScopeError, match="above segments"):
        Racks(brokers=3, segments=2)
    assert "racks" not in Cluster.bounds


# -- values


def test_a_scope_of_two_bases_has_the_bounds_of_both():
    class Clients(Scope):
        clients: int = bound(1, 3, default=2)

    class Both(Cluster, Clients):
        pass

    both = Both(brokers=1, segments=1)
    assert dict(both) == {"clients": 2, "brokers": 1, "segments": 1}


@pytest.mark.parametrize("name", ["keys", "replace", "bounds"])
def test_a_bound_is_not_named_like_what_every_scope_has(name):
    with pytest.raises(ScopeError, match=f"a bound cannot be named {name}"):
        type("Bad", (Scope,), {name: bound(1, 2)})


def test_a_bound_of_a_scope_cannot_be_assigned():
    scope = Cluster(segments=4)
    with pytest.raises(AttributeError, match=r"frozen: use replace\(brokers=3\)"):
        scope.brokers = 3  # type: ignore[misc]
    assert scope.brokers == 2


def test_nothing_else_can_be_assigned_to_a_scope_either():
    scope = Cluster(segments=4)
    with pytest.raises(AttributeError, match="frozen"):
        scope.broker = 3  # a slip of the pen
    with pytest.raises(AttributeError, match="frozen"):
        del scope.brokers
    assert scope.brokers == 2


def test_replace_gives_another_scope_and_leaves_the_first():
    scope = Cluster(segments=4)
    assert scope.replace(brokers=3) == Cluster(brokers=3, segments=4)
    assert scope.brokers == 2


def test_replace_validates_anew():
    scope = Cluster(segments=4)
    with pytest.raises(ScopeError, match="above segments"):
        scope.replace(brokers=5)
    with pytest.raises(UnknownName, match="brokers"):
        scope.replace(brokerz=3)


def test_scopes_are_equal_by_class_and_values():
    assert Cluster(segments=4) == Cluster(brokers=2, segments=4)
    assert hash(Cluster(segments=4)) == hash(Cluster(brokers=2, segments=4))
    assert Cluster(segments=4) != Cluster(segments=5)
    assert Racks(segments=4) != Cluster(segments=4)


def test_a_scope_prints_its_bounds_in_the_order_of_declaration():
    scope = Cluster(segments=4, brokers=1)
    assert str(scope) == "brokers=1 segments=4"
    assert repr(scope) == "Cluster(brokers=1, segments=4)"
    assert str(Scope()) == "no bounds"


# -- expressions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (Cluster.brokers, 3),
        (Cluster.brokers + 1, 4),
        (1 + Cluster.brokers, 4),
        (Cluster.brokers - 1, 2),
        (10 - Cluster.brokers, 7),
        (Cluster.brokers * Cluster.segments, 15),
        (2 * Cluster.brokers, 6),
        ((Cluster.segments - Cluster.brokers) * 2 + 1, 5),
        (7, 7),
    ],
)
def test_a_size_is_arithmetic_over_bounds(expression, value):
    assert size_in(expression, Cluster(brokers=3, segments=5)) == value


def test_an_expression_shows_how_it_was_written():
    assert repr((Cluster.brokers + 1) * Cluster.segments) == "((brokers + 1) * segments)"
    assert repr(10 - Cluster.brokers) == "(10 - brokers)"


def test_an_expression_holds_in_a_derived_scope():
    assert size_in(Cluster.brokers * Racks.racks, Racks(segments=5, racks=2)) == 4


def test_a_size_without_a_scope_says_so():
    with pytest.raises(ScopeError, match="the size brokers needs a scope"):
        Range(0, Cluster.brokers).sized(None)


def test_a_size_in_a_scope_of_another_class_names_both():
    with pytest.raises(ScopeError, match="Elsewhere does not declare the bound brokers"):
        size_in(Cluster.brokers + 1, Elsewhere())


def test_a_scope_that_leaves_no_room_for_a_field_names_the_field():
    with pytest.raises(ScopeError, match=r"Log.segment: an array of length 0 \(slots"):
        Log.at_start(Elsewhere(partitions=1, slots=0))
