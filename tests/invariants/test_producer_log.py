"""Each property of a log with producers holds of a right state, and not of a wrong one.

Made by hand from one in which producer 0 has written sequence 0 (offset 0) and 1 (offset 1) of
epoch 0, with a roll in between, and a copy of the second is on its way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.designs.producer_state_steps import (
    ROLL,
    WRITTEN,
    append,
    refuse,
    retry,
    send,
    walk_of,
)
from tierproof.invariants import producer_log
from tierproof.model.designs.producer_state.state import Broker
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import forget_entry
from tierproof.model.language import NONE, Property, PropertyKind

Change = Callable[[Any], None]
PROPERTIES = {
    name: entry for name, entry in vars(producer_log).items() if isinstance(entry, Property)
}
WALK = walk_of(
    "lost", sequences=4, producer_epochs=3, producer_ms=10, expiration_ms=5, tiered=1, rebuilds=1
)
WALK.take(*WRITTEN, ROLL, send(), retry(), append())
SCOPE = WALK.interpreter.scope.replace(transactions=2)
GIVEN = {"scope": SCOPE, "step": refuse()}
"""The arguments that properties take beside states."""


def made(*changes: Change) -> Any:
    """The state above, and then the changes."""
    state = WALK.state.copy_for("a test")
    for change in changes:
        change(state)
    return state


def answer(name: str, *states: Any) -> bool:
    """What the property says of a state, or of a step."""
    entry = PROPERTIES[name]
    return bool(entry.function(*states, *(GIVEN[argument] for argument in entry.arguments)))


def nothing(state: Any) -> None:
    """As it was made."""


def both(*changes: Change) -> Change:
    """One change after the other."""

    def change(state: Any) -> None:
        for each in changes:
            each(state)

    return change


def accept(
    offset: int, first: int, last: int | None = None, *, epoch: int = 0, producer: int = 0
) -> Change:
    """A batch was accepted at the offset."""

    def change(state: Any) -> None:
        noted = state.accepted[offset]
        noted.producer, noted.epoch = producer, epoch
        noted.first_sequence, noted.last_sequence = first, first if last is None else last

    return change


def is_at(broker: Broker) -> Change:
    """The broker does this, and remembers what it knew."""

    def change(state: Any) -> None:
        state.broker = broker
        state.remembered[0] = state.log.producer[0]

    return change


def forget(state: Any) -> None:
    """The broker does not know producer 0."""
    forget_entry(state.log.producer[0])


def forget_last_batch(state: Any) -> None:
    """The broker knows an older batch of producer 0 alone."""
    state.log.producer[0].batches.pop(1)


def put_epoch(state: Any) -> None:
    """The broker knows producer 0 in another epoch."""
    state.log.producer[0].epoch = 1


def open_transaction(state: Any) -> None:
    """The transaction of producer 0 is open."""
    state.log.producer[0].transaction_start = 1


def end_transaction(state: Any) -> None:
    """The last batch in the log is the marker of producer 0."""
    batch = state.log.batch[1]
    batch.kind, batch.producer = BatchKind.COMMIT, 0


def end_in_next_epoch(state: Any) -> None:
    """The last batch in the log is the marker of producer 0, in an epoch above that of its data."""
    end_transaction(state)
    state.log.batch[1].epoch = 1


def go_on(state: Any) -> None:
    """Producer 0 has written after the last batch."""
    state.log.batch[2].kind, state.log.batch[2].producer = BatchKind.DATA, 0
    state.log.log_end_offset = 3


def pass_time(state: Any) -> None:
    """Producer 0 has expired."""
    state.now = 5


def delete_records(state: Any) -> None:
    """The log starts at its end."""
    state.log.log_start_offset = 2


def fetch(state: Any) -> None:
    """Producer 0 is in the remote snapshot."""
    state.fetched[0].is_known = True


def fetch_transaction(state: Any) -> None:
    """With an open transaction."""
    state.fetched[0].transaction_start = 1


def rebuild(state: Any) -> None:
    """The follower has begun on the remote tier."""
    state.rebuilds = 0


def send_with(epoch: int, kind: BatchKind = BatchKind.DATA) -> Change:
    """What is on the way has this epoch, and is of this kind."""

    def change(state: Any) -> None:
        request = state.request.pop(0)
        renewed = {name: getattr(request, name) for name in type(request).__annotations__}
        state.request.append(type(request)(**(renewed | {"epoch": epoch, "kind": kind})))

    return change


def forget_snapshot(state: Any) -> None:
    """The latest snapshot is not registered."""
    state.log.snapshot[1].is_registered = False


STATES: list[tuple[str, Change, Change]] = [
    # name, it holds, it is violated
    ("no_sequence_is_accepted_twice", accept(2, 2), accept(2, 1)),
    ("no_sequence_is_accepted_twice", accept(2, 2, 3), accept(3, 0, 2)),
    ("no_sequence_is_accepted_twice", accept(2, 1, epoch=1), accept(2, 0)),
    ("no_sequence_is_accepted_twice", accept(2, 1, producer=1), accept(3, 1, 2)),
    ("accepted_sequences_follow_each_other", accept(2, 2), accept(2, 3)),
    ("accepted_sequences_follow_each_other", accept(2, 0, epoch=1), accept(2, 2, epoch=1)),
    ("accepted_sequences_follow_each_other", accept(3, 0, producer=1), accept(3, 1, producer=1)),
    ("accepted_sequences_follow_each_other", accept(2, 2, 3), accept(2, 1, 2)),
    (
        "accepted_epochs_do_not_fall",
        both(accept(2, 0, epoch=1), accept(3, 1, epoch=1)),
        both(accept(2, 0, epoch=1), accept(3, 2)),
    ),
    (
        "accepted_epochs_do_not_fall",
        both(accept(2, 0, epoch=2, producer=1), accept(3, 0, epoch=1)),
        both(accept(2, 0, epoch=2), accept(3, 0, epoch=1)),
    ),
    ("log_directory_stays_online", is_at(Broker.CRASHED), is_at(Broker.LOG_DIR_OFFLINE)),
    ("retry_is_a_duplicate", nothing, forget),
    ("retry_is_a_duplicate", nothing, is_at(Broker.CRASHED)),
    ("zombie_is_fenced", put_epoch, nothing),
    ("zombie_is_fenced", put_epoch, both(put_epoch, send_with(1))),
    ("producer_in_log_is_unknown", forget, nothing),
    ("producer_in_log_is_unknown", forget, both(forget, is_at(Broker.SHUT_DOWN))),
    ("producer_of_a_snapshot_has_moved_on", nothing, forget_last_batch),
    ("producer_of_a_snapshot_has_moved_on", nothing, forget_snapshot),
    ("transaction_holds_up_readers", open_transaction, nothing),
    ("transaction_has_ended", end_transaction, nothing),
    ("markers_end_transactions_of_earlier_epochs", end_in_next_epoch, end_transaction),
    (
        "ended_transactions_hold_up_no_reader",
        open_transaction,
        both(open_transaction, end_transaction),
    ),
    (
        "ended_transactions_hold_up_no_reader",
        both(open_transaction, end_transaction, is_at(Broker.SHUT_DOWN)),
        both(open_transaction, end_transaction),
    ),
]

CRASHED, STOPPED = is_at(Broker.CRASHED), is_at(Broker.SHUT_DOWN)
FETCHED = both(fetch, fetch_transaction)
COPY = send_with(1, BatchKind.COMMIT)
"""The marker in the log is on the way once more."""
STEPS: list[tuple[str, tuple[Change, Change], tuple[Change, Change]]] = [
    # name, before and after: it holds; before and after: it is violated
    ("recovery_restores_producers", (CRASHED, nothing), (CRASHED, forget)),
    ("recovery_restores_producers", (CRASHED, nothing), (CRASHED, forget_last_batch)),
    ("recovery_restores_producers", (CRASHED, nothing), (CRASHED, put_epoch)),
    ("recovery_restores_producers", (CRASHED, nothing), (CRASHED, open_transaction)),
    ("recovery_restores_producers", (CRASHED, both(forget, pass_time)), (CRASHED, forget)),
    ("recovery_restores_producers", (CRASHED, both(forget, delete_records)), (CRASHED, forget)),
    ("recovery_restores_producers", (STOPPED, forget), (CRASHED, forget)),
    ("recovery_restores_producers", (CRASHED, both(forget, CRASHED)), (CRASHED, forget)),
    ("load_restores_producers", (STOPPED, nothing), (STOPPED, forget)),
    ("load_restores_producers", (STOPPED, both(forget, pass_time)), (STOPPED, forget_last_batch)),
    ("load_restores_producers", (CRASHED, forget), (STOPPED, both(forget, delete_records))),
    (
        "fetched_producers_are_known",
        (FETCHED, rebuild),
        (FETCHED, both(forget, rebuild)),
    ),
    (
        "fetched_producers_are_known",
        (fetch, both(forget, rebuild, pass_time)),
        (FETCHED, both(forget, rebuild, pass_time)),
    ),
    ("fetched_producers_are_known", (FETCHED, forget), (fetch, both(forget, rebuild))),
    (
        "markers_of_the_log_are_not_refused",
        (both(end_in_next_epoch, send_with(1, BatchKind.ABORT)), nothing),
        (both(end_in_next_epoch, COPY), nothing),
    ),
    (
        "markers_of_the_log_are_not_refused",
        (both(end_in_next_epoch, go_on, COPY), nothing),
        (both(end_in_next_epoch, COPY), nothing),
    ),
]


@pytest.mark.parametrize(("name", "right", "wrong"), STATES)
def test_a_state_that_is_right_and_one_that_is_wrong(
    name: str, right: Change, wrong: Change
) -> None:
    assert answer(name, made(right))
    assert not answer(name, made(wrong))


@pytest.mark.parametrize(("name", "right", "wrong"), STEPS)
def test_a_step_that_is_right_and_one_that_is_wrong(
    name: str, right: tuple[Change, Change], wrong: tuple[Change, Change]
) -> None:
    assert answer(name, *(made(change) for change in right))
    assert not answer(name, *(made(change) for change in wrong))


def test_every_property_is_tried() -> None:
    assert {row[0] for row in (*STATES, *STEPS)} == set(PROPERTIES)
    assert {PROPERTIES[row[0]].kind for row in STEPS} == {PropertyKind.STEP}


def test_the_state_from_which_they_are_made_violates_nothing() -> None:
    assert WALK.violated() == set()
    assert WALK.state.accepted[2].producer == NONE
