"""StopReplica v5: a request with epochs, and what a broker refuses."""

from typing import Any

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.cluster import is_in_cluster
from tierproof.model.designs.kip950_early.controller import believes_active
from tierproof.model.designs.kip950_early.learning import has_news, is_watch_idle, read_znodes
from tierproof.model.designs.kip950_early.requests import (
    ARRIVES,
    clear_request,
    has_free_slot,
    has_request_to_send,
    reaches,
    send,
    take_in_hand,
)
from tierproof.model.designs.kip950_early.state import (
    Controller,
    DisableStep,
    RequestSlot,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import first_step
from tierproof.model.designs.kip950_early.tiered_state import Policy, Tiering
from tierproof.model.language import action, guard


@action(
    guards=[believes_active, has_request_to_send, has_free_slot],
    actor="controller {controller}",
    to="network",
)
def controller_sends_stop_replica(state: Topic, controller: Controller, broker: Broker) -> None:
    """Send StopReplica with DisableRemotePartition, for the first time or again.

    **Who**: a controller that believes to be the active one.
    **Kafka**: KIP-950, appendix, Controller interaction; AbstractControllerBrokerRequestBatch.
    **Left out**: a controller context that lags behind elections and broker epochs.
    """
    n = send(state, controller, broker)
    state.request[n].controller_epoch = state.controller[controller].epoch
    state.request[n].broker_epoch = state.broker[broker].broker_epoch
    state.request[n].leader_epoch = state.leader_epoch


def is_fresh(state: Any, broker: int, slot: int) -> bool:
    """KafkaApis#handleStopReplicaRequest, ReplicaManager#stopReplicas: no epoch is stale."""
    it, me = state.request[slot], state.broker[broker]
    return bool(
        it.broker_epoch >= me.broker_epoch
        and it.controller_epoch >= me.controller_epoch
        and it.leader_epoch >= me.leader_epoch
    )


@guard
def has_no_stale_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """Broker epoch, controller epoch and leader epoch are what the broker knows, or newer."""
    return is_fresh(state, broker, slot)


@guard
def has_stale_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """STALE_BROKER_EPOCH, STALE_CONTROLLER_EPOCH or FENCED_LEADER_EPOCH."""
    return not is_fresh(state, broker, slot)


@action(
    guards=[*ARRIVES, has_no_stale_epoch],
    actor="network",
    to="broker {broker}",
)
def broker_executes_stop_replica(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions by the policy that the broker knows: the request has a flag only.

    **Who**: a request handler, whatever the broker knows of the topic's tiering.
    **Kafka**: KIP-950, appendix: DisableRemotePartition; no tiered epoch is in the request.
    **Left out**: nothing.
    """
    state.broker[broker].controller_epoch = state.request[slot].controller_epoch
    deletes = state.broker[broker].policy == Policy.DELETE
    take_in_hand(state, slot, first_step(state, broker, deletes))


@action(
    guards=[reaches, has_stale_epoch],
    actor="network",
    to="broker {broker}",
)
def broker_refuses_stop_replica(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """A stale epoch: nothing is done, and the controller asks again if it still waits.

    **Who**: a request handler.
    **Kafka**: KafkaApis#handleStopReplicaRequest, ReplicaManager#stopReplicas.
    **Left out**: the answer, which is an error and changes nothing.
    """
    clear_request(state.request[slot])


@action(guards=[is_in_cluster, is_watch_idle, has_news], actor="broker {broker}", to="ZooKeeper")
def broker_reads_settings_only(state: Topic, broker: Broker, scope: Any) -> None:
    """Read the topic's ZNodes and give the log its settings; only enabling starts something.

    **Who**: the thread of the broker's watch.
    **Kafka**: KIP-950, appendix: stopPartitions comes by StopReplica; enabling by the watch.
    **Left out**: that settings and tiered epoch lie in two ZNodes, which it reads apart.
    """
    me = state.broker[broker]
    starts = me.tiering != state.tiering and state.tiering == Tiering.ENABLED
    read_znodes(state, broker, DisableStep.STARTING_TASKS if starts else DisableStep.IDLE, scope)
