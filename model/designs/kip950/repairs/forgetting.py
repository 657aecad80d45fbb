"""What a disable deleted does not count as copied."""

from tierproof.model.designs.kip405.repairs import FORGET
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.publisher import broker_stops_partition
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.language import NONE, Variant


def forget_highest_remote_offset(state: Topic, broker: Broker) -> None:
    """UnifiedLog forgets its highest offset in remote storage."""
    state.broker[broker].highest_remote_offset = NONE


FORGET_DELETED_OFFSETS = Variant(
    name=FORGET.name,
    because=FORGET.because,
    parts=(FORGET,),
    also={broker_stops_partition: forget_highest_remote_offset},
)
