"""StopReplica v5: a request with epochs, what a broker refuses, and a watch that does less."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import REQUEST_HANDLER
from tierproof.model.designs.kip950_early.learning import read_znodes
from tierproof.model.designs.kip950_early.requests import clear_request, free_slot, reaches
from tierproof.model.designs.kip950_early.state import Controller, EarlyTopic, RequestSlot, Topic
from tierproof.model.kafka.tiered_state import DisableStep, Tiering
from tierproof.model.language import fence, guard


def write_epochs(state: Topic, controller: Controller, broker: Broker) -> None:
    """Write the epochs of controller, broker and leader into the request that is sent next.

    Kafka: KIP-950, appendix, Controller interaction: StopReplica with DisableRemotePartition;
    AbstractControllerBrokerRequestBatch. Left out: a controller context that lags behind
    elections and broker epochs.
    """
    request = state.request[free_slot(state)]
    request.controller_epoch = state.controller[controller].epoch
    request.broker_epoch = state.broker[broker].broker_epoch
    request.leader_epoch = state.leader_epoch


def is_fresh(state: Topic, broker: int, slot: int) -> bool:
    """KafkaApis#handleStopReplicaRequest, ReplicaManager#stopReplicas: no epoch is stale."""
    request, asked = state.request[slot], state.broker[broker]
    return (
        request.broker_epoch >= asked.broker_epoch
        and request.controller_epoch >= asked.controller_epoch
        and request.leader_epoch >= asked.leader_epoch
    )


@fence(protects="request_acts_in_its_own_tiered_epoch", scope="default")
def has_no_stale_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """Broker epoch, controller epoch and leader epoch are what the broker knows, or newer.

    A request that was sent twice, or by a controller that is no longer active, may arrive when
    the disablement is over. No tiered epoch is in it: the other three epochs are all that tells.
    """
    return is_fresh(state, broker, slot)


def learn_controller_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Remember the epoch of the controller that sent the request."""
    state.broker[broker].controller_epoch = state.request[slot].controller_epoch


@guard
def has_stale_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """STALE_BROKER_EPOCH, STALE_CONTROLLER_EPOCH or FENCED_LEADER_EPOCH."""
    return not is_fresh(state, broker, slot)


@REQUEST_HANDLER.action(guards=[reaches, has_stale_epoch])
def broker_refuses_stop_replica(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Refuse a stale epoch; the controller asks again if it still waits.

    Kafka: KafkaApis#handleStopReplicaRequest, ReplicaManager#stopReplicas. Left out: the
    answer, which is an error and changes nothing.
    """
    clear_request(state.request[slot])


def read_settings_only(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Read the topic's ZNodes and give the log its settings; only enabling starts something.

    Kafka: KIP-950, appendix: stopPartitions comes by StopReplica; enabling by the watch. Left
    out: that settings and tiered epoch are in two ZNodes, which the broker reads apart.
    """
    is_switched = state.broker[broker].tiering != state.tiering
    starts = is_switched and state.tiering == Tiering.ENABLED
    read_znodes(state, broker, DisableStep.STARTING_TASKS if starts else DisableStep.IDLE, scope)
