"""KIP-405 as shipped: segments are copied to a remote tier, read from there, and expired.

The protocol, in this order: `state`, `actors`, `metadata`, `tasks`, `copying`, `cleaning_up`,
`expiring`, `local`, `replication`, `in_sync`, `rebuilding`, `leadership`, `restarting`,
`stopping`, `reading`. Beside it: `repairs` of ours, `fixes_switched_off` with the published bugs
that come back, the setting `unclean_elections`, and `recordings`, which only a replay needs.

Modelled: records in segments, lineages, followers that fetch, truncate and build on the
remote tier, in-sync replicas, high watermarks; one metadata topic that each broker reads at
its own pace; tasks whose cancellation nobody waits for, copies and deletions step by step,
both retentions by time, size and log start; zombies, restarts, lost disks, deleted topics; a
store that fails, or whose replies are lost.
Simplified: a fetch and its answer are one step; a run of the copy task lists its segments one
by one; one run of the expiration task at a time.
Not modelled: transactions, log directories, quotas. Elections are clean but for the variant
`unclean_elections`. `RECORDED` adds what only recordings do, such as settings that change.
"""

from tierproof.invariants import (
    durability,
    fencing,
    liveness,
    offset_continuity,
    reads,
    remote_metadata,
    witnesses,
)
from tierproof.invariants.histories import COMMITTED, LEGAL_END
from tierproof.model.designs.kip405 import (
    cleaning_up,
    copying,
    expiring,
    in_sync,
    leadership,
    local,
    metadata,
    reading,
    rebuilding,
    replication,
    restarting,
    start,
    stopping,
)
from tierproof.model.designs.kip405.fixes_switched_off import FIXES_SWITCHED_OFF
from tierproof.model.designs.kip405.proposals import PROPOSALS
from tierproof.model.designs.kip405.recordings import RECORDINGS
from tierproof.model.designs.kip405.repairs import LEAD_ANEW, REPAIRS
from tierproof.model.designs.kip405.scopes import SCOPES
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.designs.kip405.unclean_elections import UNCLEAN_ELECTIONS
from tierproof.model.designs.pictures.tiering import tiering
from tierproof.model.language import Design

SYSTEM = (
    *replication.SYSTEM,
    *rebuilding.SYSTEM,
    in_sync.leader_expands_in_sync,
    metadata.broker_reads_metadata,
    *copying.SYSTEM,
    *cleaning_up.SYSTEM,
    *expiring.SYSTEM,
    *local.SYSTEM,
    leadership.broker_learns_leader,
    *stopping.SYSTEM,
)
ENVIRONMENT = (
    local.leader_appends_record,
    restarting.broker_checkpoints_log_start,
    leadership.controller_elects_leader,
    in_sync.leader_shrinks_in_sync,
    local.time_passes,
    local.user_deletes_records,
    stopping.user_deletes_topic,
    reading.consumer_looks_up_time,
    *copying.ENVIRONMENT,
    *cleaning_up.ENVIRONMENT,
    *expiring.ENVIRONMENT,
    stopping.store_fails_removal,
    stopping.store_loses_reply_of_removal,
    restarting.broker_restarts,
    restarting.lone_leader_restarts,
    restarting.broker_loses_disk,
)
PROPERTIES = (
    offset_continuity.log_start_never_moves_back,
    offset_continuity.new_leader_knows_the_log_start,
    offset_continuity.acknowledged_deletions_are_remembered,
    offset_continuity.no_unreadable_prefix_without_remote,
    offset_continuity.remote_and_local_parts_are_contiguous,
    durability.committed_records_stay_readable,
    durability.no_committed_record_lost,
    durability.log_start_passes_only_what_may_go,
    durability.object_deleted_only_when_not_needed,
    durability.local_segment_removed_only_once_copied,
    durability.highest_remote_offset_is_sound,
    durability.copied_offset_is_sound,
    reads.reads_return_what_was_committed,
    reads.lookups_follow_the_lineage,
    reads.remote_reads_end_with_the_lineage,
    reads.time_lookup_finds_its_index,
    reads.in_sync_replicas_have_committed_records,
    reads.high_watermark_covers_committed_records_only,
    reads.logs_agree_below_the_high_watermark,
    fencing.only_the_leader_publishes_copies,
    fencing.only_the_leader_deletes,
    remote_metadata.served_segment_has_its_object,
    remote_metadata.metadata_comes_before_objects,
    remote_metadata.metadata_records_are_legal_transitions,
    remote_metadata.id_is_used_for_one_attempt,
    remote_metadata.every_object_is_tracked,
    remote_metadata.quiet_store_holds_finished_segments_only,
    remote_metadata.caches_follow_from_positions,
    remote_metadata.cache_answers_only_when_filled,
    remote_metadata.retention_counts_each_offset_once,
    liveness.rolled_segments_are_copied,
    liveness.expired_objects_are_deleted,
    liveness.expired_local_segments_are_removed,
    liveness.records_become_readable,
    liveness.followers_get_in_sync,
)
WITNESSES = (
    witnesses.segment_is_read_from_remote,
    witnesses.zombie_works_on_a_copy,
    witnesses.zombie_copy_is_published,
    witnesses.segment_is_expired,
    witnesses.brokers_know_different_things,
)


DESIGN = Design(
    name="kip405",
    title="KIP-405: tiered storage as shipped",
    picture=tiering,
    document="KIP-405; Apache Kafka trunk at d79bd502ec",
    state=Partition,
    initial=(start.tiered_partition,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=(*FIXES_SWITCHED_OFF, *REPAIRS, *PROPOSALS, LEAD_ANEW, UNCLEAN_ELECTIONS),
    scopes=SCOPES,
).with_history(COMMITTED, LEGAL_END)

RECORDED = DESIGN.derive(
    name="kip405-recorded",
    title="KIP-405, and what recordings do besides",
    change=RECORDINGS,
    variants=(),
    initial=(start.empty_partition,),
    properties=(),
    witnesses=(),
)
"""KIP-405 with what recordings do besides: settings that change, caches that are read again."""
