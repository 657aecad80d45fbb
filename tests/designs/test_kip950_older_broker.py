"""A broker of Kafka 3.6 to 3.8 beside a controller of 3.9: what it does with KIP-950's settings."""

from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ELECT_1,
    ENABLE,
    FOLLOWER_DISABLES,
    READ_ONLY,
    SMALL,
    START_COPYING,
    after,
    apply_settings,
    begin_copy,
    is_enabled,
    remove_locally,
    settings,
    take_batch,
    violated,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.language import NONE

MIXED = DESIGN.with_variant("kafka_3_8_broker")
GATED = MIXED.with_variant("repair_refuse_while_brokers_are_older")
OLDER_APPLIES = (take_batch(0), act("older_broker_updates_log_config", broker=0))
UPGRADE = act("broker_restarts", broker=0)
DISABLE_IGNORED = (*COPIED, *remove_locally(0), DISABLE, *OLDER_APPLIES)


def test_the_first_leader_is_older_and_the_follower_is_not():
    state = after(DISABLE, take_batch(0), take_batch(1), design=MIXED)
    assert is_enabled(state, act("older_broker_updates_log_config", broker=0), MIXED)
    assert not is_enabled(state, act("broker_updates_log_config", broker=0), MIXED)
    assert not is_enabled(state, act("older_broker_updates_log_config", broker=1), MIXED)
    assert is_enabled(state, act("broker_updates_log_config", broker=1), MIXED)


def test_an_older_leader_keeps_its_tasks_and_its_log_start_when_the_topic_is_disabled():
    state = after(*DISABLE_IGNORED, design=MIXED)
    leader = state.broker[0]
    assert not leader.settings.remote_storage_enable
    assert (leader.log_start_offset, leader.local_log_start_offset) == (0, 1)
    assert leader.copy_task != CopyTask.NONE
    assert leader.expiration_task
    assert state.segment[0].object_exists


def test_offsets_of_the_remote_tier_are_promised_and_not_served_by_an_older_leader():
    assert "no_unreadable_prefix_without_remote" in violated(
        after(*DISABLE_IGNORED, design=MIXED), MIXED
    )


def test_an_older_leader_does_not_know_that_copying_is_disabled():
    state = after(READ_ONLY, *OLDER_APPLIES, *apply_settings(1), design=MIXED)
    assert not state.broker[0].settings.remote_log_copy_disable
    assert state.broker[0].copy_task != CopyTask.NONE
    assert is_enabled(state, START_COPYING[0], MIXED)


def test_an_older_leader_refuses_no_settings():
    scope = SMALL.replace(all_settings=1)
    keep = settings(False, False, False, False)
    steps = (DISABLE, keep, take_batch(0, 2))
    older = act("older_broker_updates_log_config", broker=0)
    assert is_enabled(after(*steps, design=MIXED, scope=scope), older, MIXED, scope)
    refusal = act("broker_refuses_settings", broker=0)
    assert not is_enabled(after(*steps, design=MIXED, scope=scope), refusal, MIXED, scope)
    assert is_enabled(after(*steps, scope=scope), refusal, scope=scope)


def test_an_older_leader_schedules_tasks_when_the_topic_is_tiered_again():
    again = (ENABLE, take_batch(0), act("older_broker_updates_log_config", broker=0))
    state = after(DISABLE, *OLDER_APPLIES, *FOLLOWER_DISABLES, *again, design=MIXED)
    assert is_enabled(state, act("broker_starts_tasks", broker=0), MIXED)


def test_the_task_of_an_older_leader_goes_on_after_another_broker_leads():
    steps = (*DISABLE_IGNORED, *FOLLOWER_DISABLES, ELECT_1, take_batch(0), take_batch(1))
    state = after(*steps, design=MIXED)
    assert state.broker[0].presumed_leader == 1
    assert state.broker[0].copy_task != CopyTask.NONE
    assert state.broker[0].expiration_task


def test_after_its_upgrade_the_broker_has_no_task_and_the_object_stays():
    steps = (*DISABLE_IGNORED, *FOLLOWER_DISABLES, ELECT_1, UPGRADE, take_batch(1))
    state = after(*steps, design=MIXED)
    assert state.broker[0].copy_task == CopyTask.NONE
    assert not state.broker[0].is_metadata_assigned
    assert state.broker[0].log_start_offset == state.broker[0].local_log_start_offset
    assert state.segment[0].object_exists


def test_an_upgraded_broker_applies_the_settings_as_every_other():
    state = after(ELECT_1, UPGRADE, take_batch(1), DISABLE, take_batch(0), design=MIXED)
    assert is_enabled(state, act("broker_updates_log_config", broker=0), MIXED)
    assert not is_enabled(state, act("older_broker_updates_log_config", broker=0), MIXED)


def test_only_the_older_broker_restarts_for_an_upgrade():
    assert not is_enabled(after(design=MIXED), act("broker_restarts", broker=1), MIXED)
    assert is_enabled(after(design=DESIGN), act("broker_restarts", broker=1))


def test_a_gated_controller_refuses_the_settings_until_every_broker_is_upgraded():
    for change in (DISABLE, READ_ONLY):
        assert is_enabled(after(design=MIXED), change, MIXED)
        assert not is_enabled(after(design=GATED), change, GATED)
        upgraded = after(ELECT_1, UPGRADE, take_batch(1), design=GATED)
        assert is_enabled(upgraded, change, GATED)


def test_without_an_older_broker_the_gate_refuses_nothing():
    design = DESIGN.with_variant("repair_refuse_while_brokers_are_older")
    assert is_enabled(after(design=design), DISABLE, design)


def test_a_copy_begins_after_every_broker_has_applied_the_disable():
    state = after(
        DISABLE, *OLDER_APPLIES, *FOLLOWER_DISABLES, *START_COPYING, *begin_copy(0), design=MIXED
    )
    assert state.segment[0].object_exists
    assert state.segment[0].copier != NONE
