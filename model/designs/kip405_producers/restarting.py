"""Restarts: memory is lost; producer state comes from snapshot files and the log.

A crash is recovered from the newest snapshot; after an orderly shutdown the snapshot of the log
end is there, and the log need not be read.
"""

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.replication import empty_log
from tierproof.model.designs.kip405.restarting import (
    has_leader_epoch_left,
    is_elected,
    is_not_elected,
    is_only_one_in_sync,
    load_log,
    restart_as_follower,
    restart_as_leader,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_producers.state import (
    ProducedPartition,
    ProducedTopic,
    ProducingBroker,
)
from tierproof.model.kafka.local_segments import floor_base
from tierproof.model.kafka.producer_entries import expire_producers, has_expired
from tierproof.model.kafka.producer_recovery import (
    load_producers_after_crash,
    load_producers_after_shutdown,
)
from tierproof.model.kafka.producer_snapshots import lose_file, take_snapshot
from tierproof.model.language import guard


def load_log_and_producers(log: ProducingBroker) -> None:
    """LogLoader: producer state too; a crash has lost nothing below the active segment.

    Left out: that a load skips the expired producers of a snapshot; they expire afterwards.
    """
    load_log(log)
    if log.is_shut_down:
        load_producers_after_shutdown(log)
    else:
        active = floor_base(log, log.log_end_offset)
        load_producers_after_crash(log, active, log.log_start_checkpoint)
    log.is_shut_down = False


def shut_down(log: ProducingBroker) -> None:
    """UnifiedLog#close: a snapshot of the log end, the log start, and the clean-shutdown file."""
    take_snapshot(log)
    log.log_start_checkpoint = log.log_start_offset
    log.is_shut_down = True


def empty_log_and_producers(log: ProducingBroker) -> None:
    """A new disk has no snapshot files."""
    empty_log(log)
    for offset in range(len(log.snapshot)):
        lose_file(log.snapshot[offset])
        log.snapshot[offset].is_registered = False


@BROKER.action(
    guards=[topic_exists, has_replica, is_not_elected], budget="shutdowns", stutters=True
)
def broker_shuts_down(state: ProducedTopic, broker: Broker) -> None:
    """Shut down in order, come back as a follower, out of sync.

    Kafka: LogManager#shutdown, LogLoader#load. Left out: a shutdown that the controller delays.
    """
    shut_down(state.broker[broker])
    restart_as_follower(state, broker)


@BROKER.action(
    guards=[topic_exists, has_replica, is_elected, is_only_one_in_sync, has_leader_epoch_left],
    budget="shutdowns",
)
def lone_leader_shuts_down(state: ProducedTopic, broker: Broker) -> None:
    """Shut down in order, and be elected again, as no other replica is in sync.

    Kafka: LogManager#shutdown, LogLoader#load, ReplicationControlManager.
    """
    shut_down(state.broker[broker])
    restart_as_leader(state, broker)


# -- producers that expire


@guard
def has_expired_producer(state: ProducedTopic, broker: Broker, scope: ProducedPartition) -> bool:
    """A producer has written nothing for producer.id.expiration.ms, and has no transaction open."""
    return any(
        entry.is_known
        and has_expired(entry.transaction_start, entry.timestamp, state.clock, scope.expiration_ms)
        for entry in state.broker[broker].producer
    )


@BROKER.action(guards=[has_replica, has_expired_producer])
def broker_expires_producers(
    state: ProducedTopic, broker: Broker, scope: ProducedPartition
) -> None:
    """Forget the producers that have expired.

    Kafka: LogManager's task PeriodicProducerExpirationCheck, #removeExpiredProducers.
    """
    expire_producers(state.broker[broker], state.clock, scope.expiration_ms)


ENVIRONMENT = (
    broker_expires_producers,
    broker_shuts_down,
    lone_leader_shuts_down,
)
