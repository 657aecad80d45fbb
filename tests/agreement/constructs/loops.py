"""Loops: any, all, sum; for over ranges, arrays and tuples; while; break, continue, return."""

from tests.agreement.constructs.toy import GRID, Toy


def any_over_a_range(state: Toy) -> bool:
    return any(number == state.x for number in range(3))


def all_over_a_range_with_steps(state: Toy) -> bool:
    return all(number != state.x for number in range(4, -5, -3))


def sum_over_a_range(state: Toy) -> int:
    return sum(number * number for number in range(state.y, state.x))


def any_over_an_array(state: Toy) -> bool:
    return any(state.row)


def all_over_a_tuple(state: Toy) -> bool:
    return all((state.x, state.flag, state.mode))


def any_over_a_range_itself(state: Toy) -> bool:
    return any(range(state.x))


def sum_of_an_array_and_of_a_tuple(state: Toy) -> int:
    return sum(state.wide) * 100 + sum((state.x, state.flag)) + sum(state.truths)


def of_nothing_all_hold_and_none_does(state: Toy) -> int:
    every = all(number > 9 for number in range(state.x - 9))
    return every * 10 + any(range(0)) + sum(number for number in range(3, 3))


def sum_of_truths_counts(state: Toy) -> int:
    return sum(number > state.x for number in state.wide)


def any_with_conditions(state: Toy) -> bool:
    return any(number > 2 for number in state.row if number != state.x if state.flag)


def any_of_records(state: Toy) -> bool:
    return any(cell.size > state.x and cell.is_open for cell in state.cells)


def sum_of_a_tuple_of_records(state: Toy) -> int:
    return sum(cell.size for cell in (state.cells[1], state.box.cell))


def nested_loops_in_one(state: Toy) -> int:
    return sum(one * other for one in range(4) if one != 2 for other in state.row if other > one)


def the_inner_range_depends_on_the_outer(state: Toy) -> int:
    return sum(10 * one + other for one in range(state.x) for other in range(one))


def one_within_the_other(state: Toy) -> bool:
    return any(all(number >= one for number in state.row) for one in range(1, 3))


def a_name_used_within_and_without(state: Toy) -> int:
    number = 7
    found = any(number > 2 for number in state.row)
    return number * 10 + found


def a_name_used_for_its_own_range(state: Toy) -> int:
    number = 3
    return sum(sum(number for number in range(number)) for number in range(number))


def any_ends_before_what_would_fail(state: Toy) -> bool:
    return any(6 // number > 1 for number in (3, state.x)) and state.flag


def all_ends_before_what_would_fail(state: Toy) -> bool:
    return all(6 // number > 2 for number in (3, state.x or 7))


def for_over_a_range(state: Toy) -> int:
    found = 0
    for number in range(state.x):
        found = found * 5 + number
    return found


def for_over_a_range_from_to(state: Toy) -> int:
    found = 0
    for number in range(state.y, state.x + 1):
        found = found * 3 + number
    return found


def for_over_a_range_with_steps(state: Toy) -> int:
    found = 0
    for number in range(state.y, 5, 3):
        found = found * 7 + number
    return found


def for_over_a_range_downwards(state: Toy) -> int:
    found = 0
    for number in range(state.x, -3, -1):
        found = found * 3 + number
    for number in range(4, state.x, -3):
        found = found * 3 + number
    return found


def for_over_an_array(state: Toy) -> int:
    found = 0
    for number in state.row:
        found = found * 5 + number
    return found


def for_over_an_array_of_arrays(state: Toy) -> int:
    found = 0
    for row in state.grid:
        for number in row:
            found = found * 7 + number
    return found % 100003


def for_over_a_tuple(state: Toy) -> int:
    found = 0
    for number in (state.x, state.flag, 7, state.mode):
        found = found * 9 + number
    return found


def for_over_a_tuple_that_has_a_name(state: Toy) -> int:
    found, pair = 0, (state.x, state.y)
    for number in pair:
        pair = (number, 7)
        found = found * 9 + number + pair[1]
    return found


def for_over_a_row_of_a_table(state: Toy) -> int:
    found = 0
    for number in GRID[state.flag]:
        found = found * 10 + number
    return found


def the_variable_of_a_loop_is_kept(state: Toy) -> int:
    number = 99
    for number in range(state.x):  # noqa: B007
        pass
    return number


def the_variable_of_a_loop_may_be_changed(state: Toy) -> int:
    found = 0
    for number in range(4):
        number += state.x
        found = found * 10 + number
    return found


def the_limits_of_a_range_are_found_once(state: Toy) -> int:
    least, most, found = state.y, state.x, 0
    for number in range(least, most):
        least, most = least + 1, most + 2
        found += number * most
    return found


def an_index_that_a_loop_changes(state: Toy) -> int:
    found = 0
    for slot in range(3):
        if state.flag:
            slot = -1 - slot
        found = found * 5 + state.row[slot]
    return found


def the_same_name_in_a_loop_within(state: Toy) -> int:
    found = 0
    for slot in range(2):
        found = found * 5 + state.short[slot]
        for slot in range(3):
            found = found * 5 + state.row[slot]
        found = found * 5 + state.row[slot]
    return found % 100003


def a_loop_over_the_length_of_an_array(state: Toy) -> int:
    found = 0
    for slot in range(1, len(state.row)):
        found = found * 5 + state.row[slot] - state.row[slot - 1]
    return found + len(state.grid) * len(state.grid[0])


def break_ends_a_loop(state: Toy) -> int:
    found = 0
    for number in range(9):
        if number > state.x:
            break
        found = found * 3 + number
    return found


def continue_ends_a_turn(state: Toy) -> int:
    found = 0
    for number in state.wide:
        if number == state.y:
            continue
        found = found * 3 + number
    return found


def break_ends_the_inner_loop_alone(state: Toy) -> int:
    found = 0
    for one in range(3):
        for other in (3, 2, 1):
            if other < one + state.y:
                break
            found = found * 3 + other
        found += one
    return found


def while_counts_down(state: Toy) -> int:
    left, found = state.x, 0
    while left > 0 and found != state.y:
        found += left
        left -= 1
    return found * 10 + left


def while_with_break_and_continue(state: Toy) -> int:
    found, number = 0, state.y
    while number:
        number -= 1
        if number < -4:
            break
        if number % 2 == 0:
            continue
        found = found * 5 + number
    return found


def while_true_until_break(state: Toy) -> int:
    number = state.x
    while True:
        number = 3 * number + 1
        if number > 40 or number < -40:
            break
        if number == 4:
            number = 5
    return number


def a_loop_in_a_loop_in_a_while(state: Toy) -> int:
    found, left = 0, 2
    while left:
        left -= 1
        for one in range(2):
            for other in range(one, 3):
                if other == state.x:
                    continue
                if one == state.y:
                    break
                found = found * 2 + other
    return found


def return_ends_every_loop(state: Toy) -> int:
    for one in range(4):
        for other in state.row:
            if one * other > state.x + 1:
                return 10 * one + other
    return -1


def a_loop_that_always_returns(state: Toy) -> int:
    for number in range(state.x):
        return number + 5
    return -1
