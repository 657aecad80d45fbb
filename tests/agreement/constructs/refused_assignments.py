"""Assignments, variables and returns that do not fit, each refused at the line that is marked.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: B007, B015, B018, F821, F841, RUF059

from tests.agreement.constructs.toy import Bounds, Toy


def what_does_nothing(state: Toy) -> None:
    """`state.x` ... does nothing ... assign it, or take it out"""
    state.x  # refused


def a_comparison_for_an_assignment(state: Toy) -> None:
    """`state.number == 3` ... does nothing ... assign it, or take it out"""
    state.number == 3  # refused


def a_value_handed_out(state: Toy) -> None:
    """`yield state.x` ... does nothing"""
    state.number = 0
    yield state.x  # refused


def what_is_never_reached(state: Toy) -> None:
    """`state.number = 1` ... is never reached ... take it out"""
    return
    state.number = 1  # refused


def what_is_never_reached_in_a_loop(state: Toy) -> None:
    """`state.number = 1` ... is never reached ... take it out"""
    for _ in range(3):
        break
        state.number = 1  # refused


def a_starred_target(state: Toy) -> None:
    """`one, *rest = (1, 2, 3)` ... takes the rest ... write the items one by one"""
    one, *rest = (1, 2, 3)  # refused
    state.number = one


def too_few_targets(state: Toy) -> None:
    """`one, other = (1, 2, 3)` ... a tuple of 3 into 2 names ... give a tuple of as many"""
    one, other = (1, 2, 3)  # refused
    state.number = one


def an_unpacked_array(state: Toy) -> None:
    """`one, other = state.short` ... unpacks an array (2 times a number) ... a tuple of as many"""
    one, other = state.short  # refused
    state.number = one


def an_item_of_a_tuple_assigned(state: Toy) -> None:
    """`pair[0]` ... cannot be assigned to ... assign to a field or an element"""
    pair = (state.x, state.y)
    pair[0] = 3  # refused


def a_slice_assigned(state: Toy) -> None:
    """`state.row[0:2]` ... is a slice ... write a loop over the indexes"""
    state.row[0:2] = state.short  # refused


def a_tuple_into_an_array(state: Toy) -> None:
    """`state.row = (1, 2, 3)` ... a tuple of 3 to what is an array ... what the field holds"""
    state.row = (1, 2, 3)  # refused


def a_number_into_a_record(state: Toy) -> None:
    """`state.cells[0] = 3` ... a number to what is a Cell ... what the field holds"""
    state.cells[0] = 3  # refused


def a_record_into_a_number(state: Toy) -> None:
    """`state.number = state.tag` ... a Tag to what is a number ... what the field holds"""
    state.number = state.tag  # refused


def a_record_into_one_of_another_type(state: Toy) -> None:
    """`state.cells[0] = state.tag` ... a Tag to what is a Cell ... what the field holds"""
    state.cells[0] = state.tag  # refused


def an_array_of_records_into_one_of_numbers(state: Toy) -> None:
    """`state.row = state.cells` ... assigns ... what the field holds"""
    state.row = state.cells  # refused


def none_into_a_number(state: Toy) -> None:
    """`None` ... is None ... write NONE (-1)"""
    state.number = None  # refused


def nothing_into_a_variable(state: Toy) -> None:
    """`_opens(state)` ... gives nothing back ... call it in a line of its own"""
    found = _opens(state)  # refused


def nothing_into_a_field(state: Toy) -> None:
    """`_opens(state)` ... gives nothing back ... call it in a line of its own"""
    state.number = _opens(state)  # refused


def _opens(state: Toy) -> None:
    state.cells[0].is_open = True


def a_bound_assigned(state: Toy, scope: Bounds) -> None:
    """`scope.most` ... assigns to the scope Bounds ... only records have fields"""
    scope.most = 3  # refused


def an_array_that_is_added_to(state: Toy) -> None:
    """`state.row += state.row` ... computes with an array ... compute with numbers"""
    state.row += state.row  # refused


def a_field_that_is_divided(state: Toy) -> None:
    """`state.number /= 2` ... does not stay in whole numbers ... write //"""
    state.number /= 2  # refused


def a_field_to_a_power(state: Toy) -> None:
    """`state.number **= 2` ... does not stay in whole numbers ... 1 << n"""
    state.number **= 2  # refused


# -- variables and returns


def a_variable_of_two_types(state: Toy) -> None:
    """`found = state.row` ... gives 'found', which is a number ... use another name"""
    found = state.x
    found = state.row  # refused


def a_variable_of_two_types_of_record(state: Toy) -> None:
    """`thing = state.tag` ... which is a Cell, a value that is a Tag ... use another name"""
    thing = state.cells[0]
    if state.flag:
        thing = state.tag  # refused
    thing.size = 1


def a_variable_assigned_in_one_branch(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before, on every way to this line"""
    if state.flag:
        found = 3
    state.number = found  # refused


def a_variable_assigned_in_a_loop(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before"""
    for number in range(state.x):
        found = number
    state.number = found  # refused


def the_variable_of_a_loop_after_it(state: Toy) -> None:
    """`number` ... may have no value here ... assign it before"""
    for number in range(state.x):
        state.truth = True
    state.number = number  # refused


def a_variable_assigned_later_in_a_loop(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before"""
    for number in range(3):
        if number > 1:
            state.number = found  # refused
        found = number


def a_variable_assigned_behind_a_break(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before"""
    while True:
        if state.flag:
            break
        found = 3
        break
    state.number = found  # refused


def a_variable_that_is_declared_alone(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before"""
    found: int
    state.number = found  # refused


def a_variable_added_to_before_it_is_there(state: Toy) -> None:
    """`found` ... may have no value here ... assign it before"""
    found += 1  # refused
    state.number = found


def a_return_that_is_missing(state: Toy) -> int:  # refused
    """in 'a_return_that_is_missing' ... may end without a value ... return one at its end"""
    if state.flag:
        return 3


def returns_of_a_value_and_of_nothing(state: Toy) -> int:
    """`return` ... returns nothing, and elsewhere a number ... return one type of value"""
    if state.flag:
        return 3
    return  # refused


def returns_of_two_types(state: Toy) -> int:
    """`return (state.x, 2)` ... a tuple of 2, and elsewhere a number ... return one type"""
    if state.flag:
        return 3
    return (state.x, 2)  # refused


def a_guard_that_returns_nothing(state: Toy) -> bool:  # refused
    """'a_guard_that_returns_nothing' returns nothing ... return True or False"""
    pass


def a_guard_that_returns_a_tuple(state: Toy) -> bool:  # refused
    """'a_guard_that_returns_a_tuple' returns a tuple of 2 ... return True or False"""
    return state.x, state.y


def a_guard_that_returns_a_record(state: Toy) -> bool:  # refused
    """'a_guard_that_returns_a_record' returns a Cell ... return True or False"""
    return state.cells[0]
