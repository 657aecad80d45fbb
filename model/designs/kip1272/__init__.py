"""KIP-1272: compacted topics in tiered storage (Under Discussion)."""

from tierproof.invariants import (
    compaction_witnesses,
    histories,
    tiered_cleaning,
    tiered_compaction,
)
from tierproof.invariants.remote_metadata import held_bytes
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
from tierproof.model.designs.kip1272 import (
    appending,
    changing,
    cleaner_offsets,
    cleaning,
    deleting,
    mapping,
    picture,
    reading,
    start,
    swapping,
)
from tierproof.model.designs.kip1272.cleaning import forget_filter
from tierproof.model.designs.kip1272.mapping import end_pass
from tierproof.model.designs.kip1272.parts_switched_off import PARTS_SWITCHED_OFF
from tierproof.model.designs.kip1272.proposals import PROPOSALS
from tierproof.model.designs.kip1272.readings import READINGS
from tierproof.model.designs.kip1272.repairs import REPAIRS
from tierproof.model.designs.kip1272.scopes import SCOPES
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic
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
        appending.leader_appends_keyed_record,
        *changing.ENVIRONMENT,
    ),
    define={
        forget_records: appending.forget_keyed_records,
        last_stable_offset: first_undecided_offset,
        # The cache of metadata has cleaner offsets, which fence.
        apply_record: cleaner_offsets.apply_claim,
        forget_all: cleaner_offsets.forget_claims,
        # Retention counts where the policy contains delete.
        is_past_time: deleting.is_past_time_by_policy,
        plan_by_size_and_time: deleting.plan_by_policy,
        removable_end: deleting.removable_by_policy,
        held_bytes: deleting.bytes_of_the_log,
    },
    redefines={
        last_stable_offset: DECIDED_BY_MARKERS,
        is_past_time: "the policy decides what the expiration task deletes, and so what is due",
        removable_end: "retention permits to remove nothing of a topic that is only compacted",
        held_bytes: "what compaction removed is held no longer, so the bytes left are counted",
    },
    add_system=(
        # The cleaner: two passes, chunk by chunk, group by group.
        mapping.cleaner_builds_offset_map,
        cleaning.cleaner_skips_segment,
        cleaning.cleaner_cleans_group,
        cleaning.cleaner_misses_segment,
        cleaning.cleaner_swaps_local_group,
        swapping.cleaner_begins_copy,
        swapping.cleaner_swaps_copied_group,
        swapping.cleaner_gives_up,
        cleaning.cleaner_writes_checkpoint,
        swapping.copy_reads_log_file,
        swapping.copy_misses_files,
        cleaner_offsets.leader_resolves_cleaner_offset,
        changing.broker_learns_policy,
        reading.consumer_fetches,
    ),
    test={has_no_copy_of_its_own: swapping.has_no_copy_beside_the_cleaner},
    fence={
        copy_stores_object: swapping.has_read_log,
        expiration_deletes_object: deleting.is_within_leader_epochs,
    },
    first={
        follower_fetches: appending.fetch_key,
        copy_records_progress: swapping.tell_cleaner,
        broker_restarts: lose_cleaner,
        lone_leader_restarts: lose_cleaner,
        changing.broker_is_downgraded: lose_cleaner,
        broker_loses_disk: lose_checkpoint,
    },
    also={
        tiered_partition: start.begin_compacted,
        copy_publishes_started: swapping.attach_cleaner_offsets,
        copy_stores_object: swapping.store_output_or_indexes,
        expiration_task_plans_retention: deleting.plan_replaced,
        broker_learns_leader: cleaner_offsets.must_resolve,
        lone_leader_restarts: cleaner_offsets.must_resolve,
    },
    add_properties=(
        tiered_compaction.no_deleted_key_comes_back,
        tiered_compaction.latest_values_are_read,
        tiered_compaction.reads_bring_only_what_was_written,
        tiered_compaction.cleaned_keys_are_unique,
        tiered_compaction.cleaner_offset_is_remote,
        tiered_compaction.tombstones_outlive_what_they_delete,
        tiered_compaction.offset_maps_have_no_aborted_record,
        tiered_compaction.markers_outlive_their_records,
        tiered_cleaning.object_is_of_one_version,
        tiered_cleaning.contradicted_claims_serve_no_reads,
        tiered_cleaning.accepted_claims_are_of_leaders,
        tiered_cleaning.leaders_claims_are_never_rejected,
        tiered_cleaning.filters_never_say_a_wrong_no,
        tiered_cleaning.cleaner_stays_within_its_disk,
        tiered_cleaning.new_leader_reads_all_claims,
        tiered_cleaning.dirty_tiered_log_is_cleaned,
        tiered_cleaning.replaced_objects_are_deleted,
        tiered_cleaning.consumer_reaches_the_end,
    ),
    add_witnesses=(
        compaction_witnesses.cleaned_version_is_read_from_remote,
        compaction_witnesses.tombstone_leaves_the_remote_tier,
        compaction_witnesses.filter_skips_a_segment,
        compaction_witnesses.old_version_is_deleted,
        compaction_witnesses.zombie_claim_is_rejected,
        compaction_witnesses.follower_is_ahead_of_the_remote_tier,
        compaction_witnesses.group_becomes_one_segment,
        compaction_witnesses.consumer_crosses_a_gap,
    ),
)

DESIGN = kip405.DESIGN.derive(
    name="kip1272",
    title="KIP-1272: compacted topics in tiered storage",
    picture=picture.compaction,
    document="KIP-1272, Under Discussion",
    change=CHANGE,
    state=CompactedTopic,
    variants=(*READINGS, *PARTS_SWITCHED_OFF, *REPAIRS, *PROPOSALS),
    scopes=SCOPES,
).with_history(
    history(
        leader_appends_keyed_record=histories.note_committed_records,
        copy_publishes_finished=swapping.note_who_led,
    ),
    history(
        leader_appends_keyed_record=appending.note_committed_keys,
        follower_fetches=appending.note_committed_keys,
        leader_shrinks_in_sync=appending.note_committed_keys,
        broker_learns_leader=appending.note_committed_keys,
        lone_leader_restarts=appending.note_committed_keys,
    ),
    history_before(
        user_changes_policy=deleting.note_removable,
        broker_learns_policy=deleting.note_removable,
        controller_elects_leader=deleting.note_removable,
        expiration_task_plans_retention=deleting.note_removable,
    ),
)
