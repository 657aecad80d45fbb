"""Segments without a producer snapshot: KIP-952, and what Kafka does with them as shipped.

KIP-405 alone explores partitions whose segments all have one; the design `kip405_producers` and
replays of recordings have others.
"""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import (
    copy_stores_object,
    has_read_own_record,
    release,
    store_defers_copy,
    store_fails_copy,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.state import AttemptStep, Partition
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Action, Guard, guard


def has_snapshot_at_end(state: Partition, segment: int) -> bool:
    """A producer snapshot belongs to the end of the segment."""
    copy = state.segment[segment]
    return copy.end_offset + 1 >= state.broker[copy.copier].producer_snapshots_start


@guard
def has_snapshot(state: Partition, segment: SegmentId) -> bool:
    """A producer snapshot belongs to the end of the segment."""
    return has_snapshot_at_end(state, segment)


@guard
def has_no_snapshot(state: Partition, segment: SegmentId) -> bool:
    """No producer snapshot belongs to the end of the segment."""
    return not has_snapshot_at_end(state, segment)


@COPIER.action(AttemptStep.STARTED, AttemptStep.IDLE, guards=[has_read_own_record, has_no_snapshot])
def copy_misses_snapshot(state: Partition, segment: SegmentId) -> None:
    """End the run; COPY_SEGMENT_STARTED stays (KIP-952).

    Kafka: RLMCopyTask#copyLogSegment, NullPointerException at producerStateSnapshotFile.
    """
    release(state, segment)


NEEDS_SNAPSHOT: dict[Action, Guard] = {
    copy_stores_object: has_snapshot,
    store_fails_copy: has_snapshot,
    store_loses_reply_of_copy: has_snapshot,
    store_defers_copy: has_snapshot,
}
"""What happens at the store only once the copying thread has the file of the snapshot."""
