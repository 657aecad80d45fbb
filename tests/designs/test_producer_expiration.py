"""Producers of old records that expire by the time of their append: what it closes, and what not.

Every request arrives before its producer could expire, if that counted from the append on.
"""

import pytest

from tierproof.model.designs.producer_state import DESIGN
from tierproof.register import register_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

IN_TIME, OLD = "repair_requests_die_before_expiry", "records_are_old"
BY_APPEND = "proposal_producers_expire_by_their_append"
(LATE_BATCH,) = (
    one for one in register_of(DESIGN).findings if one.name == "late_batch_of_an_expired_producer"
)


def violated(*variants: str, **bounds: int) -> set[str]:
    """What the finding claims and this breaks."""
    design = DESIGN.with_variants(*variants)
    scope = design.scope("expired").replace(**bounds)
    found = explore(design, scope, MemoryExecution, only=LATE_BATCH.claims).properties
    return {one.name for one in found if str(one.verdict) == "VIOLATED"}


def test_a_producer_of_old_records_expires_while_it_writes():
    assert violated(IN_TIME) == set()
    assert violated(IN_TIME, OLD) == set(LATE_BATCH.claims)


@pytest.mark.parametrize("bounds", [{}, {"producer_ms": 3, "expiration_ms": 2}])
def test_it_does_not_if_the_time_of_its_append_counts(bounds: dict[str, int]):
    assert violated(IN_TIME, OLD, BY_APPEND, **bounds) == set()


def test_that_does_not_help_a_retry_that_comes_after_the_expiry():
    assert violated(OLD, BY_APPEND) == set(LATE_BATCH.claims)


@pytest.mark.parametrize("loss", ["crashes", "shutdowns", "truncations"])
def test_after_a_restart_or_a_truncation_the_time_of_the_records_counts_again(loss: str):
    assert violated(IN_TIME, OLD, BY_APPEND, **{loss: 1}) == set(LATE_BATCH.claims)
