"""Brokers that crash: what is on disk stays, what is in memory is gone; or the disk is gone too."""

from typing import Any

from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.expiring import end_run
from tierproof.model.designs.kip405.leadership import become_leader, follow, topic_exists
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.replication import begin_log, empty_log
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.designs.kip405.stopping import end_removal
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.kafka.leader_epoch_lineage import clear, truncate_from_start
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.language import NONE, action, guard, limit


@guard
def has_newer_log_start(state: Partition, broker: Broker) -> bool:
    """The log start has moved since the last checkpoint."""
    me = state.broker[broker]
    return bool(me.presumed_leader != NONE and me.log_start_offset != me.log_start_checkpoint)


@limit
def has_restart_left(state: Partition) -> bool:
    """Some broker may still crash: without that no checkpoint is ever read."""
    return bool(state.restarts > 0)


@action(guards=[has_newer_log_start, has_restart_left], actor="broker {broker}")
def broker_checkpoints_log_start(state: Partition, broker: Broker) -> None:
    """Write the log start to disk.

    **Who**: the log manager, now and then, or when it shuts down in good order.
    **Kafka**: LogManager#checkpointLogStartOffsets.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.log_start_checkpoint = me.log_start_offset


def forget_memory(state: Any, broker: int) -> None:
    """No thread of the broker is at work, no task is scheduled, no cache is filled."""
    cancel_tasks(state, broker)
    end_run(state, broker)
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            release(state, i)
    end_removal(state, broker)
    state.broker[broker].highest_remote_offset = NONE


def load_log(me: Any) -> None:
    """LogLoader: the log start is the one of the checkpoint where remote storage is on.

    A log that ends before its checkpoint begins anew there.
    """
    me.log_start_offset = me.log_start_checkpoint
    if me.log_end_offset < me.log_start_offset:
        begin_log(me, me.log_start_offset)
        clear(me.lineage)
    if not me.settings.remote_storage_enable:
        me.log_start_offset = max(me.log_start_offset, first_base(me))
    me.local_log_start_offset = max(me.log_start_offset, first_base(me))
    truncate_from_start(me.lineage, me.log_start_offset)


def restart_as_follower(state: Any, broker: int) -> None:
    """The process begins anew, and follows, out of sync."""
    forget_memory(state, broker)
    come_back_as_follower(state, broker)


def come_back_as_follower(state: Any, broker: int) -> None:
    """What is on disk is loaded; the broker follows, and is out of sync."""
    load_log(state.broker[broker])
    state.in_sync &= ~(1 << broker)
    follow(state, broker)


def restart_as_leader(state: Any, broker: int) -> None:
    """The process begins anew, and is elected again, in a new epoch."""
    forget_memory(state, broker)
    state.leader_epoch += 1
    come_back_as_leader(state, broker)


def come_back_as_leader(state: Any, broker: int) -> None:
    """What is on disk is loaded; the broker leads in the newest epoch."""
    me = state.broker[broker]
    load_log(me)
    me.leader_epoch = state.leader_epoch
    me.presumed_leader = broker
    become_leader(state, broker)


def come_back_empty(state: Any, broker: int) -> None:
    """Nothing is on disk; the broker follows with an empty replica, and is out of sync."""
    empty_log(state.broker[broker])
    state.in_sync &= ~(1 << broker)
    follow(state, broker)


@guard
def is_not_elected(state: Partition, broker: Broker) -> bool:
    """Another broker leads: the controller fences a leader that crashes before it comes back."""
    return state.elected_leader != broker


@action(
    guards=[topic_exists, has_replica, is_not_elected],
    actor="broker {broker}",
    budget="restarts",
    stutters=True,
)
def broker_restarts(state: Partition, broker: Broker) -> None:
    """The broker crashes, comes back as a follower, and has to get in sync again.

    **Who**: a broker that does not lead (any more).
    **Kafka**: LogLoader#load, UnifiedLog's constructor, BrokerMetadataPublisher's first image.
    **Left out**: records that were not flushed, a high watermark checkpoint or a lineage
    checkpoint that lags behind.
    """
    restart_as_follower(state, broker)


@guard
def is_elected(state: Partition, broker: Broker) -> bool:
    """The broker leads."""
    return state.elected_leader == broker


@guard
def is_only_one_in_sync(state: Partition, broker: Broker) -> bool:
    """Nobody else could be elected meanwhile."""
    return bool(state.in_sync == 1 << broker)


@limit
def has_leader_epoch_left(state: Partition, scope: Any) -> bool:
    """The scope has an epoch for another election."""
    return bool(state.leader_epoch + 1 < scope.leader_epochs)


@action(
    guards=[
        topic_exists,
        has_replica,
        is_elected,
        is_only_one_in_sync,
        has_leader_epoch_left,
    ],
    actor="broker {broker}",
    budget="restarts",
)
def lone_leader_restarts(state: Partition, broker: Broker) -> None:
    """The leader crashes and is elected again, as nobody else is in sync.

    **Who**: the broker, and the controller that fences it.
    **Kafka**: LogLoader#load, ReplicationControlManager.
    **Left out**: as for other brokers; the time without a leader.
    """
    restart_as_leader(state, broker)


@action(
    guards=[topic_exists, has_replica, is_not_elected],
    actor="broker {broker}",
    budget="lost_disks",
    stutters=True,
)
def broker_loses_disk(state: Partition, broker: Broker) -> None:
    """The broker comes back with an empty replica: a new disk, or a reassignment.

    **Who**: a broker that does not lead.
    **Kafka**: LogManager#getOrCreateLog of a log that is not there.
    **Left out**: nothing.
    """
    forget_memory(state, broker)
    come_back_empty(state, broker)
