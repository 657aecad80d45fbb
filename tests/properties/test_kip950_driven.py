"""KIP-950 as accepted, driven far beyond what can be explored: three brokers, six segment ids."""

from hypothesis import given, settings

from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.designs.kip950.state import TieredTopic
from tierproof.model.language import Interpreter, State
from tierproof.properties import DRIVING, check, reachable_states

LARGE = TieredTopic(
    brokers=3,
    offsets=4,
    appends=2,
    segment_bytes=2,
    segment_ids=5,
    leader_epochs=6,
    metadata_records=40,
    planned_deletions=12,
    retention_bytes=1,
    clock_ms=2,
    unapplied_records=3,
    config_changes=4,
    all_settings=1,
    racing_deletions=1,
    elections=3,
    shrinks=2,
    restarts=2,
    lost_disks=1,
    record_deletions=1,
    topic_deletions=1,
    failed_copies=2,
    failed_deletes=2,
)

# Known findings: `tierproof findings kip950` shows them. Whoever mends the design takes the
# name out.
FINDINGS = tuple(claim for finding in DESIGN.findings for claim in finding.claims)

# What no committed scope of this design can show, and KIP-405 has, too: a leader that restarts
# alone comes back with the log start of its last checkpoint, below deletions that users have an
# answer to; and a log whose lineage begins above its log start hands out records without an epoch,
# which a follower notes under the last epoch of the scope (`lineage[-1]`).
BEYOND = ("acknowledged_deletions_are_remembered", "logs_agree_below_the_high_watermark")

STEADY = settings(DRIVING, max_examples=60, stateful_step_count=60, derandomize=True, database=None)


def test_every_other_property_holds_at_large():
    driven = check(DESIGN, LARGE, expected_violations=FINDINGS + BEYOND, settings=STEADY)
    assert driven.distinct_states > 500
    assert len(driven.never_taken) < len(DESIGN.actions) / 2


@settings(STEADY, max_examples=15)
@given(state=reachable_states(DESIGN, LARGE, max_steps=30))
def test_testing_guards_as_soon_as_they_can_be_loses_no_step(state: State):
    interpreter = Interpreter(DESIGN, LARGE)
    everything = map(interpreter.steps.step, range(interpreter.steps.count))
    enabled = [step for step in everything if interpreter.is_enabled(state, step)]
    assert interpreter.enabled(state) == enabled
