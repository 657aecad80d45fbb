"""How the partition is at the beginning: empty, or tiered with records that nobody has copied."""

from tierproof.invariants.histories import note_committed_records
from tierproof.model.designs.kip405.expiring import forget_plan
from tierproof.model.designs.kip405.metadata import publish
from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import Partition, RecordKind, TieredPartition
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.kafka.copy_task import describe_segment
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.remote_metadata_cache import apply_record
from tierproof.model.language import NONE, initial


def begin(state: Partition) -> None:
    """What every initial state has in common: broker 0 leads, the others follow it in epoch 0."""
    for segment in state.segment:
        clear(segment.lineage)
        segment.copier = NONE
    for b, replica in enumerate(state.broker):
        replica.presumed_leader = 0
        replica.starts_segment[0] = True
        replica.lineage[0] = 0
        replica.highest_remote_offset = NONE
        replica.copied_offset = NONE
        replica.settings.local_retention_ms = -2
        replica.settings.local_retention_bytes = -2
        state.in_sync.add(b)
        forget_plan(replica)


@initial
def empty_partition(state: Partition) -> None:
    """The topic is not tiered and keeps everything."""
    begin(state)


@initial
def tiered_partition(state: Partition, scope: TieredPartition) -> None:
    """Broker 0 leads a tiered topic; every replica has the same records, nothing is copied.

    Segments are full; a record is as old as its offset says, while the clock can tell.
    Only the active segment need stay locally once the others are copied.
    """
    begin(state)
    end = scope.offsets - scope.appends
    for b, replica in enumerate(state.broker):
        replica.log_end_offset = end
        replica.high_watermark = end if b > 0 else 0
        for offset in range(end):
            replica.records[offset].bytes = scope.record_bytes
            replica.records[offset].timestamp = min(offset, scope.clock_ms)
            if offset % (scope.segment_bytes // scope.record_bytes) == 0:
                replica.starts_segment[offset] = True
        replica.settings.remote_storage_enable = True
        replica.settings.retention_bytes = scope.retention_bytes if scope.is_size_limited else -1
        replica.settings.retention_ms = -1 if scope.is_size_limited else 0
        replica.settings.local_retention_bytes = min(1, scope.retention_bytes)
        replica.settings.local_retention_ms = -1
        if b > 0:
            follow_remote_log(state, b)
    schedule_tasks(state, 0)
    raise_high_watermark(state, 0)
    note_committed_records(state)


def begin_copied(state: Partition, id: int, base: int) -> None:
    """The segment at `base` is in the remote store."""
    describe_segment(state.segment[id], state.broker[0], base)
    state.segment[id].object_exists = True


def begin_published(state: Partition, id: int) -> None:
    """The metadata topic says that the segment is copied, and every broker has read it."""
    for kind in (RecordKind.COPY_SEGMENT_STARTED, RecordKind.COPY_SEGMENT_FINISHED):
        publish(state, id, kind)
        for log in state.broker:
            apply_record(log.cache, state.segment, id, kind)
    for log in state.broker:
        log.metadata_position = state.metadata_end
        log.metadata_assigned_end = state.metadata_end
        log.highest_remote_offset = state.segment[id].end_offset
