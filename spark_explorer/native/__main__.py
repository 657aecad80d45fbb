"""Compile the engine's own functions, once for all designs: the last step of a set-up.

    python -m tierproof.spark_explorer.native

Otherwise the first exploration compiles them and takes half a minute longer.
"""

from importlib.util import find_spec
from typing import Annotated

from tierproof.model.language import (
    Design,
    Index,
    Range,
    Scope,
    State,
    action,
    initial,
    invariant,
    liveness,
    within_bounds,
)
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.beginning import WORTH_COMPILING
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.sizing.size import size


class Place(State):
    """Where somebody is, of two places."""

    at: Annotated[int, Index(2)]


@initial
def at_home(state: Place, house: Annotated[int, Range(1, WORTH_COMPILING)]) -> None:
    """The first place, in any of so many houses that compiled code begins in them."""


@within_bounds
def is_in_reach(state: Place) -> bool:
    """Every place is."""
    return state.at < 2


@action()
def somebody_moves(state: Place) -> None:
    """Go to the other place."""
    state.at = 1 - state.at


@invariant()
def is_at_home(state: Place) -> bool:
    """Nobody leaves the first place, which is not so: its trace is sought too."""
    return state.at == 0


@liveness(weak=[somebody_moves])
def arrives(state: Place) -> bool:
    """Somebody comes to the second place."""
    return state.at == 1


@liveness(weak=())
def stays(state: Place) -> bool:
    """Somebody comes to a third place, which there is not: its lasso is sought too."""
    return state.at == 2


DESIGN = Design(
    name="engine",
    title="The least that makes every part of the engine run",
    state=Place,
    initial=(at_home,),
    system=(somebody_moves,),
    bounds=is_in_reach,
    properties=(is_at_home, arrives, stays),
    scopes={"only": Scope()},
)


def tabulate() -> None:
    """Make the rows of the tables of a run."""
    from tierproof.spark_explorer.tables.tabulating import Tabulation, Tabulator

    kernel = Kernel(DESIGN, Scope())
    tabulator = Tabulator(Tabulation(kernel))
    for rows in (tabulator.states, tabulator.steps):
        list(rows(0, kernel.initial()))


if __name__ == "__main__":
    explore(DESIGN, Scope(), lambda kernel: MemoryExecution(kernel, 2))
    simulate(DESIGN, Scope(), seed=0, walks=1)
    size(DESIGN, Scope(), stale=True)
    if find_spec("pyarrow") is not None:
        tabulate()
