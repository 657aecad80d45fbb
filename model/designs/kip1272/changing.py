"""cleanup.policy of a tiered topic, and brokers of a version that does not know this KIP."""

from tierproof.model.designs.kip405.actors import BROKER, USER
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.metadata import unassign_metadata
from tierproof.model.designs.kip405.restarting import (
    is_not_elected,
    restart_as_follower,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.state import CompactedTopic
from tierproof.model.kafka.compacted_topic import CleanupPolicy, is_compacted
from tierproof.model.language import guard


@guard
def is_another_policy(state: CompactedTopic, policy: CleanupPolicy) -> bool:
    """The policy is not the one that the topic has."""
    return policy != state.cleanup_policy


@USER.action(guards=[is_another_policy], to="controller", budget="policy_changes")
def user_changes_policy(state: CompactedTopic, policy: CleanupPolicy) -> None:
    """Change the cleanup.policy of the topic.

    KIP-1272: "Users can enable compaction on existing tiered topics by changing
    cleanup.policy to compact (or compact,delete)".
    """
    state.cleanup_policy = policy


@guard
def has_policy_to_learn(state: CompactedTopic, broker: Broker) -> bool:
    """The broker has a replica, and another policy than the topic."""
    log = state.broker[broker]
    is_there = has_replica(state, broker)
    return is_there and log.settings.cleanup_policy != state.cleanup_policy


@BROKER.action(guards=[has_policy_to_learn], to="controller")
def broker_learns_policy(state: CompactedTopic, broker: Broker) -> None:
    """Apply the policy to the log.

    Kafka: TopicConfigHandler#processConfigChanges.
    """
    state.broker[broker].settings.cleanup_policy = state.cleanup_policy


@guard
def takes_topic_for_tiered(state: CompactedTopic, broker: Broker) -> bool:
    """The broker knows the KIP, and the topic is compacted."""
    log = state.broker[broker]
    return log.settings.remote_storage_enable and is_compacted(log.settings.cleanup_policy)


@BROKER.action(guards=[has_replica, is_not_elected, takes_topic_for_tiered], budget="downgrades")
def broker_is_downgraded(state: CompactedTopic, broker: Broker) -> None:
    """Come back with a version to which a compacted topic is never tiered, out of sync.

    Kafka: UnifiedLog#isRemoteLogEnabled, which is false where cleanup.policy contains compact.
    """
    unassign_metadata(state, broker)
    state.broker[broker].settings.remote_storage_enable = False
    restart_as_follower(state, broker)


ENVIRONMENT = (
    user_changes_policy,
    broker_is_downgraded,
)
