"""Brokers that crash, are emptied or removed; local retention; threads that are interrupted."""

from typing import Any

from tierproof.model.designs.kip405.local import broker_raises_start_to_delete, has_replica
from tierproof.model.designs.kip405.replication import empty_log
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
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.controller import note_legal_removal
from tierproof.model.designs.kip950.environment import has_removed_what_it_chose
from tierproof.model.designs.kip950_early.cluster import (
    finish_batch,
    has_room_in_cluster_log,
    log_image,
    take_newest,
)
from tierproof.model.designs.kip950_early.controller import drop_answers
from tierproof.model.designs.kip950_early.requests import drop_requests_to
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.designs.kip950_early.stopping import drain_fetches
from tierproof.model.designs.kip950_early.tiered_state import Tiering
from tierproof.model.kafka.local_retention import Reason, raise_start_to_delete, retained_from
from tierproof.model.kafka.remote_metadata_cache import next_tracked
from tierproof.model.language import NONE, action, guard


def end_process(state: Any, broker: int, scope: Any) -> None:
    """Threads and caches are gone; what settings a next process would read."""
    drain_fetches(state, broker)
    forget_memory(state, broker)
    take_newest(state, broker, scope)


def begin_anew(state: Any, broker: int, scope: Any) -> None:
    """The process is a new one.

    A request that is on its way still arrives: whoever sends it goes on until it is answered.
    """
    end_process(state, broker, scope)
    state.broker[broker].broker_epoch += 1


@action(
    guards=[has_replica, is_not_elected],
    actor="broker {broker}",
    budget="restarts",
    stutters=True,
)
def broker_restarts(state: Topic, broker: Broker, scope: Any) -> None:
    """The broker crashes, and comes back as a follower, with the newest settings.

    **Who**: a broker that does not lead (any more).
    **Kafka**: LogLoader#load; a first image, or the ZNodes as they are.
    **Left out**: as in KIP-405.
    """
    begin_anew(state, broker, scope)
    come_back_as_follower(state, broker)


def lead_again(state: Any, broker: int, scope: Any) -> None:
    """The leader crashes, and is elected again."""
    state.leader_epoch += 1
    begin_anew(state, broker, scope)
    come_back_as_leader(state, broker)


LONE_LEADER = (has_replica, is_elected, is_only_one_in_sync, has_leader_epoch_left)


@action(guards=[*LONE_LEADER, has_room_in_cluster_log], actor="broker {broker}", budget="restarts")
def lone_leader_restarts(state: Topic, broker: Broker, scope: Any) -> None:
    """The leader crashes and is elected again, as nobody else is in sync.

    **Who**: the broker, and the controller that fences it.
    **Kafka**: a PartitionChangeRecord, and the first image.
    **Left out**: as in KIP-405; the time without a leader.
    """
    lead_again(state, broker, scope)
    log_image(state)
    state.broker[broker].position = state.cluster_end
    finish_batch(state, broker)


@action(guards=LONE_LEADER, actor="broker {broker}", budget="restarts")
def lone_leader_restarts_and_reads(state: Topic, broker: Broker, scope: Any) -> None:
    """The leader crashes and is elected again, as nobody else is in sync.

    **Who**: the broker, and the controller that sees its ZNode go.
    **Kafka**: KafkaController#onBrokerFailure, LeaderAndIsr.
    **Left out**: as in KIP-405; the time without a leader.
    """
    lead_again(state, broker, scope)


@action(
    guards=[has_replica, is_not_elected],
    actor="broker {broker}",
    budget="lost_disks",
    stutters=True,
)
def broker_loses_disk(state: Topic, broker: Broker, scope: Any) -> None:
    """The broker comes back with an empty replica.

    **Who**: a broker that does not lead.
    **Kafka**: LogManager#getOrCreateLog of a log that is not there.
    **Left out**: the broker epoch, which is counted with restarts.
    """
    end_process(state, broker, scope)
    come_back_empty(state, broker)


@action(
    guards=[has_replica, is_not_elected],
    actor="operator",
    to="broker {broker}",
    budget="removed_brokers",
)
def operator_removes_broker(state: Topic, broker: Broker, scope: Any) -> None:
    """The broker is shut down for good, and its replica is given up.

    **Who**: an operator.
    **Kafka**: KIP-950, Failure Modes: "Broker Dies in DISABLING State"; of one that never
    comes back the text does not speak.
    **Left out**: a replica elsewhere in its place.
    """
    drop_requests_to(state, broker)
    end_process(state, broker, scope)
    me = state.broker[broker]
    empty_log(me)
    me.presumed_leader = NONE
    me.is_removed = True
    state.in_sync &= ~(1 << broker)
    for c in range(len(state.controller)):
        drop_answers(state.controller[c], broker)
    finish_batch(state, broker)


# -- local retention


@guard
def has_no_remote_log_to_expire_first(state: Topic, broker: Broker) -> bool:
    """While a disabled topic is retained, the broker knows of no remote segment.

    "Local logs are only expired if there is no data in remote storage".
    """
    me = state.broker[broker]
    return bool(me.tiering != Tiering.RETAINED or next_tracked(me.cache, NONE) == NONE)


@action(
    guards=[
        *broker_raises_start_to_delete.guards,
        has_removed_what_it_chose,
        has_no_remote_log_to_expire_first,
    ],
    actor="broker {broker}",
)
def broker_raises_start_and_is_noted(state: Topic, broker: Broker, reason: Reason) -> None:
    """Move the start past the oldest local segments, as far as one reason goes (KAFKA-16073).

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteOldSegments; KIP-950, Data Expiry: after a disable topic-wide
    retention only, the remote log first.
    **Left out**: the order of the reasons.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    raise_start_to_delete(me, kept, rolls)
    if broker == state.elected_leader and state.tiering == Tiering.DELETED:
        note_legal_removal(state, broker)
