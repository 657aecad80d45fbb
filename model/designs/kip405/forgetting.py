"""A repair of ours: what was deleted from the remote tier counts as copied no longer.

Kafka asks how far an epoch was ever copied, and that answer survives the deletion.
"""

from typing import Any

from tierproof.model.designs.kip405.copying import (
    copy_records_progress,
    copy_task_finds_highest_remote_offset,
    is_cache_ready,
    release,
)
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.rebuilding import has_follower_task
from tierproof.model.designs.kip405.state import Broker, Partition, RunStep
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import plan_retention, surplus_bytes
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_segments import only_local_bytes
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant, action, guard


def highest_still_remote(me: Any, segment: Any) -> int:
    """The end of what finished segments hold without a gap from the local log start on."""
    end = me.local_log_start_offset
    for _ in range(len(segment)):
        for i in range(len(segment)):
            if (
                me.cache.state[i] == CachedState.COPY_SEGMENT_FINISHED
                and segment[i].start_offset <= end <= segment[i].end_offset
                and is_in_lineage(segment[i], me.lineage, me.log_end_offset)
            ):
                end = segment[i].end_offset + 1
    return int(end - 1)


@action(
    guards=copy_task_finds_highest_remote_offset.guards,
    actor="broker {broker}",
    to="remote_metadata",
)
def copy_task_finds_what_is_still_remote(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that is still in the remote tier.

    **Who**: the copy task, in its first run.
    **Kafka**: ours, for RemoteLogManager#findHighestRemoteOffset, which counts what is deleted.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.copied_offset = highest_still_remote(me, state.segment)
    learn_highest_remote_offset(me, me.copied_offset)
    me.copy_task = CopyTask.READY


@guard
def has_more_that_is_remote(state: Partition, broker: Broker) -> bool:
    """What is still in the remote tier goes further than the broker knows."""
    me = state.broker[broker]
    return bool(highest_still_remote(me, state.segment) > me.highest_remote_offset)


@action(
    guards=[has_follower_task, is_cache_ready, has_more_that_is_remote], actor="broker {broker}"
)
def follower_task_finds_what_is_still_remote(state: Partition, broker: Broker) -> None:
    """Learn how far the remote tier goes, deleted segments not counted.

    **Who**: the follower task.
    **Kafka**: ours, for RLMFollowerTask#execute.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    learn_highest_remote_offset(me, highest_still_remote(me, state.segment))


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_plans_by_what_is_remote(state: Partition, broker: Broker) -> None:
    """Choose what goes; how far the remote tier goes is asked of what is still there.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: ours, for the seeding of KAFKA-20732.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    if me.highest_remote_offset == NONE:
        learn_highest_remote_offset(me, highest_still_remote(me, state.segment))
    surplus = surplus_bytes(me, state.segment, only_local_bytes(me))
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


@action(guards=copy_records_progress.guards, actor="copy of segment {segment}")
def copy_records_accepted_progress(state: Partition, segment: SegmentId) -> None:
    """Move cursor and highest remote offset only of a task that goes on, and if the cache agrees.

    **Who**: the copying thread.
    **Kafka**: ours, for the last lines of RLMCopyTask#copyLogSegment, which do not look.
    **Left out**: nothing.
    """
    it = state.segment[segment]
    me = state.broker[it.copier]
    if not it.is_cancelled and me.cache.state[segment] == CachedState.COPY_SEGMENT_FINISHED:
        me.copied_offset = it.end_offset
        learn_highest_remote_offset(me, it.end_offset)
    release(state, segment)


FORGET = Variant(
    name="repair_forget_deleted_offsets",
    because="what was deleted counts as copied: it is neither copied again nor kept locally",
    replace={
        "copy_task_finds_highest_remote_offset": copy_task_finds_what_is_still_remote,
        "follower_task_finds_highest_remote_offset": follower_task_finds_what_is_still_remote,
        "expiration_task_plans_retention": expiration_task_plans_by_what_is_remote,
        "copy_records_progress": copy_records_accepted_progress,
    },
)
