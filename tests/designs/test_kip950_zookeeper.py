"""What ZooKeeper adds to disabling in stages: two ZNodes, a watch; and StopReplica v5.

The first part holds of the early proposal and of the appendix; the rest is the appendix's.
"""

from __future__ import annotations

import pytest

from tests.designs.kip950_early_steps import (
    APPENDIX,
    BROKERS,
    WITH_ZOOKEEPER,
    StagedWalk,
    copied,
    enabled_again_with_a_request_on_its_way,
)
from tierproof.model.designs.kip950_early import ZOOKEEPER
from tierproof.model.kafka.remote_log_task import CopyTask
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
CONTROLLERS = range(2)

with_zookeeper = pytest.mark.parametrize("name", WITH_ZOOKEEPER)


# -- config ZNode, then topics ZNode: Disablement, 2b and 2c


@with_zookeeper
def test_settings_are_written_before_the_tiered_state(name):
    walk = StagedWalk(name).writes_settings(False, RETAIN)
    assert walk.state.tiering == Tiering.RETAINED
    assert (walk.state.tiered_state, walk.state.tiered_epoch) == (ENABLED, 0)
    assert not walk.may_send(0), "the intent is not in the queue"
    walk.does("controller_writes_tiered_state", controller=0)
    assert (walk.state.tiered_state, walk.state.tiered_epoch) == (DISABLING, 1)
    assert walk.may_send(0)


@with_zookeeper
def test_a_broker_may_read_the_settings_of_a_disable_and_the_tiered_epoch_before_it(name):
    walk = StagedWalk(name).writes_settings(False, RETAIN).reacts(0)
    assert (walk.broker().tiering, walk.broker().tiered_epoch) == (Tiering.RETAINED, 0)
    assert not walk.may("broker_reads_settings", broker=0)
    walk.does("controller_writes_tiered_state", controller=0).reacts(0)
    assert (walk.broker().tiering, walk.broker().tiered_epoch) == (Tiering.RETAINED, 1)


@with_zookeeper
def test_a_broker_may_read_both_writes_at_once(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(1)
    assert (walk.broker(1).tiering, walk.broker(1).tiered_epoch) == (Tiering.RETAINED, 1)
    assert not walk.may("broker_reads_settings", broker=1)


def test_the_watch_of_the_early_text_disables_before_the_topic_is_disabling():
    walk = copied(ZOOKEEPER.name).writes_settings(False, DELETE).reacts(0)
    assert walk.state.tiered_state == ENABLED
    assert not walk.state.segment[0].object_exists


@with_zookeeper
def test_a_broker_may_copy_again_before_the_topic_is_enabled(name):
    walk = StagedWalk(name).completes_disable(RETAIN).writes_settings(True, RETAIN).reacts(0)
    assert walk.state.tiered_state == DISABLED
    assert walk.broker().copy_task == CopyTask.SCHEDULED


# -- controllers between the two writes


def died_between_two_writes(name: str) -> StagedWalk:
    """The controller that disables with delete is gone before it has written the tiered state."""
    return copied(name).writes_settings(False, DELETE).fails_over()


@with_zookeeper
def test_nobody_writes_the_tiered_state_of_a_controller_that_died_between_two_writes(name):
    walk = died_between_two_writes(name).reacts(*BROKERS)
    assert (walk.state.tiering, walk.state.tiered_state) == (Tiering.DELETED, ENABLED)
    for c in CONTROLLERS:
        assert not walk.may("controller_writes_tiered_state", controller=c)
        assert not any(walk.may_alter(False, each, controller=c) for each in Policy)
        assert not any(walk.may_send(b, controller=c) for b in BROKERS)


@with_zookeeper
def test_enabling_after_half_a_disable_leaves_the_tiered_epoch_as_it_was(name):
    walk = died_between_two_writes(name).reacts(*BROKERS)
    walk.alters(True, DELETE, controller=1)
    assert (walk.state.tiering, walk.state.tiered_state) == (Tiering.ENABLED, ENABLED)
    assert walk.state.tiered_epoch == 0


@with_zookeeper
def test_a_controller_that_is_no_longer_active_writes_settings_and_not_the_tiered_state(name):
    walk = StagedWalk(name).elects_controller(1).writes_settings(False, DELETE, controller=0)
    assert walk.state.tiering == Tiering.DELETED
    assert not walk.may("controller_writes_tiered_state", controller=0)
    walk.does("controller_takes_over", controller=1)
    assert not walk.may("controller_writes_tiered_state", controller=1)


@with_zookeeper
def test_a_controller_that_is_no_longer_active_changes_the_policy_of_a_topic_in_disabling(name):
    walk = StagedWalk(name).disables(RETAIN).elects_controller(1)
    walk.does("controller_takes_over", controller=1)
    walk.does(walk.changes_policy, controller=0, policy=DELETE)
    assert (walk.state.tiered_state, walk.state.policy) == (DISABLING, DELETE)


# -- the appendix: StopReplica is what disables


@pytest.mark.parametrize("policy", Policy)
def test_the_watch_gives_the_log_its_settings_and_stops_nothing(policy):
    walk = copied(APPENDIX.name).disables(policy).learns(0)
    assert walk.step(0, WATCH) == DisableStep.IDLE
    assert walk.broker().tiering == (Tiering.DELETED if policy == DELETE else Tiering.RETAINED)
    assert walk.broker().copy_task == CopyTask.READY
    assert walk.broker().expiration_task


def test_the_watch_starts_tasks_once_tiering_is_switched_on():
    walk = copied(APPENDIX.name).completes_disable(RETAIN).enables().learns(0)
    assert walk.step(0, WATCH) == DisableStep.STARTING_TASKS
    walk.runs(0, WATCH)
    assert walk.broker().copy_task == CopyTask.SCHEDULED


def test_stop_replica_stops_what_the_watch_has_left():
    walk = copied(APPENDIX.name).disables(DELETE).reacts(0).asks(0)
    assert walk.broker().copy_task == CopyTask.NONE
    assert walk.broker().log_start_offset == 1
    assert not walk.state.segment[0].object_exists


# -- what StopReplica v5 refuses: its epochs


def test_stop_replica_has_the_epochs_of_its_controller_of_the_broker_and_of_the_leader():
    walk = StagedWalk(APPENDIX.name).does("broker_restarts", broker=1)
    walk.does("controller_elects_leader", leader=0).fails_over()
    walk.disables(RETAIN, controller=1).sends(1, controller=1)
    request = walk.state.request[0]
    assert (request.controller_epoch, request.broker_epoch, request.leader_epoch) == (1, 1, 1)


def refuses(walk: StagedWalk, slot: int = 0) -> bool:
    """Whether the broker refuses the request; else it executes it."""
    executes = walk.may("broker_executes_request", **walk.delivery(slot))
    is_refused = walk.may("broker_refuses_stop_replica", **walk.delivery(slot))
    assert executes != is_refused
    return is_refused


def test_a_stale_controller_epoch_is_refused_once_the_broker_has_heard_of_a_newer_one():
    walk = StagedWalk(APPENDIX.name).disables(RETAIN).sends(0).fails_over()
    assert not refuses(walk), "it has not heard of another"
    walk.sends(0, controller=1).executes(1)
    assert walk.broker().controller_epoch == 1
    walk.runs(0, HANDLER).does("broker_answers", broker=0)
    assert refuses(walk)


def test_a_stale_leader_epoch_is_refused_and_the_controller_asks_again():
    walk = StagedWalk(APPENDIX.name).disables(RETAIN).sends(1)
    walk.does("controller_elects_leader", leader=1)
    assert not refuses(walk), "the broker does not know that it leads"
    walk.does("broker_learns_leader", broker=1)
    assert refuses(walk)
    walk.does("broker_refuses_stop_replica", **walk.delivery(0))
    assert walk.state.request[0].to == NONE
    assert walk.step(1, HANDLER) == DisableStep.IDLE
    assert not refuses(walk.sends(1))


def test_a_stale_broker_epoch_is_refused_in_the_brokers_next_life():
    walk = StagedWalk(APPENDIX.name).disables(RETAIN).sends(1)
    assert not refuses(walk)
    walk.does("broker_restarts", broker=1)
    assert refuses(walk)
    walk.does("broker_refuses_stop_replica", **walk.delivery(0))
    assert not refuses(walk.sends(1))


@pytest.mark.parametrize("policy", Policy)
def test_a_request_of_an_older_tiered_epoch_is_not_refused(policy):
    walk = enabled_again_with_a_request_on_its_way(APPENDIX.name, policy).disables(policy)
    assert walk.state.request[1].meant_for == 1
    assert walk.state.tiered_epoch == 2
    assert not refuses(walk, slot=1)


# -- KIP-950's repairs, in the appendix


def an_election_before_stop_replica(*repairs: str) -> StagedWalk:
    """Broker 1 is elected; broker 0 has not heard of it, and executes the disable with delete."""
    design = APPENDIX.with_variants(*repairs)
    walk = StagedWalk(APPENDIX.name, design=design).begins_to_copy().copies(0).drops_locally()
    walk.disables(DELETE).does("controller_elects_leader", leader=1).learns(0).sends(0)
    return walk.executes()


def test_an_old_leader_that_executes_stop_replica_raises_its_log_start():
    walk = an_election_before_stop_replica()
    assert walk.step(0, HANDLER) == DisableStep.RAISING_LOG_START
    assert walk.runs(0, HANDLER).broker().log_start_offset == 1


def test_a_broker_that_asks_before_disabling_leaves_the_log_start_to_the_new_leader():
    walk = an_election_before_stop_replica("repair_ask_before_disabling")
    assert walk.step(0, HANDLER) == DisableStep.STOPPING_PARTITION
    assert walk.runs(0, HANDLER).broker().log_start_offset == 0
    assert walk.state.segment[0].object_exists


@pytest.mark.parametrize(
    ("repairs", "log_start"),
    [((), 0), (("repair_raise_log_start_at_all_in_sync_replicas",), 1)],
    ids=["as written", "repaired"],
)
def test_the_log_start_of_a_disable_is_that_of_all_in_sync_replicas_once_repaired(
    repairs, log_start
):
    design = APPENDIX.with_variants(*repairs)
    walk = StagedWalk(APPENDIX.name, design=design).begins_to_copy().copies(0).drops_locally()
    walk.disables(DELETE).learns(0).sends(0).executes().runs(0, HANDLER)
    assert walk.broker(0).log_start_offset == 1
    assert walk.broker(1).log_start_offset == log_start
