"""A follower is back in sync only once it begins where its leader begins."""

from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.language import Variant, guard


@guard
def has_the_leaders_log_start(state: Partition, leader: Broker, follower: Broker) -> bool:
    """The follower has raised its log start to the leader's: the FetchRequest has both.

    Below the leader's log start, and so below its lineage, nobody sees that records diverge.
    """
    return state.broker[follower].log_start_offset >= state.broker[leader].log_start_offset


IN_SYNC_FROM_THE_START = Variant(
    name="repair_in_sync_from_the_log_start",
    because="A follower is in sync with records that diverge below the leader's log start.",
    fence={leader_expands_in_sync: has_the_leaders_log_start},
)
