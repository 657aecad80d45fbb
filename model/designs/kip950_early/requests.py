"""Requests from controllers to brokers: sent, lost, doubled, late; executed; answered."""

from typing import Any

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.controller import believes_active
from tierproof.model.designs.kip950_early.state import (
    HANDLER,
    Controller,
    DisableStep,
    RequestSlot,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import first_step
from tierproof.model.designs.kip950_early.tiered_state import Policy
from tierproof.model.language import NONE, action, guard, limit


def free_slot(state: Any) -> int:
    """A place for a request on its way, or NONE."""
    for n in range(len(state.request)):
        if state.request[n].to == NONE:
            return n
    return NONE


def clear_request(request: Any) -> None:
    """The request is not on its way any more."""
    request.to = NONE
    request.controller = NONE
    request.controller_epoch = 0
    request.broker_epoch = 0
    request.leader_epoch = 0
    request.meant_for = NONE


def drop_requests_to(state: Any, broker: int) -> None:
    """The broker's connections are closed: what is on its way to it is lost."""
    for n in range(len(state.request)):
        if state.request[n].to == broker:
            clear_request(state.request[n])


def is_on_its_way(state: Any, controller: int, broker: int) -> bool:
    """A request of the controller, or the broker's answer, is on its way or in hand."""
    for n in range(len(state.request)):
        if state.request[n].to == broker and state.request[n].controller == controller:
            return True
    me = state.controller[controller]
    is_in_hand = state.broker[broker].handled_for == controller
    return bool(is_in_hand or (me.arriving | me.arriving_late) >> broker & 1)


@guard
def has_request_to_send(state: Topic, controller: Controller, broker: Broker) -> bool:
    """The broker has not answered, and neither request nor answer is on its way any more."""
    me = state.controller[controller]
    is_due = me.unsent >> broker & 1 or not is_on_its_way(state, controller, broker)
    return bool(me.is_disabling and me.unanswered >> broker & 1 and is_due)


@limit
def has_free_slot(state: Topic) -> bool:
    """The scope lets another request be on its way."""
    return free_slot(state) != NONE


def send(state: Any, controller: int, broker: int) -> int:
    """A DisableRemoteTopic is on its way; its place."""
    n = free_slot(state)
    state.request[n].to = broker
    state.request[n].controller = controller
    state.request[n].meant_for = state.tiered_epoch
    state.controller[controller].unsent &= ~(1 << broker)
    return n


@action(
    guards=[believes_active, has_request_to_send, has_free_slot],
    actor="controller {controller}",
    to="network",
)
def controller_sends_request(state: Topic, controller: Controller, broker: Broker) -> None:
    """Send DisableRemoteTopic, for the first time or again.

    **Who**: a controller that believes to be the active one.
    **Kafka**: KIP-950, Controller interaction, b; Failure Modes: "the controller will retry
    the operation until it receives a successful response".
    **Left out**: how long it waits.
    """
    send(state, controller, broker)


# -- the network


@guard
def has_request(state: Topic, slot: RequestSlot) -> bool:
    """A request is on its way."""
    return state.request[slot].to != NONE


@action(guards=[has_request], actor="network", budget="lost_requests")
def network_loses_request(state: Topic, slot: RequestSlot) -> None:
    """The request never arrives.

    **Who**: the network.
    **Kafka**: a connection that breaks.
    **Left out**: nothing.
    """
    clear_request(state.request[slot])


@action(guards=[has_request, has_free_slot], actor="network", budget="duplicate_requests")
def network_doubles_request(state: Topic, slot: RequestSlot) -> None:
    """The request is sent a second time, while the first is still to be executed.

    **Who**: the sending thread of the controller, after a timeout.
    **Kafka**: ControllerChannelManager's RequestSendThread sends until it has an answer; the
    first may wait in the broker's queue meanwhile.
    **Left out**: nothing.
    """
    state.request[free_slot(state)] = state.request[slot]


# -- the broker


@guard
def reaches(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The request goes to the broker, which was not removed."""
    return bool(state.request[slot].to == broker and not state.broker[broker].is_removed)


@guard
def is_handler_idle(state: Topic, broker: Broker) -> bool:
    """The broker is not at work on another request."""
    return state.broker[broker].thread[HANDLER].step == DisableStep.IDLE


def take_in_hand(state: Any, slot: int, step: DisableStep) -> None:
    """The handler has the request, and begins with `step`."""
    me = state.broker[state.request[slot].to]
    me.handled_for = state.request[slot].controller
    me.handled_epoch = state.request[slot].meant_for
    me.thread[HANDLER].step = step
    clear_request(state.request[slot])


ARRIVES = (reaches, is_handler_idle)


@action(guards=ARRIVES, actor="network", to="broker {broker}")
def broker_executes_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions by the policy that the broker knows: the request has none.

    **Who**: a request handler, whatever the broker knows of the topic's tiering.
    **Kafka**: KIP-950, DisableRemoteTopic: PartitionId and TopicId are all its fields.
    **Left out**: nothing.
    """
    deletes = state.broker[broker].policy == Policy.DELETE
    take_in_hand(state, slot, first_step(state, broker, deletes))


@guard
def has_answer(state: Topic, broker: Broker) -> bool:
    """The handler is done."""
    return state.broker[broker].thread[HANDLER].step == DisableStep.ANSWERING


def end_handling(state: Any, broker: int) -> None:
    """The handler is free."""
    me = state.broker[broker]
    me.thread[HANDLER].step = DisableStep.IDLE
    me.handled_for = NONE
    me.handled_epoch = NONE


@action(guards=[has_answer], actor="broker {broker}", to="network")
def broker_answers(state: Topic, broker: Broker) -> None:
    """The answer is on its way, if the controller that asked still listens.

    **Who**: the request handler.
    **Kafka**: KIP-950, Completion of disablement; when a broker answers the text does not say:
    here, when its stopPartitions has returned.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    to = state.controller[me.handled_for]
    if to.is_active and me.handled_epoch == state.tiered_epoch:
        to.arriving |= 1 << broker
    elif to.is_active:
        to.arriving_late |= 1 << broker
    end_handling(state, broker)
