"""What a leader remembers of producers, in a recording of the cleaner: which batch it refuses.

The log of a compacted partition keeps no sequences of producers; this is the producer state
beside it, with the rules of `producer_validation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from tierproof.model.kafka.keyed_log import BatchKind, KeyedScope
from tierproof.model.kafka.producer_entries import (
    REMEMBERED_BATCHES,
    SEQUENCES,
    expire_producers,
    later_sequence,
    remember_sequences,
    remember_transaction,
)
from tierproof.model.kafka.producer_state import ProducerBatch, ProducerEntry, ProducerScope
from tierproof.model.kafka.producer_validation import AppendAnswer, validate_batch, validate_marker
from tierproof.model.language import NONE, Array, State

COORDINATOR_EPOCH = 0
"""That of every marker of the recordings."""


class KnownProducers(State):
    """The producers that a leader knows, and the batch that it appends."""

    producer: Annotated[list[ProducerEntry], Array(ProducerScope.producers)]
    batch: ProducerBatch


class Producers:
    """The producers of a recorded partition; steps are those of the recording."""

    def __init__(self, log: KeyedScope) -> None:
        scope = ProducerScope(
            producers=log.producers,
            producer_epochs=log.producer_epochs,
            sequences=SEQUENCES,
            offsets=log.offsets,
            producer_ms=log.milliseconds,
        )
        self.state: Any = KnownProducers.at_start(scope).copy_for("the recording")

    def answer_to_batch(self, step: Mapping[str, Any]) -> AppendAnswer:
        """The leader's answer to a client's batch."""
        if step["pid"] == NONE:
            return AppendAnswer.APPENDED
        first = step["seq"]
        last = later_sequence(first, len(step["records"]) - 1)
        return validate_batch(self.state, step["pid"], step["epoch"], first, last, bool(step["tx"]))

    def answer_to_marker(self, step: Mapping[str, Any]) -> AppendAnswer:
        """The leader's answer to a marker of the coordinator."""
        version = step.get("tv", 0)
        return validate_marker(self.state, step["pid"], step["epoch"], COORDINATOR_EPOCH, version)

    def remember(self, step: Mapping[str, Any], base: int, last: int) -> None:
        """A batch or a marker of a producer is appended."""
        batch = self.state.batch
        is_marker = step["op"] == "marker"
        batch.kind = BatchKind[step["type"]] if is_marker else BatchKind.DATA
        batch.last_offset = last
        batch.epoch = step["epoch"]
        batch.first_sequence = NONE if is_marker else step["seq"]
        batch.is_transactional = is_marker or bool(step["tx"])
        batch.coordinator_epoch = COORDINATOR_EPOCH if is_marker else NONE
        batch.timestamp = step["ts"]
        entry = self.state.producer[step["pid"]]
        remember_sequences(entry, batch, base, REMEMBERED_BATCHES)
        remember_transaction(entry, batch, base)

    def expire(self, now: int, expiration_ms: int) -> None:
        """ProducerStateManager#removeExpiredProducers."""
        expire_producers(self.state, now, expiration_ms)
