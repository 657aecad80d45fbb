"""Brokers learn the topic's settings, from the cluster's log or by a watch, and react."""

from typing import Any

from tierproof.model.designs.kip405.leadership import become_leader
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.designs.kip950.controller import note_legal_removal
from tierproof.model.designs.kip950_early.cluster import (
    finish_batch,
    is_in_cluster,
    set_settings,
)
from tierproof.model.designs.kip950_early.state import WATCH, DisableStep, RecordCount, Topic
from tierproof.model.designs.kip950_early.stopping import first_step
from tierproof.model.designs.kip950_early.tiered_epoch import forget_hidden
from tierproof.model.designs.kip950_early.tiered_state import Tiering
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import action, guard


def reaction(state: Any, broker: int, was: int, new: int) -> DisableStep:
    """What follows once the log has its new settings, or IDLE if nothing does.

    "Upon detecting that the tiered storage configuration for a topic is disabled":
    also if only the policy has changed.
    """
    if was == new:
        return DisableStep.IDLE
    if new == Tiering.ENABLED:
        return DisableStep.STARTING_TASKS
    return first_step(state, broker, new == Tiering.DELETED)


def apply_settings(state: Any, broker: int, new: Any, step: int, scope: Any) -> None:
    """LogManager#updateTopicConfig; the watch goes on with `step`."""
    me = state.broker[broker]
    if state.elected_leader == broker and new.tiering == Tiering.DELETED:
        note_legal_removal(state, broker)
    me.tiering = new.tiering
    me.policy = new.policy
    me.tiered_epoch = new.tiered_epoch
    set_settings(me.settings, new.tiering, scope)
    me.thread[WATCH].step = step
    if step == DisableStep.IDLE:
        finish_batch(state, broker)


@guard
def is_watch_idle(state: Topic, broker: Broker) -> bool:
    """The thread that learns of settings is not at work."""
    return state.broker[broker].thread[WATCH].step == DisableStep.IDLE


@guard
def has_records(state: Topic, broker: Broker, records: RecordCount) -> bool:
    """So many records of the cluster log wait for the broker."""
    return state.broker[broker].position + records <= state.cluster_end


# -- KRaft: records in order, leadership before settings


@action(guards=[is_in_cluster, is_watch_idle, has_records], actor="broker {broker}")
def broker_applies_leadership(state: Topic, broker: Broker, records: RecordCount) -> None:
    """Take one or several records in hand, and apply the leadership among them.

    **Who**: the metadata publisher.
    **Kafka**: BrokerMetadataPublisher#onMetadataUpdate, ReplicaManager#applyDelta.
    **Left out**: partitions without a leader.
    """
    me = state.broker[broker]
    me.position += records
    me.batch = records
    me.thread[WATCH].step = DisableStep.CONFIG_TO_APPLY
    image = state.cluster_log[me.position - 1]
    if image.leader_epoch == me.leader_epoch:
        return
    me.leader_epoch = image.leader_epoch
    me.presumed_leader = image.leader
    if image.leader == broker:
        become_leader(state, broker)
    elif me.settings.remote_storage_enable:
        follow_remote_log(state, broker)


@guard
def has_config_to_apply(state: Topic, broker: Broker) -> bool:
    """The leadership in hand is applied, the settings are not."""
    return state.broker[broker].thread[WATCH].step == DisableStep.CONFIG_TO_APPLY


@action(guards=[has_config_to_apply], actor="broker {broker}")
def broker_applies_settings(state: Topic, broker: Broker, scope: Any) -> None:
    """Give the log its new settings, and find out what follows.

    **Who**: the metadata publisher.
    **Kafka**: KIP-950, KRaft: "the broker calls the ConfigHandler", which "calls
    RemoteLogManager#stopPartitions()".
    **Left out**: nothing.
    """
    image = state.cluster_log[state.broker[broker].position - 1]
    step = reaction(state, broker, state.broker[broker].tiering, image.tiering)
    apply_settings(state, broker, image, step, scope)


# -- ZooKeeper: a watch, and the newest there is


@guard
def has_news(state: Topic, broker: Broker) -> bool:
    """The broker has not read the newest settings."""
    return state.broker[broker].position < state.cluster_end


def read_znodes(state: Any, broker: int, step: int, scope: Any) -> None:
    """The newest settings and the tiered epoch; the watch goes on with `step`."""
    me = state.broker[broker]
    me.position = 1
    me.batch = 1
    apply_settings(state, broker, state, step, scope)


@action(guards=[is_in_cluster, is_watch_idle, has_news], actor="broker {broker}", to="ZooKeeper")
def broker_reads_settings(state: Topic, broker: Broker, scope: Any) -> None:
    """Read the topic's ZNodes, give the log its settings, and find out what follows.

    **Who**: the thread of the broker's watch.
    **Kafka**: KIP-950, ZooKeeper, 3: "Each broker in the cluster listens to changes".
    **Left out**: that settings and tiered epoch lie in two ZNodes, which it reads apart.
    """
    step = reaction(state, broker, state.broker[broker].tiering, state.tiering)
    read_znodes(state, broker, step, scope)


# -- enabling


@guard
def is_starting_tasks(state: Topic, broker: Broker) -> bool:
    """Tiering was switched on."""
    return state.broker[broker].thread[WATCH].step == DisableStep.STARTING_TASKS


def start_tasks(state: Any, broker: int) -> None:
    """Tiering is on again at the broker."""
    if presumes_to_lead(state, broker):
        schedule_tasks(state, broker)
    else:
        follow_remote_log(state, broker)
    finish_batch(state, broker)


@action(guards=[is_starting_tasks], actor="broker {broker}")
def broker_starts_tasks(state: Topic, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower.

    **Who**: the thread that learns of settings.
    **Kafka**: KIP-950, Enablement Code Path: RemoteLogManager#onLeadershipChange.
    **Left out**: nothing.
    """
    forget_hidden(state, broker)
    start_tasks(state, broker)
