"""Compiled effects note what they assign to, and a successor is packed from these notes alone."""

from typing import Annotated

import pytest

from tierproof.model.language import (
    Array,
    Budget,
    Design,
    Range,
    Scope,
    State,
    action,
    bound,
    initial,
)
from tierproof.spark_explorer.compiler.sizes import MOST_NOTED
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.worker import Worker


class Shelf(Scope):
    places: int = bound(1, 80, default=MOST_NOTED + 6)
    refills: int = bound(0, 2, default=2)


class Store(State):
    jars: Annotated[list[Annotated[int, Range(0, 3)]], Array(Shelf.places)]
    count: Annotated[int, Range(0, 3)]
    refills: Annotated[int, Budget(Shelf.refills)]


@initial
def empty(state: Store) -> None:
    """Nothing is there, and one of the budget is spent."""
    state.refills = 1


@action()
def fills_every_jar(state: Store) -> None:
    """More assignments than are noted, the last of them to the last jar."""
    for place in range(len(state.jars)):
        state.jars[place] = 3 - state.jars[place]


@action()
def counts_up_and_back(state: Store) -> None:
    """The same leaf is assigned to several times."""
    state.count = 3
    state.count = 0
    state.count = 1 + state.jars[0] % 2


@action(budget="refills")
def gives_back_what_it_spends(state: Store) -> None:
    """The budget is as it was before."""
    state.refills += 1


def design(*actions) -> Design:
    return Design(
        name="store",
        title="A store",
        state=Store,
        initial=(empty,),
        system=actions,
        scopes={"all": Shelf()},
    )


@pytest.mark.parametrize("level", ["quick", "thorough"])
@pytest.mark.parametrize("does", [fills_every_jar, counts_up_and_back, gives_back_what_it_spends])
def test_the_successor_is_that_of_cpython(does, level):
    made = design(does)
    kernel = Kernel(made, made.scope("all"))
    if level == "thorough":
        kernel.optimise()
        kernel.close()
    worker, interpreter = Worker(kernel), kernel.interpreter
    (before,) = interpreter.initial_states()
    ((words,), _) = worker.expand(kernel.pack(before))
    (step,) = interpreter.enabled(before)
    after = kernel.unpack(words)
    assert after.leaves == interpreter.take(before, step).leaves
