"""KIP-950: when our repair `repair_followers_fetch_anew` lets a follower drop its log."""

from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ELECT_1,
    FOLLOWER_DISABLES,
    SMALL,
    after,
    read,
    remove_locally,
    take_batch,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.replica import presumes_to_lead

REPAIRED = DESIGN.with_variant("repair_followers_fetch_anew")
SCOPE = SMALL.replace(elections=2, leader_epochs=3, unapplied_records=3)
ELECT_0 = act("controller_elects_leader", leader=0)
LACKS_THE_BEGINNING = (
    DISABLE,
    *COPIED,
    *read(1, 2),
    act("follower_task_finds_highest_remote_offset", follower=1),
    *remove_locally(1),
)


def log_after(*steps):
    state = after(*LACKS_THE_BEGINNING, *steps, design=REPAIRED, scope=SCOPE)
    return state, state.broker[1]


def test_a_follower_that_lacks_the_beginning_leaves_the_in_sync_replicas_and_drops_its_log():
    state, log = log_after(*FOLLOWER_DISABLES)
    assert 1 not in state.in_sync
    assert (log.log_start_offset, log.local_log_start_offset, log.log_end_offset) == (0, 0, 0)


def test_it_keeps_its_log_while_it_has_not_applied_the_newest_election():
    state, log = log_after(ELECT_1, ELECT_0, *FOLLOWER_DISABLES)
    assert 1 not in state.in_sync
    assert log.log_end_offset == 2
    state, log = log_after(ELECT_1, ELECT_0, *FOLLOWER_DISABLES, take_batch(1))
    assert presumes_to_lead(state, 1)
    assert log.log_end_offset == 2


def test_it_drops_its_log_once_it_follows_by_the_newest_election():
    _, log = log_after(ELECT_1, ELECT_0, *FOLLOWER_DISABLES, take_batch(1), take_batch(1))
    assert (log.local_log_start_offset, log.log_end_offset) == (0, 0)
