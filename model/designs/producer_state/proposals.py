"""What mails propose where it is another change than the repair of their finding."""

from tierproof.model.designs.producer_state.appending import (
    follower_appends_batch,
    is_running,
    leader_appends_batch,
)
from tierproof.model.designs.producer_state.readings import RECORDS_ARE_OLD, last_base
from tierproof.model.designs.producer_state.repairs import (
    is_never_sure,
    last_file_offset,
    rebuild_from_first_segment,
)
from tierproof.model.designs.producer_state.restarting import (
    lacks_snapshot,
    operator_places_empty_snapshot,
)
from tierproof.model.designs.producer_state.state import BROKER, ProducerPartition
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    is_out_of_range,
    knows_nobody,
    rebuild_producer_state,
    truncate_and_reload,
)
from tierproof.model.kafka.producer_snapshots import (
    last_snapshot_offset,
    register_empty_snapshot,
    write_snapshot,
)
from tierproof.model.kafka.producer_state import ProducerLog
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.kafka.snapshot_replay import continue_newest_snapshot
from tierproof.model.language import NONE, Variant, guard

# -- producers whose records are deleted


def is_beyond_end_or_below_start(offset: int, log_start_offset: int, last_offset: int) -> bool:
    """The snapshot of the offset from which the log is read stays: it says who wrote before.

    Older ones are removed as shipped: what lies between such a snapshot and that offset would
    be missing.
    """
    return offset > last_offset or offset < log_start_offset


PRODUCERS_OUTLIVE_RECORDS = Variant(
    name="proposal_producers_outlive_their_records",
    because="the first segment says who wrote what is deleted, or the snapshot at its base does",
    define={
        is_out_of_range: is_beyond_end_or_below_start,
        # Without a snapshot lastSnapOffset is 0, so that one of the log start is taken.
        last_snapshot_offset: last_file_offset,
        # What is loaded and read begins with the first segment, wherever the log start is.
        rebuild_producer_state: rebuild_from_first_segment,
    },
)

# -- a snapshot that is missing


@guard
def ends_a_segment(state: ProducerPartition, offset: OffsetEnd) -> bool:
    """A rolled segment of the local log ends there, so that it may be copied."""
    return offset > first_base(state.log)


@BROKER.action(guards=[is_running, lacks_snapshot, ends_a_segment], to="log directory")
def copy_task_builds_snapshot(state: ProducerPartition, offset: OffsetEnd) -> None:
    """Build the missing snapshot, and register it.

    From the newest one between the log start and the end of the segment and the batches since
    or, without one, from the first local segment on.

    Kafka: ours: RLMCopyTask#copyLogSegment. Left out: which segments may be copied already, and
    that the log changes while it is read.
    """
    register_empty_snapshot(state.log.snapshot[offset])
    continue_newest_snapshot(state.log, offset, first_base(state.log))


BUILD_MISSING_SNAPSHOT = Variant(
    name="proposal_copy_task_builds_the_snapshot",
    because="a snapshot that says what the log says hides no producer",
    drop=(operator_places_empty_snapshot,),
    add_system=(copy_task_builds_snapshot,),
)
"""The operator of the design stands for the copy task of KIP-952: it no longer places a file."""

# -- producers of old records


def keep_time_of_append(state: ProducerPartition) -> None:
    """The entry of the producer that has appended last has the broker's time of the append.

    The field of the entry stands for the new one, which only expiration compares.
    """
    producer = state.log.batch[last_base(state)].producer
    if producer != NONE:
        state.log.producer[producer].timestamp = state.now


def write_snapshot_with_time_of_records(log: ProducerLog, offset: int) -> None:
    """A snapshot has the timestamp of the producer's last records below its offset, as shipped."""
    write_snapshot(log, offset)
    for base in range(min(offset, log.log_end_offset)):
        batch = log.batch[base]
        if batch.producer != NONE:
            log.snapshot[offset].producer[batch.producer].timestamp = batch.timestamp


EXPIRE_BY_APPEND = Variant(
    name="proposal_producers_expire_by_their_append",
    because="a producer of old records has not been idle",
    define={write_snapshot: write_snapshot_with_time_of_records},
    also={
        leader_appends_batch: keep_time_of_append,
        follower_appends_batch: keep_time_of_append,
    },
    after=(RECORDS_ARE_OLD,),
)
"""It is no `proposal` of the finding, whose scope has records of today and retries after expiry.

For `records_are_old` and requests that die before expiry the claims hold with it; after a restart
or a truncation the entry has the timestamp of its records again, and they break."""

# -- a truncation by which nobody knew a producer


# `knows_nobody` says so, too, but the variant below redefines that.
def has_no_producer(log: ProducerLog) -> bool:
    """ProducerStateManager#isEmpty."""
    return not any(entry.is_known for entry in log.producer)


def cover_what_has_no_producers(
    log: ProducerLog, log_start_offset: int, last_offset: int, now: int, expiration_ms: int
) -> Rebuilt:
    """The log after the loaded snapshot is left out if nobody was known before, nor by it."""
    had_none = has_no_producer(log) and log.producer_map_end >= last_offset
    ended = truncate_and_reload(log, log_start_offset, last_offset, now, expiration_ms)
    if ended == Rebuilt.DONE and had_none and has_no_producer(log):
        log.producer_map_end = last_offset
    return ended


READ_AFTER_PRODUCERS = Variant(
    name="proposal_truncation_reads_after_a_snapshot_with_producers",
    because="a log that no idempotent producer writes need not be read",
    define={knows_nobody: is_never_sure, truncate_and_reload: cover_what_has_no_producers},
)
"""The map end at the cut stands for the second condition of UnifiedLog#rebuildProducerState."""

PROPOSALS = (
    PRODUCERS_OUTLIVE_RECORDS,
    BUILD_MISSING_SNAPSHOT,
    EXPIRE_BY_APPEND,
    READ_AFTER_PRODUCERS,
)
