"""Controllers: what a user asks for, a queue of disablements, completion, failover.

Neither of two controllers knows at once which one is active: the one that is no longer active
sends, hears and believes to complete until it learns so. `requests` has requests and answers.
"""

from tierproof.model.designs.kip950_early.actors import CLUSTER, CONTROLLER
from tierproof.model.designs.kip950_early.cluster import write_config, write_tiered_state
from tierproof.model.designs.kip950_early.state import Controller, EarlyTopic, Topic
from tierproof.model.kafka.tiered_state import (
    AlterConfigAnswer,
    Policy,
    TieredState,
    Tiering,
    answer,
)
from tierproof.model.language import NONE, fence, guard, limit

# -- what a user asks for


@guard
def believes_active(state: Topic, controller: Controller) -> bool:
    """The controller believes to be the active one."""
    return state.controller[controller].is_active


@fence(
    stays="Of the scopes with two controllers only the appendix's breaks without it (`default`, "
    "`disabling_ends`): none of them changes the settings twice."
)
def is_active(state: Topic, controller: Controller) -> bool:
    """The controller is the active one, and knows it: ZooKeeper and Raft refuse others' writes.

    A controller that is no longer active has a queue of its own: it could write DISABLED while
    the active one still waits for answers to another disablement.
    """
    believer = state.controller[controller]
    return believer.is_active and believer.epoch == state.controller_epoch


@guard
def has_written_state(state: Topic, controller: Controller) -> bool:
    """The controller is not between two writes."""
    return not state.controller[controller].has_state_to_write


@guard
def changes_tiering(state: Topic, is_enabled: bool, policy: Policy) -> bool:
    """Tiering is switched; enabling has no option to give a policy."""
    is_switched = is_enabled != (state.tiering == Tiering.ENABLED)
    return is_switched and (not is_enabled or policy == state.policy)


@fence(protects="TieredState_lifecycle", scope="again")
def is_acceptable(state: Topic, is_enabled: bool) -> bool:
    """The topic is not DISABLING; the answer is TIERED_STORAGE_DISABLEMENT_IN_PROGRESS if it is.

    A topic leaves DISABLING once every broker has answered, and by nothing else. Enabling
    it before would let tasks of the new tiered epoch run beside those that still disable.
    """
    was_enabled = state.tiering == Tiering.ENABLED
    found = answer(state.tiered_state, was_enabled, is_enabled, True, False)
    return found == AlterConfigAnswer.NONE


ALTERS_CONFIG = (has_written_state, changes_tiering, is_acceptable)


def enqueue(state: Topic, controller: int) -> None:
    """The disablement is in the local queue; every broker is to be asked."""
    owner = state.controller[controller]
    owner.is_disabling = True
    owner.arriving_late |= owner.arriving
    owner.arriving = set()
    owner.unsent = set()
    for b in range(len(state.broker)):
        if not state.broker[b].is_removed:
            owner.unsent.add(b)
    owner.unanswered = owner.unsent


def write_state_and_enqueue(state: Topic, controller: int) -> None:
    """Write the tiered state; a disablement begins."""
    write_tiered_state(state)
    state.controller[controller].has_state_to_write = False
    if state.tiered_state == TieredState.DISABLING:
        enqueue(state, controller)


@guard
def is_another_policy(state: Topic, policy: Policy) -> bool:
    """The policy alone changes."""
    return policy != state.policy


def change_policy(state: Topic, policy: Policy, scope: EarlyTopic) -> None:
    """Change only the policy. The KIP defines neither an error nor a transition for this."""
    write_config(state, state.tiering == Tiering.ENABLED, policy, scope)


# -- completion


@fence(protects="disabled_state_is_true_of_every_broker", scope="again")
def has_all_answers(state: Topic, controller: Controller) -> bool:
    """A disablement is in the queue, and every broker has answered.

    No broker knows of the others: only the controller can tell that none of them copies any
    more, and an answer is all that it learns of a broker.
    """
    owner = state.controller[controller]
    return owner.is_disabling and not owner.unanswered and not owner.has_state_to_write


def end_disablement(state: Topic, controller: int) -> None:
    """The queue is empty."""
    owner = state.controller[controller]
    owner.is_disabling = False
    owner.unsent = set()
    owner.unanswered = set()


@CONTROLLER.action(guards=[has_all_answers, is_active])
def controller_completes(state: Topic, controller: Controller) -> None:
    """Write DISABLED.

    Kafka: KIP-950, Completion of disablement.
    """
    state.tiered_state = TieredState.DISABLED
    end_disablement(state, controller)


# -- failover


@limit
def has_other_controller(state: Topic, controller: Controller) -> bool:
    """There is another controller to elect."""
    return controller != state.active_controller


@CLUSTER.action(
    guards=[has_other_controller], to="controller {controller}", budget="controller_elections"
)
def cluster_elects_controller(state: Topic, controller: Controller) -> None:
    """Make another controller the active one; neither knows it yet.

    Kafka: the /controller ZNode, with the controller epoch; or Raft. Left out: a cluster
    without a controller.
    """
    state.active_controller = controller
    state.controller_epoch += 1


@guard
def has_election_to_win(state: Topic, controller: Controller) -> bool:
    """The controller was elected, and does not know it yet."""
    elected = state.controller[controller]
    is_known = elected.is_active and elected.epoch == state.controller_epoch
    return state.active_controller == controller and not is_known


@CONTROLLER.action(guards=[has_election_to_win])
def controller_takes_over(state: Topic, controller: Controller) -> None:
    """Rebuild the queue from the topics in DISABLING; every broker is asked again.

    Kafka: KIP-950, Failure Modes, Controller Failover in DISABLING State.
    """
    resign(state, controller)
    elected = state.controller[controller]
    elected.is_active = True
    elected.epoch = state.controller_epoch
    if state.tiered_state == TieredState.DISABLING:
        enqueue(state, controller)


def resign(state: Topic, controller: int) -> None:
    """The memory of the controller is lost; answers to it are dropped."""
    end_disablement(state, controller)
    resigning = state.controller[controller]
    resigning.is_active = False
    resigning.has_state_to_write = False
    resigning.arriving = set()
    resigning.arriving_late = set()


@guard
def has_lost_election(state: Topic, controller: Controller) -> bool:
    """The controller is no longer the active one, and does not know it yet."""
    return state.controller[controller].is_active and state.active_controller != controller


@CONTROLLER.action(guards=[has_lost_election])
def controller_resigns(state: Topic, controller: Controller) -> None:
    """Learn that another controller is active, or restart: the queue is lost.

    Kafka: KafkaController#onControllerResignation; QuorumController#renounce.
    """
    resign(state, controller)


def begin_controllers(state: Topic) -> None:
    """Controller 0 is the active one, and no request is on its way."""
    state.controller[0].is_active = True
    for n in range(len(state.request)):
        state.request[n].to = NONE
        state.request[n].controller = NONE


SYSTEM = (
    controller_completes,
    controller_takes_over,
    controller_resigns,
)
