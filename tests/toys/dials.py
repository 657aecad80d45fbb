"""A lock that begins with its dials anywhere: many candidates for few actions.

Of `positions` ** 4 candidates, each state is given by `positions` of them: the last two dials
begin at their sum. A dial turns by one; the lock opens when the dials show the greatest number.
"""

from typing import Annotated

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    liveness,
)


class Dials(Scope):
    positions: int = bound(1, 30, default=6)


Position = Annotated[int, Index(Dials.positions)]


class Lock(State):
    dial: Annotated[list[Position], Array(3)]
    is_open: bool


@initial
def dials_are_anywhere(
    state: Lock, left: Position, middle: Position, right: Position, last: Position, scope: Dials
) -> None:
    """The third dial shows a sum, so that candidates give the same state."""
    state.dial[0], state.dial[1] = left, middle
    state.dial[2] = (right + last) % scope.positions


@guard
def shows_the_greatest(state: Lock, scope: Dials) -> bool:
    """Every dial shows the greatest number."""
    return all(state.dial[at] == scope.positions - 1 for at in range(3))


@guard
def is_shut(state: Lock) -> bool:
    """The lock is shut."""
    return not state.is_open


@action(guards=[is_shut])
def owner_turns_dial(state: Lock, at: Annotated[int, Index(3)], scope: Dials) -> None:
    """Turn a dial by one; the greatest number is followed by 0."""
    state.dial[at] = (state.dial[at] + 1) % scope.positions


@action(guards=[is_shut, shows_the_greatest])
def owner_opens_lock(state: Lock) -> None:
    """Open the lock."""
    state.is_open = True


@invariant()
def stays_shut(state: Lock) -> bool:
    """The lock stays shut, which it does not."""
    return not state.is_open


@liveness(weak=[owner_opens_lock])
def is_opened(state: Lock) -> bool:
    """The lock is opened, which nobody has to do."""
    return state.is_open


DESIGN = Design(
    name="dials",
    title="A lock that begins with its dials anywhere",
    state=Lock,
    initial=(dials_are_anywhere,),
    system=(owner_turns_dial, owner_opens_lock),
    properties=(stays_shut, is_opened),
    scopes={"six": Dials(), "one": Dials(positions=1)},
)
