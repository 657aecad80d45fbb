"""A new leader reads all metadata, and begins where something can be read."""

from tierproof.model.designs.kip405.copying import copy_task_finds_log_start
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.repairs.forgetting import FORGET
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant


def first_readable_offset(state: Partition, broker: int) -> int:
    """The first offset of a finished segment of the lineage, or of the local log."""
    log = state.broker[broker]
    found = max(log.log_start_offset, log.local_log_start_offset)
    for i in range(len(state.segment)):
        if log.cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED and is_in_lineage(
            state.segment[i], log.lineage, log.log_end_offset
        ):
            found = min(found, state.segment[i].start_offset)
    return found


def take_log_start_over(state: Partition, broker: int) -> None:
    """Raise the log start of a leader whose cache is ready to the first readable offset.

    A segment that is being deleted does not count; RemoteLogManager#findLogStartOffset takes
    one in any state.
    """
    log = state.broker[broker]
    if log.presumed_leader == broker and log.cache.is_initialized:
        raise_log_start(log, min(first_readable_offset(state, broker), log.high_watermark))


def ask_anew(state: Partition, broker: int) -> None:
    """A leader forgets how far the remote tier reached; its cache waits for all metadata."""
    log = state.broker[broker]
    if log.presumed_leader == broker:
        log.highest_remote_offset = NONE
        log.metadata_assigned_end = state.metadata_end
        log.cache.is_initialized = log.metadata_position >= state.metadata_end


def take_log_start_over_once_ready(state: Partition, broker: int) -> None:
    """A new leader takes the log start over with the record that completes its cache."""
    log = state.broker[broker]
    if log.metadata_position == log.metadata_assigned_end:
        take_log_start_over(state, broker)


ASK_ANEW = Variant(
    name="repair_read_all_before_leading",
    because="a cache that lags does not know what was deleted",
    also={broker_learns_leader: ask_anew},
)
"""What two repairs begin with; alone it mends nothing."""
TAKE_OVER = Variant(
    name="repair_take_log_start_over",
    because="a new leader promises what was deleted before it came",
    effect={copy_task_finds_log_start: take_log_start_over},
    also={
        broker_learns_leader: take_log_start_over,
        broker_reads_metadata: take_log_start_over_once_ready,
    },
    parts=(ASK_ANEW,),
    after=(ASK_ANEW,),
)
LEAD_ANEW = Variant(
    name="repair_leader_asks_anew",
    because="what was deleted counts as copied, and a cache that lags does not know it",
    effect={copy_task_finds_log_start: take_log_start_over},
    parts=(FORGET, ASK_ANEW),
)
"""What the fix of KAFKA-15351 rests on: with it alone the page of that bug shows that bug alone."""
