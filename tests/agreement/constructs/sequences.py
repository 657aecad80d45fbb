"""Sequences and bags: references into the state; their elements, and records made, are values."""

# Numbers, truths and members stand for each other here, as they may.
# mypy: disable-error-code="comparison-overlap"

from tests.agreement.constructs.toy import Bounds, Color, Mode, Note, Slot, Toy, ticked


def an_element_is_appended(state: Toy) -> None:
    if len(state.line) < 3:
        state.line.append(abs(state.x))


def the_first_is_taken_out(state: Toy) -> None:
    if state.line:
        state.result = state.line.pop(0)
    state.number = len(state.line)


def the_last_is_taken_out(state: Toy) -> None:
    if state.line:
        state.result = state.line.pop() + 10 * len(state.line)
    state.turn = 0


def any_is_taken_out(state: Toy) -> None:
    if len(state.notes) > 1:
        state.notes.pop(abs(state.y) % 2)
    state.turn = 0


def what_was_taken_out_leaves_no_trace(state: Toy) -> None:
    while state.notes:
        state.notes.pop(0)
    while state.line:
        state.line.pop()
    state.result = 1


def a_sequence_is_cleared(state: Toy) -> None:
    state.line.clear()
    state.notes.clear()
    state.turn = 0


def an_element_is_read(state: Toy) -> int:
    return state.line[len(state.line) - 1] * 10 + state.line[0] if state.line else -1


def an_element_is_assigned(state: Toy) -> None:
    for index in range(len(state.line)):
        state.line[index] = index + abs(state.y)
        state.line[index] += 1
    state.turn = 0


def the_lengths(state: Toy) -> int:
    return len(state.line) * 100 + len(state.notes) * 10 + len(state.hues)


def truth_of_a_sequence(state: Toy) -> bool:
    return bool(state.hues) and not (state.line or state.x > 3)


def a_loop_over_a_sequence(state: Toy) -> None:
    for number in state.line:
        state.result = state.result * 10 + number


def a_loop_over_a_sequence_that_shrinks(state: Toy) -> None:
    for number in state.line:
        state.line.pop(0)
        state.result = state.result * 10 + number + 3
    state.turn = 0


def a_loop_over_a_sequence_that_grows(state: Toy) -> None:
    for number in state.line:
        if len(state.line) < 3:
            state.line.append(number + 3)
        state.result = state.result * 10 + number
    state.turn = 0


def generators_over_a_sequence(state: Toy) -> int:
    return sum(state.line) + 100 * any(number > 1 for number in state.line if number)


def membership_in_a_sequence(state: Toy) -> bool:
    return state.y in state.line or state.mode not in state.hues


def sequences_are_compared(state: Toy) -> int:
    return (state.line == state.other_line) + 2 * (state.notes != state.notes)


def a_sequence_is_assigned(state: Toy) -> None:
    state.line = state.other_line
    state.other_line.clear()
    state.turn = 0


def a_sequence_of_other_numbers_is_assigned_and_compared(state: Toy) -> None:
    state.line = state.high_line
    state.truth = state.line == state.high_line
    state.result = state.other_line == state.high_line


def a_sequence_in_an_array(state: Toy) -> None:
    state.lines[0] = state.lines[1]
    if len(state.lines[state.flag]) < 2:
        state.lines[state.flag].append(state.flag)
    state.truth = state.lines[0] == state.lines[1] and all(state.lines[0])


def a_name_for_a_sequence_is_a_reference(state: Toy) -> None:
    line = state.line
    line.clear()
    line.append(2)
    state.result = len(state.line)


def _push(line: list[int], number: int) -> int:
    if len(line) < 2:
        line.append(number)
    return len(line)


def a_sequence_that_is_given(state: Toy) -> None:
    state.result = _push(state.line, 3) * 10 + _push(state.short_line, 2)


def members_in_a_sequence(state: Toy) -> None:
    state.hues.clear()
    state.hues.append(Color.BLUE)
    state.hues.append(state.mode)  # type: ignore[arg-type]
    state.truth = state.hues[1] is Color.RED
    state.color = state.hues.pop(0)


# -- records that are values


def a_record_is_made_and_appended(state: Toy) -> None:
    note = Note(size=state.y, color=Color.GREEN, to={1, abs(state.y)}, cell=state.cells[1])
    if len(state.notes) < 3:
        state.notes.append(note)
    state.result = note.size * 10 + note.cell.size


def a_record_is_made_and_assigned(state: Toy) -> None:
    state.note = Note(size=3, color=Color(state.mode), to=state.group - {0}, cell=state.cells[0])
    if state.notes:
        state.notes[0] = state.note
    state.cells[1] = state.note.cell


def the_fields_of_a_record_are_evaluated_as_they_are_written(state: Toy) -> None:
    note = Note(
        to={ticked(state) % 4}, size=ticked(state) % 4, cell=state.cells[0], color=Color.RED
    )
    state.result = note.size
    state.note = note


def a_record_that_is_made_keeps_what_it_was_given(state: Toy) -> int:
    note = Note(size=1, color=state.flag, to={1}, cell=state.cells[0])  # type: ignore[arg-type]
    return note.color + 10 * (note.color == state.flag) + len(note.to)


def a_record_that_was_taken_out_is_a_value(state: Toy) -> None:
    if state.notes:
        note = state.notes.pop(0)
        state.notes.clear()
        state.result = note.size * 100 + note.color * 10 + len(note.to) + note.cell.is_open
        state.note = note
    state.turn = 0


def an_element_that_is_named_is_a_value(state: Toy) -> None:
    if len(state.notes) > 1:
        note = state.notes[0]
        state.notes.pop(0)
        state.result = note.size * 10 + state.notes[0].size
        state.truth = note == state.notes[0]
    state.turn = 0


def a_record_in_a_record_that_is_made_is_a_value(state: Toy) -> None:
    note = Note(size=1, color=Color.RED, to=state.group, cell=state.cells[1])
    state.cells[1].size = 3 - state.cells[1].size % 2
    state.group.add(3)
    state.result = note.cell.size * 10 + len(note.to)


def records_are_compared(state: Toy) -> int:
    made = Note(size=0, color=Color.RED, to={0, abs(state.y)}, cell=state.cells[0])
    found = sum(note == made for note in state.notes) + 10 * (state.note != made)
    return found + 100 * (made.cell == state.cells[0]) + 1000 * (state.note == state.note)


def a_record_in_a_sequence(state: Toy) -> bool:
    made = Note(size=1, color=Color.GREEN, to={1}, cell=state.cells[1])
    return made in state.notes or state.note in state.notes


def a_loop_over_records(state: Toy) -> None:
    for note in state.notes:
        if note.color is not Color.RED and state.x in note.to:
            state.note = note
        state.result = state.result * 10 + len(note.to)


def a_swap_of_elements(state: Toy) -> None:
    if len(state.notes) > 1:
        state.notes[0], state.notes[1] = state.notes[1], state.notes[0]
    state.turn = 0


def a_choice_of_records(state: Toy) -> int:
    one = Note(size=1, color=Color.GREEN, to=state.group, cell=state.cells[1])
    other = Note(size=state.flag, color=Color.RED, to={2}, cell=state.cells[0])
    chosen = one if state.x > 0 else other
    return chosen.size + 10 * len(chosen.to) + 100 * chosen.cell.is_open


def _made(state: Toy, size: int) -> Note:
    return Note(size=size, color=Color.BLUE, to={size}, cell=state.cells[0])


def _size_of(note: Note) -> int:
    return note.size + note.cell.size


def records_given_and_returned(state: Toy) -> None:
    state.result = _size_of(_made(state, 2)) * 10 + _size_of(state.note)
    state.note = _made(state, abs(state.y))


def the_record_is_found_before_the_sequence_changes(state: Toy) -> None:
    if state.notes:
        state.notes.append(state.notes.pop(0))
    state.turn = 0


# -- bags


def one_is_added_to_a_bag(state: Toy) -> None:
    if state.bag[abs(state.y)] < 4:
        state.bag[abs(state.y)] += 1
    state.turn = 0


def one_is_taken_out_of_a_bag(state: Toy) -> None:
    if 0 in state.bag:
        state.bag[0] -= 1
    else:
        state.bag[2] = 3


def membership_in_a_bag(state: Toy) -> bool:
    return state.x in state.bag and state.y not in state.other_bag


def the_total_of_a_bag(state: Toy) -> int:
    return state.bag.total() * 10 + state.hue_bag.total()


def truth_of_a_bag(state: Toy) -> bool:
    return bool(state.hue_bag) or not state.bag


def a_loop_over_a_bag(state: Toy) -> None:
    for member in state.bag:
        state.result = state.result * 100 + member * 10 + state.bag[member]


def a_loop_over_a_bag_that_changes(state: Toy) -> None:
    for member in state.bag:
        state.bag[member] = 0
        state.bag[(member + 2) % 3] = 1
        state.result = state.result * 10 + member + 1


def generators_over_a_bag(state: Toy) -> int:
    return sum(state.bag[member] for member in state.bag if member) + 100 * sum(
        1 for member in state.other_bag
    )


def bags_are_compared_and_assigned(state: Toy) -> None:
    state.truth = state.bag == state.other_bag
    state.other_bag = state.bag
    state.bag.clear()


def a_bag_of_members(state: Toy, slot: Slot) -> None:
    state.hue_bag[Color.RED] = slot
    for color in state.hue_bag:
        if color is Color.BLUE:
            state.mode = Mode.BROKEN
        state.result = state.result * 10 + color + 1


def the_bound_of_a_sequence(state: Toy, scope: Bounds) -> None:
    while len(state.line) < scope.slots:
        state.line.append(0)
    state.result = 3
