"""A State is one valuation of the system, checked at each assignment and closed for readers."""

import pytest

from tests.language.topic import SCOPE, Copying, Role, Topic
from tierproof.model.language import NONE
from tierproof.model.language.errors import AssignmentInPredicate, OutOfDomain
from tierproof.model.language.layout import layout_of


@pytest.fixture
def state():
    """A state that `broker_appends` may assign to."""
    return Topic.at_start(SCOPE).copy_for("broker_appends")


# -- reading and assigning


def test_an_assigned_value_is_read_back_in_its_own_type(state):
    state.tiered = 1
    state.copying = 0
    state.leader = True
    assert state.tiered is True
    assert state.copying is Copying.STARTED
    assert state.leader == 1


def test_nested_records_and_arrays_are_assigned_in_place(state):
    state.replica[1].log_end_offset = 5
    state.spare.role = Role.LEADER
    assert [replica.log_end_offset for replica in state.replica] == [0, 5]
    assert (state.spare.role, state.replica[0].role) == (Role.LEADER, Role.FOLLOWER)


def test_a_view_of_a_record_follows_the_state(state):
    replica = state.replica[0]
    replica.log_end_offset += 3
    assert state.replica[0].log_end_offset == 3


def test_an_array_of_two_dimensions_is_indexed_row_by_row(state):
    state.grid[0][1] = 3
    state.grid[1][0] = 4
    assert [list(row) for row in state.grid] == [[0, 3], [4, 0]]
    assert (len(state.grid), len(state.grid[1])) == (2, 2)


def test_negative_indexes_count_from_the_end_as_python_has_them(state):
    state.grid[-1][-2] = 4
    state.replica[-1].log_end_offset = 6
    assert state.grid[1][0] == 4
    assert state.replica[1].log_end_offset == 6


@pytest.mark.parametrize("index", [2, -3, 100])
def test_an_index_out_of_range_names_index_length_and_place(state, index):
    message = rf"index {index} is outside the 2 elements at wide\[0\]"
    with pytest.raises(IndexError, match=message):
        state.wide[index]
    with pytest.raises(IndexError, match=message):
        state.wide[index] = 1


def test_an_unknown_field_is_neither_read_nor_made(state):
    with pytest.raises(AttributeError, match="Topic has no field 'leeder'"):
        _ = state.leeder
    with pytest.raises(AttributeError, match="Topic has no field 'leeder'"):
        state.leeder = 1


def test_a_record_is_assigned_whole_and_stays_apart(state):
    state.replica[0].log_end_offset = 5
    state.replica[1] = state.replica[0]
    state.replica[0].log_end_offset = 6
    assert [replica.log_end_offset for replica in state.replica] == [6, 5]


def test_an_array_is_assigned_whole(state):
    state.grid[0][1] = 3
    state.grid[1] = state.grid[0]
    state.wide = state.grid[1]
    assert list(state.grid[1]) == list(state.wide) == [0, 3]


def test_only_a_record_or_array_of_the_same_size_is_assigned_whole(state):
    with pytest.raises(TypeError, match=r"cannot assign \[0, 0\] to replica\[0\]"):
        state.replica = state.wide
    with pytest.raises(TypeError, match=r"cannot assign 3 to spare"):
        state.spare = 3


def test_records_and_arrays_are_equal_by_their_values(state):
    before = state.copy_for("another")
    assert state.spare == state.replica[0] == before.replica[1]
    assert state.grid == before.grid
    state.replica[0].log_end_offset = 1
    state.grid[1][1] = 1
    assert state.spare != state.replica[0]
    assert state.grid != before.grid
    assert state.spare != state.last


# -- out of the domain


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("controller", 2, r"0\.\.1"),
        ("controller", NONE, r"0\.\.1"),
        ("leader", -2, r"-1\.\.1"),
        ("restored", 0, r"1\.\.9"),
        ("in_sync", 4, r"0\.\.3"),
        ("tiered", 2, "False, True"),
        ("copying", 2, "Copying"),
        ("crashes", 3, r"0\.\.2"),
        ("restored", 2**64 + 1, r"1\.\.9"),
        ("restored", 4.5, r"1\.\.9"),
        ("restored", None, r"1\.\.9"),
    ],
)
def test_a_value_outside_its_domain_names_field_action_and_value(state, name, value, shown):
    before = getattr(state, name)
    message = f"action 'broker_appends' assigned {value} to {name}, whose domain is {shown}"
    with pytest.raises(OutOfDomain, match=message) as raised:
        setattr(state, name, value)
    assert (raised.value.field, raised.value.action) == (name, "broker_appends")
    assert getattr(state, name) == before


def test_a_value_outside_its_domain_names_the_path_of_a_nested_field(state):
    with pytest.raises(OutOfDomain, match=r"assigned 8 to replica\[1\]\.log_end_offset"):
        state.replica[1].log_end_offset = 8
    with pytest.raises(OutOfDomain, match=r"assigned -1 to grid\[1\]\[0\]"):
        state.grid[1][0] -= 1


def test_an_array_assigned_whole_is_checked_value_by_value(state):
    state.wide[1] = 7
    with pytest.raises(OutOfDomain, match=r"assigned 7 to small\[1\], whose domain is 0\.\.1"):
        state.small = state.wide
    assert list(state.small) == [0, 0]


# -- frozen states and copies


def test_a_state_at_its_start_is_frozen():
    frozen = Topic.at_start(SCOPE)
    with pytest.raises(AssignmentInPredicate, match="assigns 1 to controller"):
        frozen.controller = 1


def test_a_frozen_state_names_the_reader_that_assigned(state):
    frozen = state.frozen_for("guard 'is_led'")
    with pytest.raises(AssignmentInPredicate, match=r"guard 'is_led' assigns 5 to replica\[1\]"):
        frozen.replica[1].log_end_offset = 5
    with pytest.raises(AssignmentInPredicate, match=r"guard 'is_led' assigns .* to grid\[1\]\[1\]"):
        frozen.grid[1][1] = 1
    assert frozen == Topic.at_start(SCOPE)


def test_a_copy_is_assigned_without_changing_the_first(state):
    after = state.copy_for("another")
    after.replica[0].log_end_offset = 2
    assert state.replica[0].log_end_offset == 0
    assert after != state


def test_states_are_equal_by_their_values(state):
    after = state.copy_for("another")
    assert after == state
    assert hash(after) == hash(state)
    after.tiered = True
    assert after != state
    assert len({state, after, after.copy_for("a third")}) == 2


def test_leaves_make_the_state_again(state):
    state.grid[1][0] = 3
    again = Topic.of_leaves(layout_of(Topic, SCOPE), list(state.leaves))
    assert again == state
    assert again.grid[1][0] == 3


# -- what a reader sees


def test_fields_have_paths_in_the_order_of_declaration(state):
    paths = list(state.fields())
    assert paths[:6] == ["controller", "leader", "tiered", "copying", "restored", "in_sync"]
    assert paths[6:10] == [
        "replica[0].log_end_offset",
        "replica[0].role",
        "replica[1].log_end_offset",
        "replica[1].role",
    ]
    assert {"spare.role", "grid[1][0]", "lost[1]"} < set(paths)
    assert len(paths) == len(state.leaves)


def test_changes_are_listed_with_the_values_before_and_after(state):
    after = state.copy_for("another")
    after.copying = Copying.STARTED
    after.replica[1].log_end_offset = 4
    assert state.changes_to(after) == [
        ("copying", Copying.IDLE, Copying.STARTED),
        ("replica[1].log_end_offset", 0, 4),
    ]
    assert state.changes_to(state.copy_for("another")) == []


def test_a_state_describes_itself_one_line_a_field(state):
    state.spare.log_end_offset = 2
    lines = state.describe().splitlines()
    assert "  tiered = False" in lines
    assert "  spare = Replica(log_end_offset=2, role=<Role.FOLLOWER: 0>)" in lines
    assert "  grid = [[0, 0], [0, 0]]" in lines
