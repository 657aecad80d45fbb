"""Hand-made states: a small tiered partition, and the settings of KIP-950 around it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tierproof.model.designs.kip405.metadata import broker_reads_metadata, publish
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.state import Partition, RecordKind, TieredPartition
from tierproof.model.kafka.copy_task import describe_segment
from tierproof.model.kafka.local_segments import remove_segments
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState

Change = Callable[[Any], None]

SCOPE = TieredPartition(
    brokers=2,
    offsets=5,
    segment_bytes=2,
    segment_ids=3,
    leader_epochs=2,
    elections=1,
    clock_ms=5,
    retention_bytes=5,
    metadata_records=9,
    planned_deletions=2,
    time_lookups=1,
)


def nothing(state: Any) -> None:
    """Change nothing."""


def tell(state: Any, segment: int, *kinds: SegmentState) -> None:
    """Records of the metadata topic that nobody has read."""
    for kind in kinds:
        publish(state, segment, RecordKind(kind))


def read(state: Any, *brokers: int) -> None:
    """These brokers read the metadata topic to its end."""
    for b in brokers:
        while state.broker[b].metadata_position < state.metadata_end:
            broker_reads_metadata.effect(state, b)


def copied(state: Any, segment: int, base: int) -> None:
    """The segment of broker 0 that begins at `base` is stored, and told to be."""
    describe_segment(state.segment[segment], state.broker[0], base)
    state.segment[segment].object_exists = True
    tell(state, segment, SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED)


def partition(*changes: Change) -> Any:
    """Segments [0, 1], [2, 3] and the active one at 4; the first is copied as id 0.

    Broker 0 leads and has the first segment in the remote tier only; both have read all.
    """
    state = Partition.at_start(SCOPE).copy_for("a test")
    tiered_partition.effect(state, SCOPE)
    copied(state, 0, 0)
    read(state, 0, 1)
    leader = state.broker[0]
    leader.copy_task, leader.copied_offset = CopyTask.READY, 1
    leader.local_log_start_offset = 2
    remove_segments(leader, 2)
    for broker in state.broker:
        broker.highest_remote_offset = 1
    for change in changes:
        change(state)
    return state


class Replica:
    """A broker with its position in the cluster's metadata log."""

    def __init__(self, broker: Any) -> None:
        vars(self).update(broker=broker, position=1, batch=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["broker"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            vars(self)[name] = value
        else:
            setattr(self.broker, name, value)


class Topic:
    """A partition as above, with the controller's settings of KIP-950; all is applied."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.settings = SimpleNamespace(
            remote_storage_enable=True,
            remote_log_copy_disable=False,
            remote_log_delete_on_disable=False,
            retention_ms=5,
            retention_bytes=-1,
            local_retention_ms=-2,
            local_retention_bytes=-2,
        )
        self.tiering = TieringState.ENABLED
        self.cluster_end = 1
        self.broker = [Replica(broker) for broker in state.broker]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def topic(*changes: Change) -> Topic:
    """The partition, as one of a topic with settings."""
    found = Topic(partition())
    for change in changes:
        change(found)
    return found
