"""Statements outside the language, and loops, each refused at the line that is marked.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: B007

import builtins
from contextlib import nullcontext

from tests.agreement.constructs.toy import Toy

COUNT = 0


def an_assertion(state: Toy) -> None:
    """`assert state.x > 0` ... is not in the modelling language ... as a guard or as a property"""
    assert state.x > 0  # refused


def a_raised_exception(state: Toy) -> None:
    """`raise ValueError` ... is not in the modelling language ... state the condition as a guard"""
    if state.x > 0:
        raise ValueError  # refused


def a_caught_exception(state: Toy) -> None:
    """`try:` ... is not in the modelling language ... test for what could fail before it does"""
    try:  # refused
        state.number = 6 // state.x
    except ZeroDivisionError:
        state.number = 0


def a_context(state: Toy) -> None:
    """`with nullcontext():` ... is not in the modelling language ... leave files and locks"""
    with nullcontext():  # refused
        state.number = 0


def an_import(state: Toy) -> None:
    """`import math` ... is not in the modelling language ... import at the top of the file"""
    import math  # refused

    state.number = math.floor(state.x)


def an_import_of_a_name(state: Toy) -> None:
    """`from math import floor` ... not in the modelling language ... at the top of the file"""
    from math import floor  # refused

    state.number = floor(state.x)


def a_function_within(state: Toy) -> None:
    """`def inner ... is not in the modelling language ... beside this one"""

    def inner() -> int:  # refused
        return state.x

    state.number = inner()


def a_class_within(state: Toy) -> None:
    """`class Inner` ... is not in the modelling language ... at the top of the file"""

    class Inner:  # refused
        pass

    state.number = 0


def a_deleted_variable(state: Toy) -> None:
    """`del found` ... is not in the modelling language ... assign NONE (-1)"""
    found = state.x
    del found  # refused


def a_deleted_element(state: Toy) -> None:
    """`del state.row[0]` ... is not in the modelling language ... assign NONE (-1)"""
    del state.row[0]  # refused


def a_match(state: Toy) -> None:
    """`match state.x:` ... is not in the modelling language ... write if, elif and else"""
    match state.x:  # refused
        case 1:
            state.number = 1


def a_global(state: Toy) -> None:
    """`global COUNT` ... is not in the modelling language ... keep it in a field of the state"""
    global COUNT  # refused
    COUNT = state.x


def a_helper_that_writes_a_global(state: Toy) -> None:
    """in '_counted' ... `global COUNT` ... keep it in a field of the state"""
    state.number = _counted()


def _counted() -> int:
    global COUNT  # refused: a_helper_that_writes_a_global
    COUNT += 1
    return COUNT


def _made_with_nonlocal() -> object:
    count = 0

    def a_nonlocal(state: Toy) -> None:
        """`nonlocal count` ... not in the modelling language ... in a field of the state"""
        nonlocal count  # refused
        count += 1
        state.number = count % 5

    return a_nonlocal


a_nonlocal = _made_with_nonlocal()


# -- loops


def for_with_else(state: Toy) -> None:
    """`for number in range(3):` ... has an `else` ... set a variable before `break`"""
    for number in range(3):  # refused
        state.number = number
    else:
        state.number = 0


def while_with_else(state: Toy) -> None:
    """`while state.number > 0:` ... has an `else` ... set a variable before `break`"""
    while state.number > 0:  # refused
        state.number -= 1
    else:
        state.truth = True


def while_without_an_end(state: Toy) -> None:
    """`while True:` ... never ends ... leave it with `break` or `return`"""
    while True:  # refused
        state.number = 1


def for_over_two_names(state: Toy) -> None:
    """`(one, other)` ... is no single name ... loop over one name"""
    for one, other in ((1, 2), (3, 4)):  # refused
        state.number = one - other


def for_over_what_is_enumerated(state: Toy) -> None:
    """`enumerate(state.row)` ... calls enumerate() ... of the builtins there are len, range"""
    for entry in enumerate(state.row):  # refused
        state.number = entry[0]


def for_with_a_field_as_variable(state: Toy) -> None:
    """`state.number` ... is no single name ... loop over one name"""
    for state.number in range(3):  # refused
        pass


def for_over_a_number(state: Toy) -> None:
    """`state.x` ... is a number, which nothing loops over ... a range, an array or a tuple"""
    for number in state.x:  # refused
        state.number = number


def for_over_a_record(state: Toy) -> None:
    """`state.box` ... is a Box, which nothing loops over ... a range, an array or a tuple"""
    for part in state.box:  # refused
        state.number = part


def for_over_items_of_several_types(state: Toy) -> None:
    """`(state.x, state.tag)` ... has items of several types ... give them one type"""
    for item in (state.x, state.tag):  # refused
        state.number = 0


def for_over_steps_of_nothing(state: Toy) -> None:
    """`range(0, 4, 0)` ... has a step that is computed, or 0 ... write the step down"""
    for number in range(0, 4, 0):  # refused
        state.number = number


def for_over_steps_that_are_computed(state: Toy) -> None:
    """`range(0, 4, state.x)` ... has a step that is computed ... write the step down"""
    for number in range(0, 4, state.x):  # refused
        state.number = number


def a_message_that_is_printed(state: Toy) -> None:
    """`builtins.print(state.x)` ... calls print() ... of the builtins there are len, range"""
    builtins.print(state.x)  # refused
