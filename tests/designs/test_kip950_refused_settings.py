"""Settings that a broker refuses: several changes, each accepted, whose sum is not.

The controller compares each change with the one before, a broker the newest with its log's.
"""

from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ELECT_1,
    ENABLE,
    READ_ONLY,
    after,
    apply_settings,
    begin_copy,
    delete_up_to_objects,
    is_enabled,
    remove_locally,
    settings,
    take_batch,
    violated,
)
from tests.designs.step_by_step import act
from tierproof.invariants.vocabulary import is_served_remotely
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.designs.kip950.state import PublisherStep
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import Step

ALONE = DESIGN.scope("two_changes").replace(
    segment_ids=2, metadata_records=8, config_changes=3, racing_deletions=1
)
TWO = ALONE.replace(brokers=2, elections=1, unapplied_records=3)
KEEP = settings(False, False, False, False)
"""remote.log.delete.on.disable is false again, and the topic stays disabled."""
RESTART = act("lone_leader_restarts", broker=0)


def refuse(broker: int, records: int = 2) -> tuple[Step, ...]:
    """A broker takes several changes in one batch, and refuses their sum."""
    return (take_batch(broker, records), act("broker_refuses_settings", broker=broker))


REFUSED = (DISABLE, KEEP, *refuse(0))


def test_the_controller_accepts_both_changes():
    state = after(DISABLE, KEEP, scope=ALONE)
    assert state.tiering == TieringState.DISABLED
    assert not state.settings.remote_log_delete_on_disable


def test_a_log_refuses_a_sum_that_disables_without_delete():
    state = after(DISABLE, KEEP, take_batch(0, 2), scope=ALONE)
    race = act("broker_updates_log_config_amid_deletion", broker=0, reason=int(Reason.SIZE))
    assert not is_enabled(state, act("broker_updates_log_config", broker=0), scope=ALONE)
    assert not is_enabled(state, race, scope=ALONE)
    assert is_enabled(state, act("broker_refuses_settings", broker=0), scope=ALONE)


def test_a_log_that_refuses_keeps_its_settings_and_its_tasks():
    before, state = after(scope=ALONE), after(*REFUSED, scope=ALONE)
    assert state.broker[0].settings == before.broker[0].settings
    assert state.broker[0].tiering == TieringState.ENABLED
    assert state.broker[0].copy_task == CopyTask.SCHEDULED
    assert state.broker[0].expiration_task


def test_a_batch_that_is_refused_counts_as_applied():
    state = after(*REFUSED, scope=ALONE)
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert (state.broker[0].batch, state.cluster_end) == (0, 0)


def test_one_by_one_the_same_changes_are_applied():
    state = after(DISABLE, KEEP, *apply_settings(0), scope=ALONE)
    assert state.broker[0].publisher == PublisherStep.RAISING_LOG_START
    both = after(
        *(DISABLE, KEEP, *apply_settings(0)),
        *(act("broker_raises_log_start", broker=0), act("broker_stops_partition", broker=0)),
        *apply_settings(0),
        scope=ALONE,
    )
    assert not both.broker[0].settings.remote_storage_enable
    assert both.broker[0].copy_task == CopyTask.NONE


def test_settings_that_come_one_by_one_are_never_refused():
    state = after(DISABLE, KEEP, take_batch(0), scope=ALONE)
    assert not is_enabled(state, act("broker_refuses_settings", broker=0), scope=ALONE)


def test_a_read_only_log_refuses_as_well():
    state = after(READ_ONLY, *apply_settings(0), scope=ALONE)
    assert state.broker[0].publisher == PublisherStep.STOPPING_COPY
    steps = (READ_ONLY, *apply_settings(0), act("broker_stops_copying", broker=0), DISABLE, KEEP)
    state = after(*steps, *refuse(0), scope=ALONE)
    assert state.broker[0].tiering == TieringState.READ_ONLY
    assert state.broker[0].expiration_task


def test_a_leader_that_refused_copies_on_and_serves_the_remote_tier():
    state = after(*REFUSED, *COPIED, *remove_locally(0), scope=ALONE)
    assert state.tiering == TieringState.DISABLED
    assert is_served_remotely(state, 0, 0)
    assert "disabled_topic_has_no_tasks" in violated(state, scope=ALONE)
    assert "no_committed_record_lost" not in violated(state, scope=ALONE)


def test_what_a_leader_copies_after_it_refused_is_lost_in_its_restart():
    state = after(*REFUSED, *COPIED, *remove_locally(0), RESTART, scope=ALONE)
    assert not state.broker[0].settings.remote_storage_enable
    assert state.broker[0].log_start_offset == 1
    assert "no_committed_record_lost" in violated(state, scope=ALONE)


def test_after_the_restart_nobody_deletes_the_objects():
    state = after(*REFUSED, *COPIED, RESTART, scope=ALONE)
    assert state.broker[0].log_start_offset == 0
    assert state.segment[0].object_exists
    assert not state.broker[0].expiration_task
    assert "disabled_topic_leaves_no_objects" in violated(state, scope=ALONE)


def test_the_restart_of_a_leader_that_refused_nothing_loses_nothing():
    disabled = (
        *(DISABLE, *apply_settings(0), act("broker_raises_log_start", broker=0)),
        act("broker_stops_partition", broker=0),
        *(KEEP, *apply_settings(0)),
    )
    state = after(*disabled, RESTART, scope=ALONE)
    assert state.broker[0].log_start_offset == 0
    assert violated(state, scope=ALONE) == set()


def test_what_was_only_remote_when_a_leader_refused_may_be_lost():
    removed = (*COPIED, *remove_locally(0))
    for steps in ((*removed, DISABLE, KEEP, *refuse(0)), (DISABLE, KEEP, *removed, *refuse(0))):
        state = after(*steps, RESTART, scope=ALONE)
        assert state.broker[0].log_start_offset == 1
        assert "no_committed_record_lost" not in violated(state, scope=ALONE)


def test_a_later_change_that_asks_for_the_deletion_is_applied():
    state = after(*REFUSED, *COPIED, DISABLE, *apply_settings(0), scope=ALONE)
    assert state.broker[0].publisher == PublisherStep.RAISING_LOG_START
    deleting = after(
        *(*REFUSED, *COPIED, DISABLE, *apply_settings(0), *delete_up_to_objects(0)), scope=ALONE
    )
    assert deleting.broker[0].removal_list == {0}


def test_a_topic_that_is_tiered_again_goes_on_where_its_leader_was():
    state = after(*REFUSED, *COPIED, ENABLE, *apply_settings(0), scope=ALONE)
    assert state.broker[0].publisher == PublisherStep.IDLE
    assert state.broker[0].copy_task == CopyTask.READY
    assert violated(state, scope=ALONE) == set()


def test_the_leadership_of_a_batch_is_applied_though_its_settings_are_refused():
    state = after(DISABLE, KEEP, ELECT_1, *refuse(1, 3), scope=TWO)
    assert state.broker[1].presumed_leader == 1
    assert state.broker[1].copy_task == CopyTask.SCHEDULED
    assert state.broker[1].settings.remote_storage_enable


def test_one_broker_refuses_what_another_has_applied():
    follower = (*apply_settings(1), act("broker_stops_partition", broker=1), *apply_settings(1))
    state = after(DISABLE, KEEP, *refuse(0), *follower, scope=TWO)
    assert state.broker[0].settings.remote_storage_enable
    assert not state.broker[1].settings.remote_storage_enable


def test_a_leader_that_refused_starts_copies_after_every_broker_has_read_the_disable():
    state = after(*REFUSED, *COPIED[:2], *begin_copy(0)[:1], scope=ALONE)
    assert state.cluster_end == 0
    assert is_enabled(state, act("copy_publishes_started", segment=0), scope=ALONE)


def test_a_design_that_applies_settings_one_by_one_refuses_none():
    design = DESIGN.with_variant("repair_apply_settings_one_by_one")
    state = after(DISABLE, KEEP, scope=ALONE, design=design)
    assert not is_enabled(state, take_batch(0, 2), design, ALONE)
    assert is_enabled(state, take_batch(0), design, ALONE)
