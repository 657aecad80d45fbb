"""The producer snapshot that belongs to the copy of a segment: where the copying thread finds it.

LogSegmentData needs the snapshot of the offset after the segment. RemoteLogManager.RLMCopyTask
asks ProducerStateManager#fetchSnapshot for it, which knows registered files only. A design that
makes a snapshot for the copy alone keeps it beside the copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.producer_state import ProducerSnapshot, SnapshotFile


class SnapshotDirectory(Protocol):
    """A broker's log directory, as far as it has producer snapshots."""

    @property
    def snapshot(self) -> Sequence[ProducerSnapshot]:
        """The snapshot of each offset."""


class CopiedSegment(Protocol):
    """A copy in progress; `is_snapshot_made`: its thread has made a snapshot for it alone."""

    end_offset: int
    copier: int
    is_snapshot_made: bool


class Copying(Protocol):
    """Brokers with their log directories, and copies that their threads make."""

    @property
    def broker(self) -> Sequence[SnapshotDirectory]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[CopiedSegment]:
        """Every id."""


def has_registered_snapshot(log: SnapshotDirectory, offset: int) -> bool:
    """ProducerStateManager#fetchSnapshot finds the snapshot of the offset, and can read it.

    Kafka: a file that is registered and gone, or corrupt, is found all the same; the copy of
    the one fails later, and the other is stored.
    """
    found = log.snapshot[offset]
    return found.is_registered and found.file == SnapshotFile.READABLE


def has_snapshot_to_copy(state: Copying, segment: int) -> bool:
    """The thread that copies the segment has a producer snapshot to store with it."""
    copy = state.segment[segment]
    if copy.is_snapshot_made:
        return True
    return has_registered_snapshot(state.broker[copy.copier], copy.end_offset + 1)
