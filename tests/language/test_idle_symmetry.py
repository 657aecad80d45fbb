"""A declaration of alike things that would do nothing, or not what it says, is refused."""

from typing import Annotated, Any

import pytest

from tierproof.model.language import (
    Array,
    Budget,
    Design,
    DesignError,
    Index,
    Range,
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


def test_alike_things_are_counted_by_a_bound():
    with pytest.raises(DesignError, match="give it a bound of the scope"):
        Index(3, alike=True)


class Empty(State):
    lucky: Annotated[int, Range(0, 9)]


@initial
def empty(state: Empty) -> None:
    """Nothing."""


@action()
def nothing(state: Empty, dog: Dog) -> None:
    state.lucky = 1


def test_a_declaration_of_which_the_state_says_nothing_is_refused():
    with pytest.raises(Asymmetric, match=r"alike=True of Index\(dogs\) would do nothing"):
        Design(
            name="empty",
            title="Empty",
            state=Empty,
            initial=(empty,),
            system=(nothing,),
            scopes={"only": Yard()},
        )


class Rations(State):
    left: Annotated[list[Annotated[int, Budget(2)]], Array(Yard.dogs)]
    seen: Annotated[Any, Range(0, 1)]


@initial
def full(state: Rations) -> None:
    """Nothing is eaten."""


@action(budget="left[0]")
def first_eats(state: Rations, dog: Dog) -> None:
    state.seen = 1


def test_a_budget_of_one_of_them_is_refused():
    with pytest.raises(Asymmetric, match=r"spends 'left\[0\]'"):
        Design(
            name="rations",
            title="Rations",
            state=Rations,
            initial=(full,),
            system=(first_eats,),
            scopes={"only": Yard()},
        )
