"""KIP-405 beneath faults that its design assumes away: what an environment can do that is worse.

`CHANGE` is the difference to KIP-405 with all our repairs: what breaks here, the environment
breaks, and no known defect. Read in this order: `state`, `actors`, `metadata_topic`,
`copier_pool`, `metadata_manager`, `in_flight`, `rolling`, `scopes`; then `variants` and `lagging`.
Every fault is a budget of the scope, 0 by default; with none of them it is KIP-405, repaired.

Modelled: the replicas of the metadata topic, of which the leader is lost with what it alone has;
a store that never answers a copy, and the copier threads that the partitions of a broker share;
a metadata manager that gives up when its broker starts; AlterPartition in flight; followers that
roll by themselves.
Simplified: two replicas of the metadata topic; one other partition, with one segment to copy.
Not modelled: retries, time-outs and quotas of each of these.
"""

from tierproof.invariants import (
    durability,
    informed_leader,
    liveness,
    local_tier,
    reads,
    remote_metadata,
    shared_copiers,
    witnesses,
)
from tierproof.invariants.histories import note_committed_records
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.copying import (
    copy_stores_object,
    copy_task_chooses_segment,
    release,
    store_defers_copy,
    store_fails_copy,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.metadata import broker_reads_metadata, publish
from tierproof.model.designs.kip405.repairs import REPAIR_ALL
from tierproof.model.designs.kip405.repairs.cleaning_up import store_refuses_copy
from tierproof.model.designs.kip405.replication import committed_by
from tierproof.model.designs.kip405.restarting import (
    broker_loses_disk,
    broker_restarts,
    lone_leader_restarts,
)
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405_faults import (
    copier_pool,
    in_flight,
    metadata_manager,
    metadata_topic,
)
from tierproof.model.designs.kip405_faults.lagging import EXPANDS_TOO_EARLY, LAGGING_FOLLOWERS
from tierproof.model.designs.kip405_faults.scopes import SCOPES
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.designs.kip405_faults.variants import FIXES_SWITCHED_OFF, REPAIRS
from tierproof.model.designs.pictures.tiering import tiering
from tierproof.model.language import Edit, history

FROM_THE_STORE = (
    copy_stores_object,
    store_fails_copy,
    store_loses_reply_of_copy,
    store_defers_copy,
    store_refuses_copy,
)
"""What a store that answers may do with a copy."""
RESTARTS = (
    broker_restarts,
    lone_leader_restarts,
    broker_loses_disk,
)
WITHOUT_METADATA = metadata_manager.ENVIRONMENT
STOPS = metadata_manager.SYSTEM

CHANGE = Edit(
    add_system=(
        metadata_topic.metadata_replica_catches_up,
        *copier_pool.SYSTEM,
        *metadata_manager.SYSTEM,
        *in_flight.SYSTEM,
    ),
    add_environment=(
        metadata_topic.metadata_replica_falls_behind,
        metadata_topic.metadata_leader_is_lost,
        *copier_pool.ENVIRONMENT,
        *metadata_manager.ENVIRONMENT,
        *in_flight.ENVIRONMENT,
    ),
    define={
        publish: metadata_topic.publish_to_replicas,
        release: copier_pool.release_from_store,
        committed_by: in_flight.committed_with_joining,
    },
    fence={
        **dict.fromkeys(metadata_topic.PUBLISHING, metadata_topic.has_two_metadata_replicas),
        **dict.fromkeys(FROM_THE_STORE, copier_pool.does_store_answer),
        copy_task_chooses_segment: copier_pool.has_free_copier,
        broker_reads_metadata: metadata_manager.has_metadata_manager,
    },
    also={
        tiered_partition: (
            metadata_topic.begin_replicated,
            copier_pool.begin_shared,
            in_flight.begin_without_request,
        ),
        broker_learns_leader: metadata_manager.stay_without_metadata,
        **dict.fromkeys(
            RESTARTS,
            (
                copier_pool.restart_other_copy,
                metadata_manager.start_metadata_manager,
                in_flight.note_registration,
            ),
        ),
        **dict.fromkeys(
            (*WITHOUT_METADATA, *STOPS),
            (copier_pool.restart_other_copy, in_flight.note_registration),
        ),
    },
)

PROPERTIES = (
    durability.committed_records_stay_readable,
    durability.no_committed_record_lost,
    durability.log_start_passes_only_what_may_go,
    durability.local_segment_removed_only_once_copied,
    informed_leader.informed_leader_serves_committed_records,
    reads.reads_return_what_was_committed,
    reads.in_sync_replicas_have_committed_records,
    remote_metadata.served_segment_has_its_object,
    remote_metadata.caches_follow_from_positions,
    liveness.rolled_segments_are_copied,
    liveness.expired_objects_are_deleted,
    liveness.records_become_readable,
    liveness.followers_get_in_sync,
    local_tier.copied_surplus_is_removed,
    shared_copiers.other_partitions_are_copied,
)

WITNESSES = (
    witnesses.segment_is_read_from_remote,
    shared_copiers.other_partition_is_copied,
)

DESIGN = (
    kip405.DESIGN.with_variant(REPAIR_ALL.name)
    .derive(
        name="kip405_faults",
        title="KIP-405 with all our repairs, beneath faults that it assumes away",
        picture=tiering,
        document="KIP-405, KIP-1235, KIP-1197; Apache Kafka trunk at d79bd502ec",
        change=CHANGE,
        state=FaultyTopic,
        properties=PROPERTIES,
        witnesses=WITNESSES,
        variants=(*FIXES_SWITCHED_OFF, *REPAIRS, LAGGING_FOLLOWERS, EXPANDS_TOO_EARLY),
        chosen_variants=(),
        scopes=SCOPES,
    )
    .with_history(
        history(
            lone_leader_restarts_without_metadata=note_committed_records,
            lone_leader_stops_and_restarts=note_committed_records,
        )
    )
)
