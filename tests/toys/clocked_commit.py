"""Two-phase commit beside a clock that ticks to a bound: a space of any size, known beforehand.

The clock shares nothing with the commit, so there are `ticks + 1` times as many states. With 11
resource managers (366,993,408 states) and two ticks they are 1,100,980,224. A state is one word,
and the fingerprint of one word is a bijection: the count is exact.
"""

from dataclasses import replace
from typing import Annotated

from tests.toys.two_phase_commit import DESIGN as COMMIT
from tests.toys.two_phase_commit import Managers, TwoPhase
from tierproof.model.language import Range, action, bound, guard


class Clocked(Managers):
    ticks: int = bound(0, 15)


class ClockedCommit(TwoPhase):
    clock: Annotated[int, Range(0, Clocked.ticks)]


@guard
def has_time(state: ClockedCommit, scope: Clocked) -> bool:
    """The clock has not reached the bound."""
    return state.clock < scope.ticks


@action(guards=[has_time], actor="clock")
def tick(state: ClockedCommit) -> None:
    """The clock goes on by one."""
    state.clock += 1


DESIGN = replace(
    COMMIT,
    name="clocked-commit",
    title="Two-phase commit beside a clock",
    state=ClockedCommit,
    environment=(tick,),
    scopes={"eleven": Clocked(resource_managers=11, ticks=2)},
)
