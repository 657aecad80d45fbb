"""Controllers: a queue of disablements, a request to every broker, answers, completion.

Which of two controllers is the active one is known to nobody at once: the one that was
voted out goes on to send, to hear and to complete until it learns of it.
"""

from typing import Any

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.cluster import write_config, write_tiered_state
from tierproof.model.designs.kip950_early.state import Controller, Topic
from tierproof.model.designs.kip950_early.tiered_state import (
    AlterConfigAnswer,
    Policy,
    TieredState,
    Tiering,
    answer,
)
from tierproof.model.language import NONE, action, guard, limit

# -- what a user asks for


@guard
def believes_active(state: Topic, controller: Controller) -> bool:
    """The controller takes itself for the active one."""
    return bool(state.controller[controller].is_active)


@guard
def is_active(state: Topic, controller: Controller) -> bool:
    """The controller is the active one, and knows it: others cannot write."""
    me = state.controller[controller]
    return bool(me.is_active and me.epoch == state.controller_epoch)


@guard
def has_written_state(state: Topic, controller: Controller) -> bool:
    """The controller is not between two writes."""
    return not state.controller[controller].has_state_to_write


@guard
def changes_tiering(state: Topic, is_enabled: bool, policy: Policy) -> bool:
    """Tiering is switched; enabling has no option to give a policy."""
    is_switched = is_enabled != (state.tiering == Tiering.ENABLED)
    return bool(is_switched and (not is_enabled or policy == state.policy))


@guard
def is_acceptable(state: Topic, is_enabled: bool) -> bool:
    """TIERED_STORAGE_DISABLEMENT_IN_PROGRESS: not while the topic is DISABLING."""
    was_enabled = state.tiering == Tiering.ENABLED
    found = answer(state.tiered_state, was_enabled, is_enabled, True, False)
    return found == AlterConfigAnswer.NONE


ALTERS_CONFIG = (has_written_state, changes_tiering, is_acceptable)


def enqueue(state: Any, controller: int) -> None:
    """The intent is in the local queue; every broker is to be asked."""
    me = state.controller[controller]
    me.is_disabling = True
    me.arriving_late |= me.arriving
    me.arriving = 0
    me.unsent = 0
    for b in range(len(state.broker)):
        if not state.broker[b].is_removed:
            me.unsent |= 1 << b
    me.unanswered = me.unsent


def write_state_and_enqueue(state: Any, controller: int) -> None:
    """The tiered state is written; a disablement begins."""
    write_tiered_state(state)
    state.controller[controller].has_state_to_write = False
    if state.tiered_state == TieredState.DISABLING:
        enqueue(state, controller)


def alter_config(state: Any, controller: int, is_enabled: bool, policy: int, scope: Any) -> None:
    """Settings and tiered state in one write."""
    write_config(state, is_enabled, policy, scope)
    write_state_and_enqueue(state, controller)


@guard
def is_another_policy(state: Topic, policy: Policy) -> bool:
    """The policy alone changes."""
    return policy != state.policy


def change_policy(state: Any, policy: int, scope: Any) -> None:
    """Settings only: the text has no answer to it, and no transition."""
    write_config(state, state.tiering == Tiering.ENABLED, policy, scope)


# -- requests are sent in `requests`; here the answers


@guard
def has_answer_arriving(state: Topic, controller: Controller, broker: Broker) -> bool:
    """An answer of the broker is on its way to the controller."""
    me = state.controller[controller]
    return bool((me.arriving | me.arriving_late) >> broker & 1)


def take_off_list(me: Any, broker: int) -> None:
    """The broker is asked no more."""
    me.unanswered &= ~(1 << broker)
    me.unsent &= ~(1 << broker)


def drop_answers(me: Any, broker: int) -> None:
    """No answer of the broker is on its way any more."""
    me.arriving &= ~(1 << broker)
    me.arriving_late &= ~(1 << broker)


@action(guards=[has_answer_arriving], actor="network", to="controller {controller}")
def controller_hears_answer(state: Topic, controller: Controller, broker: Broker) -> None:
    """The callback takes the broker off the list of those that have not answered.

    **Who**: the controller, also one that was voted out.
    **Kafka**: KIP-950, Controller interaction; the queue is kept by topic, like
    `topicsToBeDeleted`, so any answer counts for the disablement that is in it.
    **Left out**: answers that are errors.
    """
    take_off_list(state.controller[controller], broker)
    drop_answers(state.controller[controller], broker)


@guard
def has_all_answers(state: Topic, controller: Controller) -> bool:
    """A disablement is in the queue, and every broker has answered."""
    me = state.controller[controller]
    return bool(me.is_disabling and me.unanswered == 0 and not me.has_state_to_write)


def end_disablement(state: Any, controller: int) -> None:
    """The queue is empty."""
    me = state.controller[controller]
    me.is_disabling = False
    me.unsent = 0
    me.unanswered = 0


def complete(state: Any, controller: int) -> None:
    """The topic is DISABLED, and the queue empty."""
    state.tiered_state = TieredState.DISABLED
    end_disablement(state, controller)


@action(guards=[has_all_answers, is_active], actor="controller {controller}")
def controller_completes(state: Topic, controller: Controller) -> None:
    """Write DISABLED.

    **Who**: the active controller: ZooKeeper and Raft refuse one that was voted out.
    **Kafka**: KIP-950, Completion of disablement.
    **Left out**: nothing.
    """
    complete(state, controller)


# -- failover


@limit
def has_other_controller(state: Topic, controller: Controller) -> bool:
    """There is another controller to elect."""
    return bool(controller != state.active_controller)


@action(
    guards=[has_other_controller],
    actor="cluster",
    to="controller {controller}",
    budget="controller_elections",
)
def cluster_elects_controller(state: Topic, controller: Controller) -> None:
    """Another controller is the active one; neither knows it yet.

    **Who**: ZooKeeper, or the quorum of controllers.
    **Kafka**: the /controller ZNode, with the controller epoch; or Raft.
    **Left out**: a cluster without a controller.
    """
    state.active_controller = controller
    state.controller_epoch += 1


@guard
def has_mandate_to_take(state: Topic, controller: Controller) -> bool:
    """The controller was elected, and does not know it yet."""
    me = state.controller[controller]
    is_known = me.is_active and me.epoch == state.controller_epoch
    return bool(state.active_controller == controller and not is_known)


@action(guards=[has_mandate_to_take], actor="controller {controller}")
def controller_takes_over(state: Topic, controller: Controller) -> None:
    """Rebuild the queue from the topics in DISABLING; every broker is asked again.

    **Who**: a controller that was elected.
    **Kafka**: KIP-950, Failure Modes, Controller Failover in DISABLING State.
    **Left out**: nothing.
    """
    take_over(state, controller)


def take_over(state: Any, controller: int) -> None:
    """Nothing is remembered; a topic that is DISABLING is in the queue."""
    resign(state, controller)
    me = state.controller[controller]
    me.is_active = True
    me.epoch = state.controller_epoch
    if state.tiered_state == TieredState.DISABLING:
        enqueue(state, controller)


def resign(state: Any, controller: int) -> None:
    """What the controller had in memory is gone; answers to it find nobody."""
    end_disablement(state, controller)
    me = state.controller[controller]
    me.is_active = False
    me.has_state_to_write = False
    me.arriving = 0
    me.arriving_late = 0


@guard
def has_mandate_to_give_up(state: Topic, controller: Controller) -> bool:
    """The controller was voted out, and does not know it yet."""
    return bool(state.controller[controller].is_active and state.active_controller != controller)


@action(guards=[has_mandate_to_give_up], actor="controller {controller}")
def controller_resigns(state: Topic, controller: Controller) -> None:
    """The controller learns that it was voted out, or is restarted: its queue is gone.

    **Who**: a controller that was voted out.
    **Kafka**: KafkaController#onControllerResignation; QuorumController#renounce.
    **Left out**: nothing.
    """
    resign(state, controller)


def begin_controllers(state: Any) -> None:
    """Controller 0 is the active one, and no request is on its way."""
    state.controller[0].is_active = True
    for n in range(len(state.request)):
        state.request[n].to = NONE
        state.request[n].controller = NONE
