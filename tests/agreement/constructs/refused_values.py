"""Lists, functions as values, calls of builtins, each refused at the line that is marked.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: C416, C420, E731

from tests.agreement.constructs.toy import Cell, Toy


def a_list(state: Toy) -> int:
    """`[1, 2]` ... is not in the modelling language ... write a tuple, in parentheses"""
    return [1, 2][state.x]  # refused


def a_dictionary(state: Toy) -> int:
    """`{0: 1, 1: 2}` ... is not in the modelling language ... write a function that compares"""
    return {0: 1, 1: 2}[state.x]  # refused


def a_list_made_by_a_loop(state: Toy) -> int:
    """`[number for number in state.row]` ... drop the brackets within any(...)"""
    return sum([number for number in state.row])  # refused


def a_set_of_records_made_by_a_loop(state: Toy) -> int:
    """`cell` ... is a Cell ... a number is needed here"""
    return len({cell for cell in state.cells})  # refused


def a_dictionary_made_by_a_loop(state: Toy) -> int:
    """`{number: 1 for number in state.row}` ... is not in the modelling ... write a loop"""
    return len({number: 1 for number in state.row})  # refused


def a_generator_that_stands_alone(state: Toy) -> int:
    """`(number for number in state.row)` ... use it within any(...), all(...) or sum(...)"""
    numbers = (number for number in state.row)  # refused
    return sum(numbers)


def a_slice(state: Toy) -> int:
    """`state.row[1:]` ... is a slice ... write a loop over the indexes"""
    return sum(state.row[1:])  # refused


def a_starred_item(state: Toy) -> int:
    """`*pair` ... is not in the modelling language ... write the items one by one"""
    pair = (state.x, state.y)
    return (*pair, 3)[2]  # refused


def an_index_that_a_tuple_has_not(state: Toy) -> int:
    """`(state.x, 2)[2]` ... is outside a tuple of 2 ... use an index that it has"""
    return (state.x, 2)[2]  # refused


def an_index_that_is_a_tuple(state: Toy) -> int:
    """`(0, 1)` ... is a tuple of 2 ... a number is needed here"""
    return state.grid[0, 1]  # refused


def an_element_of_a_number(state: Toy) -> int:
    """`state.x[0]` ... takes an element of a number ... only arrays have some"""
    return state.x[0]  # refused


def a_computed_index_into_records(state: Toy) -> int:
    """`(state.cells[0], state.box.cell)[state.x]` ... more than numbers ... write the index"""
    return (state.cells[0], state.box.cell)[state.x].size  # refused


def a_choice_between_a_number_and_a_record(state: Toy) -> int:
    """`state.x if state.flag else state.tag` ... is a number or a Tag ... one type"""
    return state.x if state.flag else state.tag  # refused


def a_choice_between_two_types_of_record(state: Toy) -> int:
    """`state.tag if state.flag else state.box.cell` ... a Tag or a Cell ... give both"""
    return (state.tag if state.flag else state.box.cell).size  # refused


def a_new_record_without_a_field(state: Toy) -> int:
    """`Cell(size=1)` ... does not name each field of Cell once ... give size, is_open by their"""
    return Cell(size=1).size  # refused


def a_range_as_a_value(state: Toy) -> int:
    """`range(3)` ... is a range outside of a loop ... write `for i in range(...)`"""
    numbers = range(3)  # refused
    return sum(numbers)


# -- what brings functions or names along


def a_lambda(state: Toy) -> int:
    """`lambda: 3` ... is not in the modelling language ... write a function with a name"""
    three = lambda: 3  # refused
    return three()


def a_lambda_called_at_once(state: Toy) -> int:
    """`lambda: 3` ... is not in the modelling language ... write a function with a name"""
    return (lambda: 3)() + state.x  # refused


def a_choice_between_functions(state: Toy) -> int:
    """`abs` ... is the builtin_function_or_method"""
    return (abs if state.flag else bool)(state.x)  # refused


def an_assignment_within(state: Toy) -> int:
    """`(found := state.x)` ... is not in the modelling language ... a statement of its own"""
    return (found := state.x) + found  # refused


def a_value_handed_in(state: Toy) -> int:
    """`(yield state.x)` ... is not in the modelling language ... numbers, fields and loops"""
    found = yield state.x  # refused
    return found


def any_over_pairs(state: Toy) -> bool:
    """`(one, other)` ... is no single name ... loop over one name"""
    return any(one > other for one, other in ((1, 2), (3, state.x)))  # refused


def any_over_records(state: Toy) -> bool:
    """`state.cells` ... has elements that are a Cell ... say what of each"""
    return any(state.cells)  # refused


def sum_from_a_start(state: Toy) -> int:
    """`sum(state.row, 1)` ... another number of arguments ... give it one loop"""
    return sum(state.row, 1)  # refused


def least_of_an_array(state: Toy) -> int:
    """`min(state.row)` ... has one argument ... or two numbers or more"""
    return min(state.row)  # refused


def greatest_by_a_key(state: Toy) -> int:
    """`max(state.x, state.y, key=abs)` ... names an argument ... leave the name out"""
    return max(state.x, state.y, key=abs)  # refused


def the_length_of_a_number(state: Toy) -> int:
    """`len(state.x)` ... the length of a number ... give it an array"""
    return len(state.x)  # refused


def a_number_from_text(state: Toy) -> int:
    """`'3'` ... is of type str ... only numbers"""
    return int("3") + state.x  # refused


def builtins_that_there_are_not(state: Toy) -> int:
    """`reversed(state.row)` ... calls reversed() ... len, range, min, max, abs, int, bool, any"""
    return reversed(state.row)[0]  # refused
