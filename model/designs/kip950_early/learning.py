"""Brokers learn the topic's settings, from the cluster's log or by a watch, and react."""

from tierproof.model.designs.kip405.leadership import become_leader
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.designs.kip950_early.actors import LEARNER
from tierproof.model.designs.kip950_early.cluster import (
    finish_batch,
    is_in_cluster,
    set_settings,
)
from tierproof.model.designs.kip950_early.state import EarlyTopic, Image, RecordCount, Topic
from tierproof.model.designs.kip950_early.stopping import FIRST_STEPS, first_step
from tierproof.model.designs.kip950_early.tiered_epoch import forget_hidden
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import WATCH, DisableStep, Tiering
from tierproof.model.language import guard

REACTIONS = (DisableStep.IDLE, DisableStep.STARTING_TASKS, *FIRST_STEPS)


def reaction(state: Topic, broker: int, new: Tiering) -> DisableStep:
    """What follows once the log has its new settings, or IDLE if nothing does.

    "Upon detecting that the tiered storage configuration for a topic is disabled":
    also if only the policy has changed.
    """
    if state.broker[broker].tiering == new:
        return DisableStep.IDLE
    if new == Tiering.ENABLED:
        return DisableStep.STARTING_TASKS
    return first_step(state, broker, new == Tiering.DELETED)


def apply_settings(state: Topic, broker: int, step: DisableStep, scope: EarlyTopic) -> None:
    """LogManager#updateTopicConfig, once the broker has learned; `step` follows."""
    learning = state.broker[broker]
    set_settings(learning.settings, learning.tiering, scope)
    learning.thread[WATCH].step = step
    if step == DisableStep.IDLE:
        finish_batch(state, broker)


# -- KRaft: records in order, leadership before settings


@guard
def has_records(state: Topic, broker: Broker, records: RecordCount) -> bool:
    """As many records of the cluster log wait for the broker."""
    return state.broker[broker].position + records <= state.cluster_end


def last_record(state: Topic, broker: int) -> Image:
    """The record of the cluster log that the broker has read last."""
    return state.cluster_log[state.broker[broker].position - 1]


@LEARNER.action(DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY, guards=[is_in_cluster, has_records])
def broker_applies_leadership(state: Topic, broker: Broker, records: RecordCount) -> None:
    """Read one or several records, and apply the leadership among them.

    Kafka: BrokerMetadataPublisher#onMetadataUpdate, ReplicaManager#applyDelta. Left out:
    partitions without a leader.
    """
    learning = state.broker[broker]
    learning.position += records
    learning.batch = records
    image = last_record(state, broker)
    if image.leader_epoch == learning.leader_epoch:
        return
    learning.leader_epoch = image.leader_epoch
    learning.presumed_leader = image.leader
    if image.leader == broker:
        become_leader(state, broker)
    elif learning.settings.remote_storage_enable:
        follow_remote_log(state, broker)


@LEARNER.action(DisableStep.CONFIG_TO_APPLY, REACTIONS)
def broker_applies_settings(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Give the log the settings that were read with the leadership, and find out what follows.

    Kafka: KIP-950, KRaft: "the broker calls the ConfigHandler", which "calls
    RemoteLogManager#stopPartitions()".
    """
    learning, image = state.broker[broker], last_record(state, broker)
    step = reaction(state, broker, image.tiering)
    learning.tiering = image.tiering
    learning.policy = image.policy
    learning.tiered_epoch = image.tiered_epoch
    apply_settings(state, broker, step, scope)


# -- ZooKeeper: a watch, and the newest there is


@guard
def has_news(state: Topic, broker: Broker) -> bool:
    """The broker has not read the newest settings."""
    return state.broker[broker].position < state.cluster_end


def read_znodes(state: Topic, broker: int, step: DisableStep, scope: EarlyTopic) -> None:
    """Take the newest settings and the tiered epoch; `step` follows."""
    learning = state.broker[broker]
    learning.position = 1
    learning.batch = 1
    learning.tiering = state.tiering
    learning.policy = state.policy
    learning.tiered_epoch = state.tiered_epoch
    apply_settings(state, broker, step, scope)


@LEARNER.action(DisableStep.IDLE, REACTIONS, guards=[is_in_cluster, has_news], to="ZooKeeper")
def broker_reads_settings(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Read the topic's ZNodes, give the log its settings, and find out what follows.

    Kafka: KIP-950, ZooKeeper, 3: "Each broker in the cluster listens to changes". Left out:
    that settings and tiered epoch are in two ZNodes, which the broker reads apart.
    """
    read_znodes(state, broker, reaction(state, broker, state.tiering), scope)


# -- enabling


def start_tasks(state: Topic, broker: int) -> None:
    """Schedule the tasks of a leader or of a follower; the broker has applied what it learned."""
    if presumes_to_lead(state, broker):
        schedule_tasks(state, broker)
    else:
        follow_remote_log(state, broker)
    finish_batch(state, broker)


@LEARNER.action(DisableStep.STARTING_TASKS, DisableStep.IDLE)
def broker_starts_tasks(state: Topic, broker: Broker) -> None:
    """Forget segments that the tiered epoch hides, and schedule the tasks.

    Kafka: KIP-950, Enablement Code Path: RemoteLogManager#onLeadershipChange.
    """
    forget_hidden(state, broker)
    start_tasks(state, broker)
