"""A metadata manager that gives up: the broker has restarted, and reads no metadata.

TopicBasedRemoteLogMetadataManager#initializeResources asks for the metadata topic until
remote.log.metadata.initialization.retry.max.timeout.ms have passed. At a restart of all brokers
nobody answers in time. Kafka 4.2 stops such a broker (KAFKA-19425), and begins to ask only when
the broker itself answers (KAFKA-19426, KIP-1197).
"""

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.restarting import (
    has_leader_epoch_left,
    is_elected,
    is_not_elected,
    is_only_one_in_sync,
    restart_as_follower,
    restart_as_leader,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.language import guard


@guard
def has_metadata_manager(state: FaultyTopic, broker: Broker) -> bool:
    """The metadata manager of the broker is initialized."""
    return not state.broker[broker].is_manager_failed


def give_up_on_metadata(state: FaultyTopic, broker: int) -> None:
    """The manager is not initialized: no task runs (KAFKA-17980), and no cache answers."""
    state.broker[broker].is_manager_failed = True
    state.broker[broker].cache.is_initialized = False


def stay_without_metadata(state: FaultyTopic, broker: int) -> None:
    """A broker whose metadata manager has given up has no cache to lead with."""
    if state.broker[broker].is_manager_failed:
        state.broker[broker].cache.is_initialized = False


def start_metadata_manager(state: FaultyTopic, broker: int) -> None:
    """A process that starts initializes its metadata manager."""
    state.broker[broker].is_manager_failed = False


@BROKER.action(
    guards=[topic_exists, has_replica, is_not_elected, has_metadata_manager],
    budget="failed_starts",
)
def broker_restarts_without_metadata(state: FaultyTopic, broker: Broker) -> None:
    """Crash, come back as a follower, and give up the initialization of the metadata manager.

    Kafka: TopicBasedRemoteLogMetadataManager#initializeResources. Left out: the tries before.
    """
    restart_as_follower(state, broker)
    give_up_on_metadata(state, broker)


@BROKER.action(
    guards=[
        topic_exists,
        has_replica,
        is_elected,
        is_only_one_in_sync,
        has_leader_epoch_left,
        has_metadata_manager,
    ],
    budget="failed_starts",
)
def lone_leader_restarts_without_metadata(state: FaultyTopic, broker: Broker) -> None:
    """Crash, be elected again, and give up the initialization of the metadata manager.

    Kafka: TopicBasedRemoteLogMetadataManager#initializeResources.
    """
    restart_as_leader(state, broker)
    give_up_on_metadata(state, broker)


@guard
def lacks_metadata_manager(state: FaultyTopic, broker: Broker) -> bool:
    """The metadata manager of the broker has given up."""
    return state.broker[broker].is_manager_failed


@BROKER.action(guards=[topic_exists, has_replica, is_not_elected, lacks_metadata_manager])
def broker_stops_and_restarts(state: FaultyTopic, broker: Broker) -> None:
    """Stop, as the metadata manager has given up, and start again: it is initialized this time.

    Kafka: KAFKA-19425, Exit.exit(1). Left out: a manager that gives up again and again.
    """
    restart_as_follower(state, broker)
    start_metadata_manager(state, broker)


@BROKER.action(
    guards=[
        topic_exists,
        has_replica,
        is_elected,
        is_only_one_in_sync,
        has_leader_epoch_left,
        lacks_metadata_manager,
    ]
)
def lone_leader_stops_and_restarts(state: FaultyTopic, broker: Broker) -> None:
    """Stop, as the metadata manager has given up, and start again; be elected again.

    Kafka: KAFKA-19425, Exit.exit(1).
    """
    restart_as_leader(state, broker)
    start_metadata_manager(state, broker)


@guard
def is_another_in_sync(state: FaultyTopic, broker: Broker, leader: Broker) -> bool:
    """Another replica is in sync, and may lead."""
    return leader != broker and leader in state.in_sync


@BROKER.action(
    guards=[
        topic_exists,
        has_replica,
        is_elected,
        is_another_in_sync,
        has_leader_epoch_left,
        lacks_metadata_manager,
    ],
    to="controller",
)
def leader_stops_and_restarts(state: FaultyTopic, broker: Broker, leader: Broker) -> None:
    """Stop, as the metadata manager has given up: another replica is elected; start again.

    Kafka: KAFKA-19425, Exit.exit(1); ReplicationControlManager.
    """
    state.elected_leader = leader
    state.leader_epoch += 1
    restart_as_follower(state, broker)
    start_metadata_manager(state, broker)


SYSTEM = (
    broker_stops_and_restarts,
    lone_leader_stops_and_restarts,
    leader_stops_and_restarts,
)
ENVIRONMENT = (broker_restarts_without_metadata, lone_leader_restarts_without_metadata)
