"""The topic's tiering state, in the controller's check."""

from tierproof.model.designs.kip950.controller import controller_alters_config
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import Variant, guard


@guard
def enables_with_copying(state: Topic, enable: bool, copy_disable: bool) -> bool:
    """A disabled topic is enabled, not set to read-only (KIP-950, "State Transitions")."""
    return state.tiering != TieringState.DISABLED or not enable or not copy_disable


REJECT_READ_ONLY = Variant(
    name="repair_reject_read_only_after_disable",
    because="The KIP knows of no change from disabled to read-only.",
    fence={controller_alters_config: enables_with_copying},
)
