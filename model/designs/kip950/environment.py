"""What nobody controls: brokers that lose their memory, and threads that are interrupted.

Also KIP-405's local retention, with a note for the properties: as long as a disable with
delete stands, what the elected leader no longer has locally may be gone.
"""

from typing import Any

from tierproof.model.designs.kip405.cleaning_up import is_cancelled
from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.expiring import end_run, has_started_deletion, is_run_cancelled
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.local import broker_raises_start_to_delete, has_replica
from tierproof.model.designs.kip405.restarting import (
    come_back_as_follower,
    come_back_as_leader,
    come_back_empty,
    forget_memory,
    has_leader_epoch_left,
    is_elected,
    is_not_elected,
    is_only_one_in_sync,
)
from tierproof.model.designs.kip405.state import AttemptStep, Broker
from tierproof.model.designs.kip950.controller import (
    copy_settings,
    has_room_in_cluster_log,
    log_leadership,
    note_legal_removal,
)
from tierproof.model.designs.kip950.publisher import (
    broker_updates_log_config,
    finish_batch,
    newest_settings,
    reaction,
    update_log_config,
)
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.local_retention import (
    Reason,
    first_not_removed,
    raise_start_to_delete,
    retained_from,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import action, guard

# -- brokers


def take_newest_settings(state: Any, broker: int) -> None:
    """The first image: logs are loaded under its settings, so that no change is seen in them."""
    me = state.broker[broker]
    forget_memory(state, broker)
    copy_settings(me.settings, state.settings)
    me.tiering = state.tiering
    me.batch = state.cluster_end - me.position
    finish_batch(state, broker)
    if not state.settings.remote_storage_enable:
        note_legal_removal(state, state.elected_leader)


@action(
    guards=[topic_exists, has_replica, is_not_elected],
    actor="broker {broker}",
    budget="restarts",
    stutters=True,
)
def broker_restarts(state: Topic, broker: Broker) -> None:
    """The broker crashes, and comes back as a follower with the newest image.

    **Who**: a broker that does not lead (any more).
    **Kafka**: BrokerMetadataPublisher#initializeManagers, LogLoader#load.
    **Left out**: as in KIP-405.
    """
    take_newest_settings(state, broker)
    come_back_as_follower(state, broker)


@action(
    guards=[
        topic_exists,
        has_replica,
        is_elected,
        is_only_one_in_sync,
        has_leader_epoch_left,
        has_room_in_cluster_log,
    ],
    actor="broker {broker}",
    budget="restarts",
)
def lone_leader_restarts(state: Topic, broker: Broker) -> None:
    """The leader crashes and is elected again, as nobody else is in sync.

    **Who**: the broker, and the controller that fences it.
    **Kafka**: BrokerMetadataPublisher#initializeManagers, ReplicationControlManager.
    **Left out**: as in KIP-405; the time without a leader.
    """
    state.leader_epoch += 1
    log_leadership(state)
    take_newest_settings(state, broker)
    come_back_as_leader(state, broker)


@action(
    guards=[topic_exists, has_replica, is_not_elected],
    actor="broker {broker}",
    budget="lost_disks",
    stutters=True,
)
def broker_loses_disk(state: Topic, broker: Broker) -> None:
    """The broker comes back with an empty replica: a new disk, or a reassignment.

    **Who**: a broker that does not lead.
    **Kafka**: LogManager#getOrCreateLog of a log that is not there.
    **Left out**: nothing.
    """
    take_newest_settings(state, broker)
    come_back_empty(state, broker)


# -- threads


@guard
def is_copy_waiting(state: Topic, segment: SegmentId) -> bool:
    """The thread waits for the metadata topic, or for the store, which may have the object."""
    attempt = state.segment[segment].attempt
    return bool(
        attempt == AttemptStep.STARTED
        or attempt == AttemptStep.STORED
        or attempt == AttemptStep.FINISHED
        or attempt == AttemptStep.DELETE_STARTED
        or attempt == AttemptStep.DELETE_FINISHED
    )


@action(guards=[is_copy_waiting, is_cancelled], actor="copy of segment {segment}")
def copy_is_interrupted(state: Topic, segment: SegmentId) -> None:
    """The interrupt of the cancellation reaches the thread, which leaves everything as it is.

    **Who**: the copying thread of a cancelled task.
    **Kafka**: RLMTask#cancel is future.cancel(true); RLMTask#run swallows InterruptedException.
    **Left out**: a clean-up by the storage plugin.
    """
    release(state, segment)


@action(guards=[has_started_deletion, is_run_cancelled], actor="broker {broker}")
def expiration_is_interrupted(state: Topic, broker: Broker) -> None:
    """The interrupt reaches the expiring thread while it waits: DELETE_SEGMENT_STARTED dangles.

    **Who**: the expiring thread of a cancelled task.
    **Kafka**: RLMTask#cancel is future.cancel(true); RLMTask#run swallows InterruptedException.
    **Left out**: an object that is deleted all the same.
    """
    end_run(state, broker)


# -- local retention


@guard
def has_removed_what_it_chose(state: Topic, broker: Broker) -> bool:
    """deleteOldSegments keeps the log's lock until the segments that it chose are removed."""
    me = state.broker[broker]
    return first_not_removed(me) == first_base(me)


@action(
    guards=[*broker_raises_start_to_delete.guards, has_removed_what_it_chose],
    actor="broker {broker}",
)
def broker_raises_start_and_is_noted(state: Topic, broker: Broker, reason: Reason) -> None:
    """Move the start past the oldest local segments, as far as one reason goes (KAFKA-16073).

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteOldSegments, which asks for the three reasons in order.
    **Left out**: the order of the reasons.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    raise_start_to_delete(me, kept, rolls)
    if broker == state.elected_leader and not state.settings.remote_storage_enable:
        note_legal_removal(state, broker)


@action(
    guards=[
        *broker_updates_log_config.guards,
        *broker_raises_start_to_delete.guards,
        has_removed_what_it_chose,
    ],
    actor="broker {broker}",
    budget="racing_deletions",
)
def broker_updates_log_config_amid_deletion(state: Topic, broker: Broker, reason: Reason) -> None:
    """The settings change while segments are deleted: chosen by the old, started by the new.

    **Who**: the metadata publisher and the log manager, on one log.
    **Kafka**: LogManager#updateTopicConfig takes no lock of the log; UnifiedLog#deleteSegments
    asks anew whether copying is enabled, and moves the log start if not.
    **Left out**: new settings that come earlier, before it is asked what is eligible.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    next_step = reaction(
        me.settings, newest_settings(state, broker), presumes_to_lead(state, broker)
    )
    update_log_config(state, broker, next_step)
    raise_start_to_delete(me, kept, rolls)
    if broker == state.elected_leader and not me.settings.remote_storage_enable:
        state.legal_end = max(state.legal_end, me.log_start_offset)
