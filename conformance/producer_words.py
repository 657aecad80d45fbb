"""The design `producer_state` in the words of `producer_state.jsonl.gz`, and a scope for a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tierproof.model.designs.producer_state.state import ProducerStateScope
from tierproof.model.kafka.producer_entries import (
    SEQUENCES,
    last_data_offset,
    last_sequence,
    last_stable_offset_of_producers,
    later_sequence,
)
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.kafka.producer_validation import AppendAnswer, duplicate_of
from tierproof.model.language import NONE

EXCEPTIONS = {
    AppendAnswer.OUT_OF_ORDER_SEQUENCE: "OutOfOrderSequenceException",
    AppendAnswer.INVALID_PRODUCER_EPOCH: "InvalidProducerEpochException",
    AppendAnswer.INVALID_TXN_STATE: "InvalidTxnStateException",
    AppendAnswer.TRANSACTION_COORDINATOR_FENCED: "TransactionCoordinatorFencedException",
}
MOST = 1_000
"""More than a row has of anything."""


def answer_name(answer: AppendAnswer) -> str:
    """A refusal."""
    return f"EXC {EXCEPTIONS[AppendAnswer(answer)]}"


def duplicate_answer(state: Any) -> str:
    """DUP and the offsets of the remembered batch that the first request repeats."""
    request = state.request[0]
    entry = state.log.producer[request.producer]
    last = later_sequence(request.first_sequence, request.records - 1)
    place = duplicate_of(entry, request.epoch, request.first_sequence, last)
    end = entry.batches[place].last_offset
    return f"DUP {end - request.records + 1} {end}"


def has_file(state: Any, offset: int) -> bool:
    """There is a snapshot file of the offset."""
    return bool(state.log.snapshot[offset].file != SnapshotFile.ABSENT)


def scope_for(row: Mapping[str, Any]) -> ProducerStateScope:
    """A scope large enough for a row."""
    steps = row["steps"]
    states = [step["state"] for step in steps if step["state"] is not None]
    given = [step["args"] for step in steps]
    entries = [entry for one in given for entry in one.get("entries") or []]
    offsets = [state["leo"] for state in states] + [one.get("o", 0) for one in given]
    offsets += [one["off"] + one.get("n", 1) for one in given if "off" in one]
    offsets += [max(entry[3] + 1, entry[7] + 1) for entry in entries]
    producers = [one.get("p", 1) for one in given] + [entry[0] for entry in entries]
    known = [producer for state in states for producer in state["prod"].values()]
    epochs = [one.get("e", 0) for one in given] + [producer["epoch"] for producer in known]
    coordinators = [one.get("ce", 0) for one in given] + [entry[6] for entry in entries]
    clock = max([state["now"] for state in states] + [entry[5] for entry in entries])
    return ProducerStateScope(
        offsets=rounded(max(offsets) + max([one.get("n", 1) for one in given])),
        producers=max([1, *producers]),
        producer_epochs=rounded(max(epochs + [entry[1] for entry in entries]) + 1),
        sequences=SEQUENCES,
        coordinator_epochs=rounded(max(coordinators) + 1),
        producer_ms=1 << clock.bit_length(),
        requests=1,
        batch_records=MOST,
        tiered=int(row["remote"]),
        expiration_ms=int(row["pidexp"]),
        stops=MOST,
        lost_snapshots=MOST,
        empty_snapshots=MOST,
        corrupt_snapshots=MOST,
        record_deletions=MOST,
        truncations=MOST,
        rebuilds=MOST,
    )


def rounded(least: int) -> int:
    """The next multiple of 8: rows share their scopes."""
    return -(-least // 8) * 8


def optional(number: int) -> int | None:
    """NONE as null."""
    return None if number == NONE else int(number)


def shown(state: Any) -> dict[str, Any]:
    """The state in the words of the recordings."""
    log = state.log
    return {
        "now": state.now,
        "lso": log.log_start_offset,
        "leo": log.log_end_offset,
        "stable": last_stable_offset_of_producers(log, log.log_end_offset),
        "map_end": log.producer_map_end,
        "segs": [base for base, starts in enumerate(log.starts_segment) if starts],
        "snaps": snapshots_of(log),
        "prod": {
            str(number): producer_of(entry)
            for number, entry in enumerate(log.producer, start=1)
            if entry.is_known
        },
    }


def snapshots_of(log: Any) -> list[list[int | None]]:
    """[offset, producers in the file, known]: -1 if it cannot be read, null without a file."""
    found: list[list[int | None]] = []
    for offset, snapshot in enumerate(log.snapshot):
        if snapshot.file != SnapshotFile.ABSENT or snapshot.is_registered:
            held: int | None = sum(written.is_known for written in snapshot.producer)
            if snapshot.file == SnapshotFile.CORRUPT:
                held = -1
            elif snapshot.file == SnapshotFile.ABSENT:
                held = None
            found.append([offset, held, int(snapshot.is_registered)])
    return found


def producer_of(entry: Any) -> dict[str, Any]:
    """What is remembered of a producer."""
    return {
        "epoch": entry.epoch,
        "seq": last_sequence(entry),
        "off": last_data_offset(entry),
        "ts": entry.timestamp,
        "ce": entry.coordinator_epoch,
        "txn": optional(entry.transaction_start),
        "batches": [
            [batch.first_sequence, batch.last_sequence, batch.last_offset]
            for batch in entry.batches
        ],
    }
