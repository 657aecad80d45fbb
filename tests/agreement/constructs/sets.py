"""Sets: values that change by assignment and by the methods of the field that holds them."""

from tests.agreement.constructs.toy import (
    Bounds,
    Color,
    Gap,
    Members,
    Mode,
    Palette,
    Slot,
    Toy,
    ticked,
)


def a_member_is_added(state: Toy) -> None:
    state.group.add(abs(state.x) % 4)


def a_member_is_discarded(state: Toy) -> None:
    state.group.discard(state.x)


def a_member_is_removed_that_is_there(state: Toy) -> None:
    if state.y in state.group:
        state.group.remove(state.y)
    else:
        state.group.clear()


def a_set_in_an_array_changes(state: Toy) -> None:
    state.groups[state.flag].add(3)
    state.groups[-1].discard(0)
    state.groups[0] |= {1}


def a_set_in_a_record_changes(state: Toy) -> None:
    state.note.to.add(2)
    state.note.to -= {1, 3}


def a_set_of_members_of_an_enum_changes(state: Toy) -> None:
    state.palette.add(Color.BLUE)
    state.palette.discard(Color(state.mode))


def a_number_for_a_member(state: Toy) -> None:
    state.palette.add(state.mode)  # type: ignore[arg-type]
    state.group.add(state.flag)


def every_operator(state: Toy) -> None:
    state.groups[0] = state.group | {state.mode, 3}
    state.groups[1] = (state.group & {0, 1, abs(state.y)}) ^ {2}
    state.group = state.groups[0] - state.groups[1] - {state.mode}


def every_operator_that_assigns(state: Toy) -> None:
    state.group |= {abs(state.x) % 4}
    state.group &= state.groups[0] | {0, 1, 2}
    state.group ^= {1}
    state.group -= state.groups[1]


def every_comparison(state: Toy) -> int:
    one, other = state.group, state.groups[state.flag]
    found = (one == other) + 2 * (one != other) + 4 * (one < other) + 8 * (one <= other)
    return found + 16 * (one > other) + 32 * (one >= other) + 64 * (set() < one <= {0, 1, 2})


def a_set_that_is_written_down(state: Toy) -> None:
    state.group = {1, abs(state.y)}
    state.groups[0] = {state.flag, state.mode}
    state.groups[1] = set()


def a_set_of_truths(state: Toy) -> int:
    found = {state.flag, state.x > 0}
    return sum(number + 1 for number in sorted(found)) + 10 * len(found)


def membership(state: Toy) -> bool:
    return state.x in state.group and state.y not in state.groups[0]


def membership_of_what_no_set_holds(state: Toy) -> int:
    return (state.x * 1000 in state.group) + 2 * (Gap.LOW in state.group) + (1 << 62 in state.group)


def membership_in_a_set_that_is_written_down(state: Toy) -> bool:
    return state.x in {1, 3, abs(state.y)} and state.mode not in {Mode.ON, Mode.BROKEN}


def a_number_in_a_set_of_members(state: Toy) -> bool:
    return state.x in state.palette and Color.BLUE not in state.palette


def the_length(state: Toy) -> int:
    return len(state.group) * 100 + len(state.palette) * 10 + len({state.x % 3, state.y % 3})


def truth_of_a_set(state: Toy) -> int:
    found = 1 if state.group & {1, 2} else 2
    if not state.group:
        found += 10
    if state.flag and state.group - {0}:
        found += 20
    while state.group and found < 1000:
        found *= 3
    return found + bool(state.palette - {Color.RED})


def truth_of_sets_in_a_generator(state: Toy) -> int:
    whole = all(state.group & {slot} for slot in range(2))
    some = any(group - {0} for group in state.groups if group)
    return whole + 2 * some


def a_loop_over_a_set(state: Toy) -> None:
    for number in state.group:
        state.result = state.result * 10 + number + 1


def a_loop_over_a_set_that_changes(state: Toy) -> None:
    for number in state.group:
        state.group.discard(number + 1)
        state.group.add(3 - number)
        state.result = state.result * 10 + number


def a_loop_that_breaks_and_continues(state: Toy) -> None:
    for number in state.group | {3}:
        if number == abs(state.y):
            continue
        if number == 3:
            break
        state.result += number + 1


def loops_within_loops(state: Toy) -> None:
    for one in state.group:
        for other in state.groups[0] | state.group:
            state.result += one * 10 + other


def a_loop_over_a_set_made_here(state: Toy) -> None:
    for number in sorted({3, 1, abs(state.y)} - {2}):
        state.result = state.result * 10 + number


def a_loop_over_members(state: Toy) -> None:
    for color in state.palette:
        if color is Color.GREEN:
            state.color = color
        state.result = state.result * 10 + color.value


def generators_over_sets(state: Toy) -> int:
    return sum(number * 2 for number in state.group if number in state.groups[1]) + 100 * any(
        one < other for one in state.group for other in state.groups[0]
    )


def a_comprehension(state: Toy) -> None:
    state.group = {number % 4 for number in state.line if number >= 0}
    state.groups[0] = {3 - number for number in state.group if number != state.y}


def a_comprehension_of_several_loops(state: Toy) -> None:
    state.group = {abs(one - other) for one in state.group for other in state.groups[0]}


def a_set_of_what_a_loop_runs_over(state: Toy) -> None:
    state.group = set(range(abs(state.x))) - {state.y}
    state.groups[0] = set(abs(number) % 4 for number in state.wide)  # noqa: C401
    state.palette = set(Color) - {Color(state.mode)}
    state.groups[1] = set(state.row[slot] % 4 for slot in range(2)) | set({abs(state.y)})  # noqa: C401


def a_name_for_a_set_is_a_copy(state: Toy) -> None:
    before = state.group
    state.group.add(3)
    state.group.discard(abs(state.y))
    state.result = len(before) * 10 + len(state.group) + 100 * (before < state.group)


def a_variable_that_is_assigned_again(state: Toy) -> None:
    found: set[int] = set()
    for slot in range(4):
        if slot in state.group or slot == state.y:
            found = found | {slot}
    state.groups[1] = found


def a_choice_of_sets(state: Toy) -> None:
    state.groups[0] = state.group if state.flag else {1, 2}


def _larger(one: Members, other: Members) -> Members:
    return one if len(one) >= len(other) else other


def _both(one: Members, other: Members) -> tuple[Members, int]:
    return one & other, len(one | other)


def sets_given_and_returned(state: Toy) -> None:
    state.groups[0] = _larger(state.group, {0, abs(state.y)})
    state.groups[1], state.result = _both(state.group, _larger(state.groups[0], state.groups[1]))


def sets_in_a_tuple(state: Toy) -> int:
    pair = (state.group, {1})
    one, other = pair
    return len(one) + 10 * len(other) + 100 * (pair == (state.groups[0], other))


def an_array_of_sets_is_assigned(state: Toy) -> None:
    state.groups[1], state.groups[0] = state.groups[0], state.group
    state.groups = state.groups


def the_set_is_read_before_the_member(state: Toy) -> None:
    state.group.add(_clears(state))


def _clears(state: Toy) -> int:
    state.group = set()
    return ticked(state) % 4


def the_value_is_found_before_the_set_is_assigned(state: Toy) -> None:
    state.group |= {_clears(state)}


def a_parameter_that_is_a_set(state: Toy, quorum: Members, slot: Slot) -> None:
    state.groups[0] = quorum
    state.result = sum(number + 1 for number in quorum) * 10 + slot
    state.truth = slot in quorum and quorum <= state.group


def a_parameter_of_members(state: Toy, palette: Palette) -> None:
    state.palette = palette
    state.result = sum(1 + color for color in palette) if palette else -1


def sets_compare_with_those_of_the_scope(state: Toy, scope: Bounds) -> None:
    state.truth = set(range(scope.slots)) >= state.group


def members_of_an_enum(state: Toy) -> int:
    found = 0
    for mode in Mode:
        found = found * 10 + mode + (mode is state.mode)
    return found + sum(color.value for color in Color if color in state.palette) * 1000


def every_member_of_an_enum(state: Toy) -> bool:
    return all(color in state.palette or color < state.y for color in Color)


def a_set_of_as_many_as_there_may_be(state: Toy) -> None:
    state.crowd.add(58 + abs(state.y))
    state.crowd = state.crowd | {number + 57 for number in range(abs(state.x))}
    state.result = sum(number for number in state.crowd) + 10000 * len(state.crowd)
    state.truth = 61 in state.crowd and 62 not in state.crowd and 63 + state.y not in state.crowd
    state.crowd ^= set(range(62))


def the_edges_of_a_set(state: Toy) -> int:
    found = min(state.group | {state.mode}) * 10 + max(state.crowd)
    return found + 100 * (min({3, abs(state.x)}) + max(state.groups[1]))


def the_edges_of_a_set_of_members(state: Toy) -> None:
    state.color = max(state.palette)
    state.truth = min(state.palette) is Color.RED and max({Color.GREEN}) is Color.GREEN
