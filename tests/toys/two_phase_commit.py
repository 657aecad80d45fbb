"""Two-phase commit, as Gray and Lamport specify it ("Consensus on Transaction Commit", section 3).

The published state counts of the TLA+ module make it the yardstick of the engine:
3 resource managers give 288 distinct and 1,146 generated states at depth 10.
"""

from enum import IntEnum
from typing import Annotated

from tests.toys.alike import alike
from tierproof.model.language import (
    Array,
    Design,
    Index,
    Lifecycle,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    witness,
)


class Managers(Scope):
    resource_managers: int = bound(1, 12)


ResourceManager = Annotated[int, Index(Managers.resource_managers)]


class RmState(IntEnum):
    WORKING = 0
    PREPARED = 1
    COMMITTED = 2
    ABORTED = 3


class TmState(IntEnum):
    INIT = 0
    COMMITTED = 1
    ABORTED = 2


RM_LIFE = Lifecycle(
    RmState,
    [
        ("prepare", RmState.WORKING, RmState.PREPARED),
        # The specification's receive actions test the message only, so that their guard
        # would let a working manager commit; that it never happens is what TCConsistent shows.
        ("commit", RmState.PREPARED, RmState.COMMITTED),
        ("abort", [RmState.WORKING, RmState.PREPARED], RmState.ABORTED),
    ],
)
TM_LIFE = Lifecycle(
    TmState,
    [("commit", TmState.INIT, TmState.COMMITTED), ("abort", TmState.INIT, TmState.ABORTED)],
)


class TwoPhase(State):
    rm: Annotated[list[RmState], Array(Managers.resource_managers)]
    tm: TmState
    tm_prepared: Annotated[list[bool], Array(Managers.resource_managers)]
    prepared_sent: Annotated[list[bool], Array(Managers.resource_managers)]
    commit_sent: bool
    abort_sent: bool


@initial
def all_working(state: TwoPhase) -> None:
    """Every resource manager works, nothing is sent."""


@guard
def is_init(state: TwoPhase) -> bool:
    """The transaction manager has not decided."""
    return state.tm == TmState.INIT


@guard
def has_prepared_message(state: TwoPhase, rm: ResourceManager) -> bool:
    """The Prepared message of this manager is in the network."""
    return state.prepared_sent[rm]


@guard
def all_prepared(state: TwoPhase) -> bool:
    """The transaction manager has heard Prepared from everybody."""
    return all(state.tm_prepared[rm] for rm in range(len(state.tm_prepared)))


@guard
def is_working(state: TwoPhase, rm: ResourceManager) -> bool:
    """The manager has not voted."""
    return state.rm[rm] == RmState.WORKING


@guard
def commit_is_sent(state: TwoPhase) -> bool:
    """Commit is in the network."""
    return state.commit_sent


@guard
def abort_is_sent(state: TwoPhase) -> bool:
    """Abort is in the network."""
    return state.abort_sent


@action(guards=[is_init, all_prepared], actor="TM")
def tm_commits(state: TwoPhase) -> None:
    """Decide commit and tell everybody."""
    state.tm = TmState.COMMITTED
    state.commit_sent = True


@action(guards=[is_init], actor="TM")
def tm_aborts(state: TwoPhase) -> None:
    """Decide abort and tell everybody."""
    state.tm = TmState.ABORTED
    state.abort_sent = True


@action(guards=[is_init, has_prepared_message], actor="TM", stutters=True)
def tm_receives_prepared(state: TwoPhase, rm: ResourceManager) -> None:
    """Note that a manager has prepared."""
    state.tm_prepared[rm] = True


@action(guards=[is_working], actor="RM {rm}")
def rm_prepares(state: TwoPhase, rm: ResourceManager) -> None:
    """Vote to commit."""
    state.rm[rm] = RmState.PREPARED
    state.prepared_sent[rm] = True


@action(guards=[is_working], actor="RM {rm}")
def rm_chooses_to_abort(state: TwoPhase, rm: ResourceManager) -> None:
    """Abort alone, without a message."""
    state.rm[rm] = RmState.ABORTED


@action(guards=[commit_is_sent], actor="RM {rm}", stutters=True)
def rm_receives_commit(state: TwoPhase, rm: ResourceManager) -> None:
    """Commit as told."""
    state.rm[rm] = RmState.COMMITTED


@action(guards=[abort_is_sent], actor="RM {rm}", stutters=True)
def rm_receives_abort(state: TwoPhase, rm: ResourceManager) -> None:
    """Abort as told."""
    state.rm[rm] = RmState.ABORTED


@invariant(source="TCConsistent")
def no_commit_beside_an_abort(state: TwoPhase) -> bool:
    """No manager has committed while another has aborted."""
    committed = False
    aborted = False
    for rm in range(len(state.rm)):
        committed = committed or state.rm[rm] == RmState.COMMITTED
        aborted = aborted or state.rm[rm] == RmState.ABORTED
    return not (committed and aborted)


@witness()
def everybody_committed(state: TwoPhase) -> bool:
    """The transaction can commit everywhere."""
    return all(state.rm[rm] == RmState.COMMITTED for rm in range(len(state.rm)))


DESIGN = Design(
    name="two-phase-commit",
    title="Two-phase commit",
    document="Gray and Lamport, Consensus on Transaction Commit, section 3",
    state=TwoPhase,
    initial=(all_working,),
    system=(
        tm_commits,
        tm_aborts,
        tm_receives_prepared,
        rm_prepares,
        rm_chooses_to_abort,
        rm_receives_commit,
        rm_receives_abort,
    ),
    properties=(no_commit_beside_an_abort,),
    witnesses=(everybody_committed,),
    scopes={
        "three": Managers(resource_managers=3),
        "five": Managers(resource_managers=5),
        "eight": Managers(resource_managers=8),
        "nine": Managers(resource_managers=9),
    },
)

ALIKE = alike(DESIGN, Managers.resource_managers)
"""The same, of which a search visits one of the states that differ in which manager is which."""
