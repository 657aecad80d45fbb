"""Numbers of more than 64 bits, on the way to a result: CPython computes with them, we refuse."""

from tests.agreement.constructs.toy import Toy

HUGE = (1 << 63) - 1


def a_sum(state: Toy) -> int:
    return (HUGE + state.x) // HUGE


def a_difference(state: Toy) -> int:
    return (-HUGE - state.x) // HUGE


def a_product(state: Toy) -> int:
    return state.x * HUGE // HUGE


def a_negation(state: Toy) -> bool:
    return -(-HUGE + state.x) > 0


def an_absolute_value(state: Toy) -> bool:
    return abs(-HUGE + state.x) > 0


def a_quotient(state: Toy) -> bool:
    return (-HUGE - 1) // (state.x or 2) > 0


def a_shift_of_one(state: Toy) -> bool:
    return 1 << 61 + state.x > 0


def a_shift_of_a_number(state: Toy) -> bool:
    return state.x << 61 > 0


def a_shift_of_a_number_by_far(state: Toy) -> bool:
    return state.x << 70 > 0


def a_sum_of_many(state: Toy) -> int:
    return sum(HUGE for number in range(state.x)) // HUGE


def an_operator_that_assigns(state: Toy) -> int:
    number = HUGE
    number += state.x
    return number // HUGE


def a_result_far_outside_its_domain(state: Toy) -> None:
    state.result = (state.x << 60) // (1 << 60) * 2
    state.number = (state.x << 61) * state.y // (1 << 61) % 5


def a_set_of_what_is_no_member(state: Toy) -> int:
    return len({state.x, 2})


def a_set_of_a_large_number(state: Toy) -> bool:
    return state.group < {0, 1, 2, 3, 58 + abs(state.x)}


def a_comprehension_of_what_is_no_member(state: Toy) -> int:
    return len({number for number in state.wide if number})
