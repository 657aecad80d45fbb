"""Calls and names: helpers with their arguments, closures, globals, types of variables."""

# Numbers, truths and members stand for each other here, as they may.
# mypy: disable-error-code="arg-type, assignment"

import builtins

from tests.agreement.constructs import toy
from tests.agreement.constructs.toy import GRID, LIMIT, PRIMES, Bounds, Cell, Mode, Slot, Tag, Toy
from tierproof.model.language import action, guard, invariant


def _weighed(one: int, other: int = LIMIT, *, factor: int = 10) -> int:
    return one * factor + other


def arguments_by_place(state: Toy) -> int:
    return _weighed(state.x, state.y)


def arguments_by_name(state: Toy) -> int:
    return _weighed(other=state.x, one=state.y)


def arguments_that_are_left_out(state: Toy) -> int:
    return _weighed(state.x) + _weighed(state.y, factor=state.x)


def _by_place(one: int, other: int, /) -> int:
    return one - other


def arguments_by_place_alone(state: Toy) -> int:
    return _by_place(state.x, state.y)


def _settled(mode: Mode = Mode.BROKEN, pair: tuple[int, int] = (4, 7)) -> int:
    return mode.value * 10 + pair[1]


def defaults_that_are_members_and_tuples(state: Toy) -> int:
    return _settled() + _settled(state.mode) + _settled(pair=(state.x, state.y))


def _size_of(thing: Cell | Tag) -> int:
    return thing.size


def a_helper_for_two_types_of_record(state: Toy) -> int:
    return _size_of(state.cells[1]) * 100 + _size_of(state.tag) * 10 + _size_of(state.box.cell)


def _tripled(number: int) -> int:
    return number + number + number


def a_helper_for_every_type_of_number(state: Toy) -> int:
    return _tripled(state.flag) + _tripled(state.x) * 10 + _tripled(state.mode) * 100


def _is_same(one: object, other: object) -> bool:
    return one == other


def a_helper_that_compares_anything(state: Toy) -> bool:
    if _is_same(state.cells[0], state.cells[1]):
        return _is_same((state.x, 1), (1, state.flag))
    return _is_same(state.grid[0], state.grid[1]) or _is_same(state.x, state.y)


def _split(number: int) -> tuple[int, bool]:
    return number // 2, number % 2 == 1


def a_helper_that_returns_a_tuple(state: Toy) -> int:
    half, is_odd = _split(state.x)
    return half * 100 + is_odd * 10 + _split(state.y)[0]


def _chosen(state: Toy) -> Cell:
    for cell in state.cells:
        if cell.size > 2:
            return cell
    return state.box.cell


def a_helper_that_returns_a_reference(state: Toy) -> None:
    _chosen(state).size = 1
    state.result = _chosen(state).size


def _row_of(state: Toy, number: int) -> list[int]:
    return state.grid[number % 2]


def a_helper_that_returns_an_array(state: Toy) -> None:
    _row_of(state, state.x)[1] = 8
    state.result = sum(_row_of(state, 0)) * 100 + len(_row_of(state, 1))


def _clipped(number: int) -> int:
    if number > 2:
        return 2
    if number < 0:
        return False
    return number


def a_helper_that_returns_numbers_and_truths(state: Toy) -> int:
    return _clipped(state.x) * 10 + _clipped(state.y)


def _fill(state: Toy, number: int) -> None:
    if number < 0:
        return
    for slot in range(3):
        state.row[slot] = min(number, 4)


def a_helper_that_assigns(state: Toy) -> None:
    _fill(state, state.x)
    _fill(state, state.y)


def _first_filled(state: Toy) -> None:
    return _fill(state, 1)


def a_helper_that_returns_what_returns_nothing(state: Toy) -> None:
    _first_filled(state)


def _at_most(number: int) -> int:
    return min(_clipped(number), _weighed(number))


def helpers_of_helpers(state: Toy) -> int:
    return _at_most(_at_most(state.x) + toy.double(_at_most(state.y)))


def a_helper_of_a_module(state: Toy) -> int:
    return toy.double(state.x) + builtins.abs(state.y)


def constants_of_a_module(state: Toy) -> int:
    return toy.LIMIT * state.x + toy.PRIMES[1] + (state.mode is toy.Mode.ON)


_smallest = min


def another_name_for_a_builtin(state: Toy) -> int:
    return _smallest(state.x, state.y)


@guard
def _is_positive(state: Toy) -> int:
    return max(state.x, 0)


@guard
def _is_above(state: Toy, least: int) -> bool:
    return _is_positive(state) and state.y > least


@invariant()
def _stays_low(state: Toy) -> bool:
    return _is_above(state, 1) is False


def a_guard_within_a_predicate(state: Toy) -> bool:
    return _is_positive(state) is True and not _is_above(state, 0)


def a_property_within_a_predicate(state: Toy) -> bool:
    return _stays_low(state) != state.flag


def the_function_of_a_guard(state: Toy) -> int:
    return _is_positive.function(state) * 2


def a_guard_for_any_of_several(state: Toy) -> bool:
    return any(_is_above(state, least) for least in range(-3, 3, 2))


@action()
def _opens(state: Toy, number: Slot = 1) -> None:
    state.cells[number].is_open = True


def the_effect_of_another_action(state: Toy) -> None:
    _opens.effect(state)
    _opens.effect(state, number=0)


def _bound_of(scope: Bounds, factor: int) -> int:
    return scope.most * factor


def a_helper_that_takes_the_scope(state: Toy, scope: Bounds) -> None:
    chosen = _bound_of(scope, state.x)
    state.result = chosen + _bound_of(scope, 2)


def _closed_over(number: int, helper: object) -> object:
    def effect(state: Toy) -> None:
        state.result = number * state.x + helper(state.y, 5)  # type: ignore[operator]

    effect.__name__ = "a_closure_over_a_number_and_a_function"
    return effect


a_closure_over_a_number_and_a_function = _closed_over(7, _weighed)


def a_table_and_its_parts(state: Toy) -> int:
    first, _, last = GRID[state.flag]
    return GRID[1][2] * 100 + GRID[state.x > 0][abs(state.y) % 3] * 10 + first + last


def a_tuple_at_a_computed_place(state: Toy) -> int:
    return PRIMES[state.y] * 10 + (state.x, state.flag, 7)[abs(state.y) - 3]


def a_tuple_at_a_known_place(state: Toy) -> int:
    pair = (state.x, (state.y, PRIMES))
    return pair[0] + pair[-1][0] * 10 + pair[1][1][-1] * 100 + len(pair[1][1])


def a_variable_named_like_a_global(state: Toy) -> int:
    LIMIT = state.x
    double = LIMIT + 1
    return toy.double(double)


def a_variable_that_becomes_a_number(state: Toy) -> int:
    found = state.flag
    for _ in range(2):
        found = found + found + 1
    return found


def a_member_that_becomes_a_number(state: Toy) -> int:
    step = state.mode
    if step is Mode.ON:
        return 9
    total = state.mode
    total += 1
    return total + total


def a_tuple_whose_items_become_numbers(state: Toy) -> int:
    pair = (True, state.mode)
    while pair[0] < 4:
        pair = (pair[0] + 1, pair[1] + 1)
    return pair[0] * 10 + pair[1]


def a_variable_assigned_on_every_way(state: Toy) -> int:
    if state.flag:
        found = state.x
    elif state.x > 0:
        found = 7
    else:
        return -1
    return found


def a_variable_assigned_before_every_break(state: Toy) -> int:
    while True:
        if state.flag:
            found = 1
            break
        found = state.x
        if found > -9:
            break
    return found
