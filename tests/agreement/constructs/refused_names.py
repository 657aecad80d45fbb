"""Undefined names, and calls outside the language, each refused at the line that is marked.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: F821, SIM300

import functools
import math
import random
import time
from types import SimpleNamespace

import numpy as np

from tests.agreement.constructs import toy
from tests.agreement.constructs.toy import LIMIT, Bounds, Toy, double
from tierproof.model.language import action

CONFIG = SimpleNamespace(limit=3)
NUMBERS = [1, 2]
LIMITS = {"x": 3}
RATIO = 0.5
NAME = "toy"
HUGE = 1 << 63
TRIPLE = functools.partial(double, 3)
KNOWN = functools.lru_cache(double)


# -- mistyped


def a_mistyped_field(state: Toy) -> int:
    """`state.numbr` ... Toy has no field 'numbr' ... did you mean number?"""
    return state.numbr  # refused


def a_mistyped_field_of_a_record(state: Toy) -> int:
    """`state.box.cell.sise` ... Cell has no field 'sise' ... did you mean size"""
    return state.box.cell.sise  # refused


def a_mistyped_field_assigned(state: Toy) -> None:
    """`state.resul` ... Toy has no field 'resul' ... did you mean result"""
    state.resul = 3  # refused


def a_mistyped_bound(state: Toy, scope: Bounds) -> None:
    """`scope.mots` ... names no bound of Bounds ... did you mean most"""
    state.number = scope.mots  # refused


def a_mistyped_global(state: Toy) -> int:
    """`LIMTI` ... is a name that nothing defines ... did you mean LIMIT"""
    return state.x + LIMTI  # refused


def a_mistyped_variable(state: Toy) -> int:
    """`founds` ... is a name that nothing defines ... did you mean found"""
    found = state.x
    return founds + found  # refused


def a_mistyped_function(state: Toy) -> int:
    """`duoble(state.x)` ... calls what nothing defines ... did you mean double?"""
    return duoble(state.x)  # refused


def a_mistyped_name_of_a_module(state: Toy) -> int:
    """`toy.LIMTI` ... tests.agreement.constructs.toy has no 'LIMTI' ... did you mean LIMIT"""
    return toy.LIMTI  # refused


def a_mistyped_function_of_a_module(state: Toy) -> int:
    """`toy.duoble` ... has no 'duoble' ... did you mean double"""
    return toy.duoble(state.x)  # refused


def a_mistyped_member_of_a_module(state: Toy) -> bool:
    """`toy.Mode.BROKE` ... Mode has no member 'BROKE' ... did you mean BROKEN"""
    return state.mode is toy.Mode.BROKE  # refused


def a_name_like_none_that_there_is(state: Toy) -> int:
    """`zyxwvut` ... is a name that nothing defines ... define it first"""
    return zyxwvut  # refused


def the_variable_of_a_generator_outside_it(state: Toy) -> int:
    """`entry` ... is a name that nothing defines"""
    return sum(entry for entry in state.row) + entry  # refused


# -- values that are no numbers


def a_global_object(state: Toy) -> int:
    """`CONFIG` ... is of type SimpleNamespace ... only numbers, members of an IntEnum"""
    return CONFIG.limit  # refused


def a_global_list(state: Toy) -> int:
    """`NUMBERS` ... is of type list ... write a tuple, which nobody can change"""
    return NUMBERS[0]  # refused


def a_global_dictionary(state: Toy) -> int:
    """`LIMITS` ... is of type dict ... only numbers, members of an IntEnum and tuples"""
    return LIMITS["x"]  # refused


def a_global_float(state: Toy) -> int:
    """`RATIO` ... is of type float ... states are whole numbers"""
    return int(state.x * RATIO)  # refused


def a_global_text(state: Toy) -> bool:
    """`NAME` ... is of type str ... only numbers"""
    return NAME == state.x  # refused


def a_global_number_of_more_than_64_bits(state: Toy) -> bool:
    """`HUGE` ... has more than 64 bits ... use smaller numbers"""
    return state.x < HUGE  # refused


def a_float_of_a_module(state: Toy) -> bool:
    """`math.pi` ... is of type float ... states are whole numbers"""
    return state.x < math.pi  # refused


def a_module_as_a_value(state: Toy) -> int:
    """`toy` ... is the module 'tests.agreement.constructs.toy' ... only numbers"""
    return toy + state.x  # refused


def a_function_as_a_value(state: Toy) -> int:
    """`double` ... is the function 'double' ... only numbers"""
    twice = double  # refused
    return twice(state.x)


def a_bound_of_the_class(state: Toy) -> int:
    """`Bounds` ... is the type 'Bounds' ... only numbers"""
    return Bounds.most + state.x  # refused


def _made_with_a_list() -> object:
    found = [1, 2]

    def a_closure_over_a_list(state: Toy) -> None:
        """`found` ... is of type list ... write a tuple, which nobody can change"""
        state.number = found[0]  # refused

    return a_closure_over_a_list


a_closure_over_a_list = _made_with_a_list()


def the_state_as_a_number(state: Toy) -> int:
    """`state` ... is a Toy ... a number is needed here"""
    return state + 1  # refused


def the_scope_as_a_value(state: Toy, scope: Bounds) -> None:
    """`bounds = scope` ... assigns the scope Bounds ... assign a value"""
    bounds = scope  # refused
    state.number = bounds.most


# -- calls out of the language


def a_random_number(state: Toy) -> int:
    """`random.randint(0, 3)` ... calls 'randint', which is no plain function ... with `def`"""
    return random.randint(0, 3)  # refused


def a_random_number_of_numpy(state: Toy) -> int:
    """`np.random.randint(0, 4)` ... calls 'randint', which is no plain function ... with `def`"""
    return np.random.randint(0, 4)  # refused


def the_clock(state: Toy) -> int:
    """`time.time()` ... calls 'time', which is no plain function ... write it with `def`"""
    return int(time.time())  # refused


def a_function_written_in_c(state: Toy) -> int:
    """`math.gcd(state.x, 4)` ... calls 'gcd', which is no plain function ... with `def`"""
    return math.gcd(state.x, 4)  # refused


def a_partial_function(state: Toy) -> int:
    """`TRIPLE()` ... calls 'partial', which is no plain function ... write it with `def`"""
    return TRIPLE()  # refused


def a_cached_function(state: Toy) -> int:
    """`KNOWN(state.x)` ... calls 'double', which is no plain function ... write it with `def`"""
    return KNOWN(state.x)  # refused


def a_method_of_the_state(state: Toy) -> int:
    """`state.fields()` ... calls a method ... write a function that takes the record"""
    return len(state.fields())  # refused


def an_attribute_that_is_no_field(state: Toy) -> int:
    """`state.leaves` ... is no field of Toy ... write a function that takes the record"""
    return state.leaves[0]  # refused


def a_method_of_an_array(state: Toy) -> int:
    """`state.row.count(1)` ... calls a method ... write a function that takes the record"""
    return state.row.count(1)  # refused


def a_method_of_a_number(state: Toy) -> int:
    """`state.x.bit_length()` ... calls a method ... write a function"""
    return state.x.bit_length()  # refused


def a_field_that_is_called(state: Toy) -> int:
    """`state.x(3)` ... calls a method ... write a function"""
    return state.x(3)  # refused


def a_variable_that_is_called(state: Toy) -> int:
    """`double(state.x)` ... calls a variable ... call a function by its own name"""
    double = 3
    return double(state.x)  # refused


@action()
def acts(state: Toy) -> None:
    """An action, which is no helper."""
    state.number = 0


def an_action_that_is_called(state: Toy) -> None:
    """`acts(state)` ... calls 'acts', which is no plain function"""
    acts(state)  # refused


# -- arguments


def too_many_arguments(state: Toy) -> int:
    """`double(state.x, 2)` ... does not fit: too many positional arguments"""
    return double(state.x, 2)  # refused


def too_few_arguments(state: Toy) -> int:
    """`double()` ... does not fit: missing a required argument: 'number'"""
    return double()  # refused


def an_argument_that_there_is_not(state: Toy) -> int:
    """`double(state.x, twice=1)` ... got an unexpected keyword argument 'twice'"""
    return double(state.x, twice=1)  # refused


def an_argument_given_twice(state: Toy) -> int:
    """`double(state.x, number=1)` ... multiple values for argument 'number'"""
    return double(state.x, number=1)  # refused


def too_few_arguments_of_a_builtin(state: Toy) -> int:
    """`abs()` ... another number of arguments ... give what it takes"""
    return abs()  # refused


def _total(*numbers: int) -> int:
    return len(numbers)


def any_number_of_arguments(state: Toy) -> int:
    """`_total(state.x, 2)` ... has any number of arguments ... name each of them"""
    return _total(state.x, 2)  # refused


def arguments_that_are_spread(state: Toy) -> int:
    """`max(*pair)` ... spreads its arguments ... write them one by one"""
    pair = (state.x, state.y)
    return max(*pair)  # refused


def named_arguments_that_are_spread(state: Toy) -> int:
    """`double(**{'number': 3})` ... has any number of arguments ... name each of them"""
    return double(**{"number": 3})  # refused


def _halved(number: int, ratio: float = 0.5) -> int:
    return int(number * ratio)


def a_default_that_is_no_number(state: Toy) -> int:
    """`_halved(state.x)` ... is of type float ... states are whole numbers"""
    return _halved(state.x)  # refused


def _area(thing: object) -> int:
    return thing.size * thing.size  # refused: a_helper_that_one_record_does_not_fit


def a_helper_that_one_record_does_not_fit(state: Toy) -> int:
    """in '_area' ... `thing.size` ... Box has no field 'size'"""
    return _area(state.tag) + _area(state.box)


# -- recursion


def a_function_that_calls_itself(state: Toy) -> int:
    """`a_function_that_calls_itself(state)` ... calls itself ... write a loop"""
    return a_function_that_calls_itself(state) if state.x else LIMIT  # refused


def _one(number: int) -> int:
    return _other(number - 1) if number else 0


def _other(number: int) -> int:
    return _one(number - 1) if number else 1  # refused: functions_that_call_each_other


def functions_that_call_each_other(state: Toy) -> int:
    """in '_other' ... `_one(number - 1)` ... calls itself in the end ... write a loop"""
    return _one(state.x)
