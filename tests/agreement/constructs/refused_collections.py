"""Refused uses of sets, sequences, bags and record values, each at the marked line.

A docstring holds what the refusal must say, in parts: the construct, why, what to write instead.
"""

# mypy: ignore-errors
# ruff: noqa: F841

from tests.agreement.constructs.toy import Color, Mode, Note, Toy


def a_set_in_a_variable_changed(state: Toy) -> None:
    """`found.add(1)` ... changes what is in no field ... a set is a value: change the field"""
    found = state.group
    found.add(1)  # refused


def a_set_in_a_variable_changed_by_an_operator(state: Toy) -> None:
    """`found |= {1}` ... a set that a variable holds ... write `found = found | {1}`"""
    found = state.group
    found |= {1}  # refused
    state.group = found


def a_set_given_and_changed(state: Toy) -> None:
    """`group.discard(1)` ... changes what is in no field ... a set is a value"""
    _loses_one(state.group)


def _loses_one(group) -> None:
    group.discard(1)  # refused: a_set_given_and_changed


def a_set_made_here_changed(state: Toy) -> None:
    """`{1, 2}.add(3)` ... changes what is in no field"""
    {1, 2}.add(3)  # refused


def a_set_in_an_element_changed(state: Toy) -> None:
    """`state.notes[0].to.add(1)` ... changes what is in no field ... a set is a value"""
    state.notes[0].to.add(1)  # refused


def another_method_of_a_set(state: Toy) -> None:
    """`state.group.union({1})` ... calls 'union' of a set ... there are add, discard, remove"""
    state.group = state.group.union({1})  # refused


def what_add_gives(state: Toy) -> None:
    """`state.group.add(1)` ... gives nothing back ... call it in a line of its own"""
    found = state.group.add(1)  # refused


def a_loop_over_a_set_made_here(state: Toy) -> None:
    """`{3, state.mode}` ... in no order that can be relied on ... loop over sorted(...) of it"""
    for number in {3, state.mode}:  # refused
        state.result = number


def a_loop_over_a_set_that_may_be_made_here(state: Toy) -> None:
    """`found` ... in no order that can be relied on ... loop over sorted(...)"""
    found = state.group if state.flag else {8, 1}
    state.truth = any(number > 3 for number in found)  # refused


def a_loop_over_a_set_made_here_on_the_left(state: Toy) -> None:
    """`{8, 1} | state.group` ... in no order that can be relied on"""
    state.result = sum(number for number in {8, 1} | state.group)  # refused


def a_set_plus_a_set(state: Toy) -> None:
    """`state.group + {1}` ... computes with sets by + ... with | & - ^"""
    state.group = state.group + {1}  # refused


def a_set_and_a_number(state: Toy) -> None:
    """`state.group | 1` ... computes with a set (each a number) and a number ... sets with sets"""
    state.group = state.group | 1  # refused


def a_set_added_to_by_plus(state: Toy) -> None:
    """`state.group += {1}` ... computes with sets by +"""
    state.group += {1}  # refused


def a_set_compared_with_a_number(state: Toy) -> bool:
    """`state.group == 3` ... compares a set (each a number) and a number"""
    return state.group == 3  # refused


def a_set_into_a_number(state: Toy) -> None:
    """`state.number = state.group` ... a set (each a number) to what is a number"""
    state.number = state.group  # refused


def a_number_into_a_set(state: Toy) -> None:
    """`state.group = 3` ... a number to what is a set (each a number) ... what the field holds"""
    state.group = 3  # refused


def a_set_of_sets(state: Toy) -> int:
    """`state.group` ... is a set (each a number) ... a number is needed here"""
    return len({state.group})  # refused


def a_set_within_a_set(state: Toy) -> bool:
    """`state.group` ... is a set (each a number) ... a number is needed here"""
    return state.group in {1, 2}  # refused


def members_spread(state: Toy) -> None:
    """`{*state.group, 1}` ... spreads its members ... join sets with |"""
    state.group = {*state.group, 1}  # refused


def a_set_as_a_number(state: Toy) -> int:
    """`state.group` ... is a set (each a number) ... a number is needed here"""
    return state.group or 3  # refused


def the_largest_of_a_sequence(state: Toy) -> int:
    """`max(state.line)` ... has one argument ... give it a set, or two numbers or more"""
    return max(state.line)  # refused


def a_sorted_list(state: Toy) -> None:
    """`sorted(state.group)` ... is a list ... loop over it"""
    found = sorted(state.group)  # refused


def an_array_sorted(state: Toy) -> None:
    """`sorted(state.row)` ... sorts an array ... give it a set"""
    for number in sorted(state.row):  # refused
        state.number = number


def in_an_enum(state: Toy) -> bool:
    """`Mode` ... only numbers, members of an IntEnum and tuples"""
    return state.x in set(range(2)) or state.x in Mode  # refused


# -- sequences


def a_slice_of_a_sequence(state: Toy) -> int:
    """`state.line[1:]` ... is a slice ... write a loop over the indexes"""
    return len(state.line[1:])  # refused


def another_method_of_a_sequence(state: Toy) -> None:
    """`state.line.insert(0, 3)` ... calls 'insert' ... there are append, pop, clear"""
    state.line.insert(0, 3)  # refused


def an_element_deleted(state: Toy) -> None:
    """`del state.line[0]` ... is not in the modelling language"""
    del state.line[0]  # refused


def a_list_into_a_sequence(state: Toy) -> None:
    """`[1, 2]` ... is not in the modelling language"""
    state.line = [1, 2]  # refused


def a_tuple_into_a_sequence(state: Toy) -> None:
    """`state.line = (1, 2)` ... a tuple of 2 to what is a sequence"""
    state.line = (1, 2)  # refused


def sequences_added_up(state: Toy) -> None:
    """`state.line` ... is a sequence (each a number) ... a number is needed here"""
    state.line = state.line + state.line  # refused


def a_number_appended_to_records(state: Toy) -> None:
    """`state.notes.append(3)` ... appends a number to a sequence ... what the sequence holds"""
    state.notes.append(3)  # refused


def another_record_appended(state: Toy) -> None:
    """`state.notes.append(state.tag)` ... appends a Tag to a sequence (each the value of a Note)"""
    state.notes.append(state.tag)  # refused


def an_argument_named(state: Toy) -> None:
    """`state.line.pop(index=0)` ... names an argument ... leave the name out"""
    state.line.pop(index=0)  # refused


def a_field_of_an_element_assigned(state: Toy) -> None:
    """`state.notes[0].size` ... to the value of a Note ... make another one, and assign that"""
    state.notes[0].size = 1  # refused


def a_field_of_a_record_that_was_taken_out(state: Toy) -> None:
    """`note.size` ... assigns to the value of a Note ... make another one"""
    note = state.notes.pop(0)
    note.size = 1  # refused


def a_field_of_the_record_of_a_loop(state: Toy) -> None:
    """`note.size` ... assigns to the value of a Note ... make another one"""
    for note in state.notes:
        note.size = 1  # refused


def a_value_or_a_reference(state: Toy) -> int:
    """`state.note if state.flag else state.notes[0]` ... give both branches one type"""
    return (state.note if state.flag else state.notes[0]).size  # refused


def a_value_for_a_reference(state: Toy) -> None:
    """`note = state.notes[0]` ... which is a Note, a value that is the value of a Note"""
    note = state.note
    note = state.notes[0]  # refused


def a_misspelt_field_of_a_value(state: Toy) -> int:
    """`state.notes[0].sise` ... Note has no field 'sise' ... did you mean size?"""
    return state.notes[0].sise  # refused


def a_record_made_by_place(state: Toy) -> None:
    """`Note(1, Color.RED, {1}, state.cells[0])` ... give size, color, to, cell by their names"""
    state.note = Note(1, Color.RED, {1}, state.cells[0])  # refused


def a_record_made_of_what_it_does_not_hold(state: Toy) -> None:
    """`state.note = Note(size=1 ... the value of a Note to what is a Note"""
    state.note = Note(size=1, color=Color.RED, to=3, cell=state.cells[0])  # refused


def a_record_made_of_an_array(state: Toy) -> None:
    """`state.row` ... which no record that is a value holds ... numbers, sets, and records"""
    state.note = Note(size=state.row, color=Color.RED, to={1}, cell=state.cells[0])  # refused


def a_state_made(state: Toy) -> None:
    """`Toy()` ... makes a State ... assign to the fields of the one there is"""
    found = Toy()  # refused


def an_array_of_sequences_assigned(state: Toy) -> None:
    """`state.lines = state.lines` ... to what is an array ... assign the sequences one by one"""
    state.lines = state.lines  # refused


def arrays_of_sequences_compared(state: Toy) -> bool:
    """`state.lines == state.lines` ... compares an array ... compare the sequences one by one"""
    return state.lines == state.lines  # refused


# -- bags


def the_length_of_a_bag(state: Toy) -> int:
    """`len(state.bag)` ... asks for the length of a bag ... write .total() for all, or sum(1"""
    return len(state.bag)  # refused


def another_method_of_a_bag(state: Toy) -> None:
    """`state.bag.update(state.other_bag)` ... calls 'update' of a bag ... there are total, clear"""
    state.bag.update(state.other_bag)  # refused


def bags_added_up(state: Toy) -> None:
    """`state.bag` ... is a bag (each a number) ... a number is needed here"""
    state.bag = state.bag + state.other_bag  # refused


def bags_of_other_members_compared(state: Toy) -> bool:
    """`state.bag == state.hue_bag` ... compares a bag (each a number) and a bag"""
    return state.bag == state.hue_bag and state.mode == Mode.ON  # refused
