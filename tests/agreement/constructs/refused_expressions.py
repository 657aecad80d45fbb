"""Expressions outside the language, each refused at the line that is marked.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: E711, RUF060, SIM300, UP042

from enum import Enum, IntEnum, IntFlag

from tests.agreement.constructs.toy import LIMIT, Color, Gap, Mode, Toy


class Plain(Enum):
    A = 0
    B = 1


class Flags(IntFlag):
    READ = 1
    WRITE = 2


class Backwards(IntEnum):
    LOW = 0
    HIGH = 1

    def __lt__(self, other: int) -> bool:
        return int(self) > int(other)


class Named(str, Enum):
    A = "a"


# -- numbers


def division(state: Toy) -> int:
    """`state.x / 2` ... does not stay in whole numbers ... write //"""
    return state.x / 2  # refused


def power(state: Toy) -> int:
    """`state.x ** 2` ... does not stay in whole numbers ... 1 << n for a power of two"""
    return state.x**2  # refused


def product_of_matrices(state: Toy) -> int:
    """`state.x @ state.y` ... multiply numbers with *"""
    return state.x @ state.y  # refused


def a_float(state: Toy) -> int:
    """`0.5` ... is of type float ... states are whole numbers"""
    return int(state.x * 0.5)  # refused


def a_float_that_is_whole(state: Toy) -> bool:
    """`1000.0` ... is of type float ... states are whole numbers"""
    return state.x < 1e3  # refused


def a_call_of_float(state: Toy) -> int:
    """`float(state.x)` ... calls float() ... of the builtins there are len, range, min"""
    return float(state.x)  # refused


def a_complex_number(state: Toy) -> int:
    """`2j` ... is of type complex ... only numbers, members of an IntEnum and tuples"""
    return state.x + 2j  # refused


def a_number_of_more_than_64_bits(state: Toy) -> bool:
    """`9223372036854775808` ... has more than 64 bits ... use smaller numbers"""
    return state.x < 9223372036854775808  # refused


# -- text, and what else is no number


def text(state: Toy) -> bool:
    """`'on'` ... is of type str ... only numbers, members of an IntEnum and tuples"""
    return "on" == state.mode  # refused


def text_with_values(state: Toy) -> bool:
    """`f'{state.x}'` ... is not in the modelling language ... leave text to docstrings"""
    return f"{state.x}" == state.y  # refused


def bytes_of_text(state: Toy) -> bool:
    """`b'on'` ... is of type bytes ... only numbers, members of an IntEnum and tuples"""
    return b"on" == state.mode  # refused


def an_ellipsis(state: Toy) -> int:
    """`...` ... is of type ellipsis ... only numbers"""
    return ...  # refused


def none_by_identity(state: Toy) -> bool:
    """`None` ... is None ... write NONE (-1) for what is not there"""
    return state.x is None  # refused


def none_by_equality(state: Toy) -> bool:
    """`None` ... is None ... write NONE (-1) for what is not there"""
    return state.mode == None  # refused


def none_in_a_choice(state: Toy) -> int:
    """`None` ... is None ... write NONE (-1)"""
    return state.x if state.flag else None  # refused


# -- identity and comparison


def identity_of_numbers(state: Toy) -> bool:
    """`state.x is LIMIT` ... the same object ... write == or !="""
    return state.x is LIMIT  # refused


def identity_of_a_truth_and_a_number(state: Toy) -> bool:
    """`state.x is not True` ... the same object ... write == or !="""
    return state.x is not True  # refused


def identity_across_enums(state: Toy) -> bool:
    """`state.mode is Color.GREEN` ... a member of Mode is the same object as a member of Color"""
    return state.mode is Color.GREEN  # refused


def identity_of_records(state: Toy) -> bool:
    """`state.cells[0] is state.cells[1]` ... the same object ... write == or !="""
    return state.cells[0] is state.cells[1]  # refused


def identity_of_what_became_a_number(state: Toy) -> bool:
    """`found is True` ... a number is the same object as True or False ... write =="""
    found = state.flag
    if state.x:
        found = state.x
    return found is True  # refused


def order_of_records(state: Toy) -> bool:
    """`state.cells[0] < state.cells[1]` ... compares a Cell and a Cell ... compare numbers"""
    return state.cells[0] < state.cells[1]  # refused


def order_of_tuples(state: Toy) -> bool:
    """`(state.x, 1) < (2, 3)` ... compares a tuple of 2 and a tuple of 2 ... compare numbers"""
    return (state.x, 1) < (2, 3)  # refused


def a_number_and_a_record_compared(state: Toy) -> bool:
    """`state.x == state.cells[0]` ... compares a number and a Cell ... compare numbers"""
    return state.x == state.cells[0]  # refused


def records_of_two_types_compared(state: Toy) -> bool:
    """`state.tag != state.cells[0]` ... compares a Tag and a Cell ... compare numbers"""
    return state.tag != state.cells[0]  # refused


def tuples_of_two_lengths_compared(state: Toy) -> bool:
    """`(1, 2) == (state.x, 2, 3)` ... a tuple of 2 and a tuple of 3 ... compare numbers"""
    return (1, 2) == (state.x, 2, 3)  # refused


def in_within_a_chain(state: Toy) -> bool:
    """`0 < state.x in state.row` ... mixes `in` into a chain ... join the parts with `and`"""
    return 0 < state.x in state.row  # refused


def a_record_in_an_array(state: Toy) -> bool:
    """`state.cells[0]` ... is a Cell ... a number is needed here"""
    return state.cells[0] in state.cells  # refused


def a_number_among_records(state: Toy) -> bool:
    """`state.x in state.cells` ... where each is a Cell ... compare a field of it"""
    return state.x in state.cells  # refused


def in_a_range_with_steps(state: Toy) -> bool:
    """`state.x in range(0, 4, 2)` ... a range with steps ... use %"""
    return state.x in range(0, 4, 2)  # refused


def in_an_enum(state: Toy) -> bool:
    """`Mode` ... only numbers, members of an IntEnum and tuples"""
    return state.x in Mode  # refused


def in_a_set_of_large_numbers(state: Toy) -> bool:
    """`1000` ... is no member of a set ... none of 0 to 61 ... write a tuple, as"""
    return state.x in {1, 1000}  # refused


def in_nothing(state: Toy) -> bool:
    """`()` ... nothing loops over ... a range, an array or a tuple"""
    return state.x in ()  # refused


# -- truth of what is no number


def truth_of_an_array(state: Toy) -> bool:
    """`state.row` ... is an array ... a number is needed here"""
    return not state.row  # refused


def truth_of_a_record(state: Toy) -> bool:
    """`state.box` ... is a Box ... a number is needed here"""
    return bool(state.box)  # refused


def and_of_a_tuple(state: Toy) -> bool:
    """`(state.x, 1)` ... is a tuple of 2 ... a number is needed here"""
    return (state.x, 1) and state.flag  # refused


# -- enums


def an_enum_that_is_no_numbers(state: Toy) -> bool:
    """`Plain.A` ... Plain is no IntEnum ... derive it of IntEnum"""
    return Plain.A == Plain.B or state.flag  # refused


def an_enum_of_text(state: Toy) -> int:
    """`Named.A` ... Named is no IntEnum ... derive it of IntEnum"""
    return state.x if Named.A == Named.A else 0  # refused


def an_enum_of_flags(state: Toy) -> int:
    """`Flags.READ` ... Flags is no IntEnum ... derive it of IntEnum"""
    return state.x & Flags.READ  # refused


def an_enum_with_operators_of_its_own(state: Toy) -> bool:
    """`Backwards.LOW` ... Backwards has an operator of its own, __lt__ ... leave the members"""
    return Backwards.LOW < state.mode  # refused


def a_member_that_there_is_not(state: Toy) -> bool:
    """`Mode.BROKE` ... Mode has no member 'BROKE' ... did you mean BROKEN"""
    return state.mode == Mode.BROKE  # refused


def a_member_by_its_name(state: Toy) -> int:
    """`Mode` ... only numbers, members of an IntEnum and tuples of them"""
    return Mode["ON"]  # refused


def the_name_of_a_member(state: Toy) -> bool:
    """`state.mode.name` ... asks a member of Mode for 'name' ... only records have fields"""
    return state.mode.name == state.color.name  # refused


def the_value_of_a_number(state: Toy) -> int:
    """`state.x.value` ... asks a number for 'value' ... only records have fields"""
    return state.x.value  # refused


def a_number_of_no_enum(state: Toy) -> int:
    """`Plain(state.x)` ... Plain is no IntEnum ... derive it of IntEnum"""
    return Plain(state.x)  # refused


def a_member_of_two_numbers(state: Toy) -> int:
    """`Gap(state.x, 1)` ... another number of arguments ... give what it takes"""
    return Gap(state.x, 1)  # refused
