"""What a controller waits for, what it compares, and what it does not accept."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import CONTROLLER
from tierproof.model.designs.kip950_early.controller import (
    has_written_state,
    is_active,
)
from tierproof.model.designs.kip950_early.kraft import controller_changes_policy
from tierproof.model.designs.kip950_early.requests import take_off_list
from tierproof.model.designs.kip950_early.state import Controller, Topic
from tierproof.model.designs.kip950_early.zookeeper import controller_writes_policy
from tierproof.model.kafka.tiered_state import TieredState, Tiering
from tierproof.model.language import Variant, guard

# -- brokers that are gone, controllers that died between two writes


@guard
def waits_for_removed_broker(state: Topic, controller: Controller, broker: Broker) -> bool:
    """The controller waits for a broker that is no longer there."""
    is_awaited = broker in state.controller[controller].unanswered
    return is_awaited and state.broker[broker].is_removed


@CONTROLLER.action(guards=[waits_for_removed_broker])
def controller_forgets_broker(state: Topic, controller: Controller, broker: Broker) -> None:
    """Wait no longer for a broker that was removed.

    Kafka: ours; the deletion of topics does so for replicas on dead brokers.
    """
    take_off_list(state.controller[controller], broker)


FORGET_REMOVED = Variant(
    name="repair_removed_brokers_are_not_awaited",
    because="A broker that never comes back keeps the topic in DISABLING.",
    add_system=(controller_forgets_broker,),
)


@guard
def sees_settings_without_state(state: Topic, controller: Controller) -> bool:
    """The settings say of tiering what the tiered state does not."""
    is_off = state.tiering != Tiering.ENABLED
    return is_off != (state.tiered_state != TieredState.ENABLED)


@CONTROLLER.action(
    guards=[is_active, has_written_state, sees_settings_without_state], to="ZooKeeper"
)
def controller_compares(state: Topic, controller: Controller) -> None:
    """Find settings without their tiered state, which any controller may have written.

    Kafka: ours, for Failure Modes, Controller Failover in DISABLING State.
    """
    state.controller[controller].has_state_to_write = True


COMPARE = Variant(
    name="repair_controller_compares",
    because="A controller that dies between two ZNodes leaves settings without a tiered state.",
    add_system=(controller_compares,),
)

# -- the policy is an argument of a disable

_BOUND = "repair_policy_is_bound"
_UNBOUND = "A policy that changes alone has no tiered epoch: it is an argument of a disable."
BOUND_IN_KRAFT = Variant(name=_BOUND, because=_UNBOUND, drop=(controller_changes_policy,))
BOUND_IN_ZOOKEEPER = Variant(name=_BOUND, because=_UNBOUND, drop=(controller_writes_policy,))
