"""What KIP-950 does, by name: behaviours replayed step by step in CPython."""

import pytest

from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ELECT_1,
    ENABLE,
    EXPIRE,
    FOLLOWER_DISABLES,
    READ_ONLY,
    SMALL,
    START_COPYING,
    after,
    apply_settings,
    begin_copy,
    delete_all,
    delete_up_to_objects,
    finish_copy,
    is_enabled,
    read,
    remove_locally,
    settings,
    take_batch,
    violated,
)
from tests.designs.step_by_step import act
from tierproof.invariants import PROPERTIES
from tierproof.invariants.tiering import is_quiet_topic
from tierproof.invariants.vocabulary import is_served_remotely, told_state
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.designs.kip950.repairs import SINGLE_REPAIRS
from tierproof.model.designs.kip950.state import PublisherStep
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE
from tierproof.spark_explorer.registry import DESIGNS


def told(state, segment=0):
    return SegmentState(told_state(state, state.metadata_end, segment))


def test_a_segment_is_copied_removed_locally_and_read_from_remote():
    state = after(*COPIED, *remove_locally(0))
    assert state.broker[0].log_start_offset == 0
    assert state.broker[0].local_log_start_offset == 1
    assert is_served_remotely(state, 0, 0)


def test_a_segment_that_is_not_copied_is_not_removed_locally():
    assert not is_enabled(after(*START_COPYING, *begin_copy(0)), remove_locally(0)[0])


@pytest.mark.parametrize(
    ("step", "fence"),
    [
        (settings(False, False, False, False), "decides_on_remote_data"),
        (settings(True, True, False, False), "aligns_local_retention"),
    ],
)
def test_the_controller_rejects(step, fence):
    scope = SMALL.replace(all_settings=1)
    assert not is_enabled(after(scope=scope), step, scope=scope)
    assert is_enabled(after(scope=scope), step, DESIGN.without(fence), scope)


def test_a_copy_in_flight_outlives_its_cancellation():
    state = after(
        READ_ONLY,
        *START_COPYING,
        *begin_copy(0),
        *apply_settings(0),
        act("broker_stops_copying", broker=0),
        *finish_copy(0),
    )
    assert state.broker[0].copy_task == CopyTask.NONE
    assert told(state) == SegmentState.COPY_SEGMENT_FINISHED
    assert state.broker[0].highest_remote_offset == 0


def test_a_copy_chosen_before_its_cancellation_is_started_after_it():
    state = after(
        READ_ONLY,
        *START_COPYING,
        act("copy_task_chooses_segment", broker=0),
        *apply_settings(0),
        act("broker_stops_copying", broker=0),
        *apply_settings(1),
        act("copy_publishes_started", segment=0),
    )
    assert state.tiering == TieringState.READ_ONLY
    assert told(state) == SegmentState.COPY_SEGMENT_STARTED


def test_an_interrupted_copy_leaves_its_object_behind():
    state = after(
        READ_ONLY,
        *START_COPYING,
        *begin_copy(0),
        *apply_settings(0),
        act("broker_stops_copying", broker=0),
        act("copy_is_interrupted", segment=0),
    )
    assert told(state) == SegmentState.COPY_SEGMENT_STARTED
    assert state.segment[0].object_exists
    assert state.segment[0].copier == NONE


def test_a_copy_whose_task_goes_on_is_not_interrupted():
    state = after(*START_COPYING, *begin_copy(0))
    assert not is_enabled(state, act("copy_is_interrupted", segment=0))


def test_read_only_keeps_the_expiration_task():
    state = after(READ_ONLY, *apply_settings(0), act("broker_stops_copying", broker=0))
    assert state.broker[0].tiering == TieringState.READ_ONLY
    assert state.broker[0].expiration_task


def test_leadership_is_applied_before_the_settings_of_the_same_batch():
    state = after(DISABLE, ELECT_1, take_batch(1, 2))
    assert state.broker[1].presumed_leader == 1
    assert state.broker[1].publisher == PublisherStep.LEADERSHIP_APPLIED
    assert state.broker[1].copy_task == CopyTask.SCHEDULED
    assert state.broker[1].settings.remote_storage_enable


def test_the_disable_path_raises_the_log_start_and_deletes_everything():
    state = after(DISABLE, *COPIED, *remove_locally(0), *apply_settings(0), *delete_all(0))
    assert state.broker[0].log_start_offset == 1
    assert told(state) == SegmentState.DELETE_SEGMENT_FINISHED
    assert not state.segment[0].object_exists
    assert not state.broker[0].expiration_task
    assert not state.broker[0].is_metadata_assigned


def test_metadata_says_delete_before_any_object_goes():
    state = after(DISABLE, *COPIED, *apply_settings(0), *delete_up_to_objects(0))
    assert told(state) == SegmentState.DELETE_SEGMENT_STARTED
    assert state.segment[0].object_exists


def test_the_publisher_waits_for_its_removal_before_it_takes_the_next_batch():
    state = after(DISABLE, *COPIED, ENABLE, *apply_settings(0), *delete_up_to_objects(0))
    assert state.broker[0].publisher == PublisherStep.WAITING_FOR_REMOVAL
    assert not is_enabled(state, take_batch(0))


def test_a_refused_delete_on_disable_dangles_and_is_not_retried():
    state = after(
        DISABLE,
        *COPIED,
        *apply_settings(0),
        *delete_up_to_objects(0),
        act("store_fails_removal", broker=0, segment=0),
        act("broker_finishes_batch", broker=0),
        *FOLLOWER_DISABLES,
    )
    assert told(state) == SegmentState.DELETE_SEGMENT_STARTED
    assert state.segment[0].object_exists
    assert is_quiet_topic(state)


def test_a_dangling_delete_is_taken_up_when_the_topic_is_tiered_again():
    state = after(
        DISABLE,
        *COPIED,
        *apply_settings(0),
        *delete_up_to_objects(0),
        act("store_fails_removal", broker=0, segment=0),
        act("broker_finishes_batch", broker=0),
        ENABLE,
        *apply_settings(0),
        act("broker_starts_tasks", broker=0),
        *read(0, 3),
        *EXPIRE,
    )
    assert told(state) == SegmentState.DELETE_SEGMENT_FINISHED


def test_nobody_deletes_when_each_broker_disables_as_a_follower():
    state = after(
        DISABLE,
        ELECT_1,
        *COPIED,
        *FOLLOWER_DISABLES,
        *apply_settings(0, 2),
        act("broker_stops_partition", broker=0),
        take_batch(1),
    )
    assert state.tiering == TieringState.DISABLED
    assert is_quiet_topic(state)
    assert state.segment[0].object_exists


def test_a_late_copy_stores_its_object_after_the_delete():
    state = after(
        DISABLE,
        *START_COPYING,
        *begin_copy(0)[:3],
        *apply_settings(0),
        *delete_all(0),
        act("copy_stores_object", segment=0),
        act("copy_publishes_finished", segment=0),
    )
    assert state.segment[0].object_exists
    assert told(state) == SegmentState.DELETE_SEGMENT_FINISHED


TIERED_AGAIN = (
    ENABLE,
    *apply_settings(0),
    act("broker_starts_tasks", broker=0),
    *read(0, 4),
)


def test_a_topic_that_is_tiered_again_counts_deleted_segments_as_copied():
    steps = (DISABLE, *COPIED, *apply_settings(0), *delete_all(0), *TIERED_AGAIN, *START_COPYING)
    state = after(*steps)
    assert not is_enabled(state, act("copy_task_chooses_segment", broker=0))
    lost = after(*steps, *remove_locally(0))
    assert lost.broker[0].log_start_offset == 0
    assert lost.broker[0].local_log_start_offset == 1
    assert "no_committed_record_lost" in violated(lost)


def test_disabling_and_enabling_in_one_batch_is_no_change():
    state = after(DISABLE, *COPIED, ENABLE, *apply_settings(0, 2))
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert state.broker[0].copy_task == CopyTask.READY
    assert state.segment[0].object_exists


def test_settings_that_change_amid_a_local_deletion_give_up_the_remote_log():
    steps = (READ_ONLY, *COPIED, take_batch(0))
    race = act("broker_updates_log_config_amid_deletion", broker=0, reason=int(Reason.SIZE))
    state = after(*steps, race)
    assert state.broker[0].log_start_offset == 1
    assert "no_committed_record_lost" in violated(state)
    calm = after(*steps, act("broker_updates_log_config", broker=0))
    assert not is_enabled(calm, remove_locally(0)[0])


def test_a_log_that_has_segments_to_remove_is_not_looked_at_anew():
    state = after(*COPIED, remove_locally(0)[0])
    reasons = [
        act("broker_raises_start_to_delete", broker=0, reason=int(reason)) for reason in Reason
    ]
    assert not any(is_enabled(state, step) for step in reasons)


def test_a_restarted_broker_does_not_see_the_disable_as_a_change():
    state = after(DISABLE, *COPIED, ELECT_1, act("broker_restarts", broker=0))
    assert not state.broker[0].settings.remote_storage_enable
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert state.segment[0].object_exists


def test_a_restart_forgets_tasks_and_the_highest_remote_offset():
    state = after(*COPIED, ELECT_1, act("broker_restarts", broker=0))
    assert state.broker[0].highest_remote_offset == NONE
    assert state.broker[0].copy_task == CopyTask.NONE
    assert state.broker[0].presumed_leader == 1


def test_a_zombie_publishes_a_copy():
    state = after(*START_COPYING, *begin_copy(0), ELECT_1, take_batch(1), *finish_copy(0))
    assert state.broker[0].presumed_leader == 0
    assert state.elected_leader == 1
    assert told(state) == SegmentState.COPY_SEGMENT_FINISHED


def test_a_follower_learns_the_log_start_later():
    steps = (
        DISABLE,
        *COPIED,
        *remove_locally(0),
        *apply_settings(0),
        act("broker_raises_log_start", broker=0),
    )
    assert after(*steps).broker[1].log_start_offset == 0
    assert after(*steps, act("follower_fetches", follower=1)).broker[1].log_start_offset == 1


def test_a_leader_deletes_the_remote_log_of_a_deleted_topic_and_a_follower_drops_its_replica():
    state = after(
        *COPIED, act("user_deletes_topic"), take_batch(1), take_batch(0), *delete_all(0)[2:]
    )
    assert [b.presumed_leader for b in state.broker] == [NONE, NONE]
    assert not state.segment[0].object_exists


def test_a_fence_refuses_the_copy_of_a_zombie():
    design = DESIGN.with_variant("repair_fence_remote_metadata")
    steps = (*START_COPYING, *begin_copy(0), ELECT_1)
    state = after(*steps, design=design)
    assert not is_enabled(state, act("copy_publishes_finished", segment=0), design)
    refused = after(*steps, act("metadata_refuses_stale_copy", segment=0), design=design)
    assert refused.segment[0].copier == NONE
    assert told(refused) == SegmentState.COPY_SEGMENT_STARTED


def test_a_topic_that_forgets_deleted_offsets_copies_them_again():
    design = DESIGN.with_variant("repair_forget_deleted_offsets")
    steps = (DISABLE, *COPIED, *apply_settings(0), *delete_all(0), *TIERED_AGAIN, *START_COPYING)
    state = after(*steps, design=design)
    assert is_enabled(state, act("copy_task_chooses_segment", broker=0), design)
    assert not is_enabled(state, remove_locally(0)[0], design)


def test_the_text_leaves_the_deletion_to_the_expiration_task():
    design = DESIGN.with_variant("text_expiration_deletes")
    state = after(
        DISABLE,
        *COPIED,
        *remove_locally(0),
        *apply_settings(0),
        act("broker_raises_log_start", broker=0),
        act("broker_stops_partition", broker=0),
        *EXPIRE,
        *read(0),
        act("expiration_task_plans_old_epochs", broker=0),
        act("expiration_task_unregisters", broker=0),
        design=design,
    )
    assert not state.segment[0].object_exists
    assert not state.broker[0].expiration_task


def test_the_closed_design_is_not_enabled_again_before_all_have_disabled():
    design = DESIGN.with_variant("repair_all")
    steps = (
        DISABLE,
        *COPIED,
        *apply_settings(0),
        act("broker_cancels_tasks_first", broker=0),
        act("broker_stops_partition", broker=0),
    )
    assert not is_enabled(after(*steps, design=design), ENABLE, design)


def test_a_new_leader_of_a_disabled_topic_deletes_what_the_old_one_left():
    design = DESIGN.with_variant("repair_delete_until_nothing_is_left")
    steps = (
        DISABLE,
        ELECT_1,
        *COPIED,
        *FOLLOWER_DISABLES,
        take_batch(1),
        *read(1, 2),
    )
    state = after(*steps, design=design)
    assert state.broker[1].removal_list == {0}


def test_a_follower_that_is_not_tiered_does_not_build_on_the_remote_tier():
    scope = SMALL.replace(lost_disks=1)
    copied = (*COPIED, *remove_locally(0), *read(1, 2))
    lost, build = (
        act("broker_loses_disk", broker=1),
        act("follower_builds_on_remote_tier", follower=1),
    )
    assert is_enabled(after(*copied, lost, *read(1, 2), scope=scope), build, scope=scope)
    state = after(DISABLE, *copied, lost, scope=scope)
    assert not state.broker[1].settings.remote_storage_enable
    assert not is_enabled(state, build, scope=scope)


def test_all_repairs_compose_and_have_one_name():
    repairs = [variant.name for variant in SINGLE_REPAIRS]
    together = DESIGN.with_variant("repair_all")
    assert DESIGN.with_variants(*repairs).actions == together.actions


def test_the_registry_names_the_design():
    assert DESIGNS["kip950"] == "tierproof.model.designs.kip950:DESIGN"


@pytest.mark.parametrize("entry", DESIGN.checked, ids=lambda entry: entry.name)
def test_every_property_of_the_design_is_registered(entry):
    assert PROPERTIES[entry.name].function is entry.function


def every_action():
    """The design's, and those that readings and repairs of its own add."""
    added = [entry for variant in DESIGN.variants for entry in variant.added]
    added = [entry for entry in added if "kip950" in entry.effect.__module__]
    return (*DESIGN.actions, *added)


@pytest.mark.parametrize("entry", every_action(), ids=lambda entry: entry.name)
def test_every_action_says_who_acts_and_what_kafka_does(entry):
    assert entry.actor
    assert "Kafka:" in (entry.effect.__doc__ or "")
