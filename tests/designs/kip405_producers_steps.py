"""A topic with idempotent producers taken through strides, for the tests that replay KIP-952."""

from __future__ import annotations

from typing import Any, Self

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405_producers import DESIGN
from tierproof.model.designs.kip405_producers.state import ProducedPartition
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.language import NONE, Design, Step

Entries = dict[int, tuple[int, list[int]]]
"""Producer -> its epoch and the sequences that are remembered of it."""
Snapshots = dict[int, dict[int, tuple[int, int]]]
"""Offset -> producer -> its epoch and its last sequence."""

SMALL = ProducedPartition(
    brokers=1,
    offsets=6,
    appends=3,
    producers=2,
    producer_epochs=3,
    sequences=6,
    leader_epochs=4,
    segment_ids=4,
    metadata_records=12,
    planned_deletions=2,
    retention_bytes=6,
    is_size_limited=1,
    unanswered=2,
    requests=5,
    retries=5,
    epoch_bumps=2,
)
"""Three records of two producers, a segment each; the last batch of each producer is unanswered."""


def send(producer: int = 0) -> Step:
    """The client sends its next batch."""
    return act("producer_sends_batch", producer=producer)


def retry(producer: int, sequence: int) -> Step:
    """The client sends a batch of its epoch again."""
    return act("producer_retries_batch", producer=producer, sequence=sequence)


def begin_epoch(producer: int = 0) -> Step:
    """The client begins its next epoch."""
    return act("producer_begins_epoch", producer=producer)


def receive(producer: int, sequence: int, epoch: int = 0, leader: int = 0) -> Step:
    """A request arrives at the leader."""
    return act(
        "leader_receives_batch", leader=leader, producer=producer, epoch=epoch, sequence=sequence
    )


def acknowledge(producer: int = 0, leader: int = 0) -> Step:
    """The client gets the answer for its first batch without one."""
    return act("leader_acknowledges_batch", leader=leader, producer=producer)


def end_transaction(producer: int, is_commit: int, leader: int = 0) -> Step:
    """The coordinator writes a marker."""
    return act(
        "coordinator_ends_transaction", leader=leader, producer=producer, is_commit=is_commit
    )


def fetch(follower: int = 1) -> Step:
    """The follower fetches."""
    return act("follower_fetches", follower=follower)


def build(follower: int = 1) -> Step:
    """The follower builds its log on the remote tier."""
    return act("follower_builds_on_remote_tier", follower=follower)


CRASH = act("lone_leader_restarts", broker=0)
SHUT_DOWN = act("lone_leader_shuts_down", broker=0)
FAIL_AGAIN = act("copy_task_fails_again", broker=0)


class ProducerWalk(Walk):
    """A walk through KIP-405 with producers from SMALL with other bounds, in longer strides.

    A subclass walks through a design that is derived from it.
    """

    subject: Design = DESIGN

    def __init__(self, *variants: str, **bounds: int) -> None:
        super().__init__(self.subject, SMALL.replace(**bounds), *variants)

    @property
    def log(self) -> Any:
        """The replica of broker 0."""
        return self.state.broker[0]

    def batches(self, broker: int = 0) -> list[tuple[int, int, int]]:
        """(producer, epoch, sequence) of the batches of a local log."""
        log = self.state.broker[broker]
        return [
            (batch.producer, batch.epoch, batch.first_sequence)
            for batch in log.batch
            if batch.kind != BatchKind.ABSENT
        ]

    def known(self, broker: int = 0) -> Entries:
        """What the broker remembers of the producers that it knows."""
        entries = enumerate(self.state.broker[broker].producer)
        return {
            p: (entry.epoch, [batch.first_sequence for batch in entry.batches])
            for p, entry in entries
            if entry.is_known
        }

    def snapshots(self, broker: int = 0) -> Snapshots:
        """What the snapshot files of the broker say."""
        files = enumerate(self.state.broker[broker].snapshot)
        return {
            offset: written_in(found.producer)
            for offset, found in files
            if found.file == SnapshotFile.READABLE
        }

    def segments(self, broker: int = 0) -> list[int]:
        """The base offsets of the segments of a local log."""
        return [n for n, is_base in enumerate(self.state.broker[broker].starts_segment) if is_base]

    def metadata(self) -> list[tuple[int, str]]:
        """The records of the metadata topic."""
        records = list(self.state.metadata_topic)[: self.state.metadata_end]
        return [(record.segment, record.kind.name) for record in records]

    def write(self, producer: int, leader: int = 0) -> Self:
        """The client's next batch is sent, and arrives."""
        sequence = self.state.client[producer].sent_end
        epoch = self.state.client[producer].epoch
        return self.take(send(producer), receive(producer, sequence, epoch, leader))

    def read(self, *brokers: int) -> Self:
        """These brokers read the metadata topic to its end."""
        for broker in brokers:
            while self.can(act("broker_reads_metadata", broker=broker)):
                self.take(act("broker_reads_metadata", broker=broker))
        return self

    def catch_up(self, follower: int = 1) -> Self:
        """The follower fetches until it has all, and knows the high watermark."""
        while self.can(fetch(follower)):
            self.take(fetch(follower))
        return self

    def prepare_copies(self) -> Self:
        """The leader's copy task does what it does once."""
        return self.take(
            act("copy_task_finds_log_start", broker=0),
            act("copy_task_finds_highest_remote_offset", broker=0),
        )

    def begin_copy(self) -> int:
        """An attempt to copy the next segment is published, and read by the leader; its id."""
        self.take(act("copy_task_chooses_segment", broker=0))
        id = next(i for i, copy in enumerate(self.state.segment) if copy.copier != NONE)
        self.take(act("copy_publishes_started", segment=id)).read(0)
        return id

    def end_copy(self, id: int) -> Self:
        """The object is stored, and the copy is finished."""
        self.take(act("copy_stores_object", segment=id), act("copy_publishes_finished", segment=id))
        return self.read(0).take(act("copy_records_progress", segment=id))

    def copy(self) -> int:
        """The next segment is copied; its id."""
        id = self.begin_copy()
        self.end_copy(id)
        return id

    def miss(self) -> int:
        """An attempt fails, as the segment has no snapshot; its id."""
        id = self.begin_copy()
        self.take(act("copy_misses_snapshot", segment=id))
        return id

    def stored(self, id: int) -> dict[int, tuple[int, int]]:
        """What the snapshot says that is stored with an object."""
        return written_in(self.state.segment[id].snapshot)

    def remove_locally(self, broker: int = 0, reason: int = 1) -> Self:
        """Local retention removes what it can."""
        return self.take(
            act("broker_raises_start_to_delete", broker=broker, reason=reason),
            act("broker_removes_segments", broker=broker),
        )

    def elect(self, leader: int, *learners: int) -> Self:
        """The controller elects; these brokers learn it."""
        self.take(act("controller_elects_leader", leader=leader))
        return self.take(*(act("broker_learns_leader", broker=broker) for broker in learners))


def written_in(snapshot: Any) -> dict[int, tuple[int, int]]:
    """The producers of a snapshot, with epoch and last sequence."""
    return {
        p: (entry.epoch, entry.last_sequence) for p, entry in enumerate(snapshot) if entry.is_known
    }
