"""KIP-950, closed, where two elections follow each other: its fence does not ask since when.

In no committed scope a broker is elected twice. KIP-405's fence asks for the epoch in which a
thread began; that of KIP-950 asks who leads now. Once KIP-950 has KIP-405's, this test has to go.
"""

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.language.isolation import closed

TWICE = DESIGN.scope("smoke").replace(
    unapplied_records=2, config_changes=0, elections=2, leader_epochs=3
)
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
THE_RUN_GOES_ON_IN_THE_NEW_TERM = (
    act("broker_applies_leadership", broker=0, records=2),
    act("expiration_task_raises_log_start", broker=0),
    act("expiration_publishes_delete_started", broker=0),
    act("broker_reads_metadata", broker=0),
)


CLOSED = DESIGN.with_variants(*closed(DESIGN))


def test_a_run_that_began_before_a_second_election_goes_on_after_it_and_loses_a_record():
    walk = Walk(CLOSED, TWICE)
    walk.take(*BROKER_1_COPIES_OFFSET_0, *BROKER_0_IS_ELECTED_AGAIN_AND_PLANS_BEFORE_IT_KNOWS)
    assert walk.violated() == set()
    walk.take(*THE_RUN_GOES_ON_IN_THE_NEW_TERM)
    assert "no_committed_record_lost" in walk.violated()
