"""What is particular to a KRaft cluster: one log for settings, tiered state and leaders."""

from typing import Any

from tierproof.model.designs.kip405.leadership import is_in_sync, topic_exists
from tierproof.model.designs.kip405.restarting import has_leader_epoch_left
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.cluster import has_room_in_cluster_log, log_image
from tierproof.model.designs.kip950_early.controller import (
    ALTERS_CONFIG,
    alter_config,
    change_policy,
    is_active,
    is_another_policy,
)
from tierproof.model.designs.kip950_early.state import Controller, Topic
from tierproof.model.designs.kip950_early.tiered_state import Policy
from tierproof.model.language import action


@action(
    guards=[is_active, *ALTERS_CONFIG, has_room_in_cluster_log],
    actor="controller {controller}",
    budget="config_changes",
)
def controller_alters_config(
    state: Topic, controller: Controller, is_enabled: bool, policy: Policy, scope: Any
) -> None:
    """Append a ConfigRecord and the topic's new tiered state; a disablement is enqueued.

    **Who**: the active controller, for a user; Raft takes records of no other.
    **Kafka**: KIP-950, Kraft: "Controller persists configuration change".
    **Left out**: calls that are refused (`tiered_state.answer`) and change nothing.
    """
    alter_config(state, controller, is_enabled, policy, scope)
    log_image(state)


@action(
    guards=[is_active, is_another_policy, has_room_in_cluster_log],
    actor="controller {controller}",
    budget="policy_changes",
)
def controller_changes_policy(
    state: Topic, controller: Controller, policy: Policy, scope: Any
) -> None:
    """Append a ConfigRecord of another policy, whatever the tiered state is.

    **Who**: the active controller, for a user.
    **Kafka**: KIP-950, Exceptions: none is for this.
    **Left out**: nothing.
    """
    change_policy(state, policy, scope)
    log_image(state)


@action(
    guards=[topic_exists, is_in_sync, has_leader_epoch_left, has_room_in_cluster_log],
    actor="controller",
    to="broker {broker}",
    budget="elections",
)
def controller_elects_leader(state: Topic, broker: Broker) -> None:
    """A replica leads in a new epoch; it may be the one that led before.

    **Who**: the active controller.
    **Kafka**: PartitionChangeBuilder, PartitionChangeRecord.
    **Left out**: a partition without a leader.
    """
    state.elected_leader = broker
    state.leader_epoch += 1
    log_image(state)
