"""Sets, sequences and bags in CPython: what they hold, what they refuse, what they show."""

import json
from collections import Counter
from enum import IntEnum
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.language.topic import Copying
from tierproof.model.language import (
    GHOST,
    Array,
    Bag,
    Budget,
    Design,
    DesignError,
    Interpreter,
    Kind,
    Range,
    Record,
    Scope,
    ScopeError,
    Sequence,
    Set,
    State,
    Step,
    Trace,
    action,
    bound,
    guard,
    initial,
    invariant,
)
from tierproof.model.language.errors import AssignmentInPredicate, OutOfDomain, SequenceFull
from tierproof.model.language.layout import layout_of
from tierproof.model.language.members import as_json
from tierproof.spark_explorer.results import trace_as_dict


class Size(Scope):
    members: int = bound(0, 70, default=3)
    letters: int = bound(0, 5, default=2)


class Color(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 2


Members = Annotated[set[int], Set(Size.members)]
Colors = Annotated[set[Color], Set(Color)]


class Letter(Record):
    stamp: Annotated[int, Range(2, 5, start=4)]
    to: Members


class Desk(State):
    members: Members
    colors: Colors
    tables: Annotated[list[Members], Array(2)]
    line: Annotated[list[Letter], Sequence(Size.letters)]
    lines: Annotated[list[Annotated[list[bool], Sequence(2)]], Array(2)]
    counted: Annotated[Counter[Color], Bag(Color, at_most=2)]
    seen: Annotated[list[Letter], Sequence(1), GHOST]


SCOPE = Size()


@pytest.fixture
def desk() -> Any:
    """A state that `clerk_acts` may assign to."""
    return Desk.at_start(SCOPE).copy_for("clerk_acts")


# -- declarations


def test_everything_starts_empty_and_what_is_not_in_use_holds_the_lowest_values(desk):
    assert (desk.members, len(desk.line), desk.counted.total()) == (set(), 0, 0)
    assert [bool(one) for one in (desk.members, desk.line, desk.counted)] == [False] * 3
    stamps = [p for p in layout_of(Desk, SCOPE).leaves if p.path == "line[1].stamp"]
    assert [p.leaf.domain.start for p in stamps] == [2]


def test_a_set_takes_a_bit_a_member_and_a_sequence_its_length_and_its_elements():
    bits = {placed.path: placed.bits for placed in layout_of(Desk, SCOPE).leaves}
    assert (bits["members"], bits["colors"], bits["line"]) == (3, 3, 2)
    assert (bits["line[0].stamp"], bits["line[1].to"], bits["counted[2]"]) == (2, 3, 2)


def test_what_is_in_a_ghost_is_a_ghost():
    kinds = {placed.path: placed.leaf.kind for placed in layout_of(Desk, SCOPE).leaves}
    assert {kinds["seen"], kinds["seen[0].stamp"]} == {Kind.GHOST}
    assert kinds["line"] is kinds["counted[0]"] is Kind.PROTOCOL


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({"members": 63}, "a Set has 0 to 62 members, not 63"),
        ({"letters": 0}, r"field Desk\.line: a sequence of at most 0 \(letters in"),
    ],
)
def test_a_scope_that_does_not_fit_is_refused(scope, message):
    with pytest.raises(ScopeError, match=message):
        layout_of(Desk, Size(**scope))


def holding(annotation: Any) -> Any:
    """A State with one field."""
    return type("Holding", (State,), {"__annotations__": {"one": annotation}, "__module__": "x"})


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Annotated[int, Set(3)], r"a set is written Annotated\[set\[int\], Set\(count\)\]"),
        (Annotated[set[int], Range(0, 3)], r"a set is written Annotated\[set\[int\], Set"),
        (Annotated[set[int], Sequence(3)], r"Sequence needs Annotated\[list\[Element\]"),
        (Annotated[dict[int, int], Bag(3, 2)], r"Bag needs Annotated\[Counter\[int\], Bag"),
        (Annotated[list[Annotated[int, Budget(2)]], Sequence(3)], "an element of a Sequence is"),
        (Annotated[list[Copying], Sequence(3)], "an enum without a lifecycle"),
        (
            Annotated[list[Annotated[list[bool], Array(2)]], Sequence(3)],
            "an element of a Sequence is a number",
        ),
    ],
)
def test_an_annotation_that_does_not_fit_says_what_to_write(annotation, message):
    with pytest.raises(DesignError, match=message):
        layout_of(holding(annotation), None)


# -- sets


def test_a_set_that_was_read_stays_what_it_was(desk):
    before = desk.members
    desk.members.add(2)
    desk.members |= {0}
    assert (before, desk.members) == (set(), {0, 2})
    assert list(desk.members) == [0, 2]


def test_an_old_value_gives_no_field_another_value(desk):
    before = desk.members
    before.add(1)
    with pytest.raises(TypeError, match="a set does not change"):
        before.add(2)
    with pytest.raises(TypeError, match="a set does not change"):
        (desk.members | {2}).add(0)
    assert desk.members == {1}


@pytest.mark.parametrize("value", [{3}, {-1}, {0, 100}, 1, [1], {"a"}])
def test_a_set_outside_of_its_domain_is_named(desk, value):
    with pytest.raises(OutOfDomain, match=r"to members, whose domain is subsets of 0\.\.2"):
        desk.members = value


def test_a_member_is_removed_only_if_it_is_there(desk):
    desk.colors = {Color.BLUE}
    with pytest.raises(KeyError, match=r"GREEN is not in \{BLUE\}"):
        desk.colors.remove(Color.GREEN)
    desk.colors.remove(Color.BLUE)
    desk.colors.discard(Color.RED)
    assert desk.colors == set()


def test_a_guard_changes_nothing(desk):
    frozen = desk.frozen_for("guard 'is_there'")
    for change in (
        lambda: frozen.members.add(1),
        lambda: frozen.line.append(Letter(stamp=2, to={1})),
        lambda: frozen.lines[0].clear(),
        lambda: frozen.counted.clear(),
    ):
        with pytest.raises(AssignmentInPredicate, match="guard 'is_there' "):
            change()


# -- sequences and bags


def test_elements_come_out_in_their_order_and_are_values(desk):
    desk.line.append(Letter(stamp=5, to={1}))
    desk.line.append(Letter(stamp=3, to=set()))
    first = desk.line[0]
    assert desk.line.pop(0) == first == Letter(stamp=5, to={1})
    assert [letter.stamp for letter in desk.line] == [3]
    with pytest.raises(AssignmentInPredicate, match="what holds an old value assigns"):
        first.stamp = 4
    with pytest.raises(TypeError, match="was made and does not change"):
        Letter(stamp=5, to={1}).stamp = 4


def test_equal_sequences_are_equal_states_whatever_was_in_them(desk):
    other = desk.copy_for("another")
    other.line.append(Letter(stamp=5, to={1, 2}))
    other.line.pop()
    other.lines[1].append(True)
    other.lines[1].clear()
    assert other == desk


def test_a_full_sequence_names_its_bound_and_the_limit_to_add(desk):
    for _ in range(2):
        desk.line.append(Letter(stamp=2, to=set()))
        desk.lines[1].append(False)
    with pytest.raises(SequenceFull) as caught:
        desk.line.append(Letter(stamp=2, to=set()))
    assert str(caught.value) == (
        "action 'clerk_acts' appends to line, which holds at most 2 elements (letters=2): "
        "add a @limit that is false while len(state.line) == scope.letters"
    )
    with pytest.raises(SequenceFull, match=r"to lines\[1\], which holds at most 2 elements \(2\)"):
        desk.lines[1].append(False)


@pytest.mark.parametrize("index", [-1, 1, 2])
def test_an_index_counts_from_the_first_element(desk, index):
    desk.line.append(Letter(stamp=2, to=set()))
    for reading in (lambda: desk.line[index], lambda: desk.line.pop(index)):
        with pytest.raises(IndexError, match=rf"index {index} is outside the 1 elements of line"):
            reading()


def test_a_record_that_is_made_has_each_of_its_fields():
    with pytest.raises(TypeError, match="Letter takes each of stamp, to by its name"):
        Letter(stamp=3)  # type: ignore[call-arg]


def test_a_bag_counts_within_its_limits(desk):
    desk.counted[Color.BLUE] += 2
    assert (desk.counted.total(), list(desk.counted), 2 in desk.counted) == (2, [Color.BLUE], True)
    with pytest.raises(OutOfDomain, match=r"3 to counted\[2\], whose domain is 0\.\.2"):
        desk.counted[2] += 1
    with pytest.raises(OutOfDomain, match=r"-1 to counted\[0\]"):
        desk.counted[Color.RED] -= 1
    with pytest.raises(IndexError, match="3 is none of the 3 members that counted counts"):
        desk.counted[3] += 1


# -- what is shown


def test_each_is_shown_as_what_it_is(desk):
    before = desk.copy_for("another")
    desk.members, desk.colors = {2, 0}, {Color.GREEN}
    desk.line.append(Letter(stamp=5, to={1}))
    desk.counted[Color.GREEN] += 1
    shown = [f"{path}: {old} → {new}" for path, old, new in before.changes_to(desk)]
    assert shown == [
        "members: {} → {0, 2}",
        "colors: {} → {GREEN}",
        "line: [] → [Letter(stamp=5, to={1})]",
        "counted: {} → {GREEN: 1}",
    ]
    assert "  line = [Letter(stamp=5, to={1})]" in desk.describe().splitlines()


numbers = some.sets(some.integers(0, 2))
letters = some.lists(some.tuples(some.integers(2, 5), numbers), max_size=2)


@given(numbers, numbers, letters, some.lists(some.sampled_from(Color), max_size=2))
def test_a_state_shows_what_was_put_in_and_its_leaves_make_it_again(one, other, line, colors):
    state = Desk.at_start(SCOPE).copy_for("clerk_acts")
    state.members, state.tables[1], state.colors = one, one & other, set(colors)
    for stamp, to in line:
        state.line.append(Letter(stamp=stamp, to=to))
    for color in colors:
        state.counted[color] += 1
    again = Desk.of_leaves(layout_of(Desk, SCOPE), list(state.leaves))
    fields = again.fields()
    assert again == state
    assert eval(str(fields["members"])) == (one or {})
    assert [(letter.stamp, letter.to) for letter in fields["line"]] == line
    assert state.changes_to(again) == []
    assert Counter(colors) == {color: again.counted[color] for color in again.counted}
    assert (state.members | other, state.members - other) == (one | other, one - other)
    assert (state.members <= other, other < state.members) == (one <= other, other < one)


# -- traces


@initial
def empty(state: Desk) -> None:
    """Nothing is there."""


@guard
def is_larger(state: Desk, members: Members) -> bool:
    """There are more of them."""
    return state.members < members


@action(guards=[is_larger], actor="those in {members}")
def members_come(state: Desk, members: Members, colors: Colors) -> None:
    """Be there, with colors."""
    state.members, state.colors = members, colors


DESIGN = Design(
    name="desk",
    title="A desk",
    state=Desk,
    initial=(empty,),
    system=(members_come,),
    scopes={"three": SCOPE},
)


def test_steps_are_numbered_by_their_bits_and_found_again_by_any_set():
    steps = Interpreter(DESIGN, SCOPE).steps
    assert steps.count == 64
    assert str(steps.step(5 * 8 + 2)) == "members_come(members={0, 2}, colors={GREEN})"
    assert [steps.label(steps.step(label)) for label in range(64)] == list(range(64))
    assert steps.label(Step("members_come", (("members", {2, 0}), ("colors", {1})))) == 42
    with pytest.raises(DesignError, match=r"members is outside subsets of 0\.\.2"):
        steps.label(Step("members_come", (("members", {3}), ("colors", set()))))


def test_a_trace_is_pasted_and_shown_with_its_sets():
    interpreter = Interpreter(DESIGN, SCOPE)
    steps = tuple(interpreter.steps.step(label) for label in (8, 5 * 8 + 2))
    trace = Trace(DESIGN, SCOPE, 0, steps)
    pasted = eval(trace.as_python(), {"Step": Step})
    assert Trace(DESIGN, SCOPE, 0, pasted).states == trace.states
    assert len({*pasted, *steps}) == 2
    record = trace_as_dict(trace)
    assert record["steps"][1]["arguments"] == {"members": "{0, 2}", "colors": "{GREEN}"}
    assert record["steps"][1]["changes"]["members"] == ["{0}", "{0, 2}"]
    assert record["steps"][1]["actor"] == "those in {0, 2}"
    assert record["initial"]["line"] == "[]"


def test_a_step_is_kept_as_json_and_found_again():
    steps = Interpreter(DESIGN, SCOPE).steps
    for label in range(steps.count):
        step = steps.step(label)
        kept = json.loads(json.dumps({name: as_json(value) for name, value in step.arguments}))
        assert steps.label(Step(step.action, tuple(kept.items()))) == label


def test_a_parameter_of_too_many_subsets_is_refused():
    with pytest.raises(ScopeError, match="parameter 'members' ranges over 131072 sets, 65536 at"):
        Interpreter(DESIGN, Size(members=17))


@guard
def adds_one(state: Desk) -> bool:
    """A guard that changes a set."""
    state.members.add(1)
    return True


@invariant()
def takes_one(state: Desk) -> bool:
    """A property that changes a sequence."""
    return state.line.pop(0).stamp == 3


@pytest.mark.parametrize(
    "parts",
    [{"system": (members_come.with_guards([adds_one]),)}, {"properties": (takes_one,)}],
    ids=["guard", "property"],
)
def test_a_predicate_that_changes_a_collection_is_refused_when_it_is_declared(parts):
    given = {"system": (members_come,), **parts}
    with pytest.raises(AssignmentInPredicate, match="only an effect may assign"):
        Design(name="d", title="D", state=Desk, initial=(empty,), scopes={"three": SCOPE}, **given)
