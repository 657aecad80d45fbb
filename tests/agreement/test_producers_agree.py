"""Producer state is the same compiled as interpreted, in every state of recorded histories."""

from pathlib import Path

import pytest

from tests.agreement.compiled_functions import INT, Twin, compiled
from tierproof.conformance.files import content_of
from tierproof.conformance.producer_words import scope_for
from tierproof.conformance.producers import Replay
from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import (
    expire_producers,
    last_data_offset,
    last_sequence,
    last_stable_offset_of_producers,
    remember_batch,
)
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    load_producers_after_crash,
    load_producers_after_shutdown,
    rebuild_on_remote_tier,
    rebuild_on_remote_tier_as_intended,
    truncate_producers,
    truncate_producers_fully,
)
from tierproof.model.kafka.producer_snapshots import (
    corrupt_snapshot,
    empty_snapshot,
    has_snapshot,
    latest_snapshot,
    lose_file,
    remove_snapshots_of,
    take_snapshot,
)
from tierproof.model.kafka.producer_validation import (
    duplicate_of,
    validate_batch,
    validate_marker,
    validate_replicated_batch,
)

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
CHOSEN = content_of(RECORDINGS / "producer_state.jsonl.gz")[7::101]
REMEMBERED = 5


def change_snapshots(me, verb, offset, now, expiration_ms):
    """What changes one snapshot, or the entries alone."""
    log = me.log
    if verb == 0:
        take_snapshot(log)
    elif verb == 1:
        expire_producers(log, now, expiration_ms)
    elif verb == 2:
        remove_snapshots_of(log, 0, offset)
    elif verb == 3:
        empty_snapshot(log.snapshot[offset])
    elif verb == 4:
        corrupt_snapshot(log.snapshot[offset])
    elif verb == 5:
        lose_file(log.snapshot[offset])
    elif offset < log.log_end_offset and log.batch[offset].kind != BatchKind.ABSENT:
        remember_batch(log, offset, REMEMBERED)


def build_again(me, verb, offset, now, expiration_ms):
    """What builds the producer state again; how that ended."""
    log = me.log
    if verb == 0:
        return truncate_producers(log, offset, REMEMBERED, now, expiration_ms)
    if verb == 1:
        truncate_producers_fully(log, offset)
        return Rebuilt.DONE
    if verb == 2:
        return load_producers_after_shutdown(log, REMEMBERED, now, expiration_ms)
    if verb == 3:
        start = log.log_start_offset
        return load_producers_after_crash(log, offset, start, REMEMBERED, now, expiration_ms)
    if verb == 4:
        return rebuild_on_remote_tier(log, offset, me.fetched, REMEMBERED, now, expiration_ms)
    return rebuild_on_remote_tier_as_intended(
        log, offset, me.fetched, REMEMBERED, now, expiration_ms
    )


def ask(me, producer, epoch, first, last, is_transactional, coordinator_epoch):
    """Every question, in one tuple of integers."""
    log, entry = me.log, me.log.producer[producer]
    return (
        validate_batch(log, producer, epoch, first, last, is_transactional == 1).value,
        validate_replicated_batch(log, producer, is_transactional == 1).value,
        validate_marker(log, producer, epoch, coordinator_epoch, 1).value,
        validate_marker(log, producer, epoch, coordinator_epoch, 2).value,
        duplicate_of(entry, epoch, first, last),
        last_sequence(entry),
        last_data_offset(entry),
        last_stable_offset_of_producers(log, log.log_end_offset),
        latest_snapshot(log),
        int(has_snapshot(log, max(latest_snapshot(log), 0))),
    )


class Both:
    """Both executions, asked the same of a state."""

    def __init__(self, scope):
        self.scope = scope
        self.functions = {
            function: compiled(function, ProducerPartition, scope, (INT,) * count)
            for function, count in ((change_snapshots, 4), (build_again, 4), (ask, 6))
        }

    def call(self, state, function, *given):
        """Both give the same answer, and leave the same state."""
        twin = Twin(state.copy_for("a test"), self.scope)
        answer = self.functions[function](twin, *given)
        assert answer == function(twin.state, *given)
        assert twin.agrees()

    def compare(self, state, expiration_ms):
        """All that can be done to a state, and asked of it."""
        log = state.log
        offsets = {log.log_start_offset, log.producer_map_end, log.log_end_offset}
        for offset in sorted(offsets):
            for verb in range(7):
                self.call(state, change_snapshots, verb, offset, state.now, expiration_ms)
            for verb in range(6):
                self.call(state, build_again, verb, offset, state.now, expiration_ms)
        for number, entry in enumerate(log.producer):
            for epoch in {0, max(entry.epoch, 0)}:
                for first in {0, max(last_sequence(entry), 0)}:
                    self.call(state, ask, number, epoch, first, first + 1, first % 2, 1)
            if len(entry.batches) > 0:
                batch = entry.batches[0]
                repeated = batch.first_sequence, batch.last_sequence
                self.call(state, ask, number, entry.epoch, *repeated, 0, 0)


@pytest.mark.parametrize("row", CHOSEN, ids=[row["id"] for row in CHOSEN])
def test_states_of_a_recorded_history_are_the_same_compiled(row):
    scope, replay = scope_for(row), Replay(row)
    both = Both(scope)
    for number, step in enumerate(row["steps"]):
        if number % 3 == 2:
            both.compare(replay.state, scope.expiration_ms)
        replay.answer_to(step["op"], step["args"])


def test_the_chosen_histories_are_of_every_third():
    assert {row["third"] for row in CHOSEN} == {"idempotent", "restart", "rebuild"}
