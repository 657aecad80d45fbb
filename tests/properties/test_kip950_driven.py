"""KIP-950 as accepted, driven far beyond what can be explored: three brokers, six segment ids."""

from hypothesis import given

from tests.properties.walks import idle_share, in_proportion, of_walks, steady
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.designs.kip950.state import TieredTopic
from tierproof.model.language import Interpreter, State
from tierproof.properties import check, reachable_states

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
    failed_copies=2,
    failed_deletes=2,
)

# The design with every repair; a topic that is deleted is KIP-405's, which has its own.
CLOSED = DESIGN.with_variant("repair_all")

# What no committed scope shows, and no repair here mends.
BEYOND = (
    # A broker that restarts loads its log under the newest settings, whatever was in between: it
    # acts on no change. That of a running broker is mended.
    "TieringState_lifecycle",
    # A follower that its own retention has taken further than its leader builds on the remote
    # tier, and takes the leader's log start; what lies between may be gone.
    "log_start_never_moves_back",
)


@of_walks(4, 200)
def test_with_every_repair_all_but_two_properties_hold_at_large(walks: int):
    driven = check(CLOSED, LARGE, expected_violations=BEYOND, settings=steady(walks, steps=60))
    assert driven.distinct_states > in_proportion(500, walks, 15)
    assert len(driven.never_taken) < len(CLOSED.actions) * idle_share(walks, 15)


@steady(15, steps=60)
@given(state=reachable_states(DESIGN, LARGE, max_steps=30))
def test_testing_guards_as_soon_as_they_can_be_loses_no_step(state: State):
    interpreter = Interpreter(DESIGN, LARGE)
    everything = map(interpreter.steps.step, range(interpreter.steps.count))
    enabled = [step for step in everything if interpreter.is_enabled(state, step)]
    assert interpreter.enabled(state) == enabled
