"""KIP-1272: compacted topics in tiered storage (Under Discussion)."""

from tierproof.invariants.compaction_witnesses import (
    cleaned_version_is_read_from_remote,
    consumer_crosses_a_gap,
    filter_skips_a_segment,
    follower_is_ahead_of_the_remote_tier,
    group_becomes_one_segment,
    old_version_is_deleted,
    tombstone_leaves_the_remote_tier,
    zombie_claim_is_rejected,
)
from tierproof.invariants.histories import note_committed_records
from tierproof.invariants.remote_metadata import held_bytes
from tierproof.invariants.tiered_cleaning import (
    accepted_claims_are_of_leaders,
    cleaner_stays_within_its_disk,
    consumer_reaches_the_end,
    contradicted_claims_serve_no_reads,
    dirty_tiered_log_is_cleaned,
    filters_never_say_a_wrong_no,
    leaders_claims_are_never_rejected,
    new_leader_reads_all_claims,
    object_is_of_one_version,
    replaced_objects_are_deleted,
)
from tierproof.invariants.tiered_compaction import (
    cleaned_keys_are_unique,
    cleaner_offset_is_remote,
    latest_values_are_read,
    markers_outlive_their_records,
    no_deleted_key_comes_back,
    offset_maps_have_no_aborted_record,
    reads_bring_only_what_was_written,
    tombstones_outlive_what_they_delete,
)
from tierproof.invariants.vocabulary import removable_end
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.copying import (
    copy_publishes_started,
    copy_records_progress,
    copy_stores_object,
    has_no_copy_of_its_own,
)
from tierproof.model.designs.kip405.expiring import (
    expiration_deletes_object,
    expiration_task_plans_retention,
    plan_by_size_and_time,
)
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.local import leader_appends_record
from tierproof.model.designs.kip405.redefined import DECIDED_BY_MARKERS
from tierproof.model.designs.kip405.replication import follower_fetches
from tierproof.model.designs.kip405.restarting import (
    broker_loses_disk,
    broker_restarts,
    lone_leader_restarts,
)
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip1272.appending import (
    fetch_key,
    forget_keyed_records,
    leader_appends_keyed_record,
    note_committed_keys,
)
from tierproof.model.designs.kip1272.changing import (
    broker_is_downgraded,
    broker_learns_policy,
    user_changes_policy,
)
from tierproof.model.designs.kip1272.cleaner_offsets import (
    apply_claim,
    forget_claims,
    leader_resolves_cleaner_offset,
    must_resolve,
)
from tierproof.model.designs.kip1272.cleaning import (
    cleaner_cleans_group,
    cleaner_misses_segment,
    cleaner_skips_segment,
    cleaner_swaps_local_group,
    cleaner_writes_checkpoint,
    forget_filter,
)
from tierproof.model.designs.kip1272.deleting import (
    bytes_of_the_log,
    is_past_time_by_policy,
    is_within_leader_epochs,
    note_removable,
    plan_by_policy,
    plan_replaced,
    removable_by_policy,
)
from tierproof.model.designs.kip1272.mapping import cleaner_builds_offset_map, end_pass
from tierproof.model.designs.kip1272.parts_switched_off import PARTS_SWITCHED_OFF
from tierproof.model.designs.kip1272.picture import compaction
from tierproof.model.designs.kip1272.proposals import PROPOSALS
from tierproof.model.designs.kip1272.reading import consumer_fetches
from tierproof.model.designs.kip1272.readings import READINGS
from tierproof.model.designs.kip1272.repairs import REPAIRS
from tierproof.model.designs.kip1272.scopes import SCOPES
from tierproof.model.designs.kip1272.start import begin_compacted
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic
from tierproof.model.designs.kip1272.swapping import (
    attach_cleaner_offsets,
    cleaner_begins_copy,
    cleaner_gives_up,
    cleaner_swaps_copied_group,
    copy_misses_files,
    copy_reads_log_file,
    has_no_copy_beside_the_cleaner,
    has_read_log,
    note_who_led,
    store_output_or_indexes,
    tell_cleaner,
)
from tierproof.model.kafka.copy_task import last_stable_offset
from tierproof.model.kafka.expiration_task import is_past_time
from tierproof.model.kafka.local_segments import forget_records
from tierproof.model.kafka.remote_metadata_cache import apply_record, forget_all
from tierproof.model.kafka.segment_versions import first_undecided_offset
from tierproof.model.language import NONE, Edit, history, history_before


def lose_cleaner(state: CompactedTopic, broker: int) -> None:
    """The broker crashes: the pass, the filters and the cleaner offsets in memory are gone."""
    log = state.broker[broker]
    end_pass(log)
    log.cleaner = CleanerStep.IDLE
    for offset in range(len(log.filters)):
        forget_filter(log, offset)
    for e in range(len(log.cleaner_offsets)):
        log.cleaner_offsets[e] = NONE


def lose_checkpoint(state: CompactedTopic, broker: int) -> None:
    """The checkpoint was on the disk."""
    lose_cleaner(state, broker)
    state.broker[broker].cleaner_offset = 0


CHANGE = Edit(
    # Records have keys; a last stable offset bounds what is copied.
    drop=(leader_appends_record,),
    add_environment=(
        leader_appends_keyed_record,
        user_changes_policy,
        broker_is_downgraded,
    ),
    define={
        forget_records: forget_keyed_records,
        last_stable_offset: first_undecided_offset,
        # The cache of metadata has cleaner offsets, which fence.
        apply_record: apply_claim,
        forget_all: forget_claims,
        # Retention counts where the policy contains delete.
        is_past_time: is_past_time_by_policy,
        plan_by_size_and_time: plan_by_policy,
        removable_end: removable_by_policy,
        held_bytes: bytes_of_the_log,
    },
    redefines={
        last_stable_offset: DECIDED_BY_MARKERS,
        is_past_time: "the policy decides what the expiration task deletes, and so what is due",
        removable_end: "retention permits to remove nothing of a topic that is only compacted",
        held_bytes: "what compaction removed is held no longer, so the bytes left are counted",
    },
    add_system=(
        # The cleaner: two passes, chunk by chunk, group by group.
        cleaner_builds_offset_map,
        cleaner_skips_segment,
        cleaner_cleans_group,
        cleaner_misses_segment,
        cleaner_swaps_local_group,
        cleaner_begins_copy,
        cleaner_swaps_copied_group,
        cleaner_gives_up,
        cleaner_writes_checkpoint,
        copy_reads_log_file,
        copy_misses_files,
        leader_resolves_cleaner_offset,
        broker_learns_policy,
        consumer_fetches,
    ),
    test={has_no_copy_of_its_own: has_no_copy_beside_the_cleaner},
    fence={copy_stores_object: has_read_log, expiration_deletes_object: is_within_leader_epochs},
    first={
        follower_fetches: fetch_key,
        copy_records_progress: tell_cleaner,
        broker_restarts: lose_cleaner,
        lone_leader_restarts: lose_cleaner,
        broker_is_downgraded: lose_cleaner,
        broker_loses_disk: lose_checkpoint,
    },
    also={
        tiered_partition: begin_compacted,
        copy_publishes_started: attach_cleaner_offsets,
        copy_stores_object: store_output_or_indexes,
        expiration_task_plans_retention: plan_replaced,
        broker_learns_leader: must_resolve,
        lone_leader_restarts: must_resolve,
    },
    add_properties=(
        no_deleted_key_comes_back,
        latest_values_are_read,
        reads_bring_only_what_was_written,
        cleaned_keys_are_unique,
        cleaner_offset_is_remote,
        tombstones_outlive_what_they_delete,
        offset_maps_have_no_aborted_record,
        markers_outlive_their_records,
        object_is_of_one_version,
        contradicted_claims_serve_no_reads,
        accepted_claims_are_of_leaders,
        leaders_claims_are_never_rejected,
        filters_never_say_a_wrong_no,
        cleaner_stays_within_its_disk,
        new_leader_reads_all_claims,
        dirty_tiered_log_is_cleaned,
        replaced_objects_are_deleted,
        consumer_reaches_the_end,
    ),
    add_witnesses=(
        cleaned_version_is_read_from_remote,
        tombstone_leaves_the_remote_tier,
        filter_skips_a_segment,
        old_version_is_deleted,
        zombie_claim_is_rejected,
        follower_is_ahead_of_the_remote_tier,
        group_becomes_one_segment,
        consumer_crosses_a_gap,
    ),
)

DESIGN = kip405.DESIGN.derive(
    name="kip1272",
    title="KIP-1272: compacted topics in tiered storage",
    picture=compaction,
    document="KIP-1272, Under Discussion",
    change=CHANGE,
    state=CompactedTopic,
    variants=(*READINGS, *PARTS_SWITCHED_OFF, *REPAIRS, *PROPOSALS),
    scopes=SCOPES,
).with_history(
    history(
        leader_appends_keyed_record=note_committed_records,
        copy_publishes_finished=note_who_led,
    ),
    history(
        leader_appends_keyed_record=note_committed_keys,
        follower_fetches=note_committed_keys,
        leader_shrinks_in_sync=note_committed_keys,
        broker_learns_leader=note_committed_keys,
        lone_leader_restarts=note_committed_keys,
    ),
    history_before(
        user_changes_policy=note_removable,
        broker_learns_policy=note_removable,
        controller_elects_leader=note_removable,
        expiration_task_plans_retention=note_removable,
    ),
)
