"""Two-phase commit beside two clocks that tick to a bound: a space of any size, known beforehand.

The clocks share nothing with the commit, so there are `(ticks + 1) ** 2` times as many states, and
a state has as many successors in a large scope as in a small one. With 5 resource managers (8,832
states) and 336 ticks there are 1,003,041,408. A state is one word, and the fingerprint of one word
is a bijection: the count is exact.
"""

from dataclasses import replace
from typing import Annotated

from tests.toys.two_phase_commit import DESIGN as COMMIT
from tests.toys.two_phase_commit import Managers, TwoPhase
from tierproof.model.language import Array, Index, Range, action, bound, guard


class Clocked(Managers):
    ticks: int = bound(0, 511)


Clock = Annotated[int, Index(2)]


class ClockedCommit(TwoPhase):
    clock: Annotated[list[Annotated[int, Range(0, Clocked.ticks)]], Array(2)]


@guard
def has_time(state: ClockedCommit, at: Clock, scope: Clocked) -> bool:
    """The clock has not reached the bound."""
    return state.clock[at] < scope.ticks


@action(guards=[has_time], actor="clock {at}")
def tick(state: ClockedCommit, at: Clock) -> None:
    """The clock goes on by one."""
    state.clock[at] += 1


DESIGN = replace(
    COMMIT,
    name="clocked-commit",
    title="Two-phase commit beside two clocks",
    state=ClockedCommit,
    environment=(tick,),
    scopes={"clocked": Clocked(resource_managers=5, ticks=9)},
)
