"""Unclean elections, which a topic may allow: a replica leads that lacks committed records."""

from typing import Any

from tierproof.invariants.vocabulary import removable_end
from tierproof.model.designs.kip405.in_sync import is_out_of_sync
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.language import NONE, Variant, action


def has_committed_record(state: Any, broker: int, offset: int) -> bool:
    """The replica has what was committed at the offset, locally or by its lineage."""
    me = state.broker[broker]
    if offset < me.log_start_offset:
        return True
    epoch = epoch_for_offset(me.lineage, offset)
    return bool(offset < me.log_end_offset and epoch == state.committed[offset].epoch)


def forget_committed_from(state: Any, first: int) -> None:
    """Ghost: an unclean election lets go of what was committed from an offset on."""
    for offset in range(first, len(state.committed)):
        state.committed[offset].epoch = NONE
        state.committed[offset].bytes = 0
        state.committed[offset].timestamp = 0


@action(
    guards=[topic_exists, is_out_of_sync, has_replica],
    actor="controller",
    to="broker {broker}",
    budget="elections",
)
def controller_elects_unclean_leader(state: Partition, broker: Broker) -> None:
    """A replica that is not in sync leads, alone in sync: what it lacks is given up.

    **Who**: the controller, with unclean.leader.election.enable.
    **Kafka**: PartitionChangeBuilder#electLeader, unclean.
    **Left out**: the recovery of the old leader's records.
    """
    state.legal_end = max(state.legal_end, removable_end(state))
    state.elected_leader = broker
    state.leader_epoch += 1
    state.in_sync = 1 << broker
    for offset in range(len(state.committed)):
        if not has_committed_record(state, broker, offset):
            forget_committed_from(state, offset)
            return


UNCLEAN_ELECTIONS = Variant(
    name="unclean_elections",
    because="unclean.leader.election.enable: availability before committed records",
    add_environment=(controller_elects_unclean_leader,),
)
