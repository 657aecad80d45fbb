"""Odd types and wrongly assembled designs: refused, or compiled correctly.

Each function makes a design, and its docstring says how CPython runs it.
"""

# mypy: ignore-errors

from enum import IntEnum
from typing import Annotated

from tests.agreement.constructs.stage import as_effect, declared
from tests.agreement.constructs.toy import Bounds, Toy
from tierproof.model.language import (
    Design,
    Range,
    Record,
    State,
    action,
    guard,
    initial,
    invariant,
    within_bounds,
)


class Backwards(IntEnum):
    LOW = 0
    HIGH = 1

    def __lt__(self, other: int) -> bool:
        return int(self) > int(other)


class Alike(IntEnum):
    ONE = 0
    OTHER = 1

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = IntEnum.__hash__


class Reversed(IntEnum):
    TRUE = 0
    FALSE = 1

    def __bool__(self) -> bool:
        return self is Reversed.TRUE


class Loose(Record):
    """A record that looks at one of its fields when it is compared."""

    number: Annotated[int, Range(0, 3)]
    rest: Annotated[int, Range(0, 3)]

    def __eq__(self, other: object) -> bool:
        return self.number == other.number

    __hash__ = None


class Odd(State):
    x: Annotated[int, Range(0, 3)]
    result: Annotated[int, Range(-1, 9)]


class OddlyOrdered(Odd):
    one: Backwards
    other: Backwards


class OddlyEqual(Odd):
    one: Alike
    other: Alike


class OddlyTrue(Odd):
    one: Reversed
    other: Reversed


class OddlyCompared(Odd):
    one: Loose
    other: Loose


class Wide(Odd):
    one: Annotated[int, Range(-(1 << 62), 1 << 62)]
    other: Annotated[int, Range(0, 3)]


@initial
def half_and_half(state: Odd, x: Annotated[int, Range(0, 3)]) -> None:
    state.x = x
    state.one, state.other = x % 2, x // 2


@initial
def records(state: OddlyCompared, x: Annotated[int, Range(0, 3)]) -> None:
    state.x = x
    state.one.number, state.one.rest = x % 2, x // 2


@initial
def the_highest(state: Wide) -> None:
    state.one = 1 << 62


@action()
def _compares(state: Odd) -> None:
    state.result = (state.one < state.other) * 2 + (state.one == state.other)


@action()
def _equates(state: Odd) -> None:
    state.result = state.one == state.other


@action()
def _tests(state: Odd) -> None:
    state.result = 1 if state.one else 2


def _odd(state: type[State], act: object, begin: object = half_and_half, **parts: object) -> Design:
    scopes = {"only": Bounds()}
    return Design(
        name="odd",
        title="Odd",
        state=state,
        initial=(begin,),
        system=(act,),
        scopes=scopes,
        **parts,
    )


def fields_of_an_enum_with_an_order_of_its_own() -> Design:
    """HIGH is less than LOW."""
    return _odd(OddlyOrdered, _compares)


def fields_of_an_enum_with_an_equality_of_its_own() -> Design:
    """Every member is equal to every other."""
    return _odd(OddlyEqual, _equates)


def fields_of_an_enum_with_a_truth_of_its_own() -> Design:
    """The member of number 0 is true, and alone."""
    return _odd(OddlyTrue, _tests)


def records_with_an_equality_of_their_own() -> Design:
    """They are equal if one of their fields is."""
    return _odd(OddlyCompared, _equates, records)


def a_field_of_2_to_the_63_values_and_one() -> Design:
    """It is a number like any other."""
    return _odd(Wide, _equates, the_highest)


# -- predicates that assign


@guard
def _assigns_below(state: Toy) -> bool:
    return _marked(state)


@invariant(premise=_assigns_below)
def _is_never_marked(state: Toy) -> bool:
    return state.number > -9


@within_bounds
def _is_marked(state: Toy) -> bool:
    return _marked(state)


def _marked(state: Toy) -> bool:
    state.truth = True
    return True


def _counts(state: Toy) -> None:
    state.result += 1


def _marks(state: Toy) -> None:
    state.result = 1


def a_premise_whose_helper_assigns() -> Design:
    """What is handed to a premise is closed for assignment: AssignmentInPredicate."""
    return declared(as_effect(_counts), properties=(_is_never_marked,))


def bounds_whose_helper_assigns() -> Design:
    """What is handed to the bounds is closed for assignment: AssignmentInPredicate."""
    return declared(as_effect(_counts), bounds=_is_marked)


def an_invariant_that_assigns_by_an_effect() -> Design:
    """What is handed to an invariant is closed for assignment: AssignmentInPredicate."""
    marks = action(stutters=True)(_marks)

    @invariant()
    def is_marked(state: Toy) -> bool:
        marks.effect(state)
        return state.result == 1

    return declared(as_effect(_counts), properties=(is_marked,))
