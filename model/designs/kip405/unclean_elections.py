"""A setting: unclean elections, in which a replica leads that lacks committed records."""

from tierproof.invariants.histories import note_unclean_election
from tierproof.model.designs.kip405.actors import CONTROLLER
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.language import NONE, Variant, guard


@guard
def has_replica_out_of_sync(state: Partition, leader: Broker) -> bool:
    """The broker has a replica that the controller does not count among those in sync."""
    return state.broker[leader].presumed_leader != NONE and leader not in state.in_sync


@CONTROLLER.action(
    guards=[topic_exists, has_replica_out_of_sync], to="broker {leader}", budget="elections"
)
def controller_elects_unclean_leader(state: Partition, leader: Broker) -> None:
    """Elect a replica that is not in sync, and is then alone in sync: the others' rest is lost.

    Kafka: PartitionChangeBuilder#electLeader, with unclean.leader.election.enable. Left out:
    the recovery of the old leader's records.
    """
    state.elected_leader = leader
    state.leader_epoch += 1
    state.in_sync = {leader}


UNCLEAN_ELECTIONS = Variant(
    name="unclean_elections",
    because="unclean.leader.election.enable: availability before committed records",
    add_environment=(controller_elects_unclean_leader,),
    first={controller_elects_unclean_leader: note_unclean_election},
)
