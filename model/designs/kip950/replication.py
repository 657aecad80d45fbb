"""The replicas: appending, following, and local retention."""

from model.designs.kip950.copying import learn_highest_remote_offset
from model.designs.kip950.state import Broker, Partition
from model.kafka.local_log import (
    first_local_offset,
    increment_log_start,
    is_past_local_retention,
)
from model.kafka.replica import high_watermark, is_copy_enabled, is_leading
from model.language import action, guard, limit


@guard
def is_elected_and_knows(state: Partition, broker: Broker) -> bool:
    """The broker leads in the current epoch."""
    return is_leading(state, broker)


@limit
def has_room_in_log(state: Partition, broker: Broker) -> bool:
    """The log may grow by a segment."""
    return state.broker[broker].log_end_offset < len(state.serving)


@action(guards=[is_elected_and_knows, has_room_in_log], actor="broker {broker}")
def leader_appends_segment(state: Partition, broker: Broker) -> None:
    """Append records until a segment is full and rolls.

    **Who**: the leader, for producers with acks=all.
    **Kafka**: UnifiedLog#appendAsLeader.
    **Left out**: records of a zombie that are never committed, and their truncation.
    """
    state.broker[broker].log_end_offset += 1


@guard
def follows_current_leader(state: Partition, broker: Broker) -> bool:
    """The broker follows another one, which leads in the same epoch as far as both know."""
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    return bool(
        me.presumed_leader != broker
        and leader.presumed_leader == me.presumed_leader
        and leader.leader_epoch == me.leader_epoch
    )


@guard
def has_segment_to_fetch(state: Partition, broker: Broker) -> bool:
    """The leader's log is longer."""
    me = state.broker[broker]
    return me.log_end_offset < state.broker[me.presumed_leader].log_end_offset


@action(
    guards=[follows_current_leader, has_segment_to_fetch],
    actor="broker {broker}",
)
def follower_fetches_segment(state: Partition, broker: Broker) -> None:
    """Replicate one segment.

    **Who**: the replica fetcher of a follower.
    **Kafka**: AbstractFetcherThread#processFetchRequest, UnifiedLog#appendAsFollower.
    **Left out**: replicas so far behind that they must build on the remote tier.
    """
    state.broker[broker].log_end_offset += 1


@guard
def has_log_start_to_learn(state: Partition, broker: Broker) -> bool:
    """The leader's log starts later."""
    me = state.broker[broker]
    return me.log_start_offset < state.broker[me.presumed_leader].log_start_offset


@action(
    guards=[follows_current_leader, has_log_start_to_learn],
    actor="broker {broker}",
)
def follower_learns_log_start(state: Partition, broker: Broker) -> None:
    """Take over the log start that a fetch response carries.

    **Who**: the replica fetcher of a follower.
    **Kafka**: UnifiedLog#maybeIncrementLogStartOffset(LeaderOffsetIncremented).
    **Left out**: nothing.
    """
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    increment_log_start(me, me.settings.remote_storage_enable, leader.log_start_offset)


@guard
def has_follower_task(state: Partition, broker: Broker) -> bool:
    """The follower's remote log task is scheduled and tiering is on in the log."""
    me = state.broker[broker]
    return bool(me.follower_task and me.settings.remote_storage_enable)


@guard
def has_remote_offset_to_learn(state: Partition, broker: Broker) -> bool:
    """The metadata cache knows of a higher copied offset."""
    return state.broker[broker].highest_remote_offset < state.highest_finished_offset


@action(
    guards=[has_follower_task, has_remote_offset_to_learn],
    actor="broker {broker}",
    to="remote_metadata",
)
def follower_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Tell the log how far the remote tier goes, so that local retention may act.

    **Who**: the follower's remote log task.
    **Kafka**: RLMFollowerTask#execute.
    **Left out**: leader epochs.
    """
    learn_highest_remote_offset(state, broker, state.highest_finished_offset)


@guard
def has_local_segment(state: Partition, broker: Broker) -> bool:
    """The log has a rolled segment, all of it committed."""
    return first_local_offset(state.broker[broker]) < high_watermark(state)


@guard
def is_copying_enabled_here(state: Partition, broker: Broker) -> bool:
    """In the broker's own settings the topic is tiered and copied."""
    return is_copy_enabled(state.broker[broker])


@guard
def is_copied(state: Partition, broker: Broker) -> bool:
    """The broker believes that its oldest local segment is in the remote tier."""
    me = state.broker[broker]
    return first_local_offset(me) <= me.highest_remote_offset


@guard
def is_past_its_local_retention(state: Partition, broker: Broker) -> bool:
    """Local retention is over for the oldest local segment."""
    me = state.broker[broker]
    return is_past_local_retention(
        me.settings.local_retention_matches, state.expired_end, first_local_offset(me)
    )


@action(
    guards=[
        is_copying_enabled_here,
        has_local_segment,
        is_copied,
        is_past_its_local_retention,
    ],
    actor="broker {broker}",
)
def broker_deletes_copied_segment(state: Partition, broker: Broker) -> None:
    """Remove the oldest local segment, which the remote tier has; the log start stays.

    **Who**: local retention, on every replica.
    **Kafka**: UnifiedLog#deleteOldSegments with remote storage and copying enabled; the
    local log start moves first (KAFKA-16073), under the same lock.
    **Left out**: when local retention is over (a shorter one may be at any moment).
    """
    me = state.broker[broker]
    if state.elected_leader == broker and not state.settings.remote_storage_enable:
        state.legal_end = max(state.legal_end, first_local_offset(me) + 1)
    me.local_log_start_offset = first_local_offset(me) + 1


@guard
def is_copying_disabled_here(state: Partition, broker: Broker) -> bool:
    """In the broker's own settings the topic is read-only or not tiered."""
    return not is_copy_enabled(state.broker[broker])


@guard
def is_past_topic_retention(state: Partition, broker: Broker) -> bool:
    """Topic retention is over for the oldest local segment."""
    return first_local_offset(state.broker[broker]) < state.expired_end


@action(
    guards=[is_copying_disabled_here, has_local_segment, is_past_topic_retention],
    actor="broker {broker}",
)
def broker_deletes_expired_segment(state: Partition, broker: Broker) -> None:
    """Remove the oldest local segment and move the log start past it.

    **Who**: local retention, on every replica.
    **Kafka**: UnifiedLog#deleteOldSegments without copying, whether or not the remote tier
    still has older segments.
    **Left out**: retention by size.
    """
    me = state.broker[broker]
    increment_log_start(me, me.settings.remote_storage_enable, first_local_offset(me) + 1)
