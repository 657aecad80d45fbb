"""What is particular to a KRaft cluster: one log for settings, tiered state and leaders."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import CONTROLLER
from tierproof.model.designs.kip950_early.cluster import (
    finish_batch,
    has_room_in_cluster_log,
    log_image,
    write_config,
)
from tierproof.model.designs.kip950_early.controller import (
    ALTERS_CONFIG,
    change_policy,
    is_active,
    is_another_policy,
    write_state_and_enqueue,
)
from tierproof.model.designs.kip950_early.state import Controller, EarlyTopic, Topic
from tierproof.model.kafka.tiered_state import Policy


@CONTROLLER.action(
    guards=[is_active, *ALTERS_CONFIG, has_room_in_cluster_log], budget="config_changes"
)
def controller_alters_config(
    state: Topic, controller: Controller, is_enabled: bool, policy: Policy, scope: EarlyTopic
) -> None:
    """Append a ConfigRecord and the topic's new tiered state; a disablement is enqueued.

    Kafka: KIP-950, Kraft: "Controller persists configuration change". Left out: calls that
    are refused (`tiered_state.answer`) and change nothing.
    """
    write_config(state, is_enabled, policy, scope)
    write_state_and_enqueue(state, controller)
    log_image(state)


@CONTROLLER.action(
    guards=[is_active, is_another_policy, has_room_in_cluster_log], budget="policy_changes"
)
def controller_changes_policy(
    state: Topic, controller: Controller, policy: Policy, scope: EarlyTopic
) -> None:
    """Append a ConfigRecord of another policy, whatever the tiered state is.

    Kafka: KIP-950, Exceptions: none is for this.
    """
    change_policy(state, policy, scope)
    log_image(state)


def log_and_read_election(state: Topic, broker: Broker) -> None:
    """Log the leader that is elected again, and apply the log to its end.

    Kafka: a PartitionChangeRecord, and the first image.
    """
    log_image(state)
    state.broker[broker].position = state.cluster_end
    finish_batch(state, broker)


ENVIRONMENT = (
    controller_alters_config,
    controller_changes_policy,
)
