"""Traps: constructs that a compiler easily gets wrong. Each is refused or compiled correctly.

A docstring says what CPython does.
"""

# mypy: ignore-errors
# ruff: noqa: F401, F811

import functools
from enum import IntEnum

from tests.agreement.constructs import toy as cell
from tests.agreement.constructs.toy import Bounds, Mode, Slot, Toy, double, ticked
from tierproof.model.language import Guard, action, guard

MIXED = (0, (10, 20))
DEEPER = (((1, 2), (3, 4)), 5, (6, 7))


class Huge(IntEnum):
    SMALL = 0
    LARGE = (1 << 70) + 3


class Lenient(IntEnum):
    LOW = 0
    HIGH = 1

    @classmethod
    def _missing_(cls, value: object) -> "Lenient":
        return cls.LOW


# -- names


def a_loop_variable_named_like_a_module(state: Toy) -> int:
    """The variable is meant and not the module, although that has a name `LIMIT` too."""
    return sum(cell.LIMIT for cell in state.cells)


def a_loop_variable_named_like_an_enum(state: Toy) -> int:
    """The variable is meant: a member has no other members as attributes we know of."""
    return sum(Mode.size for Mode in state.cells)


def a_loop_variable_that_is_called(state: Toy) -> int:
    """A number is called, which is a TypeError."""
    return sum(double(double) for double in range(2))


def a_variable_of_an_inner_loop_used_too_early(state: Toy) -> int:
    """Within the brackets `number` is their own from the start: an UnboundLocalError."""
    number = 2
    return number + sum(number for _ in range(2) for number in range(number))


def _inner(state: Toy, factor: int = 1) -> int:
    return factor


@functools.wraps(_inner)
def _outer(state: Toy, factor: int = 2) -> int:
    return factor


def a_wrapper_with_a_default_of_its_own(state: Toy) -> int:
    """The default is the wrapper's, which is what is called."""
    return _outer(state) + state.x


# -- evaluated once, and in order


def arguments_by_name_in_another_order(state: Toy) -> None:
    """They are evaluated as they stand in the call."""
    state.result = _weighed(other=ticked(state), one=state.number)


def _weighed(one: int, other: int) -> int:
    return one * 100 + other


def a_loop_over_a_tuple_that_a_helper_returns(state: Toy) -> None:
    """The helper is called once."""
    for number in _two_ticks(state):
        state.result = number


def in_a_tuple_that_a_helper_returns(state: Toy) -> None:
    """The helper is called once."""
    state.truth = state.x in _two_ticks(state)


def _two_ticks(state: Toy) -> tuple[int, int]:
    return ticked(state), ticked(state)


def the_length_of_a_tuple_of_effects(state: Toy) -> None:
    """The items are evaluated before the tuple is measured."""
    state.result = len((ticked(state), 1))


def the_length_of_a_tuple_that_fails(state: Toy) -> int:
    """The items are evaluated, with a ZeroDivisionError."""
    return len((6 // state.x, 1))


def the_length_of_a_row_outside_a_table(state: Toy) -> int:
    """The row is looked up, with an IndexError."""
    return len(((1, 2), (3, 4))[state.x])


def a_bound_of_a_scope_that_a_helper_returns(state: Toy, scope: Bounds) -> None:
    """The helper is called."""
    state.result = _ticked_scope(state, scope).most


def _ticked_scope(state: Toy, scope: Bounds) -> Bounds:
    ticked(state)
    return scope


# -- tables


def a_table_of_a_number_and_a_row(state: Toy) -> int:
    """The second item is a row of two."""
    return MIXED[1][state.flag]


def a_table_of_rows_of_several_shapes(state: Toy) -> int:
    """The third item is a row of two."""
    return DEEPER[2][state.flag]


# -- enums


def a_member_of_more_than_64_bits(state: Toy) -> bool:
    """It is not 3."""
    return Huge.LARGE == 3 or state.flag


def a_member_of_more_than_64_bits_by_its_number(state: Toy) -> int:
    """There is no member of number 3: a ValueError."""
    return Huge(state.x)


def an_enum_that_has_a_member_for_every_number(state: Toy) -> int:
    """Numbers that no member has stand for LOW."""
    return Lenient(state.x)


# -- nothing


def _clear(state: Toy) -> None:
    state.number = 0


def nothing_equals_nothing(state: Toy) -> bool:
    """None is equal to None."""
    return _returned(state) == _returned(state)


def _returned(state: Toy) -> None:
    return


def nothing_as_an_argument(state: Toy) -> bool:
    """None is equal to None."""
    return _is_itself(_returned(state))


def _is_itself(thing: object) -> bool:
    return thing == thing


def scopes_in_tuples(state: Toy, scope: Bounds) -> None:
    """A scope is equal to itself."""
    state.truth = (scope, 1) == (scope, 1)


def an_effect_that_returns_a_tuple(state: Toy) -> None:
    """What it returns is dropped."""
    state.number = 0
    return 1, 2


def _pair(state: Toy) -> tuple[int, int]:
    return 0, 0


_is_pair = Guard("_is_pair", _pair, ())
_is_nothing = Guard("_is_nothing", _returned, ())


def a_guard_of_a_tuple_within_a_predicate(state: Toy) -> bool:
    """A tuple that is not empty is true."""
    return _is_pair(state)


def a_guard_of_nothing_within_a_predicate(state: Toy) -> bool:
    """None is false."""
    return _is_nothing(state)


# -- parameters


@guard
def _is_above(state: Toy, least: int) -> bool:
    return state.x > least


def a_guard_with_an_argument_by_name(state: Toy) -> bool:
    """Guards take arguments by place alone: a TypeError."""
    return _is_above(state, least=2)


def an_effect_with_a_parameter_by_name_alone(state: Toy, *, slot: Slot) -> None:
    """Parameters are given by place: a TypeError."""
    state.result = slot


# -- predicates that assign


@action()
def _sets_truth(state: Toy) -> None:
    state.truth = True


def a_predicate_that_assigns_by_an_effect(state: Toy) -> bool:
    """What is handed to a predicate is closed for assignment: AssignmentInPredicate."""
    _sets_truth.effect(state)
    return state.x > 0
