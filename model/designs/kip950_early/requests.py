"""Requests from controllers to brokers: sent, lost, duplicated, late; executed; answered."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import CONTROLLER, NETWORK, REQUEST_HANDLER
from tierproof.model.designs.kip950_early.controller import believes_active
from tierproof.model.designs.kip950_early.state import (
    Controller,
    ControllerState,
    Request,
    RequestSlot,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import FIRST_STEPS, first_step
from tierproof.model.kafka.tiered_state import HANDLER, DisableStep, Policy
from tierproof.model.language import NONE, guard, limit

# -- the controller sends


def free_slot(state: Topic) -> int:
    """A slot for a request on its way, or NONE."""
    for n in range(len(state.request)):
        if state.request[n].to == NONE:
            return n
    return NONE


def clear_request(request: Request) -> None:
    """The request is not on its way any more."""
    request.to = NONE
    request.controller = NONE
    request.controller_epoch = 0
    request.broker_epoch = 0
    request.leader_epoch = 0
    request.meant_for = NONE


def drop_requests_to(state: Topic, broker: int) -> None:
    """The broker's connections are closed: what is on its way to it is lost."""
    for n in range(len(state.request)):
        if state.request[n].to == broker:
            clear_request(state.request[n])


def is_on_its_way(state: Topic, controller: int, broker: int) -> bool:
    """A request of the controller, or the broker's answer, is on its way or is executed."""
    is_sent = any(
        request.to == broker and request.controller == controller for request in state.request
    )
    is_executed = state.broker[broker].handled_for == controller
    return is_sent or is_executed or has_answer_on_its_way(state.controller[controller], broker)


def has_answer_on_its_way(asking: ControllerState, broker: int) -> bool:
    """An answer of the broker is on its way to the controller."""
    return broker in (asking.arriving | asking.arriving_late)


@guard
def has_request_to_send(state: Topic, controller: Controller, broker: Broker) -> bool:
    """The broker has not answered, and neither request nor answer is on its way any more."""
    asking = state.controller[controller]
    is_first = broker in asking.unsent
    is_awaited = asking.is_disabling and broker in asking.unanswered
    return is_awaited and (is_first or not is_on_its_way(state, controller, broker))


@limit
def has_free_slot(state: Topic) -> bool:
    """The scope lets another request be on its way."""
    return free_slot(state) != NONE


@CONTROLLER.action(guards=[believes_active, has_request_to_send, has_free_slot], to="network")
def controller_sends_request(state: Topic, controller: Controller, broker: Broker) -> None:
    """Ask a broker to disable, for the first time or again.

    Kafka: KIP-950, Controller interaction, b: DisableRemoteTopic; Failure Modes: "the
    controller will retry the operation until it receives a successful response". Left out:
    how long it waits.
    """
    request = state.request[free_slot(state)]
    request.to = broker
    request.controller = controller
    request.meant_for = state.tiered_epoch
    state.controller[controller].unsent.discard(broker)


# -- the network


@guard
def has_request(state: Topic, slot: RequestSlot) -> bool:
    """A request is on its way."""
    return state.request[slot].to != NONE


@NETWORK.action(guards=[has_request], budget="lost_requests")
def network_loses_request(state: Topic, slot: RequestSlot) -> None:
    """Lose a request.

    Kafka: a connection that breaks.
    """
    clear_request(state.request[slot])


@NETWORK.action(guards=[has_request, has_free_slot], budget="duplicate_requests")
def network_doubles_request(state: Topic, slot: RequestSlot) -> None:
    """Deliver a request twice: the controller sends it again after a timeout.

    Kafka: ControllerChannelManager's RequestSendThread sends until it has an answer; the
    first request may wait in the broker's queue meanwhile.
    """
    state.request[free_slot(state)] = state.request[slot]


# -- the broker executes and answers


@guard
def reaches(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The request is addressed to the broker, which was not removed."""
    return state.request[slot].to == broker and not state.broker[broker].is_removed


def begin_request(state: Topic, slot: int, step: DisableStep) -> None:
    """The handler begins to execute the request with `step`."""
    handling = state.broker[state.request[slot].to]
    handling.handled_for = state.request[slot].controller
    handling.handled_epoch = state.request[slot].meant_for
    handling.thread[HANDLER].step = step
    clear_request(state.request[slot])


@REQUEST_HANDLER.action(DisableStep.IDLE, FIRST_STEPS, guards=[reaches])
def broker_executes_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions by the policy that the broker knows: the request has none.

    The broker does so whatever it knows of the topic's tiering.

    Kafka: KIP-950, DisableRemoteTopic: PartitionId and TopicId are all its fields.
    """
    deletes = state.broker[broker].policy == Policy.DELETE
    begin_request(state, slot, first_step(state, broker, deletes))


@REQUEST_HANDLER.action(DisableStep.ANSWERING, DisableStep.IDLE, to="network")
def broker_answers(state: Topic, broker: Broker) -> None:
    """Answer the controller that asked, if it still believes to be active.

    Kafka: KIP-950, Completion of disablement. The text does not say when a broker answers:
    here it does when its stopPartitions has returned.
    """
    handling = state.broker[broker]
    asking = state.controller[handling.handled_for]
    if asking.is_active and handling.handled_epoch == state.tiered_epoch:
        asking.arriving.add(broker)
    elif asking.is_active:
        asking.arriving_late.add(broker)
    handling.handled_for = NONE
    handling.handled_epoch = NONE


# -- the controller hears


@guard
def has_answer_arriving(state: Topic, controller: Controller, broker: Broker) -> bool:
    """An answer of the broker is on its way to the controller."""
    return has_answer_on_its_way(state.controller[controller], broker)


def take_off_list(asking: ControllerState, broker: int) -> None:
    """The broker is asked no more."""
    asking.unanswered.discard(broker)
    asking.unsent.discard(broker)


def drop_answers(asking: ControllerState, broker: int) -> None:
    """No answer of the broker is on its way any more."""
    asking.arriving.discard(broker)
    asking.arriving_late.discard(broker)


@NETWORK.action(guards=[has_answer_arriving], to="controller {controller}")
def controller_hears_answer(state: Topic, controller: Controller, broker: Broker) -> None:
    """Take the broker off the list of those that have not answered.

    The controller does so even if it is no longer the active one. The queue is kept by topic,
    as `topicsToBeDeleted` is, so that any answer counts for the disablement that is in it.

    Kafka: KIP-950, Controller interaction. Left out: answers that are errors.
    """
    take_off_list(state.controller[controller], broker)
    drop_answers(state.controller[controller], broker)


ENVIRONMENT = (
    network_loses_request,
    network_doubles_request,
)
