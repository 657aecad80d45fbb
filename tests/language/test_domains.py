"""Fields have finite domains that a Scope sizes; what is not finite is refused."""

from enum import IntEnum
from typing import Annotated, Any

import pytest

from tests.language.topic import SCOPE, Copying, Role, Size, Topic
from tierproof.model.language import (
    NONE,
    Array,
    DesignError,
    Kind,
    Range,
    ScopeError,
    State,
    Subset,
)
from tierproof.model.language.layout import layout_of


def domain(path, scope=SCOPE):
    """(low, high, start) of the field at `path`."""
    leaves = {placed.path: placed.leaf.domain for placed in layout_of(Topic, scope).leaves}
    return leaves[path].low, leaves[path].high, leaves[path].start


@pytest.mark.parametrize(
    ("path", "low", "high", "start"),
    [
        ("controller", 0, 1, 0),
        ("leader", NONE, 1, NONE),
        ("tiered", 0, 1, 0),
        ("copying", 0, 1, 1),
        ("restored", 1, 9, 4),
        ("in_sync", 0, 3, 0),
        ("replica[1].role", 0, 2, 0),
        ("crashes", 0, 2, 2),
    ],
)
def test_each_domain_has_its_limits_and_its_start_value(path, low, high, start):
    assert domain(path) == (low, high, start)


def test_the_scope_sizes_domains_and_arrays():
    wide = Size(brokers=4, offsets=50, crashes=0)
    assert domain("controller", wide) == (0, 3, 0)
    assert domain("in_sync", wide) == (0, 15, 0)
    assert domain("wide[0]", wide) == (0, 50, 0)
    assert len(Topic.at_start(wide).replica) == 4
    assert len(Topic.at_start(wide).grid[0]) == 4


def test_a_state_begins_at_the_start_values_of_its_domains():
    state = Topic.at_start(SCOPE)
    assert state.leader == NONE
    assert state.tiered is False
    assert state.copying is Copying.IDLE
    assert state.restored == 4
    assert state.crashes == 2
    assert [replica.role for replica in state.replica] == [Role.FOLLOWER] * 2


def test_a_class_variable_is_no_field():
    assert "version" not in Topic.at_start(SCOPE).fields()
    assert Topic.version == 3


def test_an_empty_domain_names_field_and_scope():
    class Nobody(State):
        at: Annotated[int, Range(1, Size.crashes)]

    with pytest.raises(ScopeError, match=r"field at has an empty domain 1\.\.0 .*crashes=0"):
        Nobody.at_start(Size(crashes=0))


def test_a_start_value_outside_the_domain_is_refused():
    class Late(State):
        hour: Annotated[int, Range(1, Size.crashes, start=3)]

    assert Late.at_start(Size(crashes=3)).hour == 3
    with pytest.raises(ScopeError, match=r"field hour starts at 3, outside its domain 1\.\.2"):
        Late.at_start(Size(crashes=2))


@pytest.mark.parametrize("members", [-1, 63])
def test_a_subset_has_at_most_62_members(members):
    with pytest.raises(ScopeError, match=f"0 to 62 members, not {members}"):
        Subset(members).sized(None)
    assert Subset(62).sized(None).high == 2**62 - 1


class Gaps(IntEnum):
    ONE = 1
    THREE = 3


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (int, "is not a finite domain"),
        (str, "is not a finite domain"),
        (Annotated[int, "offset"], "is not a finite domain"),
        (list[int], "is not a finite domain"),
        (Gaps, "enum Gaps must be numbered 0, 1, 2"),
        (Annotated[int, Array(2)], r"Array needs Annotated\[list\[Element\], Array\(count\)\]"),
        (Annotated[list[bool], Array(2, 2)], "Array needs"),
    ],
)
def test_a_field_that_is_not_finite_is_refused(annotation, message):
    bad: Any = type("Bad", (State,), {"__annotations__": {"field": annotation}})
    with pytest.raises(DesignError, match=message):
        bad.at_start(SCOPE)


def test_a_field_with_a_default_is_refused_because_it_would_hide_the_field():
    class Defaulted(State):
        on: bool = True

    with pytest.raises(DesignError, match=r"field Defaulted\.on has a default"):
        Defaulted.at_start(SCOPE)


def test_a_field_named_like_a_method_of_states_is_refused():
    taken: Any = type("Taken", (State,), {"__annotations__": {"leaves": bool}})
    with pytest.raises(DesignError, match=r"field Taken\.leaves has .* the name of a method"):
        taken.at_start(SCOPE)


def test_a_state_without_fields_is_refused():
    class Empty(State):
        """Nothing."""

    with pytest.raises(DesignError, match="Empty declares no field"):
        Empty.at_start(SCOPE)


def test_an_array_without_a_length_is_refused():
    with pytest.raises(DesignError, match="Array needs at least one length"):
        Array()


# -- kinds


def test_protocol_budget_and_ghost_fields_are_apart():
    kinds = {placed.path: placed.leaf.kind for placed in layout_of(Topic, SCOPE).leaves}
    assert kinds["leader"] is Kind.PROTOCOL
    assert kinds["crashes"] is Kind.BUDGET
    assert kinds["lost[1]"] is Kind.GHOST


def test_a_ghost_record_is_a_ghost_in_all_its_fields():
    kinds = {placed.path: placed.leaf.kind for placed in layout_of(Topic, SCOPE).leaves}
    assert kinds["seen[1].highest"] is kinds["seen[0].by"] is Kind.GHOST
    assert kinds["last.highest"] is Kind.GHOST
    assert kinds["spare.log_end_offset"] is Kind.PROTOCOL


class Wide(State):
    at: Annotated[int, Range(0, 1 << 70)]


def test_a_domain_that_63_bits_do_not_hold_is_named():
    with pytest.raises(ScopeError, match=r"field at has the domain .* which 63 bits do not hold"):
        Wide.at_start(None)
