"""What the designs that disable in stages do: early KRaft, early ZooKeeper, and the appendix.

Where not said otherwise, a rule is of KIP-950 as first proposed, and holds of all three.
"""

from __future__ import annotations

import pytest

from tests.designs.kip950_early_steps import (
    BROKERS,
    DESIGNS,
    SCOPE,
    WITH_DISABLE_REMOTE_TOPIC,
    StagedWalk,
    copied,
    enabled_again_with_a_request_on_its_way,
)
from tests.designs.step_by_step import act
from tierproof.invariants.vocabulary import is_served_remotely
from tierproof.model.designs.kip950_early import KRAFT
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.tiered_state import (
    HANDLER,
    WATCH,
    AlterConfigAnswer,
    DisableStep,
    Policy,
    TieredState,
    Tiering,
    answer,
)
from tierproof.model.language import NONE

ENABLED, DISABLING, DISABLED = TieredState
RETAIN, DELETE = Policy
BOTH = {0, 1}
BUILDS = "follower_builds_on_remote_tier"
IN_PROGRESS = AlterConfigAnswer.TIERED_STORAGE_DISABLEMENT_IN_PROGRESS

each_design = pytest.mark.parametrize("name", DESIGNS)
each_policy = pytest.mark.parametrize("policy", Policy)


# -- alter-config: Public Interfaces, Exceptions; Non-Goals


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param((ENABLED, True, False, True, False), "NONE", id="disable"),
        pytest.param((DISABLING, True, False, True, False), IN_PROGRESS.name, id="disable twice"),
        pytest.param((DISABLING, False, True, True, False), IN_PROGRESS.name, id="enable too soon"),
        pytest.param((DISABLED, False, True, True, False), "NONE", id="enable again"),
        pytest.param((ENABLED, True, False, False, False), "INVALID_REQUEST", id="archive=false"),
        pytest.param((DISABLING, True, False, False, False), "INVALID_REQUEST", id="both wrong"),
        pytest.param((ENABLED, False, True, True, True), "INVALID_CONFIG", id="enable compacted"),
        pytest.param((DISABLED, False, True, True, True), "INVALID_CONFIG", id="again, compacted"),
        pytest.param((ENABLED, False, True, True, False), "NONE", id="enable, was compacted once"),
        pytest.param((DISABLED, False, False, True, False), "NONE", id="policy alone, DISABLED"),
        pytest.param((DISABLING, False, False, True, False), "NONE", id="policy alone, DISABLING"),
        pytest.param((ENABLED, True, True, True, False), "NONE", id="policy alone, ENABLED"),
    ],
)
def test_alter_config_is_answered(call, expected):
    assert answer(*call).name == expected


@each_design
@each_policy
def test_a_controller_switches_tiering_only_as_its_answer_allows(name, policy):
    walk = StagedWalk(name)
    assert walk.may_alter(False, policy)
    assert not walk.may_alter(True, RETAIN)
    walk.disables(policy)
    assert not any(walk.may_alter(enable, each) for enable in (False, True) for each in Policy)
    walk.reacts(*BROKERS).asks(*BROKERS).does("controller_completes", controller=0)
    assert walk.may_alter(True, policy)
    assert not walk.may_alter(True, Policy(1 - policy)), "re-enablement has no option for a policy"


# -- ENABLED -> DISABLING -> DISABLED -> ENABLED: State Transitions, Tiered Epoch


@each_design
@each_policy
def test_the_tiered_epoch_rises_with_each_disable_and_with_nothing_else(name, policy):
    walk, passed = StagedWalk(name), []

    def note():
        passed.append((walk.state.tiered_state, walk.state.tiered_epoch))

    for _ in range(2):
        note()
        walk.disables(policy)
        note()
        walk.reacts(*BROKERS).asks(*BROKERS).does("controller_completes", controller=0)
        note()
        walk.enables_everywhere()
    note()
    assert passed == [
        (ENABLED, 0), (DISABLING, 1), (DISABLED, 1),
        (ENABLED, 1), (DISABLING, 2), (DISABLED, 2), (ENABLED, 2),
    ]  # fmt: skip


def test_kraft_persists_settings_and_tiered_state_at_once():
    walk = StagedWalk(KRAFT.name).writes_settings(False, DELETE)
    image = walk.state.cluster_log[0]
    assert walk.state.cluster_end == 1
    assert (image.tiering, image.policy, image.tiered_epoch) == (Tiering.DELETED, DELETE, 1)
    assert walk.state.tiered_state == DISABLING


def test_a_kraft_controller_that_is_no_longer_active_writes_nothing():
    walk = StagedWalk(KRAFT.name)
    assert walk.may(walk.changes_policy, controller=0, policy=DELETE)
    walk.elects_controller(1)
    assert not walk.may_alter(False, DELETE, controller=0)
    assert not walk.may(walk.changes_policy, controller=0, policy=DELETE)


@each_design
def test_the_intent_is_enqueued_and_every_broker_is_asked(name):
    walk = StagedWalk(name)
    assert not walk.may_send(0)
    walk.disables(RETAIN)
    assert walk.state.controller[0].is_disabling
    assert walk.state.controller[0].unanswered == BOTH
    assert all(walk.may_send(b) for b in BROKERS)


@each_design
@each_policy
def test_disabled_is_written_once_every_broker_has_answered(name, policy):
    walk = StagedWalk(name).disables(policy).reacts(*BROKERS)
    assert not walk.may("controller_completes", controller=0)
    walk.asks(1)
    assert not walk.may("controller_completes", controller=0)
    walk.asks(0).does("controller_completes", controller=0)
    assert walk.state.tiered_state == DISABLED
    assert not walk.state.controller[0].is_disabling


@each_design
def test_an_answer_counts_once_it_is_heard(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(*BROKERS).asks(0).sends(1)
    walk.does("broker_answers", broker=walk.handles())
    assert not walk.may("controller_completes", controller=0)
    walk.does("controller_hears_answer", controller=0, broker=1)
    assert walk.may("controller_completes", controller=0)


# -- failover: Failure Modes


@each_design
@each_policy
def test_a_new_controller_asks_every_broker_of_a_topic_in_disabling_again(name, policy):
    walk = StagedWalk(name).disables(policy).reacts(*BROKERS).asks(0).fails_over()
    assert walk.state.controller[1].unanswered == BOTH
    walk.asks(*BROKERS, controller=1).does("controller_completes", controller=1)
    assert walk.state.tiered_state == DISABLED
    assert walk.state.tiered_epoch == 1


@each_design
def test_a_new_controller_has_nothing_to_rebuild_unless_a_topic_is_in_disabling(name):
    assert not StagedWalk(name).fails_over().state.controller[1].is_disabling
    walk = StagedWalk(name).completes_disable(RETAIN).fails_over()
    assert not walk.state.controller[1].is_disabling


@each_design
def test_the_queue_dies_with_its_controller(name):
    walk = StagedWalk(name).disables(RETAIN).elects_controller(1)
    assert walk.may_send(0, controller=0)
    walk.does("controller_resigns", controller=0)
    assert not walk.may_send(0, controller=0)
    assert walk.state.controller[0].unanswered == set()


@each_design
def test_an_answer_to_a_controller_that_is_gone_finds_nobody(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(*BROKERS).sends(0)
    walk.handles()
    walk.fails_over().does("broker_answers", broker=0)
    assert [c.arriving | c.arriving_late for c in walk.state.controller] == [set(), set()]
    assert walk.state.controller[1].unanswered == BOTH


@each_design
def test_answers_on_their_way_are_lost_with_their_controller(name):
    walk = enabled_again_with_a_request_on_its_way(name, RETAIN).disables(RETAIN).sends(1)
    for slot in (0, 1):
        walk.does("broker_answers", broker=walk.handles(slot))
    asking = walk.state.controller[0]
    assert (asking.arriving, asking.arriving_late) == ({1}, {0})
    walk.elects_controller(1).does("controller_resigns", controller=0)
    for broker in BROKERS:
        assert not walk.may("controller_hears_answer", controller=0, broker=broker)


@each_design
def test_a_controller_that_is_no_longer_active_asks_and_hears_but_does_not_complete(name):
    walk = StagedWalk(name).disables(RETAIN).reacts(*BROKERS).elects_controller(1).asks(*BROKERS)
    assert walk.state.controller[0].unanswered == set()
    assert not walk.may("controller_completes", controller=0)
    unfenced = StagedWalk(name, design=DESIGNS[name].without("is_active"))
    unfenced.disables(RETAIN).reacts(*BROKERS).elects_controller(1).asks(*BROKERS)
    assert unfenced.may("controller_completes", controller=0)


# -- requests: lost, doubled, late


@each_design
def test_a_request_is_sent_again_once_it_is_lost(name):
    walk = StagedWalk(name).disables(RETAIN).sends(1)
    assert not walk.may_send(1), "it is on its way"
    walk.does("network_loses_request", slot=0)
    assert walk.may_send(1)


@each_design
def test_a_request_is_not_sent_again_while_it_is_executed_or_answered(name):
    walk = StagedWalk(name).disables(RETAIN).sends(1).executes()
    assert not walk.may_send(1)
    walk.runs(1, HANDLER).does("broker_answers", broker=1)
    assert not walk.may_send(1)
    walk.does("controller_hears_answer", controller=0, broker=1)
    assert not walk.may_send(1)


@each_design
def test_a_request_that_is_doubled_is_executed_twice(name):
    walk = StagedWalk(name).disables(RETAIN).learns(1).runs(1, WATCH).sends(1)
    walk.does("network_doubles_request", slot=0)
    assert [request.to for request in walk.state.request] == [1, 1]
    for slot in (0, 1):
        walk.does("broker_answers", broker=walk.handles(slot))
    assert [request.to for request in walk.state.request] == [NONE, NONE]


@each_design
def test_a_late_request_stops_copying_of_a_topic_that_is_tiered_again(name):
    walk = enabled_again_with_a_request_on_its_way(name, RETAIN)
    assert walk.broker().copy_task == CopyTask.SCHEDULED
    broken = walk.violated_by(act("broker_executes_request", **walk.delivery(1)))
    assert "request_acts_in_its_own_tiered_epoch" in broken
    walk.runs(0, HANDLER)
    assert walk.state.tiered_state == ENABLED
    assert walk.broker().copy_task == CopyTask.NONE


@each_design
def test_a_late_request_deletes_what_was_copied_after_the_topic_was_tiered_again(name):
    walk = enabled_again_with_a_request_on_its_way(name, DELETE)
    walk.begins_to_copy().copies(1).drops_locally()
    assert walk.broker().log_start_offset == 1
    assert is_served_remotely(walk.state, 0, 1)
    walk.executes(1)
    broken = walk.violated_by(act("thread_raises_log_start", broker=0, thread=HANDLER))
    assert "log_start_passes_only_what_may_go" in broken
    walk.runs(0, HANDLER)
    assert walk.state.tiered_state == ENABLED
    assert walk.broker().log_start_offset == walk.broker().local_log_start_offset == 2
    assert not walk.state.segment[1].object_exists


@each_design
def test_a_late_answer_counts_for_the_disablement_that_is_in_the_queue(name):
    walk = enabled_again_with_a_request_on_its_way(name, RETAIN).disables(RETAIN)
    walk.does("broker_answers", broker=walk.handles(1))
    walk.does("controller_hears_answer", controller=0, broker=0)
    assert walk.state.controller[0].unanswered == {1}


@each_design
def test_a_request_is_executed_by_the_policy_that_the_broker_knows(name):
    walk = copied(name).disables(DELETE).sends(0)
    assert walk.broker().policy == RETAIN
    walk.executes()
    assert walk.step(0, HANDLER) == DisableStep.CANCELLING_COPY


@pytest.mark.parametrize("name", WITH_DISABLE_REMOTE_TOPIC)
def test_disable_remote_topic_of_a_controller_that_is_no_longer_active_is_executed(name):
    walk = StagedWalk(name).disables(RETAIN).sends(0).fails_over().sends(0, controller=1)
    walk.does("broker_answers", broker=walk.handles(1))
    broken = walk.violated_by(act("broker_executes_request", **walk.delivery(0)))
    assert "request_comes_from_the_active_controller" in broken


@each_design
def test_a_follower_that_is_not_tiered_does_not_build_on_the_remote_tier(name):
    walk = StagedWalk(name, SCOPE.replace(lost_disks=1)).begins_to_copy().copies(0).drops_locally()
    assert walk.does("broker_loses_disk", broker=1).reads_metadata(1).may(BUILDS, follower=1)
    walk.disables(DELETE).learns(1)
    assert not walk.broker(1).settings.remote_storage_enable
    assert not walk.may(BUILDS, follower=1)


# -- the designs as such


def actions_of_its_own(design):
    """What a design and its variants add to KIP-405, and what they have its actions do."""
    designs = (design, *(design.with_variant(each.name) for each in design.variants))
    found = {entry.effect: entry for changed in designs for entry in changed.actions}
    return [entry for effect, entry in found.items() if ".kip950_" in effect.__module__]


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_every_action_says_who_acts_and_what_kafka_does(design):
    found = actions_of_its_own(design)
    assert found
    assert [entry.name for entry in found if not entry.actor] == []
    assert [one.name for one in found if "Kafka:" not in (one.effect.__doc__ or "")] == []
