"""Producer state, driven beyond what can be explored: twelve offsets, three producers."""

from hypothesis import settings

from tests.designs.producer_state_steps import append, send
from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.designs.producer_state.state import ProducerStateScope
from tierproof.properties import DRIVING, check

LARGE = ProducerStateScope(
    offsets=12,
    producers=3,
    producer_epochs=4,
    sequences=12,
    batch_records=3,
    requests=4,
    unanswered=2,
    plain=1,
    retries=6,
    epoch_bumps=4,
    crashes=3,
    shutdowns=3,
)
FAULTY = LARGE.replace(
    producer_ms=6,
    expiration_ms=2,
    transactions=1,
    tiered=1,
    lost_snapshots=3,
    empty_snapshots=2,
    corrupt_snapshots=2,
    record_deletions=2,
    truncations=2,
    emptied_logs=1,
    rebuilds=2,
)
STEADY = settings(DRIVING, max_examples=20, stateful_step_count=50, derandomize=True, database=None)
ONE_AT_A_TIME = LARGE.replace(unanswered=1)


def test_where_no_state_is_lost_every_property_holds_at_large() -> None:
    driven = check(DESIGN, ONE_AT_A_TIME, settings=STEADY)
    assert driven.distinct_states > 300


def test_with_the_repair_it_does_so_with_two_requests_in_flight() -> None:
    design = DESIGN.with_variant("repair_unknown_producers_begin_at_zero")
    assert check(design, LARGE, settings=STEADY).distinct_states > 300


LOST_WITH_AN_EMPTY_LOG = "load_restores_producers"
"""A log is emptied, the broker shuts down, and the snapshot that it wrote is lost: nothing on the
broker knows the producers (8 steps). No finding tells it yet, and no repair mends it.
"""


def test_with_every_fault_and_every_repair_nothing_breaks_but_what_no_file_can_restore() -> None:
    repaired = DESIGN.with_variant("repair_all")
    driven = check(repaired, FAULTY, expected_violations=(LOST_WITH_AN_EMPTY_LOG,), settings=STEADY)
    assert driven.distinct_states > 300


def test_a_snapshot_that_is_lost_while_the_log_is_empty_cannot_be_rebuilt() -> None:
    walk = Walk(DESIGN, FAULTY, "repair_all")
    walk.take(send(transactional=True), append(), send(1, records=2, transactional=True), append())
    walk.take(act("follower_truncates_fully", offset=3, log_start=3), act("broker_shuts_down"))
    walk.take(act("snapshot_is_lost", offset=3))
    assert walk.violated_by(act("broker_loads_log", log_start=3)) == {LOST_WITH_AN_EMPTY_LOG}
