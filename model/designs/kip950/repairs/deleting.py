"""Who deletes the remote log of a disabled topic, when, and until when."""

from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import REMOVAL
from tierproof.model.designs.kip405.metadata import (
    assign_metadata,
    broker_reads_metadata,
    tracked_ids,
    unassign_metadata,
)
from tierproof.model.designs.kip405.restarting import lone_leader_restarts
from tierproof.model.designs.kip405.state import Broker, Partition, RecordKind, RemovalStep
from tierproof.model.designs.kip405.stopping import (
    is_to_remove,
    removal_publishes_delete_started,
)
from tierproof.model.designs.kip950.controller import controller_alters_config
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_finishes_batch,
    broker_stops_partition,
    broker_updates_log_config,
    disables_as_leader,
)
from tierproof.model.designs.kip950.state import PublisherStep, RecordCount, Topic, TopicBroker
from tierproof.model.kafka.cluster_log import ClusterRecordKind
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard

# -- a removal that is tried again


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_fails_removal(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store refuses to delete an object: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_loses_reply_of_removal(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store deletes an object, but its reply is lost: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """
    state.segment[segment].object_exists = False


RETRY_REMOVAL = Variant(
    name="repair_retry_removal",
    because="A removal that the store refuses is given up.",
    # In the slots of the actions that end the removal: these stay at their edge.
    drop=(stopping.store_fails_removal, stopping.store_loses_reply_of_removal),
    add_environment=(store_fails_removal, store_loses_reply_of_removal),
)

# -- a removal that a new leader takes up


def has_segment_left(state: Partition) -> bool:
    """Some segment of the metadata topic is not in DELETE_SEGMENT_FINISHED."""
    begun, deleted = 0, 0
    for n in range(state.metadata_end):
        record = state.metadata_topic[n]
        if record.kind == RecordKind.COPY_SEGMENT_STARTED:
            begun += 1
        elif record.kind == RecordKind.DELETE_SEGMENT_FINISHED:
            deleted += 1
    return begun > deleted


def is_disabled_and_idle(replica: TopicBroker) -> bool:
    """The broker knows the topic as disabled, and its publisher and its removal are idle."""
    is_idle = replica.publisher == PublisherStep.IDLE and replica.removal_step == RemovalStep.IDLE
    return is_idle and not replica.settings.remote_storage_enable


def take_up_the_deletion(state: Topic, broker: int) -> None:
    """A leader of a disabled topic reads the metadata topic, and deletes what it then lists.

    A broker that leads no more reads no further: it would know the topic, once it is tiered again,
    only as far as it has read. Left out: that the broker must read the metadata topic in order to
    know that it has to.
    """
    replica = state.broker[broker]
    if not is_disabled_and_idle(replica):
        return
    if not presumes_to_lead(state, broker):
        if replica.is_metadata_assigned:
            unassign_metadata(state, broker)
    elif not replica.is_metadata_assigned:
        if has_segment_left(state):
            assign_metadata(state, broker)
    elif replica.metadata_position >= state.metadata_end and not replica.expiration_task:
        delete_what_is_listed(state, broker)


def delete_what_is_listed(state: Topic, broker: int) -> None:
    """Begin a removal of all that the cache lists; without any, read no further."""
    replica = state.broker[broker]
    replica.removal_list = tracked_ids(replica.cache)
    replica.to_remove = replica.removal_list
    if replica.to_remove:
        replica.removal_step = RemovalStep.STARTING_DELETES
    else:
        unassign_metadata(state, broker)


DELETE_UNTIL_NOTHING_IS_LEFT = Variant(
    name="repair_delete_until_nothing_is_left",
    because="One broker deletes once what its cache happens to list.",
    also={
        broker_applies_leadership: take_up_the_deletion,
        broker_updates_log_config: take_up_the_deletion,
        broker_stops_partition: take_up_the_deletion,
        broker_finishes_batch: take_up_the_deletion,
        lone_leader_restarts: take_up_the_deletion,
        broker_reads_metadata: take_up_the_deletion,
    },
)

# -- a removal that waits for all replicas, and a topic that is enabled after it


@guard
def every_replica_has_disabled(state: Topic, broker: Broker) -> bool:
    """Every replica has applied the disable and has stopped its tasks, or the topic is deleted."""
    return state.is_topic_deleted or all(
        not replica.settings.remote_storage_enable
        and replica.publisher != PublisherStep.RAISING_LOG_START
        and replica.publisher != PublisherStep.STOPPING_PARTITION
        for replica in state.broker
    )


@guard
def is_disable_over(state: Topic, enable: bool) -> bool:
    """The topic is not enabled while some broker, or some segment, is left to be disabled."""
    if state.settings.remote_storage_enable or not enable:
        return True
    has_applied_all = all(
        replica.batch == 0
        and replica.position >= state.cluster_end
        and replica.removal_step == RemovalStep.IDLE
        for replica in state.broker
    )
    return has_applied_all and not has_segment_left(state)


DISABLE_TOGETHER = Variant(
    name="repair_delete_once_all_have_disabled",
    because="The leader deletes what followers still count on.",
    fence={
        removal_publishes_delete_started: every_replica_has_disabled,
        controller_alters_config: is_disable_over,
    },
)

# -- a leader that asks whether it still leads


def leads_while_it_disables(state: Topic, broker: int) -> bool:
    """Whether the broker is elected, known to it or not: it asks the controller first."""
    return state.elected_leader == broker


ZOMBIES_DISABLE_AS_FOLLOWERS = Variant(
    name="repair_ask_before_disabling",
    because="A zombie raises its log start past what the new leader has, and deletes.",
    define={disables_as_leader: leads_while_it_disables},
)

# -- one change of the settings at a time


@guard
def has_one_change_at_most(state: Topic, broker: Broker, records: RecordCount) -> bool:
    """No two of the records change the settings."""
    position, changes = state.broker[broker].position, 0
    for n in range(position, min(position + records, state.cluster_end)):
        if state.cluster_log[n].kind == ClusterRecordKind.CONFIG:
            changes += 1
    return changes <= 1


ONE_CHANGE_AT_A_TIME = Variant(
    name="repair_apply_settings_one_by_one",
    because="A broker that applies two changes in one batch does what their sum asks for.",
    fence={broker_applies_leadership: has_one_change_at_most},
)
