"""Brokers of a version without KIP-950, in the controller's check."""

from tierproof.model.designs.kip950.controller import controller_alters_config
from tierproof.model.designs.kip950.readings_older_broker import is_older
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.language import Variant, guard


@guard
def every_broker_has_this_version(state: Topic) -> bool:
    """No broker is registered that does not know the settings, and none can register later."""
    return not any(is_older(state, broker) for broker in range(len(state.broker)))


REFUSE_WHILE_BROKERS_ARE_OLDER = Variant(
    name="repair_refuse_while_brokers_are_older",
    because="A broker of an older version ignores the new settings.",
    fence={controller_alters_config: every_broker_has_this_version},
)
