"""KIP-405 in small scopes: the counts that the ledger expects, and what each fence is for."""

from functools import cache

import pytest

from tierproof.model.designs.kip405 import DESIGN
from tierproof.spark_explorer import ledger
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore


@cache
def violated(scope, *without):
    result = explore(
        DESIGN.without(*without), DESIGN.scope(scope), MemoryExecution, max_states=400_000
    )
    return {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}


def test_counts_verdicts_and_witnesses_are_those_of_the_ledger():
    result = explore(DESIGN, DESIGN.scope("smoke"), MemoryExecution, scope_name="smoke")
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


@pytest.mark.parametrize(
    ("guard", "claim", "scope"),
    [
        # Who follows whom, and what is the same log.
        ("fetches_from_a_leader", "in_sync_replicas_have_committed_records", "followers"),
        ("agrees_with_leader", "logs_agree_below_the_high_watermark", "followers"),
        ("has_caught_up", "in_sync_replicas_have_committed_records", "followers"),
        ("is_out_of_range_at_leader", "in_sync_replicas_have_committed_records", "smoke"),
        ("is_only_remote_at_leader", "log_start_never_moves_back", "smoke"),
        ("has_segment_to_build_on", "committed_records_stay_readable", "followers"),
        # KAFKA-15181: a cache that has not read the topic does not answer.
        ("is_cache_ready", "log_start_passes_only_what_may_go", "alone_restart"),
        # Tasks make each of their once-only steps once, in order.
        ("is_copy_task_new", "CopyTask_lifecycle", "alone_restart"),
        ("has_found_log_start", "CopyTask_lifecycle", "alone_restart"),
    ],
)
def test_a_fence_protects_its_property(guard, claim, scope):
    assert claim not in violated(scope)
    assert claim in violated(scope, guard)


def test_the_ledger_knows_every_property_of_the_design():
    known = ledger.read()[DESIGN.name]
    claimed = {entry.name for entry in DESIGN.properties}
    for scope in ("smoke", "default"):
        assert claimed <= set(known[scope]["properties"])
