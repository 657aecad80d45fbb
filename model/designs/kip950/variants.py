"""What would happen otherwise: repairs of ours, and the KIP's text where Kafka differs from it.

A variant replaces or adds entries. A name that begins with `repair_` is ours and is in no
document; one that begins with `text_` follows the letter of the KIP.
"""

from typing import Any

from model.designs.kip950.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    has_found_log_start,
    has_published,
    learn_highest_remote_offset,
    release_copier,
)
from model.designs.kip950.deleting import (
    broker_publishes_delete_started,
    expiration_task_publishes_delete_started,
    is_starting_deletes,
)
from model.designs.kip950.publisher import (
    cancel_copy_task,
    finish_batch,
    is_stopping_tasks,
    stop_all_tasks,
)
from model.designs.kip950.replication import has_follower_task
from model.designs.kip950.state import Broker, Partition, PublisherStep, SegmentId
from model.kafka.remote_log_task import CopyStep, CopyTask
from model.kafka.remote_segment import SegmentState, is_tracked
from model.kafka.replica import is_leading
from model.language import NONE, Action, Guard, Variant, action, guard

# -- repair_forget_deleted_offsets


def highest_served_offset(state: Any) -> int:
    """The highest offset that a finished, not deleted segment covers, or NONE."""
    highest = NONE
    for i in range(len(state.segment)):
        if state.segment[i].state == SegmentState.COPY_SEGMENT_FINISHED:
            highest = max(highest, state.segment[i].offset)
    return int(highest)


@action(guards=[has_found_log_start], actor="broker {broker}", to="remote_metadata")
def copy_task_finds_highest_served_offset(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that is still in the remote tier.

    **Who**: the copy task, in its first run.
    **Kafka**: instead of RemoteLogManager#findHighestRemoteOffset, which counts deleted segments.
    **Left out**: leader epochs.
    """
    me = state.broker[broker]
    me.copied_offset = highest_served_offset(state)
    learn_highest_remote_offset(state, broker, highest_served_offset(state))
    me.copy_task = CopyTask.READY


@guard
def has_served_offset_to_learn(state: Partition, broker: Broker) -> bool:
    """A segment that is still in the remote tier lies above what the log was told."""
    return state.broker[broker].highest_remote_offset < highest_served_offset(state)


@action(
    guards=[has_follower_task, has_served_offset_to_learn],
    actor="broker {broker}",
    to="remote_metadata",
)
def follower_task_finds_highest_served_offset(state: Partition, broker: Broker) -> None:
    """Tell the log how far the remote tier goes, deleted segments not counted.

    **Who**: the follower's remote log task.
    **Kafka**: instead of RLMFollowerTask#execute.
    **Left out**: leader epochs.
    """
    learn_highest_remote_offset(state, broker, highest_served_offset(state))


@action(guards=[is_stopping_tasks], actor="broker {broker}")
def broker_stops_tasks_and_forgets(state: Partition, broker: Broker) -> None:
    """Cancel every task, and forget how far the remote tier went.

    **Who**: the metadata publisher.
    **Kafka**: instead of RemoteLogManager#stopPartitions, which leaves
    UnifiedLog.highestOffsetInRemoteStorage as it was.
    **Left out**: unassigning the partition of the metadata topic.
    """
    stop_all_tasks(state, broker)
    state.broker[broker].highest_remote_offset = NONE
    if state.broker[broker].presumed_leader == broker:
        state.broker[broker].publisher = PublisherStep.LISTING_SEGMENTS
    else:
        finish_batch(state, broker)


@action(guards=[has_published], actor="copy of segment {segment}")
def copy_records_served_progress(state: Partition, segment: SegmentId) -> None:
    """Move the cursor, and tell the log of the copy unless it is already being deleted.

    **Who**: the copying thread.
    **Kafka**: instead of the end of RLMCopyTask#copyLogSegment, which does not look.
    **Left out**: metrics.
    """
    copied = state.segment[segment]
    if not copied.is_cancelled:
        state.broker[copied.copier].copied_offset = copied.offset
    if copied.state == SegmentState.COPY_SEGMENT_FINISHED:
        learn_highest_remote_offset(state, copied.copier, copied.offset)
    release_copier(state, segment)


# -- repair_fence_remote_metadata


@guard
def is_copied_by_the_leader(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to the elected leader, in its epoch."""
    return is_leading(state, state.segment[segment].copier)


@guard
def has_copy_to_refuse(state: Partition, segment: SegmentId) -> bool:
    """A thread of a broker that does not lead wants to publish."""
    it = state.segment[segment]
    wants = it.copy_step == CopyStep.CHOSEN or it.copy_step == CopyStep.STORED
    return bool(wants and not is_leading(state, it.copier))


@action(guards=[has_copy_to_refuse], actor="remote_metadata", to="copy of segment {segment}")
def metadata_refuses_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse a record of a copy by a broker that does not lead; the thread gives up.

    **Who**: whoever keeps the remote metadata.
    **Kafka**: nothing like it; the metadata topic takes records of any broker.
    **Left out**: how the fence knows the epoch.
    """
    release_copier(state, segment)


@guard
def writes_as_leader(state: Partition, broker: Broker) -> bool:
    """The broker is the elected leader, in its epoch."""
    return is_leading(state, broker)


@guard
def is_zombie(state: Partition, broker: Broker) -> bool:
    """The broker is not the elected leader in its epoch."""
    return not is_leading(state, broker)


@action(guards=[is_starting_deletes, is_zombie], actor="remote_metadata", to="broker {broker}")
def metadata_refuses_delete(state: Partition, broker: Broker) -> None:
    """Refuse the first record of a deletion by a broker that does not lead, which ends it.

    **Who**: whoever keeps the remote metadata.
    **Kafka**: nothing like it; the metadata topic takes records of any broker.
    **Left out**: how the fence knows the epoch.
    """
    finish_batch(state, broker)


def fenced(act: Action, by: Guard) -> Action:
    """The action under one more guard."""
    return act.with_guards((*act.guards, by))


# -- text_expiration_deletes


@action(guards=[is_stopping_tasks], actor="broker {broker}")
def broker_stops_copying_only(state: Partition, broker: Broker) -> None:
    """Cancel copying; the expiration task goes on below the new log start.

    **Who**: the metadata publisher.
    **Kafka**: KIP-950, RemoteLogManager Change: "we will let tasks scheduled [...] in the
    RemoteDataExpirationThreadPool to successfully delete all remote segments before the
    log start offset and then unregister themselves". Kafka ships something else.
    **Left out**: nothing.
    """
    cancel_copy_task(state, broker)
    state.broker[broker].follower_task = False
    finish_batch(state, broker)


@guard
def has_idle_expiration_of_a_disabled_topic(state: Partition, broker: Broker) -> bool:
    """An expiration task of a disabled topic finds nothing below the log start."""
    me = state.broker[broker]
    if me.settings.remote_storage_enable or not me.expiration_task or me.expiring != NONE:
        return False
    if me.publisher != PublisherStep.IDLE:
        return False
    for i in range(len(state.segment)):
        if is_tracked(state.segment[i]) and state.segment[i].offset < me.log_start_offset:
            return False
    return True


@action(guards=[has_idle_expiration_of_a_disabled_topic], actor="broker {broker}")
def expiration_task_unregisters(state: Partition, broker: Broker) -> None:
    """End the expiration task of a disabled topic once nothing is left below the log start.

    **Who**: the expiration task.
    **Kafka**: KIP-950, RemoteLogManager Change; not shipped.
    **Left out**: nothing.
    """
    state.broker[broker].expiration_task = False


VARIANTS = (
    Variant(
        name="repair_forget_deleted_offsets",
        because="After a delete, offsets that were once copied count as copied: they are neither "
        "copied again nor kept locally.",
        replace={
            "copy_task_finds_highest_remote_offset": copy_task_finds_highest_served_offset,
            "follower_task_finds_highest_remote_offset": follower_task_finds_highest_served_offset,
            "broker_stops_tasks": broker_stops_tasks_and_forgets,
            "copy_records_progress": copy_records_served_progress,
        },
    ),
    Variant(
        name="repair_fence_remote_metadata",
        because="A zombie copies and deletes as if it led: nothing asks for its epoch.",
        replace={
            "copy_publishes_started": fenced(copy_publishes_started, is_copied_by_the_leader),
            "copy_publishes_finished": fenced(copy_publishes_finished, is_copied_by_the_leader),
            "broker_publishes_delete_started": fenced(
                broker_publishes_delete_started, writes_as_leader
            ),
            "expiration_task_publishes_delete_started": fenced(
                expiration_task_publishes_delete_started, writes_as_leader
            ),
        },
        add_system=(metadata_refuses_copy, metadata_refuses_delete),
    ),
    Variant(
        name="text_expiration_deletes",
        because="KIP-950 lets expiration tasks delete; Kafka ships one synchronous delete.",
        replace={"broker_stops_tasks": broker_stops_copying_only},
        add_system=(expiration_task_unregisters,),
    ),
)
