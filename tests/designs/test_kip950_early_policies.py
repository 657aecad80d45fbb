"""What the two policies of the designs that disable in stages do, and what enabling again finds.

Early KRaft, early ZooKeeper and the appendix alike, unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from tests.designs.kip950_early_steps import (
    APPENDIX,
    BROKERS,
    DESIGNS,
    SCOPE,
    WITH_DISABLE_REMOTE_TOPIC,
    StagedWalk,
    copied,
)
from tests.designs.step_by_step import act
from tierproof.invariants.vocabulary import is_served_remotely, told_state
from tierproof.model.designs.kip950_early.state import FetchAnswer
from tierproof.model.kafka.local_retention import UNSET, Reason
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.tiered_state import (
    HANDLER,
    WATCH,
    DisableStep,
    Policy,
    TieredState,
    Tiering,
)
from tierproof.model.language import NONE

ENABLED, DISABLING, DISABLED = TieredState
RETAIN, DELETE = Policy

each_design = pytest.mark.parametrize("name", DESIGNS)


def told(walk: StagedWalk, segment: int = 0) -> SegmentState:
    """What the metadata topic says of a segment."""
    return SegmentState(told_state(walk.state, walk.state.metadata_end, segment))


def starts(walk: StagedWalk) -> tuple[int, int]:
    """The leader's log start and local log start."""
    return walk.broker().log_start_offset, walk.broker().local_log_start_offset


# -- retain: Remote Log Disablement Policy, Data Expiry


@each_design
def test_retain_cancels_copying_and_nothing_else(name):
    walk = copied(name).disables(RETAIN)
    thread = walk.begins_to_disable(0)
    assert walk.broker().copy_task == CopyTask.READY
    walk.does("thread_cancels_copy", broker=0, thread=thread)
    assert walk.broker().copy_task == CopyTask.NONE
    assert walk.broker().expiration_task
    assert walk.broker().is_metadata_assigned
    assert starts(walk) == (0, 1)


@each_design
def test_what_was_retained_is_read(name):
    walk = copied(name).completes_disable(RETAIN)
    walk.does("consumer_fetches", leader=0, offset=0).does("fetcher_reads_segment")
    assert walk.state.fetch.answer == FetchAnswer.RECORDS


@each_design
def test_retained_segments_expire_before_the_local_log(name):
    walk = copied(name).completes_disable(RETAIN).does("time_passes", ms=3)
    by_time = {"broker": 0, "reason": Reason.TIME}
    assert not walk.may("broker_raises_start_to_delete", **by_time)
    walk.expires_remotely(0)
    assert not walk.state.segment[0].object_exists
    assert starts(walk) == (1, 1)
    walk.drops_locally(reason=Reason.TIME)
    assert walk.broker().log_start_offset == 3
    assert walk.violated() == set()


@each_design
def test_local_retention_does_not_count_after_a_disable(name):
    walk = StagedWalk(name).begins_to_copy().copies(0)
    by_size = {"broker": 0, "reason": Reason.SIZE}
    assert walk.may("broker_raises_start_to_delete", **by_size)
    assert walk.broker().settings.local_retention_bytes == 1
    walk.completes_disable(RETAIN).does("time_passes", ms=1).expires_remotely(0)
    assert walk.broker().settings.local_retention_bytes == UNSET
    assert not walk.may("broker_raises_start_to_delete", **by_size)


@each_design
def test_a_copy_in_flight_is_finished_after_disabled(name):
    walk = StagedWalk(name).begins_to_copy().starts_copy(0).completes_disable(RETAIN)
    broken = walk.violated_by(act("copy_publishes_finished", segment=0))
    assert "disabled_topic_finishes_no_older_copy" in broken
    assert told(walk) == SegmentState.COPY_SEGMENT_FINISHED


# -- delete: Execution of RemoteLogManager#stopPartitions; DISABLING, on fetches


@each_design
def test_delete_moves_the_log_start_then_drains_then_deletes(name):
    walk = copied(name).disables(DELETE)
    given = {"broker": 0, "thread": walk.begins_to_disable(0)}
    assert walk.broker().log_start_offset == 0
    walk.does("thread_raises_log_start", **given)
    assert walk.broker().log_start_offset == walk.broker().local_log_start_offset == 1
    assert walk.broker().copy_task == CopyTask.READY
    walk.does("thread_drains_fetches", **given).does("thread_stops_partition", **given)
    assert (walk.broker().copy_task, walk.broker().expiration_task) == (CopyTask.NONE, False)
    assert walk.broker().removal_list == {0}
    assert told(walk) == SegmentState.COPY_SEGMENT_FINISHED
    walk.does("removal_publishes_delete_started", broker=0, segment=0).reads_metadata(0)
    walk.does("removal_goes_on_to_objects", broker=0)
    assert told(walk) == SegmentState.DELETE_SEGMENT_STARTED
    assert walk.state.segment[0].object_exists
    assert not walk.may("thread_ends_removal", **given)
    walk.removes(0).does("thread_ends_removal", **given)
    assert told(walk) == SegmentState.DELETE_SEGMENT_FINISHED
    assert not walk.state.segment[0].object_exists
    assert not walk.broker().is_metadata_assigned


@pytest.mark.parametrize("name", WITH_DISABLE_REMOTE_TOPIC)
def test_a_request_finds_nothing_left_to_delete_once_the_watch_has_deleted(name):
    walk = copied(name).disables(DELETE).reacts(0)
    told_before = walk.state.metadata_end
    walk.asks(0)
    assert walk.state.metadata_end == told_before
    assert starts(walk) == (1, 1)


@each_design
def test_a_follower_that_deletes_cancels_its_tasks_and_keeps_its_log_start(name):
    walk = copied(name).does("follower_task_finds_highest_remote_offset", follower=1)
    walk.drops_locally(1).disables(DELETE)
    thread = walk.begins_to_disable(1)
    assert walk.broker(1).follower_task
    assert walk.broker(1).local_log_start_offset == 1
    walk.runs(1, thread)
    assert not walk.broker(1).follower_task
    assert not walk.broker(1).is_metadata_assigned
    assert walk.broker(1).log_start_offset == 0
    assert walk.state.segment[0].object_exists
    assert told(walk) == SegmentState.COPY_SEGMENT_FINISHED


def fetched(name: str) -> tuple[StagedWalk, dict[str, int]]:
    """A fetch waits in the purgatory of a leader that has moved its log start past it."""
    walk = copied(name).does("consumer_fetches", leader=0, offset=0).disables(DELETE)
    given = {"broker": 0, "thread": walk.begins_to_disable(0)}
    return walk.does("thread_raises_log_start", **given), given


@each_design
def test_a_fetch_in_flight_is_drained(name):
    walk, given = fetched(name)
    walk.does("thread_drains_fetches", **given)
    assert walk.state.fetch.answer == FetchAnswer.OFFSET_OUT_OF_RANGE
    assert walk.state.fetch.broker == NONE
    assert not walk.may("consumer_fetches", leader=0, offset=0)


@each_design
def test_a_fetch_that_is_read_before_it_is_drained_returns_records(name):
    walk, given = fetched(name)
    walk.does("fetcher_reads_segment").does("thread_drains_fetches", **given)
    assert walk.state.fetch.answer == FetchAnswer.RECORDS


@each_design
def test_between_the_new_settings_and_the_new_log_start_a_reader_finds_nothing(name):
    walk = copied(name).disables(DELETE).learns(0)
    assert starts(walk) == (0, 1)
    assert not walk.may("consumer_fetches", leader=0, offset=0)
    assert "committed_records_stay_readable" in walk.violated()


# -- a policy that changes alone, or comes late: Exceptions has no answer to it


@each_design
@pytest.mark.parametrize("tiered_state", TieredState)
def test_the_policy_alone_may_change_in_every_state(name, tiered_state):
    walk = StagedWalk(name)
    if tiered_state == DISABLING:
        walk.disables(RETAIN)
    if tiered_state == DISABLED:
        walk.completes_disable(RETAIN)
    broken = walk.violated_by(act(walk.changes_policy, controller=0, policy=DELETE))
    assert walk.state.tiered_state == tiered_state
    assert walk.state.policy == DELETE
    assert ("policy_is_bound_to_the_tiered_epoch" in broken) == (tiered_state != ENABLED)


@pytest.mark.parametrize("name", WITH_DISABLE_REMOTE_TOPIC)
def test_a_watch_deletes_once_the_policy_of_a_disabled_topic_is_delete(name):
    walk = copied(name).completes_disable(RETAIN)
    walk.does(walk.changes_policy, controller=0, policy=DELETE).reacts(*BROKERS)
    assert not walk.state.segment[0].object_exists
    assert starts(walk) == (1, 1)


def test_without_a_request_the_appendix_leaves_a_remote_log_that_nobody_reads_or_deletes():
    walk = copied(APPENDIX.name).completes_disable(RETAIN)
    walk.does(walk.changes_policy, controller=0, policy=DELETE).reacts(*BROKERS)
    assert walk.state.segment[0].object_exists
    assert starts(walk) == (0, 1)
    assert "no_unreadable_prefix_without_remote" in walk.violated()


@pytest.mark.parametrize("name", WITH_DISABLE_REMOTE_TOPIC)
def test_after_a_request_that_outruns_its_settings_the_watch_deletes(name):
    walk = copied(name).disables(DELETE).asks(*BROKERS)
    walk.does("controller_completes", controller=0)
    assert walk.state.segment[0].object_exists
    walk.reacts(*BROKERS)
    assert not walk.state.segment[0].object_exists


def test_after_a_request_that_outruns_its_settings_the_appendix_never_deletes():
    walk = copied(APPENDIX.name).disables(DELETE).asks(*BROKERS)
    walk.does("controller_completes", controller=0).reacts(*BROKERS)
    assert walk.broker().tiering == Tiering.DELETED
    assert walk.state.segment[0].object_exists
    assert not walk.may_send(0)
    assert "no_unreadable_prefix_without_remote" in walk.violated()


# -- Re-enabling Tiered Storage, its three scenarios


@each_design
def test_scenario_1_after_delete_the_tiered_epoch_hides_what_was_there(name):
    walk = copied(name, 0, 1).completes_disable(DELETE)
    assert starts(walk) == (2, 2)
    walk.enables_everywhere().begins_to_copy()
    assert walk.state.metadata_end == walk.broker().metadata_position == 8
    assert set(walk.broker().cache.state) == {SegmentState.ABSENT}
    assert walk.broker().copied_offset == NONE
    walk.copies(2).drops_locally()
    assert [segment.tiered_epoch for segment in walk.state.segment] == [0, 0, 1]
    assert walk.state.segment[2].start_offset == 2
    assert starts(walk) == (2, 3)
    assert is_served_remotely(walk.state, 0, 2)
    assert walk.violated() == set()


def test_what_no_request_deleted_is_hidden_as_well():
    walk = copied(APPENDIX.name).disables(DELETE).asks(*BROKERS)
    walk.does("controller_completes", controller=0).reacts(*BROKERS)
    assert walk.broker().cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED
    walk.enables_everywhere()
    assert walk.broker().cache.state[0] == SegmentState.ABSENT
    assert walk.state.segment[0].object_exists


@each_design
def test_scenario_2_after_retain_and_expiry_copying_goes_on_at_the_log_start(name):
    walk = copied(name).completes_disable(RETAIN).does("time_passes", ms=1).expires_remotely(0)
    assert starts(walk) == (1, 1)
    walk.enables_everywhere().begins_to_copy().copies(1)
    assert walk.state.segment[1].start_offset == 1
    assert starts(walk) == (1, 1)
    assert walk.violated() == set()


@each_design
def test_scenario_3_after_retain_the_remote_log_is_served_and_copying_goes_on_behind_it(name):
    walk = copied(name).completes_disable(RETAIN).enables_everywhere().begins_to_copy()
    assert starts(walk) == (0, 1)
    assert walk.broker().copied_offset == 0
    walk.copies(1).drops_locally()
    assert walk.state.segment[1].start_offset == 1
    assert starts(walk) == (0, 2)
    assert is_served_remotely(walk.state, 0, 0)
    assert is_served_remotely(walk.state, 0, 1)
    assert walk.violated() == set()


@each_design
def test_scenario_3_says_that_the_remote_log_ends_one_past_the_local_start_and_it_does_not(name):
    walk = copied(name).completes_disable(RETAIN)
    assert starts(walk) == (0, 1)
    assert walk.state.segment[0].end_offset + 1 == walk.broker().local_log_start_offset
    assert walk.violated() == {"remote_log_ends_one_past_the_local_start"}


@each_design
def test_enabling_again_forgets_the_segments_but_not_that_they_were_copied(name):
    walk = (
        StagedWalk(name).begins_to_copy().copies(0).completes_disable(DELETE).enables_everywhere()
    )
    assert walk.broker().highest_remote_offset == 0
    walk.drops_locally()
    assert starts(walk) == (0, 1)
    assert "no_committed_record_lost" in walk.violated()


@each_design
def test_a_deletion_that_dangles_is_hidden_from_those_who_could_end_it(name):
    walk = copied(name, scope=SCOPE.replace(failed_deletes=1)).disables(DELETE)
    thread = walk.begins_to_disable(0)
    while walk.step(0, thread) != DisableStep.WAITING_FOR_REMOVAL:
        walk.goes_on(0, thread)
    walk.does("removal_publishes_delete_started", broker=0, segment=0).reads_metadata(0)
    walk.does("removal_goes_on_to_objects", broker=0)
    walk.does("store_fails_removal", broker=0, segment=0).runs(0, thread)
    if thread == HANDLER:
        walk.does("broker_answers", broker=0)
        walk.does("controller_hears_answer", controller=0, broker=0)
    else:
        walk.asks(0)
    walk.reacts(1).asks(1).does("controller_completes", controller=0).enables_everywhere()
    assert told(walk) == SegmentState.DELETE_SEGMENT_STARTED
    assert walk.state.segment[0].object_exists
    assert not walk.may("expiration_task_plans_retention", broker=0)
    assert "every_object_is_tracked" in walk.violated()


# -- Failure Modes: brokers that restart, or are removed


def leader_restarted(name: str) -> StagedWalk:
    """The leader, alone in sync, has crashed in DISABLING, and leads again."""
    scope = SCOPE.replace(restarts=3)
    walk = copied(name, scope=scope).does("broker_restarts", broker=1).disables(DELETE)
    return walk.does("lone_leader_restarts", broker=0)


@each_design
def test_a_broker_that_restarts_in_disabling_has_nothing_to_learn_and_answers(name):
    walk = copied(name).disables(DELETE).reacts(0).asks(0).sends(1).executes()
    walk.does("broker_restarts", broker=1)
    assert walk.step(1, WATCH) == walk.step(1, HANDLER) == DisableStep.IDLE
    assert walk.broker(1).tiering == Tiering.DELETED
    assert not walk.broker(1).follower_task
    assert walk.may_send(1), "what it had in hand is gone"
    walk.asks(1).does("controller_completes", controller=0)
    assert walk.broker(1).position == walk.state.cluster_end
    assert walk.state.tiered_state == DISABLED


@each_design
def test_a_leader_that_restarts_in_disabling_knows_of_nothing_to_delete(name):
    walk = leader_restarted(name)
    assert starts(walk) == (1, 1)
    assert not walk.broker().is_metadata_assigned
    walk.reacts(1).asks(*BROKERS).does("controller_completes", controller=0)
    assert told(walk) == SegmentState.COPY_SEGMENT_FINISHED
    assert walk.state.segment[0].object_exists


@each_design
def test_the_policy_alone_brings_back_what_the_tiered_epoch_hides(name):
    walk = leader_restarted(name).reacts(1).asks(*BROKERS)
    walk.does("controller_completes", controller=0).enables_everywhere()
    assert walk.broker(1).cache.state[0] == SegmentState.ABSENT
    walk.does(walk.changes_policy, controller=0, policy=RETAIN)
    walk.does("broker_restarts", broker=1).reads_metadata(1)
    assert walk.broker(1).cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED
    assert "older_tiered_epochs_are_invisible" in walk.violated()


@each_design
def test_the_policy_alone_hides_what_was_retained(name):
    walk = copied(name).completes_disable(RETAIN).enables_everywhere()
    walk.does(walk.changes_policy, controller=0, policy=DELETE)
    walk.does("broker_restarts", broker=1).reads_metadata(1)
    assert walk.broker(0).cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED
    assert walk.broker(1).cache.state[0] == SegmentState.ABSENT


@each_design
def test_a_removed_broker_never_answers_and_the_controller_waits_for_ever(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(0)
    walk.does("operator_removes_broker", broker=1).asks(0).sends(1)
    assert not walk.may("broker_executes_request", **walk.delivery(0))
    assert walk.state.controller[0].unanswered == {1}
    assert not walk.may("controller_completes", controller=0)


@each_design
def test_a_new_controller_does_not_ask_a_broker_that_was_removed(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(0)
    walk.does("operator_removes_broker", broker=1).fails_over()
    assert walk.state.controller[1].unanswered == {0}
    walk.asks(0, controller=1).does("controller_completes", controller=1)
    assert walk.state.tiered_state == DISABLED
