"""KIP-950, closed, where two elections follow each other: its fence asks since when a broker leads.

In no committed scope a broker is elected twice. A thread that began before the second election
publishes nothing after it, though its broker leads again.
"""

from tests.designs.kip950_steps import (
    COPIED,
    DISABLE,
    ELECT_1,
    apply_settings,
    read,
    take_batch,
)
from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405.state import RemovalStep, RunStep
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.local_retention import Reason
from tierproof.register.isolation import closed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

TWICE = DESIGN.scope("smoke").replace(
    unapplied_records=2, config_changes=0, elections=2, leader_epochs=3
)
ONE_BY_ONE = TWICE.replace(unapplied_records=1)
BROKER_1_COPIES_OFFSET_0 = (
    act("controller_elects_leader", leader=1),
    act("broker_applies_leadership", broker=1, records=1),
    act("copy_task_finds_log_start", broker=1),
    act("copy_task_finds_highest_remote_offset", broker=1),
    act("copy_task_chooses_segment", broker=1),
    act("copy_publishes_started", segment=0),
    act("broker_reads_metadata", broker=1),
    act("copy_stores_object", segment=0),
    act("copy_publishes_finished", segment=0),
)
BROKER_0_IS_ELECTED_AGAIN_AND_PLANS_BEFORE_IT_KNOWS = (
    act("controller_elects_leader", leader=0),
    act("broker_reads_metadata", broker=1),
    act("copy_records_progress", segment=0),
    act("broker_reads_metadata", broker=0),
    act("expiration_task_plans_retention", broker=0),
    act("copy_task_finds_log_start", broker=0),
    act("broker_reads_metadata", broker=0),
    act("copy_task_finds_highest_remote_offset", broker=0),
    act("broker_raises_start_to_delete", broker=0, reason=Reason.SIZE),
)
BOTH_ELECTIONS_IN_ONE_BATCH = act("broker_applies_leadership", broker=0, records=2)
PUBLISHES_DELETE_STARTED = act("expiration_publishes_delete_started", broker=0)
THRICE = DESIGN.scope("smoke").replace(
    unapplied_records=2, config_changes=1, elections=3, leader_epochs=4
)
THE_NEW_LEADER_TAKES_THE_DELETION_UP = (
    *COPIED,
    DISABLE,
    ELECT_1,
    *apply_settings(1),
    act("broker_cancels_tasks_first", broker=1),
    act("broker_stops_partition", broker=1),
    take_batch(1),
    *apply_settings(0, records=2),
    act("broker_cancels_tasks_first", broker=0),
    act("broker_stops_partition", broker=0),
    *read(1, records=2),
    act("removal_publishes_delete_started", broker=1, segment=0),
    *read(1),
    act("removal_goes_on_to_objects", broker=1),
    act("removal_deletes_object", broker=1, segment=0),
    act("removal_goes_on_to_metadata", broker=1),
)
ANOTHER_LEADS_IN_BETWEEN = (act("controller_elects_leader", leader=0), ELECT_1)

CLOSED = DESIGN.with_variants(*closed(DESIGN))


def test_a_run_that_began_before_a_second_election_deletes_nothing_after_it():
    walk = Walk(CLOSED, TWICE)
    walk.take(*BROKER_1_COPIES_OFFSET_0, *BROKER_0_IS_ELECTED_AGAIN_AND_PLANS_BEFORE_IT_KNOWS)
    walk.take(BOTH_ELECTIONS_IN_ONE_BATCH, act("expiration_task_raises_log_start", broker=0))
    assert not walk.can(PUBLISHES_DELETE_STARTED)
    walk.take(act("expiration_task_plans_old_epochs", broker=0))
    assert walk.state.broker[0].run_step == RunStep.IDLE
    assert walk.violated() == set()


def test_nothing_is_violated_where_two_elections_follow_each_other():
    result = explore(CLOSED, ONE_BY_ONE, MemoryExecution)
    assert result.verdict is Verdict.HOLDS
    assert result.actions["metadata_refuses_stale_copy"] > 0
    assert result.actions["metadata_refuses_end_of_deletion"] > 0


def test_a_removal_ends_with_its_epoch_and_is_begun_anew_in_the_next():
    walk = Walk(CLOSED, THRICE).take(*THE_NEW_LEADER_TAKES_THE_DELETION_UP)
    walk.take(*ANOTHER_LEADS_IN_BETWEEN, take_batch(1, records=2))
    assert walk.state.broker[1].removal_step == RemovalStep.IDLE
    walk.take(*read(1, records=3))
    assert walk.state.broker[1].removal_step == RemovalStep.STARTING_DELETES
    assert walk.violated() == set()
