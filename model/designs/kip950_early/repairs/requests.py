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
from tierproof.model.kafka.tiered_state import WATCH, DisableStep, Policy, Tiering
from tierproof.model.language import Variant, guard

# -- a request is for one disablement


@guard
def is_of_an_older_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker knows that the disablement of the request is over."""
    asked, meant_for = state.broker[broker], state.request[slot].meant_for
    is_over = asked.tiering == Tiering.ENABLED and asked.tiered_epoch == meant_for
    return asked.tiered_epoch > meant_for or is_over


@guard
def is_not_of_an_older_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker does not know the disablement of the request to be over."""
    asked, meant_for = state.broker[broker], state.request[slot].meant_for
    is_over = asked.tiering == Tiering.ENABLED and asked.tiered_epoch == meant_for
    return asked.tiered_epoch <= meant_for and not is_over


@REQUEST_HANDLER.action(guards=[reaches, is_of_an_older_epoch])
def broker_refuses_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Refuse a request of an older tiered epoch.

    Kafka: ours: an error in answer to an old tiered epoch. Left out: the answer, which no
    controller counts.
    """
    clear_request(state.request[slot])


def execute_request_once(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions, unless the broker has done it in this tiered epoch; then answer.

    Kafka: ours: the tiered epoch is in the request, and a broker remembers its own.
    """
    asked = state.broker[broker]
    if asked.stopped_for == state.request[slot].meant_for:
        begin_request(state, slot, DisableStep.ANSWERING)
    else:
        begin_request(state, slot, first_step(state, broker, asked.policy == Policy.DELETE))


TIERED_EPOCH = Variant(
    name="repair_tiered_epoch_in_requests",
    because="A request names no tiered epoch: late, it disables what is enabled again.",
    fence={broker_executes_request: is_not_of_an_older_epoch},
    effect={broker_executes_request: execute_request_once},
    add_system=(broker_refuses_request,),
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
