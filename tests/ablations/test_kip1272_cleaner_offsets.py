"""The fence of cleaner offsets, and each of its parts: without it a contradicted claim serves."""

import pytest

from tests.designs.kip1272_steps import clean, map_keys
from tests.designs.test_kip1272_zombies import A, B, Table
from tierproof.invariants.tiered_cleaning import contradicted_claims_serve_no_reads
from tierproof.model.designs.kip1272 import DESIGN
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

CLAIM = contradicted_claims_serve_no_reads.name


def seg_1_comes_first(*variants: str) -> Table:
    """A's second group is accepted, and then contradicted by what B says of the first group.

    B has read of A's first pass only, and publishes its own version of the first group, so that
    nothing else replaces A's second one.
    """
    table = Table(*variants)
    table.clean_chunk(A)
    table.read(B).take(map_keys(A), clean(A))
    table.copy(A)
    table.take(clean(A))
    table.seg_1 = table.store(A)
    table.b_becomes_leader()
    table.publish(table.seg_1).read(B)
    assert table.serves(B, table.seg_1)
    table.take(map_keys(B), clean(B))
    table.copy(B)
    return table


@pytest.mark.parametrize("variant", ["off_rejection_on_arrival", "off_cleaner_offset_fence"])
def test_a_claim_that_arrives_late_serves_reads_without(variant):
    scope = DESIGN.scope("rejected")
    design = DESIGN.with_variant(variant)
    result = explore(design, scope, MemoryExecution, only=[CLAIM], first=True)
    found = {entry.name: entry.verdict for entry in result.properties}
    assert found[CLAIM] is Verdict.VIOLATED


def test_with_the_fence_no_contradicted_claim_serves_reads():
    result = explore(DESIGN, DESIGN.scope("rejected"), MemoryExecution, only=[CLAIM])
    assert {entry.name: entry.verdict for entry in result.properties}[CLAIM] is Verdict.HOLDS


@pytest.mark.parametrize(
    ("variants", "holds"),
    [((), True), (("off_rejection_in_retrospect",), False), (("off_cleaner_offset_fence",), False)],
)
def test_a_claim_that_was_accepted_serves_reads_until_it_is_rejected_in_retrospect(variants, holds):
    table = seg_1_comes_first(*variants)
    assert bool(contradicted_claims_serve_no_reads(table.state)) is holds
    assert table.serves(B, table.seg_1) is not holds
