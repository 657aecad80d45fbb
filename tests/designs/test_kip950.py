"""What KIP-950 does, by name: behaviours replayed step by step in CPython."""

import pytest

from invariants import PROPERTIES
from invariants.vocabulary import is_quiet
from model.designs import DESIGNS
from model.designs.kip950 import DESIGN
from model.designs.kip950.state import PublisherStep
from model.kafka.remote_log_task import CopyTask
from model.kafka.remote_segment import SegmentState
from model.kafka.topic_config import TieringState
from model.language import NONE, Interpreter
from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ENABLE,
    LONGER,
    OTHER_DISABLES,
    READ_ONLY,
    SMALL,
    START_COPYING,
    act,
    after,
    apply_settings,
    begin_copy,
    delete_all,
    delete_up_to_objects,
    finish_copy,
    is_enabled,
    settings,
)


def test_a_segment_is_copied_deleted_locally_and_read_from_remote():
    state = after(*COPIED, act("broker_deletes_copied_segment", broker=0))
    assert state.broker[0].log_start_offset == 0
    assert state.broker[0].local_log_start_offset == 1
    assert state.serving[0] == 0
    assert state.segment[0].object_exists


def test_a_segment_that_is_not_copied_is_not_deleted_locally():
    state = after(*START_COPYING, *begin_copy(0))
    assert not is_enabled(state, act("broker_deletes_copied_segment", broker=0))


def test_disabling_without_deleting_is_rejected():
    step = settings(False, False, False, False)
    scope = SMALL.replace(all_settings=1)
    assert not is_enabled(after(scope=scope), step, scope=scope)
    ablated = DESIGN.without("decides_on_remote_data")
    assert is_enabled(after(scope=scope), step, ablated, scope)


def test_read_only_with_a_different_local_retention_is_rejected():
    step = settings(True, True, False, False)
    scope = SMALL.replace(all_settings=1)
    assert not is_enabled(after(scope=scope), step, scope=scope)
    ablated = DESIGN.without("aligns_local_retention")
    assert is_enabled(after(scope=scope), step, ablated, scope)


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
    assert state.segment[0].state == SegmentState.COPY_SEGMENT_FINISHED
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
    assert state.segment[0].state == SegmentState.COPY_SEGMENT_STARTED


def test_an_interrupted_copy_leaves_its_object_behind():
    state = after(
        READ_ONLY,
        *START_COPYING,
        *begin_copy(0),
        *apply_settings(0),
        act("broker_stops_copying", broker=0),
        act("copy_is_interrupted", segment=0),
    )
    assert state.segment[0].state == SegmentState.COPY_SEGMENT_STARTED
    assert state.segment[0].object_exists
    assert state.segment[0].copier == NONE


def test_read_only_keeps_the_expiration_task():
    state = after(READ_ONLY, *apply_settings(0), act("broker_stops_copying", broker=0))
    assert state.broker[0].tiering == TieringState.READ_ONLY
    assert state.broker[0].expiration_task


def test_leadership_is_applied_before_the_settings_of_the_same_batch():
    state = after(
        DISABLE,
        act("controller_elects_leader", broker=1),
        act("broker_applies_leadership", broker=1, records=2),
    )
    assert state.broker[1].presumed_leader == 1
    assert state.broker[1].publisher == PublisherStep.LEADERSHIP_APPLIED
    assert state.broker[1].copy_task == CopyTask.SCHEDULED
    assert state.broker[1].settings.remote_storage_enable


def test_the_disable_path_raises_the_log_start_and_deletes_everything():
    state = after(
        DISABLE,
        *COPIED,
        act("broker_deletes_copied_segment", broker=0),
        *apply_settings(0),
        *delete_all(0),
    )
    assert state.broker[0].log_start_offset == 1
    assert state.segment[0].state == SegmentState.DELETE_SEGMENT_FINISHED
    assert not state.segment[0].object_exists
    assert not state.broker[0].expiration_task


def test_metadata_says_delete_before_any_object_goes():
    state = after(DISABLE, *COPIED, *apply_settings(0), *delete_up_to_objects(0))
    assert state.segment[0].state == SegmentState.DELETE_SEGMENT_STARTED
    assert state.segment[0].object_exists
    assert state.serving[0] == NONE


def test_a_refused_delete_on_disable_dangles_and_is_not_retried():
    state = after(
        DISABLE,
        *COPIED,
        *apply_settings(0),
        *delete_up_to_objects(0),
        act("store_fails_delete_on_disable", broker=0),
        *OTHER_DISABLES,
    )
    assert state.segment[0].state == SegmentState.DELETE_SEGMENT_STARTED
    assert state.segment[0].object_exists
    assert is_quiet(state)


def test_a_dangling_delete_is_taken_up_when_the_topic_is_tiered_again():
    state = after(
        DISABLE,
        *COPIED,
        *apply_settings(0),
        *delete_up_to_objects(0),
        act("store_fails_delete_on_disable", broker=0),
        ENABLE,
        *apply_settings(0),
        act("broker_starts_tasks", broker=0),
        act("expiration_task_publishes_delete_started", broker=0, segment=0),
        act("expiration_deletes_object", broker=0),
        act("expiration_publishes_delete_finished", broker=0),
    )
    assert state.segment[0].state == SegmentState.DELETE_SEGMENT_FINISHED


def test_nobody_deletes_when_each_broker_disables_as_a_follower():
    state = after(
        DISABLE,
        act("controller_elects_leader", broker=1),
        *COPIED,
        *OTHER_DISABLES,
        act("broker_applies_leadership", broker=0, records=2),
        act("broker_updates_log_config", broker=0),
        act("broker_stops_tasks", broker=0),
        act("broker_applies_leadership", broker=1, records=1),
    )
    assert is_quiet(state)
    assert state.tiering == TieringState.DISABLED
    assert state.segment[0].state == SegmentState.COPY_SEGMENT_FINISHED
    assert state.segment[0].object_exists


def test_a_late_copy_stores_its_object_after_the_delete():
    state = after(
        DISABLE,
        *START_COPYING,
        act("copy_task_chooses_segment", broker=0),
        act("copy_publishes_started", segment=0),
        *apply_settings(0),
        *delete_all(0),
        act("copy_stores_object", segment=0),
        act("copy_publishes_finished", segment=0),
    )
    assert state.segment[0].object_exists
    assert state.segment[0].state == SegmentState.DELETE_SEGMENT_FINISHED


def test_a_topic_that_is_tiered_again_counts_deleted_segments_as_copied():
    steps = (
        DISABLE,
        *COPIED,
        *apply_settings(0),
        *delete_all(0),
        ENABLE,
        *apply_settings(0),
        act("broker_starts_tasks", broker=0),
        *START_COPYING,
    )
    state = after(*steps)
    assert not is_enabled(state, act("copy_task_chooses_segment", broker=0))
    lost = after(*steps, act("broker_deletes_copied_segment", broker=0))
    assert lost.serving[0] == NONE
    assert lost.broker[0].log_start_offset == 0
    assert lost.broker[0].local_log_start_offset == 1


def test_disabling_and_enabling_in_one_batch_is_no_change():
    state = after(
        DISABLE,
        *COPIED,
        ENABLE,
        act("broker_applies_leadership", broker=0, records=2),
        act("broker_updates_log_config", broker=0),
    )
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert state.broker[0].copy_task == CopyTask.READY
    assert state.segment[0].object_exists


def test_a_restarted_broker_does_not_see_the_disable_as_a_change():
    state = after(
        DISABLE,
        *COPIED,
        act("controller_elects_leader", broker=1),
        act("broker_restarts", broker=0),
    )
    assert not state.broker[0].settings.remote_storage_enable
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert state.segment[0].object_exists


def test_a_restart_forgets_tasks_and_the_highest_remote_offset():
    state = after(
        *COPIED, act("controller_elects_leader", broker=1), act("broker_restarts", broker=0)
    )
    assert state.broker[0].highest_remote_offset == NONE
    assert state.broker[0].copy_task == CopyTask.NONE
    assert state.broker[0].presumed_leader == 1


def test_a_zombie_publishes_a_copy():
    state = after(
        *START_COPYING,
        *begin_copy(0),
        act("controller_elects_leader", broker=1),
        act("broker_applies_leadership", broker=1, records=1),
        act("copy_publishes_finished", segment=0),
    )
    assert state.broker[0].presumed_leader == 0
    assert state.elected_leader == 1
    assert state.serving[0] == 0


def test_a_late_copy_of_an_earlier_offset_hides_the_one_before_it():
    state = after(
        *START_COPYING,
        *begin_copy(0),
        act("controller_elects_leader", broker=1),
        act("broker_applies_leadership", broker=1, records=1),
        act("copy_task_finds_log_start", broker=1),
        act("copy_task_finds_highest_remote_offset", broker=1),
        *begin_copy(1, broker=1),
        *finish_copy(1),
        *begin_copy(2, broker=1),
        *finish_copy(2),
        act("copy_publishes_finished", segment=0),
        scope=LONGER,
    )
    assert state.serving[0] == 0
    assert state.segment[1].state == SegmentState.COPY_SEGMENT_FINISHED
    assert state.segment[1].object_exists
    assert not state.segment[1].is_listed


def test_expiration_raises_the_log_start_before_it_deletes():
    state = after(
        *START_COPYING,
        *begin_copy(0),
        *finish_copy(0),
        act("time_expires_segment"),
        scope=LONGER,
    )
    deletes = act("expiration_task_publishes_delete_started", broker=0, segment=0)
    assert not is_enabled(state, deletes, scope=LONGER)
    raised = Interpreter(DESIGN, LONGER).take(
        state, act("expiration_task_raises_log_start", broker=0)
    )
    assert is_enabled(raised, deletes, scope=LONGER)


def test_a_follower_learns_the_log_start_later():
    steps = (
        *COPIED,
        act("follower_task_finds_highest_remote_offset", broker=1),
        act("broker_deletes_copied_segment", broker=0),
        DISABLE,
        *apply_settings(0),
        act("broker_raises_log_start", broker=0),
    )
    assert after(*steps).broker[1].log_start_offset == 0
    assert after(*steps, act("follower_learns_log_start", broker=1)).broker[1].log_start_offset == 1


def test_a_fence_refuses_the_copy_of_a_zombie():
    design = DESIGN.with_variant("repair_fence_remote_metadata")
    steps = (*START_COPYING, *begin_copy(0), act("controller_elects_leader", broker=1))
    state = after(*steps, design=design)
    assert not is_enabled(state, act("copy_publishes_finished", segment=0), design)
    refused = after(*steps, act("metadata_refuses_copy", segment=0), design=design)
    assert refused.segment[0].copier == NONE
    assert refused.serving[0] == NONE


def test_a_topic_that_forgets_deleted_offsets_copies_them_again():
    design = DESIGN.with_variant("repair_forget_deleted_offsets")
    state = after(
        DISABLE,
        act("copy_task_finds_log_start", broker=0),
        act("copy_task_finds_highest_served_offset", broker=0),
        *begin_copy(0),
        act("copy_publishes_finished", segment=0),
        act("copy_records_served_progress", segment=0),
        *apply_settings(0),
        act("broker_raises_log_start", broker=0),
        act("broker_stops_tasks_and_forgets", broker=0),
        act("broker_lists_remote_segments", broker=0),
        act("broker_publishes_delete_started", broker=0),
        act("broker_deletes_object", broker=0),
        act("broker_publishes_delete_finished", broker=0),
        ENABLE,
        *apply_settings(0),
        act("broker_starts_tasks", broker=0),
        act("copy_task_finds_log_start", broker=0),
        act("copy_task_finds_highest_served_offset", broker=0),
        design=design,
    )
    assert is_enabled(state, act("copy_task_chooses_segment", broker=0), design)
    assert not is_enabled(state, act("broker_deletes_copied_segment", broker=0), design)


def test_the_text_leaves_the_deletion_to_the_expiration_task():
    design = DESIGN.with_variant("text_expiration_deletes")
    state = after(
        DISABLE,
        *COPIED,
        act("broker_deletes_copied_segment", broker=0),
        *apply_settings(0),
        act("broker_raises_log_start", broker=0),
        act("broker_stops_copying_only", broker=0),
        act("expiration_task_publishes_delete_started", broker=0, segment=0),
        act("expiration_deletes_object", broker=0),
        act("expiration_publishes_delete_finished", broker=0),
        act("expiration_task_unregisters", broker=0),
        design=design,
    )
    assert not state.segment[0].object_exists
    assert not state.broker[0].expiration_task


def test_the_registry_names_the_design():
    assert DESIGNS["kip950"] == "model.designs.kip950:DESIGN"


@pytest.mark.parametrize("entry", DESIGN.checked, ids=lambda entry: entry.name)
def test_every_property_of_the_design_is_registered(entry):
    assert PROPERTIES[entry.name] is entry


@pytest.mark.parametrize("entry", DESIGN.actions, ids=lambda entry: entry.name)
def test_every_action_says_who_acts_what_kafka_does_and_what_is_left_out(entry):
    text = entry.effect.__doc__
    assert text is not None
    for heading in ("**Who**:", "**Kafka**:", "**Left out**:"):
        assert heading in text
