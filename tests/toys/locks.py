"""Two workers, two locks, taken in opposite order: they deadlock after two steps."""

from typing import Annotated

from tierproof.model.language import (
    NONE,
    Array,
    Design,
    Index,
    Scope,
    State,
    Variant,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    invariant,
)


class Workers(Scope):
    workers: int = bound(2, 6, default=2)


Worker = Annotated[int, Index(Workers.workers)]


class Locks(State):
    """Lock `i` lies between worker `i` and the next; `held` counts a worker's locks."""

    owner: Annotated[list[Annotated[int, Index(Workers.workers, optional=True)]], Array(2)]
    stage: Annotated[list[Annotated[int, Index(3)]], Array(Workers.workers)]


@initial
def all_free(state: Locks) -> None:
    """Nobody holds a lock."""


def lock_wanted(stage: int, worker: int) -> int:
    """Even workers take lock 0 first, odd ones lock 1."""
    return (stage + worker) % 2


@guard
def wants_more(state: Locks, worker: Worker) -> bool:
    """The worker does not hold both locks."""
    return state.stage[worker] < 2


@guard
def lock_is_free(state: Locks, worker: Worker) -> bool:
    """Nobody holds the lock that the worker wants next."""
    return state.owner[lock_wanted(state.stage[worker], worker)] == NONE


@guard
def holds_both(state: Locks, worker: Worker) -> bool:
    """The worker holds both locks."""
    return state.stage[worker] == 2


@guard
def nobody_waits_inside(state: Locks, worker: Worker) -> bool:
    """No other worker holds a lock: the order no longer matters."""
    for other in range(len(state.stage)):
        if other != worker and state.stage[other] > 0:
            return False
    return True


@action(guards=[wants_more, lock_is_free], actor="worker {worker}")
def worker_takes_lock(state: Locks, worker: Worker) -> None:
    """Take the next lock in this worker's order."""
    state.owner[lock_wanted(state.stage[worker], worker)] = worker
    state.stage[worker] = state.stage[worker] + 1


@action(guards=[holds_both], actor="worker {worker}")
def worker_releases(state: Locks, worker: Worker) -> None:
    """Give both locks back."""
    state.owner[0] = NONE
    state.owner[1] = NONE
    state.stage[worker] = 0


@invariant()
def a_lock_has_one_owner(state: Locks) -> bool:
    """As many locks are owned as the workers hold."""
    owned = 0
    held = 0
    for lock in range(2):
        owned += state.owner[lock] != NONE
    for worker in range(len(state.stage)):
        held += state.stage[worker]
    return owned == held


DESIGN = Design(
    name="locks",
    title="Two locks in opposite order",
    state=Locks,
    initial=(all_free,),
    system=(worker_takes_lock, worker_releases),
    properties=(deadlock_free, a_lock_has_one_owner),
    scopes={"two": Workers()},
    variants=(
        Variant(
            name="one_at_a_time",
            because="a worker begins only when nobody else holds a lock",
            fence={worker_takes_lock: nobody_waits_inside},
        ),
    ),
)
