"""Settings that begin where leaders before have copied: segments that overlap, or span epochs.

Brokers roll their active segment on their own, when local retention asks for it. A leader whose
log was rolled elsewhere than that of the leader before it begins to copy in the middle of one of
its segments, and copies the whole: two remote segments then hold the same offsets.
Each setting is a variant that replaces the beginning; none changes what may happen.
"""

from tierproof.invariants.histories import note_committed_records
from tierproof.invariants.remote_metadata import run_deletes_what_exceeds_the_limit
from tierproof.model.designs.kip405.leadership import learn_election
from tierproof.model.designs.kip405.metadata import publish
from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.start import begin_copied, begin_published, tiered_partition
from tierproof.model.designs.kip405.state import AttemptStep, Partition, RecordKind, TieredPartition
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.kafka.local_segments import remove_segments
from tierproof.model.kafka.remote_metadata_cache import apply_record
from tierproof.model.language import NONE, Variant

TIMES_MS = (0, 0, 0, 1, 2)
"""When the records were written: by time, what ends at 2 expires before what ends at 3."""


def begin_rolled(state: Partition, scope: TieredPartition, lineage: tuple[int, ...] = (0,)) -> None:
    """A tiered partition of five records, written by leaders from these offsets on."""
    tiered_partition.effect(state, scope)
    for log in state.broker:
        for offset, timestamp in enumerate(TIMES_MS):
            log.records[offset].timestamp = timestamp
        for epoch, start_offset in enumerate(lineage):
            log.lineage[epoch] = start_offset
        log.leader_epoch = len(lineage) - 1
    state.leader_epoch = len(lineage) - 1
    for record in state.committed:
        record.epoch = NONE
    note_committed_records(state)


def roll_at(state: Partition, *bases: int) -> None:
    """The local segments begin at these offsets."""
    for log in state.broker:
        for offset in range(len(log.starts_segment)):
            log.starts_segment[offset] = offset in bases


def copy_earlier(state: Partition, id: int, start_offset: int, end_offset: int) -> None:
    """A leader before has copied the offsets from `start_offset` to `end_offset`, inclusive."""
    roll_at(state, start_offset, end_offset + 1)
    begin_copied(state, id, start_offset)
    begin_published(state, id)


def keep_from(state: Partition, offset: int) -> None:
    """Local retention has removed what lies before the offset."""
    for log in state.broker:
        log.local_log_start_offset = offset
        remove_segments(log, offset)


# -- the settings


def begin_with_one_start(state: Partition, scope: TieredPartition) -> None:
    """Offset 0 was copied alone, and again together with offset 1."""
    begin_rolled(state, scope)
    copy_earlier(state, 0, 0, 0)
    copy_earlier(state, 1, 0, 1)
    roll_at(state, 2, 4)
    keep_from(state, 2)


ONE_START = Variant(
    name="copied_segments_begin_alike",
    because="two leaders copied segments that begin at the same offset and end apart",
    effect={tiered_partition: begin_with_one_start},
)


def begin_rolled_elsewhere(state: Partition, scope: TieredPartition) -> None:
    """Offsets 0 and 1 were copied, and offset 2 alone; the leader has [0], [1, 3] and [4]."""
    begin_rolled(state, scope)
    copy_earlier(state, 0, 0, 1)
    copy_earlier(state, 1, 2, 2)
    roll_at(state, 0, 1, 4)


ROLLED_ELSEWHERE = Variant(
    name="leader_rolled_elsewhere",
    because="the leader's next segment covers one that a leader before has copied",
    effect={tiered_partition: begin_rolled_elsewhere},
)


def begin_with_crossing_segments(state: Partition, scope: TieredPartition) -> None:
    """Offsets 0 to 2 were copied, and 1 to 3; epoch 1 began at offset 2."""
    begin_rolled(state, scope, (0, 2))
    copy_earlier(state, 0, 0, 2)
    copy_earlier(state, 1, 1, 3)
    roll_at(state, 4)
    keep_from(state, 4)


CROSSING = Variant(
    name="copied_segments_cross",
    because="two leaders copied segments that begin apart, overlap, and end apart",
    effect={tiered_partition: begin_with_crossing_segments},
)


def begin_with_two_epochs(state: Partition, scope: TieredPartition) -> None:
    """Offsets 0 and 1 were copied, of two epochs, then 2 and 3; the limit is one byte."""
    begin_rolled(state, scope, (0, 1))
    copy_earlier(state, 0, 0, 1)
    copy_earlier(state, 1, 2, 3)
    roll_at(state, 4)
    keep_from(state, 4)
    for log in state.broker:
        log.settings.retention_ms = -1
        log.settings.retention_bytes = 1


TWO_EPOCHS = Variant(
    name="copied_segment_spans_two_epochs",
    because="a new leader appended to the segment that was active when it was elected",
    effect={tiered_partition: begin_with_two_epochs},
    add_properties=(run_deletes_what_exceeds_the_limit,),
)


def begin_with_late_copy(state: Partition, scope: TieredPartition) -> None:
    """Offsets 0 and 1 were copied, then 2 and 3; a cancelled thread has stored 0 to 2.

    Broker 0 led in epoch 0, in which all records were written, and leads again in epoch 2.
    """
    begin_rolled(state, scope)
    state.leader_epoch = 2
    for log in state.broker:
        log.leader_epoch = 2
        log.lineage[2] = log.log_end_offset
    copy_earlier(state, 0, 0, 1)
    copy_earlier(state, 1, 2, 3)
    roll_at(state, 0, 3)
    begin_copied(state, 2, 0)
    publish(state, 2, RecordKind.COPY_SEGMENT_STARTED)
    late = state.segment[2]
    late.copier, late.attempt, late.is_cancelled = 0, AttemptStep.STORED, True
    state.broker[0].copying.add(2)
    for log in state.broker:
        apply_record(log.cache, state.segment, 2, RecordKind.COPY_SEGMENT_STARTED)
        log.metadata_position = log.metadata_assigned_end = state.metadata_end
    roll_at(state, 4)
    keep_from(state, 4)


LATE_COPY = Variant(
    name="late_copy_begins_alike",
    because="a thread of a cancelled task ends its copy after a new leader copied further",
    effect={tiered_partition: begin_with_late_copy},
)


def begin_behind_unclean_leader(state: Partition, scope: TieredPartition) -> None:
    """Broker 0 copied offset 0; an unclean leader, broker 1, has another record there.

    Broker 1 leads in epoch 1. Broker 0 follows it, out of sync, and has not fetched yet.
    """
    tiered_partition.effect(state, scope)
    copy_earlier(state, 0, 0, 0)
    old, new = state.broker[0], state.broker[1]
    roll_at(state, 0)
    new.lineage[0], new.lineage[1] = NONE, 0
    state.elected_leader = state.leader_epoch = 1
    state.in_sync.discard(0)
    old.high_watermark = new.high_watermark = 0
    new.highest_remote_offset = NONE
    learn_election(state, 1)
    schedule_tasks(state, 1)
    follow_remote_log(state, 0)
    learn_election(state, 0)
    state.committed[0].epoch = NONE
    raise_high_watermark(state, 1)
    note_committed_records(state)


BEHIND_UNCLEAN = Variant(
    name="unclean_leader_was_elected",
    because="an unclean election is over; the leader before it follows, with what it copied",
    effect={tiered_partition: begin_behind_unclean_leader},
)

OVERLAPPING_SEGMENTS = (
    ONE_START,
    ROLLED_ELSEWHERE,
    CROSSING,
    TWO_EPOCHS,
    LATE_COPY,
    BEHIND_UNCLEAN,
)
"""Each is a beginning of its own; they exclude each other."""
