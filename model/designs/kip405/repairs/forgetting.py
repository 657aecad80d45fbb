"""What was deleted from the remote tier no longer counts as copied.

Kafka asks how far an epoch was ever copied, and that answer survives the deletion.
"""

from tierproof.model.designs.kip405.copying import (
    copy_records_progress,
    copy_task_finds_highest_remote_offset,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_retention,
    plan_by_size_and_time,
)
from tierproof.model.designs.kip405.rebuilding import (
    follower_task_finds_highest_remote_offset,
    has_higher_offset_to_find,
)
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant, guard


def highest_still_remote(state: Partition, broker: int) -> int:
    """The end of what finished segments hold without a gap from the local log start on."""
    log = state.broker[broker]
    end = log.local_log_start_offset
    for _ in range(len(state.segment)):
        for i in range(len(state.segment)):
            segment = state.segment[i]
            if (
                log.cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
                and segment.start_offset <= end <= segment.end_offset
                and is_in_lineage(segment, log.lineage, log.log_end_offset)
            ):
                end = segment.end_offset + 1
    return end - 1


def find_what_is_still_remote(state: Partition, broker: int) -> None:
    """Set the cursor to the highest offset that is still in the remote tier."""
    log = state.broker[broker]
    log.copied_offset = highest_still_remote(state, broker)
    learn_highest_remote_offset(log, log.copied_offset)


@guard
def has_more_that_is_remote(state: Partition, follower: Broker) -> bool:
    """What is still in the remote tier reaches further than the broker knows."""
    return highest_still_remote(state, follower) > state.broker[follower].highest_remote_offset


def learn_what_is_still_remote(state: Partition, follower: int) -> None:
    """Learn how far the remote tier reaches, deleted segments not counted."""
    learn_highest_remote_offset(state.broker[follower], highest_still_remote(state, follower))


def plan_by_what_is_still_remote(state: Partition, broker: int) -> None:
    """Plan a run as ever, but look at what is still remote before (KAFKA-20732)."""
    log = state.broker[broker]
    if log.highest_remote_offset == NONE:
        learn_highest_remote_offset(log, highest_still_remote(state, broker))
    plan_by_size_and_time(state, broker)


def record_accepted_progress(state: Partition, segment: int) -> None:
    """Move cursor and highest remote offset only if the cache agrees and the task is not cancelled.

    The last lines of RLMCopyTask#copyLogSegment ask for neither.
    """
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    if not copy.is_cancelled and log.cache.state[segment] == SegmentState.COPY_SEGMENT_FINISHED:
        log.copied_offset = copy.end_offset
        learn_highest_remote_offset(log, copy.end_offset)
    release(state, segment)


FORGET = Variant(
    name="repair_forget_deleted_offsets",
    because="what was deleted counts as copied: it is neither copied again nor kept locally",
    effect={
        copy_task_finds_highest_remote_offset: find_what_is_still_remote,
        follower_task_finds_highest_remote_offset: learn_what_is_still_remote,
        expiration_task_plans_retention: plan_by_what_is_still_remote,
        copy_records_progress: record_accepted_progress,
    },
    test={has_higher_offset_to_find: has_more_that_is_remote},
)
