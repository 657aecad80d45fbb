"""What would happen otherwise: the KIP's text where Kafka differs from it, and repairs of ours.

A name that begins with `text_` follows the letter of the KIP; one that begins with
`repair_` is ours and is in no document.
"""

from typing import Any

from tierproof.model.designs.kip405.expiring import (
    has_expiration_task,
    has_no_run,
)
from tierproof.model.designs.kip405.fence import fenced
from tierproof.model.designs.kip405.leadership import follow
from tierproof.model.designs.kip405.metadata import unassign_metadata
from tierproof.model.designs.kip405.replication import begin_log
from tierproof.model.designs.kip405.restarting import load_log
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.stopping import (
    stop_partition,
    store_fails_removal,
    store_loses_reply_of_removal,
)
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950.controller import controller_alters_config, note_legal_removal
from tierproof.model.designs.kip950.environment import (
    broker_restarts,
    broker_updates_log_config_amid_deletion,
    take_newest_settings,
)
from tierproof.model.designs.kip950.publisher import (
    broker_stops_partition,
    broker_updates_log_config,
    finish_batch,
    is_publisher_idle,
    newest_settings,
    reaction,
    stop_and_wait,
    update_log_config,
)
from tierproof.model.designs.kip950.repairs import AWAIT_CANCELLED_THREADS, REPAIRS
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_metadata_cache import next_tracked
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, Variant, action, guard


@action(guards=broker_stops_partition.guards, actor="broker {broker}")
def broker_stops_copying_only(state: Topic, broker: Broker) -> None:
    """Cancel copying; a leader's expiration task goes on below the new log start.

    **Who**: the metadata publisher.
    **Kafka**: KIP-950, RemoteLogManager Change: "we will let tasks scheduled [...] in the
    RemoteDataExpirationThreadPool to successfully delete all remote segments before the
    log start offset and then unregister themselves". Kafka ships something else.
    **Left out**: nothing.
    """
    if presumes_to_lead(state, broker):
        cancel_copy_task(state, broker)
    else:
        stop_partition(state, broker, False, True)
    finish_batch(state, broker)


@guard
def is_not_tiered(state: Topic, broker: Broker) -> bool:
    """The broker's log is not tiered any more."""
    return not state.broker[broker].settings.remote_storage_enable


@guard
def has_nothing_below_log_start(state: Topic, broker: Broker) -> bool:
    """No segment that the broker knows of ends below its log start."""
    me = state.broker[broker]
    id = next_tracked(me.cache, NONE)
    while id != NONE:
        if state.segment[id].end_offset < me.log_start_offset:
            return False
        id = next_tracked(me.cache, id)
    return True


@action(
    guards=[
        is_publisher_idle,
        has_expiration_task,
        has_no_run,
        is_not_tiered,
        has_nothing_below_log_start,
    ],
    actor="broker {broker}",
)
def expiration_task_unregisters(state: Topic, broker: Broker) -> None:
    """End the expiration task of a disabled topic once nothing is left below the log start.

    **Who**: the expiration task.
    **Kafka**: KIP-950, RemoteLogManager Change; not shipped.
    **Left out**: nothing.
    """
    state.broker[broker].expiration_task = False
    unassign_metadata(state, broker)


# -- repair_raise_log_start_first


@action(guards=broker_updates_log_config.guards, actor="broker {broker}")
def broker_raises_log_start_and_updates_config(state: Topic, broker: Broker) -> None:
    """Give the log its new settings; a disable moves the log start before, under one lock.

    **Who**: the metadata publisher.
    **Kafka**: ours: LogManager#updateTopicConfig raises the log start of a leader.
    **Left out**: nothing.
    """
    me, new = state.broker[broker], newest_settings(state, broker)
    next_step = reaction(me.settings, new, presumes_to_lead(state, broker))
    if next_step == PublisherStep.RAISING_LOG_START:
        if state.elected_leader == broker:
            note_legal_removal(state, broker)
        raise_log_start(me, me.local_log_start_offset)
        next_step = PublisherStep.STOPPING_PARTITION
    update_log_config(state, broker, next_step)


# -- repairs of what follows a disable


@action(
    guards=store_fails_removal.guards,
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_puts_removal_off(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store refuses one: the broker tries again.

    **Who**: the remote store.
    **Kafka**: ours: RemoteLogManager#deleteRemoteLogPartition retries.
    **Left out**: how often.
    """


@action(
    guards=store_loses_reply_of_removal.guards,
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_is_asked_again(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store deletes one, but its reply is lost: the broker tries again.

    **Who**: the remote store.
    **Kafka**: ours: RemoteLogManager#deleteRemoteLogPartition retries.
    **Left out**: how often.
    """
    state.segment[segment].object_exists = False


@action(guards=broker_updates_log_config.guards, actor="broker {broker}")
def broker_updates_log_config_and_deletes(state: Topic, broker: Broker) -> None:
    """Give the log its new settings; one that is no longer tiered always deletes.

    **Who**: the metadata publisher.
    **Kafka**: ours: TopicConfigHandler does not ask for delete-on-disable, which was
    asked for when the disable was accepted.
    **Left out**: nothing.
    """
    me, new = state.broker[broker], newest_settings(state, broker)
    is_leader = presumes_to_lead(state, broker)
    next_step = reaction(me.settings, new, is_leader)
    if me.settings.remote_storage_enable and not new.remote_storage_enable:
        next_step = PublisherStep.STOPPING_PARTITION
        if is_leader:
            next_step = PublisherStep.RAISING_LOG_START
    update_log_config(state, broker, next_step)


@guard
def enables_with_copying(state: Topic, enable: bool, copy_disable: bool) -> bool:
    """A disabled topic is enabled, not set to read-only (KIP-950, "State Transitions")."""
    return bool(state.tiering != TieringState.DISABLED or not enable or not copy_disable)


def fetch_anew(state: Any, broker: int) -> None:
    """Out of sync, without records: the follower begins where the leader's log does."""
    me = state.broker[broker]
    begin_log(me, me.log_start_offset)
    me.local_log_start_offset = me.log_start_offset
    clear(me.lineage)
    state.in_sync &= ~(1 << broker)


@action(guards=broker_stops_partition.guards, actor="broker {broker}")
def broker_stops_partition_and_fetches_anew(state: Topic, broker: Broker) -> None:
    """Stop the partition; a follower that begins later than its log start fetches all anew.

    **Who**: the metadata publisher.
    **Kafka**: ours.
    **Left out**: how the controller learns at once that the replica is out of sync.
    """
    me = state.broker[broker]
    begins = max(first_base(me), me.local_log_start_offset)
    if not presumes_to_lead(state, broker) and begins > me.log_start_offset:
        fetch_anew(state, broker)
    stop_and_wait(state, broker, presumes_to_lead(state, broker))


@action(guards=broker_restarts.guards, actor="broker {broker}", budget="restarts", stutters=True)
def broker_restarts_and_fetches_anew(state: Topic, broker: Broker) -> None:
    """Come back; without remote storage a log that begins later than its log start is dropped.

    **Who**: a broker that does not lead (any more).
    **Kafka**: ours, for the constructor of UnifiedLog.
    **Left out**: as in KIP-405.
    """
    me = state.broker[broker]
    take_newest_settings(state, broker)
    state.in_sync &= ~(1 << broker)
    if not me.settings.remote_storage_enable and first_base(me) > me.log_start_checkpoint:
        me.log_start_offset = me.log_start_checkpoint
        fetch_anew(state, broker)
    else:
        load_log(me)
    follow(state, broker)


VARIANTS = (
    Variant(
        name="text_expiration_deletes",
        because="KIP-950 lets expiration tasks delete; Kafka ships one synchronous delete.",
        replace={"broker_stops_partition": broker_stops_copying_only},
        add_system=(expiration_task_unregisters,),
    ),
    *REPAIRS,
    Variant(
        name="repair_raise_log_start_first",
        because="Between the new settings and the new log start a reader finds nothing.",
        replace={"broker_updates_log_config": broker_raises_log_start_and_updates_config},
    ),
    Variant(
        name="repair_delete_by_one_reading_of_settings",
        because="A local deletion reads the settings more than once.",
        drop=(broker_updates_log_config_amid_deletion.name,),
    ),
    Variant(
        name="repair_await_threads_and_retry_removal",
        because="A removal that the store refuses is given up, and a copy may come after it.",
        replace={
            **AWAIT_CANCELLED_THREADS.replace,
            "store_fails_removal": store_puts_removal_off,
            "store_loses_reply_of_removal": store_is_asked_again,
        },
        drop=AWAIT_CANCELLED_THREADS.drop,
        add_system=AWAIT_CANCELLED_THREADS.add_system,
    ),
    Variant(
        name="repair_delete_whenever_disabled",
        because="A broker that sees a disable together with a later change does not delete.",
        replace={"broker_updates_log_config": broker_updates_log_config_and_deletes},
    ),
    Variant(
        name="repair_reject_read_only_after_disable",
        because="The KIP knows of no change from disabled to read-only.",
        replace={
            "controller_alters_config": fenced(controller_alters_config, enables_with_copying)
        },
    ),
    Variant(
        name="repair_followers_fetch_anew",
        because="A follower may hold less than the log start promises, with no remote tier left.",
        replace={
            "broker_stops_partition": broker_stops_partition_and_fetches_anew,
            "broker_restarts": broker_restarts_and_fetches_anew,
        },
    ),
)
"""Those called text_ follow the letter of the KIP; those called repair_ are ours."""
