"""Brokers that crash and keep their disk, or lose it: memory is lost either way."""

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.expiring import end_run
from tierproof.model.designs.kip405.leadership import (
    become_leader,
    follow,
    learn_election,
    topic_exists,
)
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.replication import begin_log, empty_log
from tierproof.model.designs.kip405.state import (
    AttemptStep,
    Broker,
    BrokerState,
    Partition,
    RemovalStep,
    RunStep,
    TieredPartition,
)
from tierproof.model.designs.kip405.stopping import end_removal
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.kafka.leader_epoch_lineage import (
    clear,
    truncate_from_end,
    truncate_from_start,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.language import NONE, guard, limit


@guard
def has_newer_log_start(state: Partition, broker: Broker) -> bool:
    """The log start has moved since the last checkpoint."""
    log = state.broker[broker]
    return log.presumed_leader != NONE and log.log_start_offset != log.log_start_checkpoint


@limit
def has_restart_left(state: Partition) -> bool:
    """Some broker may still crash: without that no checkpoint is ever read."""
    return state.restarts > 0


@BROKER.action(guards=[has_newer_log_start, has_restart_left])
def broker_checkpoints_log_start(state: Partition, broker: Broker) -> None:
    """Write the log start to disk, as each minute and at an orderly shutdown.

    Kafka: LogManager#checkpointLogStartOffsets.
    """
    state.broker[broker].log_start_checkpoint = state.broker[broker].log_start_offset


def forget_memory(state: Partition, broker: int) -> None:
    """The broker crashes: its threads, tasks and caches are gone."""
    cancel_tasks(state, broker)
    end_run(state, broker)
    state.broker[broker].run_step = RunStep.IDLE
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            release(state, i)
            state.segment[i].attempt = AttemptStep.IDLE
    end_removal(state, broker)
    state.broker[broker].removal_step = RemovalStep.IDLE
    state.broker[broker].highest_remote_offset = NONE


def load_log(log: BrokerState) -> None:
    """LogLoader: the log start is the one of the checkpoint where remote storage is on.

    A log that ends before its checkpoint begins anew there. The lineage loses what is not in the
    log: also the epoch of a leader that wrote nothing, which begins at the log end.
    """
    log.log_start_offset = log.log_start_checkpoint
    if log.log_end_offset < log.log_start_offset:
        begin_log(log, log.log_start_offset)
        clear(log.lineage)
    if not log.settings.remote_storage_enable:
        log.log_start_offset = max(log.log_start_offset, first_base(log))
    log.local_log_start_offset = max(log.log_start_offset, first_base(log))
    truncate_from_end(log.lineage, log.log_end_offset)
    truncate_from_start(log.lineage, log.log_start_offset)


def restart_as_follower(state: Partition, broker: int) -> None:
    """The process begins anew, and follows, out of sync."""
    forget_memory(state, broker)
    come_back_as_follower(state, broker)


def come_back_as_follower(state: Partition, broker: int) -> None:
    """Load what is on disk, and follow, out of sync."""
    load_log(state.broker[broker])
    state.in_sync.discard(broker)
    follow(state, broker)


def restart_as_leader(state: Partition, broker: int) -> None:
    """The process begins anew, and is elected again, in a new epoch."""
    forget_memory(state, broker)
    state.leader_epoch += 1
    come_back_as_leader(state, broker)


def come_back_as_leader(state: Partition, broker: int) -> None:
    """Load what is on disk, and lead in the newest epoch."""
    load_log(state.broker[broker])
    learn_election(state, broker)
    become_leader(state, broker)


def come_back_empty(state: Partition, broker: int) -> None:
    """Follow with an empty replica, as nothing is on disk, out of sync."""
    empty_log(state.broker[broker])
    state.in_sync.discard(broker)
    follow(state, broker)


@guard
def is_not_elected(state: Partition, broker: Broker) -> bool:
    """Another broker leads: the controller fences a leader that crashes before it comes back."""
    return state.elected_leader != broker


@BROKER.action(guards=[topic_exists, has_replica, is_not_elected], budget="restarts", stutters=True)
def broker_restarts(state: Partition, broker: Broker) -> None:
    """Crash, come back as a follower, out of sync.

    Kafka: LogLoader#load, UnifiedLog's constructor, BrokerMetadataPublisher's first image.
    Left out: records that were not flushed, a high watermark checkpoint or a lineage
    checkpoint that lags behind.
    """
    restart_as_follower(state, broker)


@guard
def is_elected(state: Partition, broker: Broker) -> bool:
    """The broker leads."""
    return state.elected_leader == broker


@guard
def is_only_one_in_sync(state: Partition, broker: Broker) -> bool:
    """No other broker could be elected meanwhile."""
    return state.in_sync == {broker}


@limit
def has_leader_epoch_left(state: Partition, scope: TieredPartition) -> bool:
    """The scope has an epoch for another election."""
    return state.leader_epoch + 1 < scope.leader_epochs


@BROKER.action(
    guards=[topic_exists, has_replica, is_elected, is_only_one_in_sync, has_leader_epoch_left],
    budget="restarts",
)
def lone_leader_restarts(state: Partition, broker: Broker) -> None:
    """Crash, and be elected again by the controller, as no other replica is in sync.

    Kafka: LogLoader#load, ReplicationControlManager. Left out: as in `broker_restarts`; the
    time without a leader.
    """
    restart_as_leader(state, broker)


@BROKER.action(
    guards=[topic_exists, has_replica, is_not_elected], budget="lost_disks", stutters=True
)
def broker_loses_disk(state: Partition, broker: Broker) -> None:
    """Come back with an empty replica: a new disk, or a reassignment.

    Kafka: LogManager#getOrCreateLog of a log that is not there.
    """
    forget_memory(state, broker)
    come_back_empty(state, broker)
