"""One partition's copy does not stop the copies of another partition on the same broker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.language import guard, liveness, witness

ENDED = 3
"""Where the copy of the other partition's segment has ended."""


class SharingBroker(Protocol):
    """A broker with another partition, numbered as OtherCopy."""

    @property
    def other_copy(self) -> int:
        """How far the copy of its segment has come; 0 where it has none."""


class SharedCluster(Protocol):
    """Brokers whose partitions share the threads that copy."""

    @property
    def broker(self) -> Sequence[SharingBroker]:
        """Every broker."""


@guard
def has_other_segment_to_copy(state: SharedCluster) -> bool:
    """A broker has a segment of another partition to copy."""
    return any(0 < broker.other_copy < ENDED for broker in state.broker)


@liveness(source="RemoteLogManager: one copier pool", premise=has_other_segment_to_copy)
def other_partitions_are_copied(state: SharedCluster) -> bool:
    """The segments of other partitions on a broker are copied in the end.

    Kafka believes it because every copy ends, and frees its thread. Not checked: how long it takes.
    """
    return not has_other_segment_to_copy(state)


@witness(source="RemoteLogManager: one copier pool")
def other_partition_is_copied(state: SharedCluster) -> bool:
    """The segment of another partition is copied."""
    return any(broker.other_copy == ENDED for broker in state.broker)
