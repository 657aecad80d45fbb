"""One lock, several workers, no queue: whether a worker starves depends on what is fair."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    Array,
    Budget,
    Design,
    Index,
    Scope,
    State,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    liveness,
)


class Workers(Scope):
    workers: int = bound(2, 6, default=2)
    crashes: int = bound(0, 1, default=0)


class Stage(IntEnum):
    IDLE = 0
    WAITING = 1
    INSIDE = 2


Worker = Annotated[int, Index(Workers.workers)]


class Mutex(State):
    stage: Annotated[list[Stage], Array(Workers.workers)]
    is_broken: bool
    crashes: Annotated[int, Budget(Workers.crashes)]


@initial
def all_idle(state: Mutex) -> None:
    """Nobody wants the lock."""


@guard
def is_idle(state: Mutex, worker: Worker) -> bool:
    """The worker does not want the lock."""
    return state.stage[worker] == Stage.IDLE


@guard
def is_waiting(state: Mutex, worker: Worker) -> bool:
    """The worker waits for the lock."""
    return state.stage[worker] == Stage.WAITING


@guard
def is_inside(state: Mutex, worker: Worker) -> bool:
    """The worker has the lock."""
    return state.stage[worker] == Stage.INSIDE


@guard
def lock_is_free(state: Mutex) -> bool:
    """The lock works and nobody has it."""
    for stage in state.stage:
        if stage == Stage.INSIDE:
            return False
    return not state.is_broken


@guard
def first_is_waiting(state: Mutex) -> bool:
    """Worker 0 waits for the lock."""
    return state.stage[0] == Stage.WAITING


@action(guards=[is_waiting, lock_is_free], actor="worker {worker}", to="lock")
def worker_takes_lock(state: Mutex, worker: Worker) -> None:
    """Take the lock."""
    state.stage[worker] = Stage.INSIDE


@action(guards=[is_inside], actor="worker {worker}", to="lock")
def worker_frees_lock(state: Mutex, worker: Worker) -> None:
    """Give the lock back."""
    state.stage[worker] = Stage.IDLE


@action(guards=[is_idle], actor="worker {worker}")
def worker_wants_lock(state: Mutex, worker: Worker) -> None:
    """Begin to wait: whoever likes."""
    state.stage[worker] = Stage.WAITING


@action(guards=[lock_is_free], actor="lock", budget="crashes")
def lock_breaks(state: Mutex) -> None:
    """Nobody can take it any more."""
    state.is_broken = True


@liveness(premise=first_is_waiting)
def first_comes_in(state: Mutex) -> bool:
    """Worker 0 gets the lock for which it waits."""
    return state.stage[0] == Stage.INSIDE


@liveness(premise=first_is_waiting, strong=[worker_takes_lock])
def first_comes_in_if_taking_is_strongly_fair(state: Mutex) -> bool:
    """Worker 0 gets the lock for which it waits."""
    return state.stage[0] == Stage.INSIDE


@liveness()
def lock_is_used(state: Mutex) -> bool:
    """Somebody gets the lock again and again."""
    return any(stage == Stage.INSIDE for stage in state.stage)


DESIGN = Design(
    name="mutex",
    title="A lock without a queue",
    state=Mutex,
    initial=(all_idle,),
    system=(worker_takes_lock, worker_frees_lock),
    environment=(worker_wants_lock, lock_breaks),
    properties=(
        deadlock_free,
        first_comes_in,
        first_comes_in_if_taking_is_strongly_fair,
        lock_is_used,
    ),
    scopes={"two": Workers(), "three": Workers(workers=3), "breaking": Workers(crashes=1)},
)
