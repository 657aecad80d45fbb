"""Producer state, driven beyond what can be explored: twelve offsets, three producers."""

from hypothesis import settings

from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.designs.producer_state.state import ProducerStateScope
from tierproof.model.language import Interpreter, Step, Trace
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
    repaired = DESIGN.with_variant("repair_all")
    steps = (
        Step("producer_sends_batch", args(producer=0, records=1, is_transactional=True)),
        Step("leader_appends_batch", args(place=0)),
        Step("producer_sends_batch", args(producer=1, records=2, is_transactional=True)),
        Step("leader_appends_batch", args(place=0)),
        Step("follower_truncates_fully", args(offset=3, log_start=3)),
        Step("broker_shuts_down"),
        Step("snapshot_is_lost", args(offset=3)),
        Step("broker_loads_log", args(log_start=3)),
    )
    states = Trace(repaired, FAULTY, 0, steps).states
    broken = Interpreter(repaired, FAULTY).violated_by(states[-2], steps[-1], states[-1])
    assert [one.name for one in broken] == [LOST_WITH_AN_EMPTY_LOG]


def args(**given: int) -> tuple[tuple[str, int], ...]:
    return tuple(given.items())
