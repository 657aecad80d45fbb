"""Published bugs that such an environment shows, with their fixes switched off; repairs of ours."""

from tierproof.invariants.histories import note_committed_records
from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.state import AttemptStep
from tierproof.model.designs.kip405_faults import in_flight, metadata_manager
from tierproof.model.designs.kip405_faults.copier_pool import has_free_copier
from tierproof.model.designs.kip405_faults.metadata_topic import has_two_metadata_replicas
from tierproof.model.designs.kip405_faults.rolling import follower_fetches_without_rolling
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard


@guard
def is_store_silent(state: FaultyTopic, segment: SegmentId) -> bool:
    """The store does not answer the request of the copying thread."""
    return state.segment[segment].is_hung


@COPIER.action(AttemptStep.STARTED, AttemptStep.FAILED, guards=[is_store_silent], to="remote_store")
def copy_times_out(state: FaultyTopic, segment: SegmentId) -> None:
    """Give up a copy that takes too long, as if the store had failed it.

    No part of Kafka: copyLogSegmentData has no time limit.
    """
    state.segment[segment].is_hung = False


FIXES_SWITCHED_OFF = (
    Variant(
        name="kafka_19858_one_replica_acknowledges",
        because="KAFKA-19858: one replica acknowledges a metadata record, and is lost",
        drop=(has_two_metadata_replicas,),
    ),
    Variant(
        name="kafka_16853_one_pool_for_all_tasks",
        because="KAFKA-16853: copies and expiration share their threads",
        fence={expiration_task_plans_retention: has_free_copier},
    ),
    Variant(
        name="kafka_19425_broker_lives_on",
        because="KAFKA-19425: a broker whose metadata manager has given up keeps running",
        drop=metadata_manager.SYSTEM,
    ),
    Variant(
        name="kip_903_broker_epoch_not_asked",
        because="KIP-903: a follower that has lost its disk gets in sync by an older request",
        drop=(in_flight.has_current_broker_epoch,),
        test={in_flight.is_request_refused: in_flight.is_request_of_older_leader},
    ),
    Variant(
        name="kafka_17020_follower_rolls_by_itself",
        because="KAFKA-17020: the segments of a follower begin elsewhere than its leader's",
        add_environment=(follower_fetches_without_rolling,),
        also={follower_fetches_without_rolling: note_committed_records},
    ),
)
"""The fixes, and one behaviour that Kafka has not changed: each replica rolls by itself."""

COPIES_HAVE_A_TIME_LIMIT = Variant(
    name="repair_copies_have_a_time_limit",
    because="a store that never answers keeps a thread for ever",
    add_system=(copy_times_out,),
)
REPAIRS = (COPIES_HAVE_A_TIME_LIMIT,)
