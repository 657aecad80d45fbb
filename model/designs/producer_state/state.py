"""One replica of a partition, its producers, and their requests on the way.

A client numbers its batches; a request may be sent again while an earlier copy of it is still
on the way. Requests of an older epoch are those of a zombie.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import (
    Batches,
    OptionalCoordinatorEpoch,
    OptionalProducerEpoch,
    OptionalSequenceNumber,
    Producer,
    ProducerEntries,
    ProducerEpoch,
    ProducerScope,
    ProducerTime,
    Snapshots,
    Snapshotted,
)
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.language import (
    GHOST,
    Actor,
    Array,
    Budget,
    Lifecycle,
    Range,
    Record,
    Sequence,
    State,
    bound,
)


class ProducerStateScope(ProducerScope):
    """How many requests there are, how often each fault occurs, and what the broker is set to.

    `requests`: on the way at a time, of all producers; `unanswered`: of one producer, Kafka's
    max.in.flight.requests.per.connection. `transactions` is their version, 0 without any;
    `tiered` is 1 with remote storage. Times are in ms.
    """

    requests: int = bound(1, 16, default=2)
    unanswered: int = bound(1, 5, default=1)
    batch_records: int = bound(1, 1_000, default=1)
    transactions: int = bound(0, 2, default=0)
    tiered: int = bound(0, 1, default=0)
    expiration_ms: int = bound(0, 1 << 50, default=1 << 50)
    retries: int = bound(0, 1_000, default=1)
    epoch_bumps: int = bound(0, 1_000, default=0)
    stops: int = bound(0, 1_000, default=0)
    lost_snapshots: int = bound(0, 1_000, default=0)
    empty_snapshots: int = bound(0, 1_000, default=0)
    corrupt_snapshots: int = bound(0, 1_000, default=0)
    record_deletions: int = bound(0, 1_000, default=0)
    truncations: int = bound(0, 1_000, default=0)
    rebuilds: int = bound(0, 1_000, default=0)


BatchRecords = Annotated[int, Range(1, ProducerStateScope.batch_records)]


class Broker(IntEnum):
    """What the broker of the replica does."""

    RUNNING = 0
    SHUT_DOWN = 1
    CRASHED = 2
    LOG_DIR_OFFLINE = 3
    """Building the producer state threw an exception: the partition is gone."""


BROKER = Actor(
    "broker",
    at="broker",
    life=Lifecycle(
        Broker,
        [
            ("the broker shuts down", Broker.RUNNING, Broker.SHUT_DOWN),
            ("the broker crashes", Broker.RUNNING, Broker.CRASHED),
            ("the log is loaded", Broker.SHUT_DOWN, Broker.RUNNING),
            ("the log is recovered", Broker.CRASHED, Broker.RUNNING),
            ("the log cannot be loaded", Broker.SHUT_DOWN, Broker.LOG_DIR_OFFLINE),
            ("the log cannot be recovered", Broker.CRASHED, Broker.LOG_DIR_OFFLINE),
            ("the log cannot be cut", Broker.RUNNING, Broker.LOG_DIR_OFFLINE),
        ],
        source="LogManager#loadLogs",
    ),
)


class Client(Record):
    """A producer's client: its epoch and the sequence of its next batch.

    `has_failed`: it got an error for which it must bump its epoch.
    """

    epoch: ProducerEpoch
    next_sequence: Annotated[int, Range(0, ProducerScope.sequences)]
    has_failed: bool


class Request(Record):
    """A batch of a client, or a marker of the coordinator, on the way to the leader.

    `copies` of it are on the way; `is_answered`: the client has got an answer to one.
    """

    kind: BatchKind
    producer: Producer
    epoch: ProducerEpoch
    first_sequence: OptionalSequenceNumber
    records: BatchRecords
    is_transactional: bool
    coordinator_epoch: OptionalCoordinatorEpoch
    transaction_version: Annotated[int, Range(0, 2)]
    copies: Annotated[int, Range(1, 2)]
    is_answered: bool


Requests = Annotated[list[Request], Sequence(ProducerStateScope.requests)]
Place = Annotated[int, Range(0, ProducerStateScope.requests - 1)]
"""A place among the requests."""


class ProducerReplicaLog(Record):
    """The local log of the replica; satisfies ProducerLog."""

    batch: Batches
    starts_segment: Annotated[list[bool], Array(ProducerScope.offsets + 1)]
    producer: ProducerEntries
    snapshot: Snapshots
    log_start_offset: OffsetEnd
    log_end_offset: OffsetEnd
    producer_map_end: OffsetEnd


class AcceptedBatch(Record):
    """A batch that was accepted at an offset, even if it was deleted since; sequences are -1
    where none was."""

    producer: Annotated[int, Range(-1, ProducerScope.producers - 1)]
    epoch: OptionalProducerEpoch
    first_sequence: OptionalSequenceNumber
    last_sequence: OptionalSequenceNumber


Accepted = Annotated[list[AcceptedBatch], Array(ProducerScope.offsets)]


class ProducerPartition(State):
    """A replica that leads, or follows where an action says so; every append is committed.

    `fetched` is the snapshot in the remote tier. Ghosts: `accepted` has every batch by its
    offset, also the deleted ones, not the truncated ones; `remembered` are the entries as
    they were when the broker stopped.
    """

    log: ProducerReplicaLog
    broker: Broker
    client: Annotated[list[Client], Array(ProducerScope.producers)]
    request: Requests
    fetched: Snapshotted
    now: ProducerTime

    retries: Annotated[int, Budget(ProducerStateScope.retries)]
    epoch_bumps: Annotated[int, Budget(ProducerStateScope.epoch_bumps)]
    stops: Annotated[int, Budget(ProducerStateScope.stops)]
    lost_snapshots: Annotated[int, Budget(ProducerStateScope.lost_snapshots)]
    empty_snapshots: Annotated[int, Budget(ProducerStateScope.empty_snapshots)]
    corrupt_snapshots: Annotated[int, Budget(ProducerStateScope.corrupt_snapshots)]
    record_deletions: Annotated[int, Budget(ProducerStateScope.record_deletions)]
    truncations: Annotated[int, Budget(ProducerStateScope.truncations)]
    rebuilds: Annotated[int, Budget(ProducerStateScope.rebuilds)]

    accepted: Annotated[Accepted, GHOST]
    remembered: Annotated[ProducerEntries, GHOST]
