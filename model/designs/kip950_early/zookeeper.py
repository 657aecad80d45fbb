"""What is particular to a ZooKeeper cluster: settings and tiered state are in two ZNodes.

Leaders and their epochs come by LeaderAndIsr requests, which are to KIP-405's model news that
a broker learns at its own pace.
"""

from tierproof.model.designs.kip950_early.actors import CONTROLLER
from tierproof.model.designs.kip950_early.cluster import tell_watches, write_config
from tierproof.model.designs.kip950_early.controller import (
    ALTERS_CONFIG,
    believes_active,
    change_policy,
    has_written_state,
    is_active,
    is_another_policy,
    write_state_and_enqueue,
)
from tierproof.model.designs.kip950_early.state import Controller, EarlyTopic, Topic
from tierproof.model.kafka.tiered_state import Policy
from tierproof.model.language import guard


@CONTROLLER.action(
    guards=[believes_active, *ALTERS_CONFIG], to="ZooKeeper", budget="config_changes"
)
def controller_writes_config(
    state: Topic, controller: Controller, is_enabled: bool, policy: Policy, scope: EarlyTopic
) -> None:
    """Write the topic's config ZNode; every broker's watch has news.

    Kafka: KIP-950, ZooKeeper, 2a and 2b; AdminZkClient#changeTopicConfig, which checks no
    controller epoch. Left out: calls that are refused (`tiered_state.answer`) and change
    nothing.
    """
    write_config(state, is_enabled, policy, scope)
    tell_watches(state)
    state.controller[controller].has_state_to_write = True


@guard
def has_state_to_write(state: Topic, controller: Controller) -> bool:
    """The controller has written the settings, and not yet the tiered state."""
    return state.controller[controller].has_state_to_write


@CONTROLLER.action(guards=[has_state_to_write, is_active], to="ZooKeeper")
def controller_writes_tiered_state(state: Topic, controller: Controller) -> None:
    """Write tiered epoch and tiered state under the topics ZNode; a disablement is enqueued.

    Kafka: KIP-950, ZooKeeper, 2c and 5a; KafkaZkClient, with the controller epoch's version.
    Left out: that epoch and state are two ZNodes.
    """
    write_state_and_enqueue(state, controller)
    tell_watches(state)


@CONTROLLER.action(
    guards=[believes_active, has_written_state, is_another_policy],
    to="ZooKeeper",
    budget="policy_changes",
)
def controller_writes_policy(
    state: Topic, controller: Controller, policy: Policy, scope: EarlyTopic
) -> None:
    """Write another policy into the config ZNode, whatever the tiered state is.

    Kafka: KIP-950, Exceptions: none is for this.
    """
    change_policy(state, policy, scope)
    tell_watches(state)


ENVIRONMENT = (
    controller_writes_config,
    controller_writes_policy,
)
