"""Traps with sets, sequences and bags: each is refused, or means the same in both executions."""

# mypy: ignore-errors
# ruff: noqa: B007

from tests.agreement.constructs.toy import Color, Mode, Note, Toy, ticked


def a_method_that_is_not_called(state: Toy) -> None:
    add = state.group.add
    add(1)


def a_set_of_a_truth_and_its_number(state: Toy) -> int:
    return len({1, state.flag}) + 10 * ({True} == {1})


def the_same_set(state: Toy) -> bool:
    return state.group is state.group


def a_set_unpacked(state: Toy) -> None:
    one, other = state.groups[1]
    state.result = one + other


def a_place_that_is_a_truth(state: Toy) -> None:
    if len(state.line) > 1:
        state.line[True] = state.line[state.flag]
    state.bag[False] = state.flag


def a_place_that_is_a_member(state: Toy) -> int:
    return state.line[Mode.OFF] if state.line else state.bag[Mode.ON]


def a_sequence_extended_by_an_operator(state: Toy) -> None:
    state.line += state.line


def a_record_spread(state: Toy) -> None:
    state.note = Note(**{"size": 1, "color": Color.RED, "to": {1}, "cell": state.cells[0]})


def a_loop_whose_condition_takes_elements_out(state: Toy) -> None:
    found = any(state.line.pop(0) == 1 for slot in range(3) if state.line)
    state.truth = found


def a_loop_over_a_sequence_that_is_assigned(state: Toy) -> None:
    for number in state.line:
        state.line = state.other_line
        state.result = number


def any_of_a_set(state: Toy) -> int:
    return any(state.group) + 2 * all(state.group) + 4 * any(state.line) + sum(state.palette)


def a_set_or_another(state: Toy) -> None:
    state.group = state.group or {1}


def a_set_if_it_is_not_empty(state: Toy) -> None:
    state.group = state.group if state.group else {1}


def a_record_that_is_asked_for_its_truth(state: Toy) -> bool:
    return not state.note or bool(state.notes[0])


def a_set_that_grows_in_a_loop(state: Toy) -> None:
    found, before = {0}, set()
    while found != before:
        before = found
        found = found | {(2 * number + abs(state.x)) % 4 for number in sorted(found)}
    state.group = found


def a_variable_that_is_ordered_at_first(state: Toy) -> int:
    found, total = state.group, 0
    for slot in range(2):
        total = sum(number * 10 for number in sorted(found))
        found = {slot, 3}
    return total


def a_variable_that_is_ordered_at_first_and_looped_over(state: Toy) -> int:
    found, total = state.group, 0
    for slot in range(2):
        for number in found:
            total = total * 10 + number
        found = {8, 1}
    return total


def a_set_in_a_tuple_of_sets(state: Toy) -> int:
    return sum(len(one) for one in (state.group, {1, 2}, set()))


def a_loop_over_a_tuple_of_sets(state: Toy) -> None:
    for one in (state.group, state.groups[0]):
        for number in one:
            state.result = state.result * 10 + number


def the_member_is_found_before_it_is_removed(state: Toy) -> None:
    state.group.discard(ticked(state) % 4)
    state.crowd.add(ticked(state) + len(state.crowd))


def a_pop_in_an_index(state: Toy) -> None:
    if len(state.line) > 1 and state.line[0] in (0, 1):
        state.result = state.row[state.line.pop(0)] * 10 + len(state.line)


def a_pop_on_both_sides(state: Toy) -> None:
    if len(state.line) > 2:
        state.line[0] = state.line.pop(0) - state.line.pop() // 2


def a_pop_of_what_a_place_needs(state: Toy) -> None:
    if len(state.line) > 1:
        state.line[len(state.line) - 1] = state.line.pop(0)


def an_operator_after_a_pop(state: Toy) -> None:
    if len(state.line) > 1:
        state.line[1] += state.line.pop(0)


def an_operator_on_an_element_that_is_another_by_then(state: Toy) -> None:
    if len(state.line) > 2:
        state.line[0] += state.line.pop(0) * 2


def an_operator_on_a_set_that_changes(state: Toy) -> None:
    state.group |= {_grows(state)}


def _grows(state: Toy) -> int:
    state.group.add(3)
    return 1


def a_record_made_while_the_state_changes(state: Toy) -> None:
    note = Note(size=ticked(state) % 4, color=Color.RED, to=state.group, cell=state.cells[0])
    state.cells[0].size = 4
    state.group.clear()
    state.notes.clear()
    state.notes.append(note)
    state.truth = note.cell == state.cells[0]


def a_set_with_a_method_of_another_name(state: Toy) -> None:
    state.group.update({1})


def a_member_popped(state: Toy) -> None:
    state.result = state.group.pop()


def a_bag_asked_for_its_items(state: Toy) -> int:
    return sum(count for member, count in state.bag.items())


def a_bag_as_a_set(state: Toy) -> None:
    state.group = set(state.bag) | set(state.hue_bag)
    state.result = sum(state.bag[member] for member in sorted(set(state.bag) - {1}))


def an_element_compared_with_its_copy(state: Toy) -> bool:
    return all(note == state.notes[at] for note in state.notes for at in range(1))


def a_helper_that_takes_either_record(state: Toy) -> int:
    return _weight(state.note) + sum(_weight(note) for note in state.notes)


def _weight(note: Note) -> int:
    return note.size * 10 + len(note.to)


def a_helper_that_changes_what_it_is_given(state: Toy) -> None:
    _grow(state.note)
    for note in state.notes:
        _grow(note)


def _grow(note: Note) -> None:
    note.size = 1
