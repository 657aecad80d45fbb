"""Loops over alike things, and what a test shows: where the order of the things could decide."""

from collections import Counter
from collections.abc import Callable
from enum import IntEnum
from typing import Annotated

import pytest

from tierproof.model.language import (
    NONE,
    Array,
    Bag,
    Design,
    Index,
    Range,
    Record,
    Scope,
    State,
    action,
    bound,
    initial,
)
from tierproof.model.language.errors import Asymmetric


class Yard(Scope):
    dogs: int = bound(1, 9, default=3)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True, alike=True)]
Count = Annotated[int, Range(0, 3)]


class Mood(IntEnum):
    CALM = 0
    LOUD = 1


class Home(Record):
    mood: Mood
    friend: MaybeDog


class Kennel(State):
    mood: Annotated[list[Mood], Array(Yard.dogs)]
    eaten: Annotated[list[Count], Array(Yard.dogs)]
    friend: Annotated[list[MaybeDog], Array(Yard.dogs)]
    home: Annotated[list[Home], Array(Yard.dogs)]
    table: Annotated[list[list[Count]], Array(Yard.dogs, Yard.dogs)]
    bag: Annotated[Counter[int], Bag(Yard.dogs, at_most=3)]
    leader: MaybeDog
    lucky: Count
    is_noisy: bool


@initial
def quiet(state: Kennel) -> None:
    """Nobody barks."""


def of(effect: Callable[..., None]) -> Design:
    """A design with one action."""
    acts = (action(stutters=True)(effect),)
    scopes = {"three": Yard()}
    return Design(
        name="kennel", title="Dogs", state=Kennel, initial=(quiet,), system=acts, scopes=scopes
    )


# -- whatever the order


def own_records(state: Kennel) -> None:
    """Fields of one name in two records are two fields."""
    for dog in range(len(state.home)):
        state.home[dog].friend = dog if state.friend[dog] == NONE else state.friend[dog]


def own_rows(state: Kennel) -> None:
    """A variable stands for the row of this iteration."""
    for dog in range(len(state.table)):
        row = state.table[dog]
        for other in range(len(state.table)):
            state.table[dog][other] = row[other]


def own_elements(state: Kennel) -> None:
    """So does the item of a loop over records."""
    for home in state.home:
        if home.mood == Mood.CALM:
            home.friend = NONE


def own_counts(state: Kennel) -> None:
    """Each member of a bag has its own count."""
    for dog in state.bag:
        state.bag[dog] -= 1


def only_grows(state: Kennel, dog: Dog) -> None:
    """What only grows leaves its domain in any order, or in none."""
    state.lucky = 0
    for other in range(len(state.eaten)):
        state.lucky += state.eaten[other] == state.eaten[dog]


@pytest.mark.parametrize("effect", [own_records, own_rows, own_elements, own_counts, only_grows])
def test_a_loop_in_which_each_thing_has_its_own_place_is_taken(effect):
    assert of(effect).alike


# -- where the order decides


def reads_what_all_store(state: Kennel, dog: Dog) -> None:
    found = 0
    for other in range(len(state.mood)):
        if state.mood[other] == Mood.CALM:
            found += 1
            state.mood[dog] = Mood.LOUD
    state.lucky = found


def reads_elements_that_all_store(state: Kennel, dog: Dog) -> None:
    found = 0
    for mood in state.mood:
        if mood == Mood.CALM:
            found += 1
            state.mood[dog] = Mood.LOUD
    state.lucky = found


def reads_records_that_all_store(state: Kennel, dog: Dog) -> None:
    found = 0
    for home in state.home:
        if home.mood == Mood.CALM:
            found += 1
            state.home[dog].mood = Mood.LOUD
    state.lucky = found


def reads_rows_that_all_store(state: Kennel, dog: Dog) -> None:
    found = 0
    for row in state.table:
        if row[dog] == 0:
            found += 1
            state.table[dog][dog] = 1
    state.lucky = found


def reads_a_row_from_before(state: Kennel, dog: Dog) -> None:
    found, row = 0, state.table[dog]
    for other in range(len(state.table)):
        found += row[other]
        state.table[other][dog] = 1
    state.lucky = found


def fills_the_bag_it_runs_over(state: Kennel, dog: Dog) -> None:
    for _ in state.bag:
        state.bag[dog] += 1


def stores_across(state: Kennel) -> None:
    for dog in range(len(state.eaten)):
        for other in range(len(state.eaten)):
            state.table[dog][other] = state.eaten[dog]
            state.table[other][dog] = state.eaten[dog]


def reads_across(state: Kennel) -> None:
    for dog in range(len(state.eaten)):
        for other in range(len(state.eaten)):
            state.table[other][dog] = state.table[dog][other]


def goes_up_and_down(state: Kennel) -> None:
    for eaten in state.eaten:
        if eaten == 0:
            state.lucky -= 1
        else:
            state.lucky += 1


def adds_what_may_be_negative(state: Kennel) -> None:
    for eaten in state.eaten:
        state.lucky += eaten - 1


def multiplies(state: Kennel) -> None:
    for eaten in state.eaten:
        state.lucky *= eaten


def flips_bits(state: Kennel) -> None:
    for eaten in state.eaten:
        state.lucky ^= eaten


SEVERAL = "changes 'Kennel.{}' in several ways"
READS = "reads '{}', which another iteration assigns"
LAST = "stores what depends on which is the last"
ORDERED: dict[Callable[..., None], str] = {
    reads_what_all_store: READS.format("Kennel.mood"),
    reads_elements_that_all_store: READS.format("Kennel.mood"),
    reads_records_that_all_store: READS.format("Home.mood"),
    reads_rows_that_all_store: READS.format("Kennel.table"),
    reads_a_row_from_before: READS.format("Kennel.table"),
    fills_the_bag_it_runs_over: READS.format("Kennel.bag"),
    stores_across: SEVERAL.format("table"),
    reads_across: READS.format("Kennel.table"),
    goes_up_and_down: SEVERAL.format("lucky"),
    adds_what_may_be_negative: LAST,
    multiplies: LAST,
    flips_bits: LAST,
}


@pytest.mark.parametrize("effect", ORDERED)
def test_a_loop_that_leaves_something_else_in_another_order_is_refused(effect):
    with pytest.raises(Asymmetric) as caught:
        of(effect)
    assert ORDERED[effect] in str(caught.value)


# -- what a test shows holds until something is assigned


def forgets(state: Kennel) -> bool:
    state.leader = NONE
    return True


def both(one: Mood, other: bool) -> bool:
    return other and one == Mood.LOUD


def remembers_too_long(state: Kennel) -> None:
    if state.leader != NONE and forgets(state):
        state.mood[state.leader] = Mood.LOUD


def forgets_in_an_argument(state: Kennel) -> None:
    if state.leader != NONE:
        state.is_noisy = both(other=forgets(state), one=state.mood[state.leader])


def forgets_before_it_looks(state: Kennel) -> None:
    if state.leader != NONE:
        state.is_noisy = forgets(state) in range(state.eaten[state.leader])


@pytest.mark.parametrize(
    "effect", [remembers_too_long, forgets_in_an_argument, forgets_before_it_looks]
)
def test_that_an_index_is_not_none_is_forgotten_when_the_state_is_assigned_in_passing(effect):
    with pytest.raises(Asymmetric, match="takes the last of the alike dogs where the index is NON"):
        of(effect)


def forgets_between(state: Kennel) -> None:
    state.is_noisy = any(
        state.mood[state.leader] == Mood.LOUD or not forgets(state)
        for _ in range(1)
        if state.leader != NONE
        for _ in range(2)
    )


def test_a_quantifier_assigns_nothing():
    with pytest.raises(Asymmetric, match="assigns within `any`; write a loop"):
        of(forgets_between)
