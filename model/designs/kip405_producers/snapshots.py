"""Producer snapshots: taken where a segment begins, deleted with it, and stored with its copy.

Where the log directory has no snapshot of the offset after a segment, the copying thread finds
that out once it has published COPY_SEGMENT_STARTED (KIP-952, `kip405.missing_snapshots`).
"""

from tierproof.model.designs.kip405.actors import COPY_TASK
from tierproof.model.designs.kip405.copying import (
    base_to_copy,
    has_no_copy_of_its_own,
    has_segment_to_copy,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_producers.state import (
    ProducedPartition,
    ProducedTopic,
    ProducingBroker,
)
from tierproof.model.kafka.local_segments import (
    forget_records,
    remove_segments,
    roll,
    segment_end,
)
from tierproof.model.kafka.producer_entries import forget_batches
from tierproof.model.kafka.producer_snapshots import remove_snapshots_of, take_snapshot
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.snapshot_copy import has_registered_snapshot, has_snapshot_to_copy
from tierproof.model.language import NONE, guard


def roll_with_snapshot(log: ProducingBroker) -> None:
    """UnifiedLog#roll: the new segment gets a snapshot of what lies before it."""
    take_snapshot(log)
    roll(log)


def remove_segments_with_snapshots(log: ProducingBroker, end_offset: int) -> None:
    """UnifiedLog#deleteProducerSnapshots: those of the segments' own base offsets."""
    remove_snapshots_of(log, 0, end_offset)
    remove_segments(log, end_offset)


def forget_records_and_batches(log: ProducingBroker, start_offset: int, end_offset: int) -> None:
    """The local log no longer has the records, nor what they say of producers."""
    forget_records(log, start_offset, end_offset)
    forget_batches(log, start_offset, end_offset)


def has_snapshot_of_producers(state: ProducedTopic, segment: int) -> bool:
    """The copying thread has a snapshot of the offset after the segment."""
    return has_snapshot_to_copy(state, segment)


def store_producers(state: ProducedTopic, segment: int) -> None:
    """The object gets the batches of the segment and a producer snapshot.

    Kafka: LogSegmentData#producerSnapshotIndex.
    """
    copy = state.segment[segment]
    for offset in range(copy.start_offset, copy.end_offset + 1):
        copy.batch[offset] = state.broker[copy.copier].batch[offset]
    store_snapshot(state, segment)


def store_snapshot(state: ProducedTopic, segment: int) -> None:
    """The snapshot of the log directory, where there is one; one made for the copy is empty."""
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    if copy.is_snapshot_made:
        copy.has_snapshot = True
    elif has_registered_snapshot(log, end):
        copy.has_snapshot = True
        copy.snapshot = log.snapshot[end].producer


# -- attempts that fail for ever


def lacks_snapshot_to_copy(state: ProducedTopic, broker: int) -> bool:
    """The next segment to copy has no producer snapshot after it."""
    log = state.broker[broker]
    base = base_to_copy(state, broker)
    return base != NONE and not has_registered_snapshot(log, segment_end(log, base))


def note_missing_snapshot(state: ProducedTopic, segment: int) -> None:
    """The attempt ends; what it has published stays."""
    state.segment[segment].lacked_snapshot = True


def failed_attempts(state: ProducedTopic, base: int) -> int:
    """Attempts at the segment that have ended for want of a snapshot."""
    return sum(1 for copy in state.segment if copy.lacked_snapshot and copy.start_offset == base)


@guard
def fails_as_before(state: ProducedTopic, broker: Broker, scope: ProducedPartition) -> bool:
    """So many attempts at the segment have failed that one more would show nothing new."""
    attempts = failed_attempts(state, base_to_copy(state, broker))
    return lacks_snapshot_to_copy(state, broker) and attempts >= scope.failed_attempts


@guard
def shows_something_new(state: ProducedTopic, broker: Broker, scope: ProducedPartition) -> bool:
    """The attempt may succeed, or few have failed: later ones are `copy_task_fails_again`."""
    return not fails_as_before(state, broker, scope)


@COPY_TASK.action(
    CopyTask.READY,
    guards=[has_segment_to_copy, has_no_copy_of_its_own, fails_as_before],
    stutters=True,
)
def copy_task_fails_again(state: ProducedTopic, broker: Broker) -> None:
    """Publish one more COPY_SEGMENT_STARTED, and fail for want of a snapshot, as before.

    Kafka: RLMCopyTask#copyLogSegment, at every run of the task. Left out: the entry that each
    of these runs leaves; the model has `failed_attempts` of them.
    """
