"""Producer snapshots: taken where a segment begins, deleted with it, and stored with its copy.

Where the log directory has no snapshot of the offset after a segment, the copying thread finds
that out once it has published COPY_SEGMENT_STARTED (KIP-952, `kip405.missing_snapshots`).
"""

from tierproof.model.kafka.producer_snapshots import remove_snapshots, take_snapshot
from tierproof.model.kafka.snapshot_copy import has_snapshot_to_copy

from tierproof.model.designs.kip405_producers.state import ProducedTopic, ProducingBroker
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import (
    forget_records,
    remove_segments,
    roll,
)
from tierproof.model.kafka.producer_state import ProducerBatch
from tierproof.model.language import NONE


def roll_with_snapshot(log: ProducingBroker) -> None:
    """UnifiedLog#roll: the new segment gets a snapshot of what lies before it."""
    take_snapshot(log)
    roll(log)


def remove_segments_with_snapshots(log: ProducingBroker, end_offset: int) -> None:
    """UnifiedLog#deleteProducerSnapshots: those of the segments' own base offsets."""
    remove_snapshots(log, 0, end_offset)
    remove_segments(log, end_offset)


def forget_batches(log: ProducingBroker, start_offset: int, end_offset: int) -> None:
    """The local log no longer has the records, nor what they say of producers."""
    forget_records(log, start_offset, end_offset)
    for offset in range(start_offset, end_offset):
        blank_batch(log.batch[offset])


def blank_batch(batch: ProducerBatch) -> None:
    """No batch begins here."""
    batch.kind = BatchKind.ABSENT
    batch.last_offset = NONE
    batch.producer = NONE
    batch.epoch = NONE
    batch.first_sequence = NONE
    batch.is_transactional = False
    batch.coordinator_epoch = NONE
    batch.timestamp = 0


def has_snapshot_of_producers(state: ProducedTopic, segment: int) -> bool:
    """The copying thread has a snapshot of the offset after the segment."""
    return has_snapshot_to_copy(state, segment)


def store_producers(state: ProducedTopic, segment: int) -> None:
    """The object gets the batches of the segment and, where there is one, its snapshot.

    Kafka: LogSegmentData#producerSnapshotIndex.
    """
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    for offset in range(copy.start_offset, copy.end_offset + 1):
        copy.batch[offset] = log.batch[offset]
    copy.has_snapshot = has_snapshot_to_copy(state, segment)
    if copy.is_snapshot_made:
        copy.snapshot = copy.made_snapshot
    elif copy.has_snapshot:
        copy.snapshot = log.snapshot[copy.end_offset + 1].producer
