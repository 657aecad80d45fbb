"""Truth: comparisons, chains, identity, enums, what `and` and `or` return, choices."""

# Numbers, truths and members stand for each other here, as they may.
# mypy: disable-error-code="comparison-overlap"

# ruff: noqa: RUF021, SIM208, SIM300

from tests.agreement.constructs.toy import GRID, PRIMES, Color, Gap, Mode, Toy


def each_comparison(state: Toy) -> int:
    less = (state.x < state.y) * 1 + (state.x <= state.y) * 2
    more = (state.x > state.y) * 4 + (state.x >= state.y) * 8
    return less + more + (state.x == state.y) * 16 + (state.x != state.y) * 32


def a_truth_compared_with_a_number(state: Toy) -> bool:
    return state.flag == (state.x % 2) != state.y


def a_chain(state: Toy) -> bool:
    return -2 < state.x <= state.y


def a_chain_of_four_with_every_direction(state: Toy) -> bool:
    return -3 <= state.x < 3 > state.y != state.x


def a_chain_ends_before_what_would_fail(state: Toy) -> bool:
    return 0 < abs(state.x) < 12 // abs(state.x)


def a_chain_evaluates_each_operand_once(state: Toy) -> int:
    return 10 * (0 < _weighed(state, 1) < _weighed(state, 2) < _weighed(state, 0)) + state.x


def _weighed(state: Toy, factor: int) -> int:
    return state.x * factor


def and_ends_before_what_would_fail(state: Toy) -> bool:
    return state.x != 0 and 6 // state.x > 1


def or_ends_before_what_would_fail(state: Toy) -> bool:
    return state.x == 0 or 6 // state.x > 1


def and_returns_an_operand(state: Toy) -> int:
    return (state.x and state.y) * 10 + (state.x and 7 and state.y)


def or_returns_an_operand(state: Toy) -> int:
    return (state.x or state.y) * 10 + (state.x or state.y or 7)


def and_and_or_of_numbers_and_truths(state: Toy) -> int:
    return (state.flag and state.x) * 100 + (state.x or state.flag) * 10 + (state.x and state.flag)


def and_binds_closer_than_or(state: Toy) -> bool:
    return state.flag or state.x > 0 and not state.y or state.x == -1


def not_of_a_number_and_of_a_truth(state: Toy) -> int:
    return (not state.x) * 100 + (not state.flag) * 10 + (not not state.y)


def not_of_what_and_returns(state: Toy) -> bool:
    return not (state.x and state.y) and not (state.flag or not state.x)


def truth_of_a_number_in_an_if(state: Toy) -> int:
    if state.x:
        return 1
    elif state.mode:
        return 2
    return 3


def identity_of_truths(state: Toy) -> bool:
    return state.flag is True or (state.x > 0) is not state.flag


def identity_of_what_makes_a_truth(state: Toy) -> bool:
    return (not state.x) is (state.y in PRIMES) is bool(state.x) is not False


def identity_of_members(state: Toy) -> bool:
    return state.mode is Mode.ON or state.color is not Color.BLUE


def a_member_by_another_name_is_the_same(state: Toy) -> bool:
    return state.color is Color.CRIMSON


def identity_of_a_member_that_is_computed(state: Toy) -> bool:
    return Mode(abs(state.x) % 3) is max(state.mode, Mode.ON)


def members_compared(state: Toy) -> int:
    return (state.mode == Mode.ON) + (state.mode < Mode.BROKEN) * 2 + (Mode.ON >= state.mode) * 4


def members_of_two_enums_are_equal_as_numbers(state: Toy) -> bool:
    return state.mode == state.color


def a_member_compared_with_a_number(state: Toy) -> bool:
    return state.x < state.mode != 1


def members_computed_with(state: Toy) -> int:
    return state.mode + 1 + state.mode * Mode.BROKEN - -Mode.ON + (Mode.BROKEN << state.mode)


def bits_of_members(state: Toy) -> int:
    return (state.mode & 1) + (state.mode | state.color) * 4 + ~state.mode * 16


def value_of_a_member(state: Toy) -> int:
    return state.mode.value + Mode.BROKEN.value * 10 + state.modes[1].value * 100


def a_member_by_its_number(state: Toy) -> int:
    return Mode(abs(state.x) % 3) + Color(state.mode) * 10


def numbers_with_gaps_and_below_0(state: Toy) -> int:
    return Gap.HIGH * state.x + Gap.LOW + Gap(-3) - abs(Gap.LOW)


def and_and_or_of_members(state: Toy) -> bool:
    return (state.mode or Mode.BROKEN) is Mode.BROKEN or (state.mode and Mode.OFF) is Mode.OFF


def how_many_members_there_are(state: Toy) -> int:
    return len(Mode) + 10 * len(Color) + state.x


def a_choice(state: Toy) -> int:
    return state.x if state.flag else state.y


def a_choice_between_types_of_number(state: Toy) -> int:
    return (state.flag if state.x > 0 else state.y) + (Mode.ON if state.flag else 5)


def a_choice_within_a_choice(state: Toy) -> int:
    return 1 if state.x > 0 else 2 if state.flag else 3 if state.y else 4


def a_choice_evaluates_one_branch(state: Toy) -> int:
    return 12 // state.x if state.x else 12 // state.y if state.y else 0


def a_choice_of_members(state: Toy) -> bool:
    return (Mode.ON if state.flag else state.mode) is Mode.ON


def a_choice_of_tuples(state: Toy) -> int:
    one, other = (state.x, state.flag) if state.flag else (state.mode, 5)
    return 10 * one + other


def in_a_tuple(state: Toy) -> bool:
    return state.x in (1, -2, state.y)


def not_in_a_tuple(state: Toy) -> bool:
    return state.x not in PRIMES


def a_member_in_a_tuple_of_members(state: Toy) -> bool:
    return state.mode in (Mode.OFF, Mode.BROKEN)


def a_truth_in_a_tuple_of_numbers(state: Toy) -> bool:
    return state.flag in (state.x, 5)


def in_a_row_of_a_table(state: Toy) -> bool:
    return state.x in GRID[state.flag]


def in_a_range(state: Toy) -> bool:
    return state.x in range(3)


def in_a_range_from_to(state: Toy) -> bool:
    return state.x in range(state.y, state.y + 3) or state.x not in range(-1, 2)


def in_an_array(state: Toy) -> bool:
    return state.y in state.row


def not_in_an_array_of_truths(state: Toy) -> bool:
    return state.flag not in state.truths


def a_member_in_an_array(state: Toy) -> bool:
    return state.mode in state.modes and Mode.ON not in state.modes


def tuples_compared(state: Toy) -> int:
    pair = (state.x, state.flag)
    return (pair == (1, True)) + 2 * (pair != (state.y, 1)) + 4 * ((pair, 2) == ((0, False), 2))


def records_compared(state: Toy) -> int:
    return (state.cells[0] == state.cells[1]) + 2 * (state.box.cell != state.cells[0])


def arrays_compared(state: Toy) -> int:
    return (state.wide == state.wide) + 2 * (state.grid[0] != state.grid[1])


def records_in_tuples_compared(state: Toy) -> bool:
    return (state.cells[0], state.x) == (state.box.cell, 0)
