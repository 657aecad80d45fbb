"""A helper is redefined wherever a design calls it; the functions in the file are unchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest

from tierproof.model.language import (
    Design,
    DesignError,
    Edit,
    Interpreter,
    Range,
    Scope,
    State,
    Step,
    UnknownName,
    Variant,
    action,
    bound,
    guard,
    initial,
    invariant,
    within_bounds,
)
from tierproof.model.language.difference import difference
from tierproof.model.language.editing import edited
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore


class Size(Scope):
    """How far a counter counts."""

    most: int = bound(1, 20, default=12)


class Counter(State):
    """A number."""

    number: Annotated[int, Range(0, 100)]


def stride(state: Counter) -> int:
    """How far it goes in one step."""
    return 1


def following(state: Counter) -> int:
    """The number that comes next."""
    return state.number + stride(state)


def unused(state: Counter) -> int:
    """Nobody calls it."""
    return 0


def leg(state: Counter) -> int:
    """Part of a stride; nobody calls it but `by_leg`."""
    return 2


def by_leg(state: Counter) -> int:
    """A stride is a leg and one."""
    return leg(state) + 1


def long_leg(state: Counter) -> int:
    """A longer leg."""
    return 4


@initial
def at_first_stride(state: Counter) -> None:
    """Begin with one stride."""
    state.number = stride(state)


@guard
def is_next_small(state: Counter) -> bool:
    """The next number is at most 10."""
    return following(state) <= 10


@action(guards=[is_next_small])
def counter_counts(state: Counter) -> None:
    """Count."""
    state.number = following(state)


@invariant(premise=is_next_small)
def number_is_small(state: Counter) -> bool:
    """No stride leads beyond 10."""
    return state.number <= 10


@invariant()
def strides_end_at_ten(state: Counter) -> bool:
    """Where no stride is left, the number is 10."""
    return is_next_small(state) or state.number == 10


@within_bounds
def is_in_bounds(state: Counter, scope: Size) -> bool:
    """Small enough."""
    return following(state) <= scope.most


def by_three(state: Counter) -> int:
    """Three at a time."""
    return 3


def twice(state: Counter) -> int:
    """Twice as far as it was written."""
    return 2 * stride(state)


def beyond(state: Counter) -> int:
    """One further than written."""
    return following(state) + 1


def with_another(state: Counter, another: int) -> int:
    """An argument too many."""
    return another


@action()
def counter_leaps(state: Counter) -> None:
    """Leap to the end."""
    state.number = 10 - stride(state)


GUARDED = "strides end where the guard says so, which calls what is defined here"


def defining(name: str, *after: Variant, **new: Any) -> Variant:
    """A variant that defines helpers anew, which the properties call, too."""
    define = {globals()[old]: function for old, function in new.items()}
    redefines = dict.fromkeys(define, GUARDED)
    return Variant(name=name, because="a test", define=define, redefines=redefines, after=after)


BY_THREE = defining("by_three", stride=by_three)
TWICE = defining("twice", stride=twice)
TWICE_AFTER = defining("twice_after", BY_THREE, stride=twice)
BEYOND = defining("beyond", following=beyond)
LEAP = Variant(name="leap", because="a test", add_system=(counter_leaps,))
DESIGN = Design(
    name="counter",
    title="A counter",
    state=Counter,
    initial=(at_first_stride,),
    system=(counter_counts,),
    properties=(number_is_small, strides_end_at_ten),
    bounds=is_in_bounds,
    variants=(BY_THREE, TWICE, TWICE_AFTER, BEYOND, LEAP),
    scopes={"small": Size()},
)


def numbers(design: Design) -> list[int]:
    """The numbers that a design counts through."""
    interpreter = Interpreter(design, design.scope("small"))
    (state,) = interpreter.initial_states()
    found = [state.number]
    while interpreter.is_enabled(state, Step("counter_counts")):
        state = interpreter.take(state, Step("counter_counts"))
        found.append(state.number)
    return found


@pytest.mark.parametrize(
    ("variants", "counted"),
    [
        ((), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (("by_three",), [3, 6, 9]),
        (("twice",), [2, 4, 6, 8, 10]),
        (("by_three", "twice_after"), [2, 4, 6, 8, 10]),
        (("beyond",), [1, 3, 5, 7, 9]),
        (("beyond", "by_three"), [3, 7]),
    ],
)
def test_every_call_of_a_helper_means_its_definition(
    variants: tuple[str, ...], counted: list[int]
) -> None:
    design = DESIGN.with_variants(*variants)
    assert numbers(design) == counted
    result = explore(design, design.scope("small"), MemoryExecution)
    assert result.distinct_states == len(counted)
    verdicts = {one.name: one.verdict for one in result.properties}
    assert (verdicts["strides_end_at_ten"] == "HOLDS") == (counted[-1] == 10)


def test_definitions_compose_in_any_order() -> None:
    there = DESIGN.with_variants("beyond", "by_three")
    assert there == DESIGN.with_variants("by_three", "beyond")
    one_by_one = DESIGN.with_variant("by_three").with_variant("beyond")
    other_way = DESIGN.with_variant("beyond").with_variant("by_three")
    assert numbers(there) == numbers(one_by_one) == numbers(other_way)


def test_a_definition_that_moves_what_a_property_asks_says_why() -> None:
    message = (
        "defines 'following' anew, which number_is_small, strides_end_at_ten call, too: what is "
        "asked would move"
    )
    with pytest.raises(DesignError, match=message):
        DESIGN.derive(name="d", title="D", change=Edit(define={following: beyond}))
    design = DESIGN.with_variant("beyond")
    assert design.moved == {"following": GUARDED}
    result = explore(design, design.scope("small"), MemoryExecution)
    assert result.as_dict()["redefines"] == {"following": GUARDED}
    (helper,) = difference(DESIGN, design).helpers
    assert helper.edits[1] == f"properties ask it, too: {GUARDED}"


def test_what_another_edit_brings_to_a_property_is_not_moved_without_a_word_in_any_order() -> None:
    by_legs = defining("by_legs", stride=by_leg)
    longer = Variant(name="longer", because="a test", define={leg: long_leg})
    for variants in ((by_legs, longer), (longer, by_legs)):
        with pytest.raises(DesignError, match="'longer' defines 'leg' anew, which number_is_small"):
            edited(DESIGN, variants)
    said = defining("said", leg=long_leg)
    assert numbers(edited(DESIGN, (said, by_legs)))[:2] == [5, 10]


def test_a_property_that_comes_later_calls_no_helper_that_was_moved_without_a_word() -> None:
    silent = replace(DESIGN, properties=())
    moved = silent.derive(name="d", title="D", change=Edit(define={stride: twice}))
    with pytest.raises(DesignError, match="the design defines 'stride' anew, which strides_end"):
        moved.derive(name="e", title="E", change=Edit(add_properties=(strides_end_at_ten,)))


def test_a_helper_that_only_the_protocol_calls_is_defined_without_a_reason() -> None:
    silent = replace(DESIGN, properties=())
    assert silent.derive(name="d", title="D", change=Edit(define={stride: twice})).moved == {}


def test_a_property_that_a_derived_design_states_anew_calls_what_it_defines() -> None:
    change = Edit(define={stride: by_three}, redefines={stride: GUARDED})
    derived = DESIGN.derive(name="d", title="D", change=change, properties=(strides_end_at_ten,))
    result = explore(derived, derived.scope("small"), MemoryExecution)
    assert [one.verdict for one in result.properties] == ["VIOLATED"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"redefines": {stride: GUARDED}}, "`define` does not change it"),
        ({"define": {stride: twice}, "redefines": {stride: " "}}, "gives no reason why"),
    ],
)
def test_a_reason_is_of_a_definition_and_is_given(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        Edit(**fields)


def test_what_another_edit_adds_calls_it_too() -> None:
    design = DESIGN.with_variants("leap", "by_three")
    interpreter = Interpreter(design, design.scope("small"))
    (state,) = interpreter.initial_states()
    assert interpreter.take(state, Step("counter_leaps")).number == 7


def test_nothing_changes_for_the_design_itself() -> None:
    DESIGN.with_variant("by_three")
    assert numbers(DESIGN)[:2] == [1, 2]
    assert DESIGN.with_variant("leap").action("counter_counts").effect is counter_counts.effect


def test_two_definitions_of_one_helper_are_named() -> None:
    with pytest.raises(DesignError, match="'twice' and variant 'by_three' both replace 'stride'"):
        DESIGN.with_variants("by_three", "twice")


def test_a_helper_that_nothing_calls_is_an_error() -> None:
    with pytest.raises(UnknownName, match="unused"):
        DESIGN.derive(name="d", title="D", change=Edit(define={unused: by_three}))


def test_what_only_a_definition_calls_can_be_defined_in_a_derived_design() -> None:
    by_legs = Edit(define={stride: by_leg}, redefines={stride: GUARDED})
    on_long_legs = Edit(define={leg: long_leg}, redefines={leg: GUARDED})
    walking = DESIGN.derive(name="d", title="D", change=by_legs)
    longer = walking.derive(name="e", title="E", change=on_long_legs)
    steps = [numbers(design)[1] - numbers(design)[0] for design in (DESIGN, walking, longer)]
    assert steps == [1, 3, 5]


def test_a_variant_replaces_a_rule_of_the_design_only_by_its_own_name() -> None:
    by_twice = defining("by_twice", by_three=twice)
    by_threes = Edit(define={stride: by_three}, redefines={stride: GUARDED})
    derived = DESIGN.derive(name="d", title="D", change=by_threes)
    knowing = replace(derived, variants=(BY_THREE, TWICE, by_twice))
    message = "variant 'twice' replaces 'stride', for which the design has a rule of its own, 'by_t"
    with pytest.raises(DesignError, match=message):
        knowing.with_variant("twice")
    with pytest.raises(DesignError, match="defines 'stride' as 'by_three', which it is already"):
        knowing.with_variant("by_three")
    assert numbers(knowing.with_variant("by_twice")) == numbers(DESIGN.with_variant("twice"))


def test_a_definition_takes_the_arguments_of_what_it_replaces() -> None:
    with pytest.raises(DesignError, match="'with_another' takes 2 arguments"):
        Edit(define={stride: with_another})
    with pytest.raises(DesignError, match="no plain function"):
        Edit(define={is_next_small: stride})
