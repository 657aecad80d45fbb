"""What is particular to a ZooKeeper cluster: settings and tiered state lie in two ZNodes.

Leaders and their epochs come by LeaderAndIsr requests, which KIP-405's model takes for news
that a broker learns at its own pace.
"""

from typing import Any

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
from tierproof.model.designs.kip950_early.state import Controller, Topic
from tierproof.model.designs.kip950_early.tiered_state import Policy
from tierproof.model.language import action, guard


@action(
    guards=[believes_active, *ALTERS_CONFIG],
    actor="controller {controller}",
    to="ZooKeeper",
    budget="config_changes",
)
def controller_writes_config(
    state: Topic, controller: Controller, is_enabled: bool, policy: Policy, scope: Any
) -> None:
    """Write the topic's config ZNode; every broker's watch has news.

    **Who**: a controller that believes to be the active one, for a user.
    **Kafka**: KIP-950, ZooKeeper, 2a and 2b; AdminZkClient#changeTopicConfig, which asks for
    no controller epoch.
    **Left out**: calls that are refused (`tiered_state.answer`) and change nothing.
    """
    write_config(state, is_enabled, policy, scope)
    tell_watches(state)
    state.controller[controller].has_state_to_write = True


@guard
def has_state_to_write(state: Topic, controller: Controller) -> bool:
    """The controller has written the settings, and not yet the tiered state."""
    return bool(state.controller[controller].has_state_to_write)


@action(guards=[has_state_to_write, is_active], actor="controller {controller}", to="ZooKeeper")
def controller_writes_tiered_state(state: Topic, controller: Controller) -> None:
    """Write tiered epoch and tiered state under the topics ZNode; a disablement is enqueued.

    **Who**: the active controller: ZooKeeper refuses one that was voted out.
    **Kafka**: KIP-950, ZooKeeper, 2c and 5a; KafkaZkClient, with the controller epoch's version.
    **Left out**: that epoch and state are two ZNodes.
    """
    write_state_and_enqueue(state, controller)
    tell_watches(state)


@action(
    guards=[believes_active, has_written_state, is_another_policy],
    actor="controller {controller}",
    to="ZooKeeper",
    budget="policy_changes",
)
def controller_writes_policy(
    state: Topic, controller: Controller, policy: Policy, scope: Any
) -> None:
    """Write another policy into the config ZNode, whatever the tiered state is.

    **Who**: a controller that believes to be the active one, for a user.
    **Kafka**: KIP-950, Exceptions: none is for this.
    **Left out**: nothing.
    """
    change_policy(state, policy, scope)
    tell_watches(state)
