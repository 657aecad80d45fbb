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

from tierproof.invariants.durability import (
    committed_records_stay_readable,
    copied_offset_is_sound,
    highest_remote_offset_is_sound,
    local_segment_removed_only_once_copied,
    log_start_passes_only_what_may_go,
    no_committed_record_lost,
    object_deleted_only_when_not_needed,
)
from tierproof.invariants.fencing import (
    only_the_leader_deletes,
    only_the_leader_publishes_copies,
)
from tierproof.invariants.histories import COMMITTED, LEGAL_END
from tierproof.invariants.liveness import (
    expired_local_segments_are_removed,
    expired_objects_are_deleted,
    followers_get_in_sync,
    records_become_readable,
    rolled_segments_are_copied,
)
from tierproof.invariants.offset_continuity import (
    acknowledged_deletions_are_remembered,
    log_start_never_moves_back,
    new_leader_knows_the_log_start,
    no_unreadable_prefix_without_remote,
    remote_and_local_parts_are_contiguous,
)
from tierproof.invariants.reads import (
    high_watermark_covers_committed_records_only,
    in_sync_replicas_have_committed_records,
    logs_agree_below_the_high_watermark,
    lookups_follow_the_lineage,
    reads_return_what_was_committed,
    remote_reads_end_with_the_lineage,
    time_lookup_finds_its_index,
)
from tierproof.invariants.remote_metadata import (
    cache_answers_only_when_filled,
    caches_follow_from_positions,
    every_object_is_tracked,
    id_is_used_for_one_attempt,
    metadata_comes_before_objects,
    metadata_records_are_legal_transitions,
    quiet_store_holds_finished_segments_only,
    retention_counts_each_offset_once,
    served_segment_has_its_object,
)
from tierproof.invariants.witnesses import (
    brokers_know_different_things,
    segment_is_expired,
    segment_is_read_from_remote,
    zombie_copy_is_published,
    zombie_works_on_a_copy,
)
from tierproof.model.designs.kip405.cleaning_up import (
    cancelled_copy_leaves_its_attempt,
    copy_deletes_object,
    copy_ends_clean_up,
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
    store_fails_clean_up,
    store_loses_reply_of_clean_up,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_records_progress,
    copy_stores_object,
    copy_task_chooses_segment,
    copy_task_finds_highest_remote_offset,
    copy_task_finds_log_start,
    store_defers_copy,
    store_fails_copy,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.expiring import (
    cancelled_expiration_ends,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_publishes_delete_started,
    expiration_task_fails_to_raise_log_start,
    expiration_task_plans_old_epochs,
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    store_fails_expiration,
    store_loses_reply_of_expiration,
)
from tierproof.model.designs.kip405.fixes_switched_off import FIXES_SWITCHED_OFF
from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync, leader_shrinks_in_sync
from tierproof.model.designs.kip405.leadership import broker_learns_leader, controller_elects_leader
from tierproof.model.designs.kip405.local import (
    broker_raises_start_to_delete,
    broker_removes_segments,
    leader_appends_record,
    time_passes,
    user_deletes_records,
)
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.proposals import PROPOSALS
from tierproof.model.designs.kip405.reading import consumer_looks_up_time
from tierproof.model.designs.kip405.rebuilding import (
    follower_begins_at_log_start,
    follower_builds_on_remote_tier,
    follower_task_finds_highest_remote_offset,
)
from tierproof.model.designs.kip405.recordings import RECORDINGS
from tierproof.model.designs.kip405.repairs import LEAD_ANEW, REPAIRS
from tierproof.model.designs.kip405.replication import (
    follower_fetches,
    follower_truncates,
)
from tierproof.model.designs.kip405.restarting import (
    broker_checkpoints_log_start,
    broker_loses_disk,
    broker_restarts,
    lone_leader_restarts,
)
from tierproof.model.designs.kip405.scopes import SCOPES
from tierproof.model.designs.kip405.start import empty_partition, tiered_partition
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.designs.kip405.stopping import (
    broker_learns_deletion,
    removal_deletes_object,
    removal_ends,
    removal_goes_on_to_metadata,
    removal_goes_on_to_objects,
    removal_publishes_delete_finished,
    removal_publishes_delete_started,
    store_fails_removal,
    store_loses_reply_of_removal,
    user_deletes_topic,
)
from tierproof.model.designs.kip405.unclean_elections import UNCLEAN_ELECTIONS
from tierproof.model.designs.pictures.tiering import tiering
from tierproof.model.language import Design

SYSTEM = (
    follower_fetches,
    follower_truncates,
    follower_begins_at_log_start,
    follower_builds_on_remote_tier,
    follower_task_finds_highest_remote_offset,
    leader_expands_in_sync,
    broker_reads_metadata,
    copy_task_finds_log_start,
    copy_task_finds_highest_remote_offset,
    copy_task_chooses_segment,
    copy_publishes_started,
    copy_stores_object,
    copy_publishes_finished,
    copy_records_progress,
    copy_publishes_delete_started,
    cancelled_copy_leaves_its_attempt,
    copy_deletes_object,
    copy_publishes_delete_finished,
    copy_ends_clean_up,
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    expiration_task_fails_to_raise_log_start,
    expiration_publishes_delete_started,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_task_plans_old_epochs,
    cancelled_expiration_ends,
    broker_raises_start_to_delete,
    broker_removes_segments,
    broker_learns_leader,
    broker_learns_deletion,
    removal_publishes_delete_started,
    removal_goes_on_to_objects,
    removal_deletes_object,
    removal_goes_on_to_metadata,
    removal_publishes_delete_finished,
    removal_ends,
)
ENVIRONMENT = (
    leader_appends_record,
    broker_checkpoints_log_start,
    controller_elects_leader,
    leader_shrinks_in_sync,
    time_passes,
    user_deletes_records,
    user_deletes_topic,
    consumer_looks_up_time,
    store_fails_copy,
    store_loses_reply_of_copy,
    store_defers_copy,
    store_fails_clean_up,
    store_loses_reply_of_clean_up,
    store_fails_expiration,
    store_loses_reply_of_expiration,
    store_fails_removal,
    store_loses_reply_of_removal,
    broker_restarts,
    lone_leader_restarts,
    broker_loses_disk,
)
PROPERTIES = (
    log_start_never_moves_back,
    new_leader_knows_the_log_start,
    acknowledged_deletions_are_remembered,
    no_unreadable_prefix_without_remote,
    remote_and_local_parts_are_contiguous,
    committed_records_stay_readable,
    no_committed_record_lost,
    log_start_passes_only_what_may_go,
    object_deleted_only_when_not_needed,
    local_segment_removed_only_once_copied,
    highest_remote_offset_is_sound,
    copied_offset_is_sound,
    reads_return_what_was_committed,
    lookups_follow_the_lineage,
    remote_reads_end_with_the_lineage,
    time_lookup_finds_its_index,
    in_sync_replicas_have_committed_records,
    high_watermark_covers_committed_records_only,
    logs_agree_below_the_high_watermark,
    only_the_leader_publishes_copies,
    only_the_leader_deletes,
    served_segment_has_its_object,
    metadata_comes_before_objects,
    metadata_records_are_legal_transitions,
    id_is_used_for_one_attempt,
    every_object_is_tracked,
    quiet_store_holds_finished_segments_only,
    caches_follow_from_positions,
    cache_answers_only_when_filled,
    retention_counts_each_offset_once,
    rolled_segments_are_copied,
    expired_objects_are_deleted,
    expired_local_segments_are_removed,
    records_become_readable,
    followers_get_in_sync,
)
WITNESSES = (
    segment_is_read_from_remote,
    zombie_works_on_a_copy,
    zombie_copy_is_published,
    segment_is_expired,
    brokers_know_different_things,
)


DESIGN = Design(
    name="kip405",
    title="KIP-405: tiered storage as shipped",
    picture=tiering,
    document="KIP-405; Apache Kafka trunk at d79bd502ec",
    state=Partition,
    initial=(tiered_partition,),
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
    initial=(empty_partition,),
    properties=(),
    witnesses=(),
)
"""KIP-405 with what recordings do besides: settings that change, caches that are read again."""
