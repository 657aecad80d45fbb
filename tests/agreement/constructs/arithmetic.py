"""Arithmetic: whole numbers with Python's rounding, signs and bits; booleans are numbers."""

# ruff: noqa: SIM300

from tests.agreement.constructs.toy import LIMIT, Toy


def addition(state: Toy) -> int:
    return state.x + state.y


def subtraction(state: Toy) -> int:
    return state.x - state.y


def multiplication(state: Toy) -> int:
    return state.x * state.y


def operators_bind_as_in_python(state: Toy) -> int:
    return state.x + state.y * 3 - -2 * (state.x - 1) << 1 & 255 | 1


def floor_division_for_all_signs(state: Toy) -> int:
    return state.x // (state.y or 3)


def remainder_for_all_signs(state: Toy) -> int:
    return state.x % (state.y or -3)


def floor_division_by_a_negative_number(state: Toy) -> int:
    return state.x // -3


def remainder_by_a_negative_number(state: Toy) -> int:
    return state.x % -3


def division_of_a_number_that_is_written_down(state: Toy) -> int:
    return -7 // (state.y or 3) + 7 % (state.y or -3) * 10


def quotient_and_remainder_make_the_number(state: Toy) -> bool:
    divisor = state.y or 3
    return state.x // divisor * divisor + state.x % divisor == state.x


def division_of_numbers_of_many_bits(state: Toy) -> int:
    return ((state.x << 58) - 1) // ((1 << 55) + 7) + (state.x << 58) % -1000003


def a_product_that_just_fits(state: Toy) -> int:
    return state.x * ((1 << 60) - 1) // ((1 << 60) - 1)


def negation(state: Toy) -> int:
    return -state.x


def a_plus_sign(state: Toy) -> int:
    return +state.x - +state.flag


def inversion(state: Toy) -> int:
    return ~state.x


def signs_one_after_the_other(state: Toy) -> int:
    return -~-state.x - +-state.y


def left_shift(state: Toy) -> int:
    return state.x << abs(state.y)


def shift_by_nothing(state: Toy) -> int:
    return (state.x << 0) + (state.x >> 0)


def right_shift_of_a_negative_number(state: Toy) -> int:
    return (state.x * 100) >> abs(state.y)


def what_minus_one_leaves_over_of_the_smallest_number(state: Toy) -> int:
    return (-1 << 63) % (state.x - state.x - 1) + state.x


def right_shift_by_63_and_by_far_more(state: Toy) -> int:
    return (state.x >> 63) * 10 + (state.x >> 1000)


def nothing_shifted_far(state: Toy) -> int:
    return (state.x - state.x) << 1000


def the_highest_bit_that_fits(state: Toy) -> bool:
    return 1 << 62 > state.x > -1 << 63


def the_least_number(state: Toy) -> bool:
    return -(1 << 62) * 2 < state.x


def bits_of_negative_numbers(state: Toy) -> int:
    return (state.x & state.y) * 100 + (state.x | state.y) * 10 + (state.x ^ state.y)


def a_bit_of_a_set(state: Toy) -> int:
    return 0b10110 >> abs(state.x) & 1


def a_set_without_a_member(state: Toy) -> int:
    return 0b11111 & ~(1 << abs(state.x))


def a_set_that_a_truth_joins(state: Toy) -> int:
    return 1 << abs(state.x) | state.flag << 5


def numbers_in_other_notations(state: Toy) -> int:
    return state.x + 0xFF + 0o17 + 0b11 + 1_000


def absolute_value(state: Toy) -> int:
    return abs(state.x - 2) + abs(state.x > 2)


def least_of_two_and_of_three(state: Toy) -> int:
    return min(state.x, state.y) * 100 + min(state.x, -state.y, LIMIT)


def greatest_of_two_and_of_three(state: Toy) -> int:
    return max(state.x, state.y) * 100 + max(state.x, -state.y, LIMIT)


def least_of_a_number_and_a_truth(state: Toy) -> int:
    return min(state.x, state.flag) * 10 + max(True, state.x, 1)


def number_of_a_truth(state: Toy) -> int:
    return int(state.flag) * 10 + int(state.x > state.y) + int(state.x)


def truth_of_a_number(state: Toy) -> bool:
    return bool(state.x)


def truths_are_added(state: Toy) -> int:
    return state.flag + True + (state.x > 0) * 5 - state.flag * state.y


def truths_are_divided_and_shifted(state: Toy) -> int:
    return state.flag // True + state.flag % 2 * 10 + (state.flag << 3) + (True >> state.flag)


def a_truth_negated_and_inverted(state: Toy) -> int:
    return -state.flag * 10 + ~state.flag + -True


def bits_of_two_truths_are_a_truth(state: Toy) -> bool:
    return (state.flag & (state.x > 0) | state.flag ^ (state.y > 0)) is True


def bits_of_a_truth_and_a_number(state: Toy) -> int:
    return (state.flag & state.x) * 100 + (state.flag | state.x) * 10 + (state.flag ^ 1)


def least_of_two_truths_is_a_truth(state: Toy) -> bool:
    return min(state.flag, state.x > 0) is False


def every_operator_that_assigns(state: Toy) -> int:
    number = state.x
    number += 7
    number *= state.y
    number -= 3
    number <<= 4
    number //= 5
    number %= 1000
    number ^= 77
    number |= 8
    number &= 1023
    number >>= 1
    return number
