"""Producer state, driven beyond what can be explored: twelve offsets, three producers."""

import pytest

from tests.properties.walks import in_proportion, of_walks, steady
from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.designs.producer_state.state import ProducerStateScope
from tierproof.properties import check
from tierproof.register import register_of

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
KNOWN = register_of(DESIGN).finding("empty_log_has_one_snapshot").claims
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
ONE_AT_A_TIME = LARGE.replace(unanswered=1)


@of_walks(3, 15)
def test_where_no_state_is_lost_every_property_holds_at_large(walks: int) -> None:
    driven = check(DESIGN, ONE_AT_A_TIME, settings=steady(walks))
    assert driven.distinct_states > in_proportion(300, walks, 15)


@of_walks(3, 15)
def test_with_the_repair_it_does_so_with_two_requests_in_flight(walks: int) -> None:
    design = DESIGN.with_variant("repair_unknown_producers_begin_at_zero")
    assert check(design, LARGE, settings=steady(walks)).distinct_states > in_proportion(
        300, walks, 15
    )


LOGS_STAY = FAULTY.replace(emptied_logs=0, record_deletions=0, rebuilds=0)
FILES_STAY = FAULTY.replace(lost_snapshots=0, corrupt_snapshots=0)
"""No records, and files that get lost or corrupt: the known finding is where both meet."""


@of_walks(3, 15)
@pytest.mark.parametrize("scope", [LOGS_STAY, FILES_STAY], ids=["logs_stay", "files_stay"])
def test_with_faults_and_every_repair_nothing_breaks(scope: ProducerStateScope, walks: int) -> None:
    repaired = DESIGN.with_variant("repair_all")
    assert check(repaired, scope, settings=steady(walks)).distinct_states > in_proportion(
        300, walks, 15
    )


@of_walks(3, 15)
def test_with_every_fault_and_every_repair_nothing_breaks_but_what_no_file_can_restore(
    walks: int,
) -> None:
    repaired = DESIGN.with_variant("repair_all")
    driven = check(repaired, FAULTY, expected_violations=KNOWN, settings=steady(walks))
    assert driven.distinct_states > in_proportion(300, walks, 15)
