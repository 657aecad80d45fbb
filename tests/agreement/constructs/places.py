"""Places: what effects assign to, in which order, what a name refers to, what a copy copies."""

# Numbers, truths and members stand for each other here, as they may.
# mypy: disable-error-code="assignment, call-overload"

from tests.agreement.constructs.toy import (
    LIMIT,
    Bounds,
    Cell,
    Color,
    Mode,
    Slot,
    Toy,
    ticked,
)


def a_field(state: Toy) -> None:
    state.number = state.x + state.y


def a_field_of_a_record_in_a_record(state: Toy) -> None:
    state.box.cell.size = abs(state.x)
    state.box.marks[1] = state.box.cell.size + 1


def an_element(state: Toy) -> None:
    state.row[abs(state.y) % 3] = 4
    state.grid[state.flag][abs(state.x) % 3] = 9


def an_element_counted_from_the_end(state: Toy) -> None:
    state.row[-1] = abs(state.x)
    state.wide[-1 - abs(state.y) % 3] = 9


def an_element_at_a_truth_and_at_a_member(state: Toy) -> None:
    state.row[state.flag] = 4
    state.wide[state.mode] = -9
    state.cells[Mode.ON].size = 3


def a_truth_into_a_number(state: Toy) -> None:
    state.number = state.flag
    state.row[0] = state.x > state.y


def a_number_into_a_truth(state: Toy) -> None:
    state.truth = abs(state.x) % 2
    state.truths[1] = state.flag + (state.x > 9)


def a_number_into_a_member(state: Toy) -> None:
    state.color = abs(state.x) % 3
    state.modes[0] = state.flag


def a_member_into_a_number_and_another_enum(state: Toy) -> None:
    state.number = state.mode
    state.color = state.mode
    state.modes[1] = Color.BLUE


def several_targets(state: Toy) -> None:
    state.number = found = state.wide[0] = state.x
    state.result = found


def targets_are_assigned_from_left_to_right(state: Toy) -> None:
    state.number, state.wide[state.number % 3] = 1, 5


def values_are_found_before_targets(state: Toy) -> None:
    state.wide[ticked(state) % 3] = state.number


def tuples_within_tuples(state: Toy) -> None:
    (one, (other, state.number)), [third, state.truth] = (state.x, (state.y, 3)), (4, state.flag)
    state.result = one * 100 + other * 10 + third


def a_swap_of_fields(state: Toy) -> None:
    state.cells[0].size, state.cells[1].size = state.cells[1].size, state.cells[0].size


def a_swap_of_elements(state: Toy) -> None:
    state.row[0], state.row[2] = state.row[2], state.row[0]


def a_swap_of_local_variables(state: Toy) -> None:
    one, other = state.x, state.y
    one, other = other, one
    state.result = 10 * one + other


def a_swap_of_records_makes_them_equal(state: Toy) -> None:
    state.cells[0], state.cells[1] = state.cells[1], state.cells[0]


def a_swap_of_references(state: Toy) -> None:
    one, other = state.cells[0], state.cells[1]
    one, other = other, one
    one.size = 4
    state.result = 10 * one.size + other.size


def a_copy_of_a_record(state: Toy) -> None:
    state.cells[0] = state.cells[1]
    state.cells[1].size = 4


def a_copy_of_a_record_within_another(state: Toy) -> None:
    state.box.cell = state.cells[state.flag]
    state.cells[1] = state.box.cell


def a_copy_of_an_array(state: Toy) -> None:
    state.grid[1] = state.grid[0]
    state.grid[0][0] = 7


def a_copy_of_an_array_of_arrays_onto_itself(state: Toy) -> None:
    state.grid = state.grid
    state.result = state.grid[1][2]


def a_copy_into_an_array_that_holds_more(state: Toy) -> None:
    state.box.marks = state.short
    state.short = state.truths


def a_copy_of_an_array_of_truths(state: Toy) -> None:
    state.truths[0] = not state.truths[0]
    state.modes = state.truths


def a_name_for_a_record_is_a_reference(state: Toy) -> None:
    cell = state.cells[1]
    cell.size = 2
    state.result = state.cells[1].size * 10
    state.cells[1].size = 3
    state.result += cell.size


def a_name_for_an_array_is_a_reference(state: Toy) -> None:
    row = state.grid[state.flag]
    row[0] = 9
    state.grid[0], state.grid[1] = state.grid[1], state.grid[0]
    state.result = row[0] * 10 + row[2]


def a_name_for_a_number_is_a_copy(state: Toy) -> None:
    before = state.number
    state.number = 5
    state.result = before


def a_reference_sees_what_is_copied_there(state: Toy) -> None:
    first, second = state.cells[0], state.cells[1]
    state.cells[0] = second
    state.result = first.size * 10 + (first == second)
    second.size = 0
    state.result += first.size


def a_reference_that_is_assigned_again(state: Toy) -> None:
    cell = state.cells[0]
    if state.flag:
        cell = state.box.cell
    cell.size = 4


def a_choice_of_places(state: Toy) -> None:
    (state.cells[0] if state.flag else state.box.cell).size = 3


def references_in_a_tuple(state: Toy) -> None:
    pair = (state.cells[0], state.row)
    pair[0].size = 1
    pair[1][2] = 0
    cell, row = pair
    state.result = cell.size + 10 * row[2]


def a_loop_over_records_assigns_to_them(state: Toy) -> None:
    for cell in state.cells:
        cell.is_open = not cell.is_open
        cell.size = min(cell.size + 1, 4)


def a_loop_over_named_records(state: Toy) -> None:
    for cell in (state.cells[0], state.box.cell, state.cells[0]):
        cell.size = (cell.size + 1) % 5


def a_loop_over_an_array_sees_it_change(state: Toy) -> None:
    for number in state.wide:
        state.wide[2] = number % 5
        state.result = state.result // 2 + number


def a_loop_over_an_array_that_is_replaced(state: Toy) -> None:
    for number in state.grid[0]:
        state.grid[0] = state.grid[1]
        state.number = number


def a_loop_over_a_tuple_has_its_items_before(state: Toy) -> None:
    for number in (state.number, ticked(state), state.number):
        state.number = 0
        state.result = state.result // 10 + number * 7


def every_operator_that_assigns_to_a_place(state: Toy) -> None:
    state.result = state.x
    state.result += 9
    state.result *= 100
    state.box.marks[0] -= 0
    state.result -= state.y
    state.result //= 3
    state.result <<= 2
    state.result ^= 21
    state.result |= 4
    state.result &= 4095
    state.result %= 1000
    state.result >>= 1


def operators_that_assign_to_an_element(state: Toy) -> None:
    state.wide[state.mode] += 1
    state.cells[state.flag].size //= 2
    state.grid[1][-1] *= 0


def operators_that_assign_to_a_truth(state: Toy) -> None:
    state.truth &= state.x > 0
    state.truth |= state.flag
    state.truths[1] ^= True
    state.truths[0] *= state.y > 0


def operators_that_assign_to_a_member(state: Toy) -> None:
    state.color %= 2
    state.color += state.flag


def the_place_is_found_once(state: Toy) -> None:
    state.wide[ticked(state) % 3] //= 2


def the_old_value_is_read_before_the_new(state: Toy) -> None:
    state.number += ticked(state) % 3 + 1


def operands_are_evaluated_from_left_to_right(state: Toy) -> None:
    state.result = state.number * 100 + ticked(state) * 10 + state.number
    state.truth = state.number < ticked(state) == state.number


def a_chain_evaluates_its_middle_once(state: Toy) -> None:
    state.truth = 4 < ticked(state) < 8 < ticked(state)


def a_short_circuit_leaves_the_rest_undone(state: Toy) -> None:
    state.truth = (state.flag and ticked(state) > 4) or ticked(state) > 7


def a_condition_that_assigns(state: Toy) -> None:
    state.result = sum(ticked(state) for slot in range(3) if ticked(state) > 4)


def parameters_of_an_action(state: Toy, slot: Slot, is_on: bool, mode: Mode) -> None:
    state.cells[slot].is_open = is_on
    state.modes[slot] = mode
    state.truth = mode is Mode.ON and is_on is True
    state.result = slot * 100 + is_on * 10 + mode


def a_bound_of_the_scope(state: Toy, slot: Slot, scope: Bounds) -> None:
    state.result = scope.most * 10 + scope.slots * len(state.row) + slot
    state.truth = state.x < scope.most - 1


def a_parameter_that_is_assigned(state: Toy, slot: Slot) -> None:
    slot = slot * 100 + state.x + LIMIT
    state.result = slot


def statements_that_do_nothing(state: Toy) -> None:
    """A docstring, and what else says nothing."""
    pass
    ...
    "words"
    state.number = 0


def annotations_of_variables(state: Toy) -> None:
    found: int = state.x
    cell: Cell
    cell = state.cells[0]
    state.result: int = found + cell.size  # type: ignore[misc]


def an_early_return(state: Toy) -> None:
    if state.flag:
        return
    for slot in range(3):
        if state.row[slot] == state.y:
            return
        state.row[slot] = 0


def what_an_effect_returns_is_dropped(state: Toy) -> int:
    state.number = 0
    return state.x
