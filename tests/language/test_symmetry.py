"""Things are declared alike, and functions that tell them apart are refused by name."""

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from typing import Annotated, Any

import pytest

from tests.toys import locks, mutex
from tests.toys.alike import alike
from tierproof.model.language import (
    NONE,
    Array,
    Design,
    Edit,
    Index,
    Range,
    Scope,
    Sequence,
    Set,
    State,
    action,
    bound,
    initial,
    invariant,
    liveness,
    step_property,
)
from tierproof.model.language.actions import Action
from tierproof.model.language.errors import Asymmetric


class Yard(Scope):
    dogs: int = bound(1, 9, default=3)
    bowls: int = bound(1, 9, default=2)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True, alike=True)]


class Mood(IntEnum):
    CALM = 0
    LOUD = 1


class Kennel(State):
    mood: Annotated[list[Mood], Array(Yard.dogs)]
    eaten: Annotated[list[Annotated[int, Range(0, 3)]], Array(Yard.dogs)]
    friend: Annotated[list[MaybeDog], Array(Yard.dogs)]
    leader: MaybeDog
    inside: Annotated[set[int], Set(Yard.dogs)]
    queue: Annotated[list[Annotated[int, Index(Yard.dogs)]], Sequence(2)]
    full: Annotated[list[bool], Array(Yard.bowls)]
    lucky: Annotated[int, Range(0, 9)]
    is_noisy: bool


@initial
def quiet(state: Kennel) -> None:
    """The first dog leads."""
    state.leader = 0


def design(*acts: Action, **more: Any) -> Design:
    return Design(
        name="kennel",
        title="A kennel",
        state=Kennel,
        initial=(quiet,),
        system=acts,
        scopes={"three": Yard()},
        **more,
    )


def of(effect: Callable[..., None]) -> Design:
    """A design with one action."""
    return design(action(stutters=True)(effect))


# -- what tells no dog apart


def barks(state: Kennel, dog: Dog) -> None:
    """A parameter is an index, is stored, compared, and a member of sets."""
    state.mood[dog] = Mood.LOUD
    if state.leader == NONE or state.leader != dog:
        state.leader = dog
    if dog not in state.inside:
        state.inside.add(dog)


def all_eat(state: Kennel) -> None:
    """Each iteration stores at its own index."""
    for dog in range(len(state.eaten)):
        if state.mood[dog] == Mood.CALM:
            state.eaten[dog] = 1


def is_loud(state: Kennel, dog: int) -> bool:
    return state.mood[dog] == Mood.LOUD


def counts(state: Kennel, scope: Yard) -> None:
    """Sums, quantifiers and what is only added to come out the same in any order."""
    loud = 0
    found = False
    for dog in range(scope.dogs):
        loud += is_loud(state, dog)
        found = found or dog in state.inside
    state.lucky = min(loud, 9)
    state.is_noisy = found and any(is_loud(state, dog) for dog in state.inside)


def leader_barks(state: Kennel) -> None:
    """An index that may be NONE is tested before."""
    if state.leader == NONE:
        return
    state.mood[state.leader] = Mood.LOUD


def friends_are_inside(state: Kennel, dog: Dog) -> None:
    """A test in the same condition is enough."""
    friend = state.friend[dog]
    if friend != NONE and state.mood[friend] == Mood.LOUD:
        state.inside.discard(friend)


def first_in_line(state: Kennel, dog: Dog) -> None:
    """A sequence has an order of its own."""
    if len(state.queue) == 2:
        state.leader = state.queue.pop(0)
    state.queue.append(dog)


def ends_early(state: Kennel) -> bool:
    for mood in state.mood:
        if mood == Mood.LOUD:
            return True
    return len(state.inside) > 2


def looks(state: Kennel) -> None:
    """A loop ends early with a constant."""
    state.is_noisy = ends_early(state)


ALLOWED = (
    barks,
    all_eat,
    counts,
    leader_barks,
    friends_are_inside,
    first_in_line,
    looks,
)


@pytest.mark.parametrize("effect", ALLOWED)
def test_what_tells_alike_things_not_apart_is_taken(effect):
    assert [one.text for one in of(effect).alike] == ["dogs"]


# -- what tells them apart


def first_dog(state: Kennel) -> None:
    state.mood[0] = Mood.LOUD


def by_order(state: Kennel, dog: Dog) -> None:
    if dog > state.leader:
        state.is_noisy = True


def by_literal(state: Kennel, dog: Dog) -> None:
    if dog == 1:
        state.is_noisy = True


def packs(state: Kennel, dog: Dog) -> None:
    state.lucky = dog


def computes(state: Kennel, dog: Dog) -> None:
    state.leader = (dog + 1) % 3


def takes_the_lowest(state: Kennel) -> None:
    if state.inside:
        state.leader = min(state.inside)


def takes_the_last(state: Kennel) -> None:
    for dog in range(len(state.mood)):
        state.leader = dog


def takes_the_first(state: Kennel) -> None:
    found = NONE
    for dog in range(len(state.mood)):
        if state.mood[dog] == Mood.LOUD:
            found = dog
            break
    state.leader = found


def last_where_none(state: Kennel) -> None:
    state.mood[state.leader] = Mood.LOUD


def asks_for_the_number(state: Kennel, dog: Dog) -> None:
    if dog:
        state.is_noisy = True


def looks_at_the_next(state: Kennel) -> None:
    for dog in range(len(state.mood)):
        if state.leader != NONE and state.mood[state.leader] == Mood.LOUD:
            state.mood[dog] = Mood.LOUD


def lines_up(state: Kennel) -> None:
    for dog in state.inside:
        state.queue.append(dog)


def skips_the_first(state: Kennel) -> None:
    for dog in range(1, len(state.mood)):
        state.mood[dog] = Mood.LOUD


def fails_for_one(state: Kennel) -> None:
    state.is_noisy = any(state.full[state.eaten[dog]] for dog in range(len(state.eaten)))


def which(state: Kennel) -> int:
    for dog in range(len(state.mood)):
        if state.mood[dog] == Mood.LOUD:
            return dog
    return NONE


def asks_which(state: Kennel) -> None:
    state.leader = which(state)


def other_bowl(state: Kennel, dog: Dog) -> None:
    state.full[dog] = True


def breaks_off(state: Kennel) -> None:
    noisy = False
    for dog in range(len(state.mood)):
        if state.eaten[dog] == 1:
            noisy = True
        if state.mood[dog] == Mood.LOUD:
            break
    state.is_noisy = noisy


def takes_out(state: Kennel, dog: int) -> bool:
    state.inside.discard(dog)
    return len(state.inside) == 1


def assigns_in_passing(state: Kennel) -> None:
    state.is_noisy = any(takes_out(state, dog) for dog in range(len(state.mood)))


def forgets_the_leader(state: Kennel, dog: int) -> bool:
    state.leader = NONE
    return state.mood[dog] == Mood.LOUD


def last_after_a_call(state: Kennel, dog: Dog) -> None:
    if state.leader == NONE:
        return
    if forgets_the_leader(state, dog) or dog in state.inside:
        state.mood[state.leader] = Mood.LOUD


REFUSED: dict[Callable[..., None], tuple[str, str]] = {
    first_dog: ("state.mood[0]", "let a parameter or a loop over all dogs name it"),
    by_order: ("dog > state.leader", "by == and !="),
    by_literal: ("dog == 1", "compare alike things with each other and with NONE"),
    packs: ("state.lucky = dog", "declare the field as an Index"),
    computes: ("dog + 1", "no number"),
    takes_the_lowest: ("min(state.inside)", "no first"),
    takes_the_last: ("state.leader = dog", "store at the index 'dog', or sum up"),
    takes_the_first: ("found = dog", "use any, all and sum"),
    last_where_none: ("state.mood[state.leader]", "test that it is not NONE before"),
    asks_for_the_number: ("if dog:", "compare it with NONE"),
    looks_at_the_next: ("state.mood[state.leader]", "read it at 'dog' only, or use two loops"),
    lines_up: ("state.queue.append(dog)", "keep it in an array or set"),
    skips_the_first: ("state.mood[dog]", "or a loop over all dogs"),
    fails_for_one: ("state.full[state.eaten[dog]]", "write what cannot be an error"),
    asks_which: ("return dog", "return one constant"),
    other_bowl: ("state.full[dog]", "no order"),
    assigns_in_passing: ("any((takes_out(", "write a loop"),
    last_after_a_call: ("state.mood[state.leader]", "test that it is not NONE before"),
    breaks_off: ("noisy = True", "leave the `break` out"),
}


@pytest.mark.parametrize("effect", REFUSED)
def test_what_tells_alike_things_apart_is_refused_with_its_line_and_what_to_write(effect):
    with pytest.raises(Asymmetric) as caught:
        of(effect)
    text = str(caught.value)
    first = effect.__code__.co_firstlineno
    quoted, instead = REFUSED[effect]
    place, _, rest = text.partition(": ")
    assert place.startswith("tests/language/test_symmetry.py:")
    assert int(place.rpartition(":")[2]) in range(min(first, 1 + first - 20), first + 9)
    assert f"`{quoted}" in rest.partition("; ")[0]
    assert instead in rest.partition("; ")[2]


@invariant()
def first_is_calm(state: Kennel) -> bool:
    """The first dog is calm."""
    return state.mood[0] == Mood.CALM


@step_property()
def leader_stays(before: Kennel, after: Kennel, step: Any) -> bool:
    """Only a dog that barks becomes the leader."""
    return after.leader in (before.leader, step.dog)


@step_property()
def lucky_dog_leads(before: Kennel, after: Kennel, step: Any) -> bool:
    """The dog of that number leads."""
    return step.dog == before.lucky


@liveness()
def first_barks(state: Kennel) -> bool:
    """The first dog barks."""
    return state.mood[0] == Mood.LOUD


def test_a_property_that_names_one_of_them_is_refused():
    with pytest.raises(Asymmetric, match=r"in 'first_is_calm', `state.mood\[0\]` takes an element"):
        design(action()(barks), properties=(first_is_calm,))


def test_a_step_property_may_compare_the_argument_of_the_step_with_one_of_them():
    assert design(action()(barks), properties=(leader_stays,)).alike
    with pytest.raises(Asymmetric, match=r"in 'lucky_dog_leads', `step\.dog == before\.lucky`"):
        design(action()(barks), properties=(lucky_dog_leads,))


def test_a_liveness_property_may_name_one_as_it_is_judged_without_symmetry():
    assert design(action()(barks), properties=(first_barks,)).alike


def test_initial_states_may_name_one_of_them():
    assert of(barks).initial == (quiet,)


def test_an_edit_that_tells_them_apart_is_refused_when_it_is_applied():
    act = action(stutters=True)(barks)
    with pytest.raises(Asymmetric, match="in 'by_literal'"):
        design(act).derive(name="other", title="Other", change=Edit(also={act: by_literal}))


def test_the_toys_that_tell_workers_apart_by_number_cannot_declare_them_alike():
    with pytest.raises(Asymmetric, match=r"in 'lock_wanted', `stage . worker` computes"):
        alike(locks.DESIGN, locks.Workers.workers)
    assert alike(mutex.DESIGN, mutex.Workers.workers).alike


def test_a_design_that_declares_nothing_alike_has_nothing_alike():
    assert replace(mutex.DESIGN).alike == ()
