"""Faults: where CPython raises in some state, compiled code must stop at the same line."""

# Numbers, truths and members stand for each other here, as they may.
# mypy: disable-error-code="assignment, call-overload"

from tests.agreement.constructs.toy import Color, Mode, Note, Slot, Toy


def an_index_too_large(state: Toy) -> int:
    return state.row[state.x]


def an_index_too_far_from_the_end(state: Toy) -> int:
    return state.row[-state.x]


def an_index_within_an_index(state: Toy) -> int:
    return state.grid[state.mode][state.x]


def an_index_into_a_tuple(state: Toy) -> int:
    return (7, state.x, 9)[state.x]


def an_index_into_a_table(state: Toy) -> int:
    return ((1, 2), (3, 4))[state.flag][state.x]


def an_index_of_a_record(state: Toy) -> None:
    state.cells[state.x].size = 1


def an_index_beyond_a_loop(state: Toy) -> int:
    return sum(state.row[slot] for slot in range(state.x))


def an_index_one_beyond_an_array(state: Toy) -> int:
    found = 0
    for slot in range(4):
        if slot > state.x:
            break
        found += state.row[slot]
    return found


def a_division_by_zero(state: Toy) -> int:
    return 5 // state.x


def a_remainder_by_zero(state: Toy) -> int:
    return 5 % (state.x - state.y)


def an_operator_that_assigns_divides_by_zero(state: Toy) -> None:
    state.number //= state.y


def a_shift_by_less_than_0(state: Toy) -> int:
    return (state.x << state.y) + (state.x >> state.y)


def a_bit_at_less_than_0(state: Toy) -> int:
    return 1 << state.x


def a_number_that_no_member_has(state: Toy) -> int:
    return Mode(state.x)


def a_value_above_its_domain(state: Toy) -> None:
    state.row[0] = state.x + 3


def a_value_below_its_domain(state: Toy) -> None:
    state.cells[0].size = state.x


def a_value_that_is_no_truth(state: Toy) -> None:
    state.truth = state.x


def a_value_that_is_no_member(state: Toy) -> None:
    state.color = state.mode + state.flag


def a_value_outside_its_domain_for_a_moment(state: Toy) -> None:
    state.row[1] = state.x
    state.row[1] = 0


def an_operator_that_leaves_the_domain(state: Toy) -> None:
    state.row[0] += state.y
    state.row[0] = 0


def an_array_with_an_element_outside(state: Toy) -> None:
    state.wide[1] = state.x
    state.row = state.wide


def an_array_of_numbers_into_truths(state: Toy) -> None:
    state.truths = state.short


def arrays_of_two_lengths(state: Toy) -> None:
    if state.flag:
        state.row = state.short


def a_record_into_which_too_much_is_copied(state: Toy) -> None:
    state.cells[state.flag] = state.cells[state.x]


def a_fault_of_a_helper(state: Toy) -> None:
    state.number = 3
    state.number = _quotient(state)


def _quotient(state: Toy) -> int:
    return 6 // state.x


def a_fault_in_a_chain(state: Toy) -> bool:
    return state.x < 2 < 6 // state.y


def a_fault_behind_a_short_circuit(state: Toy) -> bool:
    return (state.flag and 6 // state.x > 1) or state.y > 0


def a_fault_in_the_index_of_a_target(state: Toy) -> None:
    state.wide[6 // state.x - 2] = 5


def a_fault_in_a_loop_after_changes(state: Toy) -> None:
    for slot in range(2, state.y, -1):
        state.number = 6 // slot


def a_fault_in_a_condition(state: Toy) -> bool:
    return any(number > 3 for number in state.row if 6 // number > 1)


def a_fault_for_one_parameter(state: Toy, slot: Slot) -> None:
    state.result = 6 // (state.x + slot) + slot * 100


def a_tuple_is_built_before_it_is_searched(state: Toy) -> bool:
    return state.x in (0, 6 // state.x)


def every_argument_is_evaluated(state: Toy) -> int:
    return _first(state.y, 6 // state.x)


def _first(one: int, other: int) -> int:
    return one


# -- sets, sequences and bags


def a_member_outside_of_its_set(state: Toy) -> None:
    state.group.add(state.x)


def a_member_too_large_for_any_set(state: Toy) -> None:
    state.group.add(2 + state.x * 100)


def a_set_outside_of_its_domain(state: Toy) -> None:
    state.group = {abs(state.x), 5 if state.flag else 0}


def a_set_outside_of_its_domain_by_an_operator(state: Toy) -> None:
    state.groups[1] |= {abs(state.x) * 2}


def a_member_removed_that_is_not_there(state: Toy) -> None:
    state.group.remove(state.y)


def a_number_removed_that_no_set_holds(state: Toy) -> None:
    state.group.remove(state.y * 100)


def an_element_that_is_not_there(state: Toy) -> int:
    return state.line[abs(state.y)]


def an_element_counted_from_the_end(state: Toy) -> int:
    return state.line[state.y] if state.line else 0


def an_element_assigned_that_is_not_there(state: Toy) -> None:
    state.line[abs(state.x) % 3] = 3


def the_first_of_an_empty_sequence(state: Toy) -> None:
    state.hues.pop(0)


def the_last_of_an_empty_sequence(state: Toy) -> None:
    state.notes.pop()


def an_element_taken_out_that_is_not_there(state: Toy) -> None:
    state.line.pop(state.y)


def a_sequence_that_is_full(state: Toy) -> None:
    state.line.append(1)


def a_sequence_of_records_that_is_full(state: Toy) -> None:
    state.notes.append(state.note)


def an_element_outside_of_its_domain(state: Toy) -> None:
    state.short_line.append(state.x + 3)


def a_record_outside_of_its_domain(state: Toy) -> None:
    state.note = Note(size=state.x + 2, color=Color.RED, to={1}, cell=state.cells[0])


def a_set_in_a_record_outside_of_its_domain(state: Toy) -> None:
    state.note = Note(size=1, color=Color.RED, to={abs(state.x)}, cell=state.cells[0])


def a_member_in_a_record_outside_of_its_domain(state: Toy) -> None:
    state.note = Note(size=1, color=state.x, to={1}, cell=state.cells[0])  # type: ignore[arg-type]


def a_sequence_into_one_that_holds_less(state: Toy) -> None:
    if state.flag:
        state.short_line = state.line


def a_sequence_into_one_of_smaller_numbers(state: Toy) -> None:
    if state.line:
        state.line[0] = 5 + state.y
    state.other_line = state.line


def a_bag_of_no_such_member(state: Toy) -> int:
    return state.bag[state.x]


def one_too_few_in_a_bag(state: Toy) -> None:
    state.bag[abs(state.y)] -= 2


def one_too_many_in_a_bag(state: Toy) -> None:
    state.bag[0] += 2


def a_bag_into_one_that_counts_less(state: Toy) -> None:
    state.small_bag = state.bag


def a_sequence_into_one_of_larger_numbers(state: Toy) -> None:
    state.high_line = state.line


def a_member_of_more_than_there_may_be(state: Toy) -> None:
    state.crowd.add(60 + abs(state.x))


def the_lowest_of_an_empty_set(state: Toy) -> int:
    return min(state.group - {0, 1, 2})


def the_highest_of_an_empty_set(state: Toy) -> int:
    return max(state.palette & {state.x})
