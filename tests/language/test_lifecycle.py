"""A Lifecycle is declared once with `transitions`: enum, machine, start value and law agree."""

from enum import IntEnum
from typing import Annotated, Any

import pytest

from tierproof.model.language import (
    Array,
    Design,
    DesignError,
    Index,
    Interpreter,
    Lifecycle,
    Scope,
    State,
    action,
    bound,
    initial,
)
from tierproof.model.language.lifecycle import lifecycle_of


class Size(Scope):
    topics: int = bound(1, 3, default=2)


Topic = Annotated[int, Index(Size.topics)]


class Tiering(IntEnum):
    DISABLED = 0
    ENABLED = 1
    DISABLING = 2


TIERING = Lifecycle(
    Tiering,
    [
        ("enable", Tiering.DISABLED, Tiering.ENABLED),
        ("disable", Tiering.ENABLED, Tiering.DISABLING),
        ("settle", [Tiering.DISABLING, Tiering.ENABLED], Tiering.DISABLED),
    ],
    source="KIP-950",
)


class Colour(IntEnum):
    RED = 0
    GREEN = 1


class NoValues(IntEnum):
    """Nothing to be."""


class Config(State):
    tiering: Annotated[list[Tiering], Array(Size.topics)]
    colour: Colour


@initial
def all_disabled(state: Config) -> None:
    """Nothing is tiered."""


@action()
def controller_sets_tiering(state: Config, topic: Topic, value: Tiering) -> None:
    """Any value at once, which the lifecycle forbids."""
    state.tiering[topic] = value


@action()
def painter_changes_colour(state: Config, colour: Colour) -> None:
    """A colour has no lifecycle."""
    state.colour = colour


DESIGN = Design(
    name="tiering",
    title="Tiering by leaps",
    state=Config,
    initial=(all_disabled,),
    system=(controller_sets_tiering, painter_changes_colour),
    scopes={"two": Size()},
)


def fresh(**members: int) -> Any:
    """An IntEnum that has no lifecycle yet."""
    return IntEnum("Fresh", members or {"A": 0, "B": 1})


# -- declaration


def test_the_machine_of_transitions_has_the_same_edges():
    edges = {
        (trigger, transition.source, transition.dest)
        for trigger, event in TIERING.machine.events.items()
        for transitions in event.transitions.values()
        for transition in transitions
    }
    assert edges == {(e.trigger, e.source.name, e.target.name) for e in TIERING.edges}
    assert TIERING.machine.initial == "DISABLED"
    assert set(TIERING.machine.states) == set(Tiering.__members__)


def test_an_edge_of_several_sources_is_one_edge_a_source():
    settles = [(e.source, e.target) for e in TIERING.edges if e.trigger == "settle"]
    assert settles == [
        (Tiering.DISABLING, Tiering.DISABLED),
        (Tiering.ENABLED, Tiering.DISABLED),
    ]


def test_a_lifecycle_is_found_from_its_enum():
    assert lifecycle_of(Tiering) is TIERING
    assert lifecycle_of(Colour) is None
    assert TIERING.name == "Tiering"


def test_a_field_starts_where_its_lifecycle_starts():
    values = fresh()
    Lifecycle(values, [("start", values.B, values.A)], initial=values.B)
    late: Any = type("Late", (State,), {"__annotations__": {"life": values}})
    assert late.at_start(Size()).life is values.B
    assert Config.at_start(Size()).tiering[0] is Tiering.DISABLED


# -- malformed declarations


def test_values_are_numbered_from_zero():
    with pytest.raises(DesignError, match="Fresh: values must be numbered 0, 1, 2"):
        Lifecycle(fresh(A=1, B=2), [])


def test_a_lifecycle_without_values_is_refused():
    with pytest.raises(DesignError, match="is not a value to start at"):
        Lifecycle(NoValues, [])


def test_an_enum_has_one_lifecycle():
    with pytest.raises(DesignError, match="Tiering already has a lifecycle"):
        Lifecycle(Tiering, [])
    assert lifecycle_of(Tiering) is TIERING


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (Colour.RED, 0),
        (0, Colour.RED),
        (0, 1),
        ("*", Colour.RED),
        ("A", "B"),
        ([Colour.RED], Colour.GREEN),
    ],
)
def test_an_edge_between_other_values_is_refused(source, target):
    values = fresh()
    with pytest.raises(DesignError, match=r"lifecycle Fresh: .* is not an edge of it"):
        Lifecycle(values, [("go", values.A, values.B), ("leap", source, target)])
    assert lifecycle_of(values) is None


def test_a_start_value_of_another_enum_is_refused():
    with pytest.raises(DesignError, match=r"lifecycle Fresh: <Colour\.RED: 0> is not a value"):
        Lifecycle(fresh(), [], initial=Colour.RED)


# -- the law


@pytest.mark.parametrize("source", Tiering)
@pytest.mark.parametrize("target", Tiering)
def test_a_change_is_allowed_along_an_edge_only_and_staying_is_no_change(source, target):
    declared = {(e.source, e.target) for e in TIERING.edges}
    assert TIERING.allows(source, target) == (source == target or (source, target) in declared)


@pytest.mark.parametrize("topics", [1, 3])
def test_a_design_has_each_law_once_however_many_fields_obey_it(topics):
    assert [law.law_name for law in DESIGN.laws(Size(topics=topics))] == [TIERING.law_name]


def steps(*changes):
    """The sentences on the last step, of setting the tiering of topic 1 to each value in turn."""
    interpreter = Interpreter(DESIGN, Size())
    (state,) = interpreter.initial_states()
    sentences = []
    for topic, value in changes:
        before, state = state, interpreter.take(state, step_to(interpreter, topic, value))
        sentences = interpreter.unlawful_changes(before, state)
    return sentences


def step_to(interpreter, topic, value):
    """The step that sets the tiering of a topic."""
    labels = range(interpreter.steps.count)
    wanted = f"controller_sets_tiering(topic={topic}, value={value.name})"
    return next(s for s in map(interpreter.steps.step, labels) if str(s) == wanted)


def test_a_step_along_declared_edges_is_lawful():
    assert steps((1, Tiering.ENABLED)) == []
    assert steps((1, Tiering.ENABLED), (1, Tiering.DISABLING), (1, Tiering.DISABLED)) == []


def test_a_step_along_an_undeclared_edge_names_field_values_and_lifecycle():
    assert steps((1, Tiering.DISABLING)) == [
        "tiering[1]: DISABLED -> DISABLING is no edge of Tiering"
    ]
    assert steps((0, Tiering.ENABLED), (0, Tiering.DISABLING), (0, Tiering.ENABLED)) == [
        "tiering[0]: DISABLING -> ENABLED is no edge of Tiering"
    ]


def test_each_unlawful_field_of_a_step_has_its_sentence():
    interpreter = Interpreter(DESIGN, Size())
    (before,) = interpreter.initial_states()
    after = before.copy_for("test")
    after.tiering[0] = after.tiering[1] = Tiering.DISABLING
    assert [s.partition(":")[0] for s in interpreter.unlawful_changes(before, after)] == [
        "tiering[0]",
        "tiering[1]",
    ]


def test_an_enum_without_a_lifecycle_may_change_at_will():
    interpreter = Interpreter(DESIGN, Size())
    (before,) = interpreter.initial_states()
    after = before.copy_for("test")
    after.colour = Colour.GREEN
    assert interpreter.unlawful_changes(before, after) == []
    assert interpreter.unlawful_changes(after, before) == []
