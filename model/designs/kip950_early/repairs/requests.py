"""What a request says, which of them a broker executes, and which answers count."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import REQUEST_HANDLER
from tierproof.model.designs.kip950_early.requests import (
    begin_request,
    broker_executes_request,
    clear_request,
    controller_hears_answer,
    drop_answers,
    reaches,
    take_off_list,
)
from tierproof.model.designs.kip950_early.state import Controller, RequestSlot, Topic
from tierproof.model.designs.kip950_early.stopping import first_step
from tierproof.model.kafka.tiered_state import WATCH, DisableStep, Policy, TieredState
from tierproof.model.language import Variant, guard

# -- a request is for one disablement


def is_for_what_is_in_progress(state: Topic, slot: int) -> bool:
    """The topic is DISABLING, in the tiered epoch that the request names."""
    is_in_progress = state.tiered_state == TieredState.DISABLING
    return is_in_progress and state.request[slot].meant_for == state.tiered_epoch


@guard
def is_for_this_disablement(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The topic is DISABLING, in the tiered epoch that the request names."""
    return is_for_what_is_in_progress(state, slot)


@guard
def is_for_another_disablement(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The disablement that the request names is over."""
    return not is_for_what_is_in_progress(state, slot)


@REQUEST_HANDLER.action(guards=[reaches, is_for_another_disablement])
def broker_refuses_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Refuse a request whose disablement is over.

    Kafka: ours: an error in answer to an old tiered epoch. Left out: the answer, which no
    controller counts; how the broker reads the tiered state, of the topics ZNode or of the
    metadata log up to the offset that the request names.
    """
    clear_request(state.request[slot])


TIERED_EPOCH = Variant(
    name="repair_tiered_epoch_in_requests",
    because="A request names no tiered epoch: late, it disables what is enabled again.",
    fence={broker_executes_request: is_for_this_disablement},
    add_system=(broker_refuses_request,),
)


def execute_request_once(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions, unless the broker has done it in this tiered epoch; then answer.

    Kafka: ours: a broker remembers the tiered epoch in which it has stopped the partition.
    """
    asked = state.broker[broker]
    if asked.stopped_for == asked.tiered_epoch:
        begin_request(state, slot, DisableStep.ANSWERING)
    else:
        begin_request(state, slot, first_step(state, broker, asked.policy == Policy.DELETE))


ONCE = Variant(
    name="repair_stop_once_in_a_tiered_epoch",
    because="A broker that has stopped the partition stops it again when it is asked.",
    effect={broker_executes_request: execute_request_once},
)

# -- a request and the settings


@guard
def has_applied_the_disablement(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker has applied the settings and the tiered epoch that the request is for."""
    asked = state.broker[broker]
    is_applied = asked.thread[WATCH].step == DisableStep.IDLE
    return is_applied and asked.tiered_epoch >= state.request[slot].meant_for


SETTINGS_FIRST = Variant(
    name="repair_settings_before_request",
    because="A request overtakes the settings: it is executed by those of before.",
    fence={broker_executes_request: has_applied_the_disablement},
)

# -- an answer is for one disablement


def hear_answer_of_its_epoch(state: Topic, controller: Controller, broker: Broker) -> None:
    """Count an answer only for the disablement that it was given to.

    Kafka: ours: the tiered epoch is in the answer.
    """
    asking = state.controller[controller]
    if broker in asking.arriving:
        take_off_list(asking, broker)
    drop_answers(asking, broker)


ANSWERS = Variant(
    name="repair_tiered_epoch_in_answers",
    because="An answer names no tiered epoch: late, it counts for the next disablement.",
    effect={controller_hears_answer: hear_answer_of_its_epoch},
)

# -- a request and its controller


def is_from_the_active_one(state: Topic, slot: int) -> bool:
    """The controller that sent the request is still the active one."""
    sender = state.controller[state.request[slot].controller]
    return sender.is_active and sender.epoch == state.controller_epoch


@guard
def comes_from_the_active_controller(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The controller that sent the request is still the active one."""
    return is_from_the_active_one(state, slot)


@guard
def comes_from_a_zombie(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The controller that sent the request is no longer the active one."""
    return not is_from_the_active_one(state, slot)


@REQUEST_HANDLER.action(guards=[reaches, comes_from_a_zombie])
def broker_refuses_zombie(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Refuse a request of a controller that is no longer active; the active one asks itself.

    Kafka: ours. Left out: how the broker knows the epoch of the active controller.
    """
    clear_request(state.request[slot])


ACTIVE_CONTROLLER = Variant(
    name="repair_refuse_old_controllers",
    because="A request of a controller that is no longer active is executed.",
    fence={broker_executes_request: comes_from_the_active_controller},
    add_system=(broker_refuses_zombie,),
)
