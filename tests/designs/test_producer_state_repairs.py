"""Kafka's producer state: which rule keeps which property, and what the repairs make of it."""

from __future__ import annotations

from typing import Any

import pytest

from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.designs.producer_state.repairs import SKIP_LOST_SNAPSHOTS
from tierproof.model.kafka.producer_state import ProducerEntry
from tierproof.model.kafka.producer_validation import duplicate_of, is_next_sequence
from tierproof.model.language import NONE, Edit
from tierproof.register import ledger, register_of
from tierproof.register.isolation import explorations
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

LARGE = ("bumped_markers", "deep")
"""Scopes that take longer than a test should."""

TWICE = {"no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other"}


# -- which rule keeps which property


def nothing_is_a_duplicate(
    entry: ProducerEntry, epoch: int, first_sequence: int, last_sequence: int
) -> int:
    """No batch is remembered."""
    return NONE


def anything_is_next(entry: ProducerEntry, epoch: int, first_sequence: int) -> bool:
    """No sequence is checked."""
    return True


def verdict(scope: str, edit: Edit, **bounds: int) -> set[str]:
    """What is violated with another rule, in a scope in which everything holds."""
    design = DESIGN.derive(name="other", title="With another rule", change=edit)
    result = explore(design, DESIGN.scope(scope).replace(**bounds), MemoryExecution)
    return {one.name for one in result.properties if one.verdict is not Verdict.HOLDS}


def answering(define: dict[Any, Any]) -> Edit:
    """Another rule of validation: what properties ask of a broker's answer moves with it."""
    return Edit(define=define, redefines=dict.fromkeys(define, "the answer is what changes"))


def test_without_the_check_of_sequences_batches_are_accepted_out_of_order() -> None:
    edit = answering({is_next_sequence: anything_is_next})
    assert verdict("smoke", edit, unanswered=2) == {"accepted_sequences_follow_each_other"}


def test_the_check_of_sequences_alone_already_prevents_duplicates() -> None:
    edit = answering({duplicate_of: nothing_is_a_duplicate})
    assert verdict("smoke", edit) == set()


def test_without_both_a_copy_is_accepted_twice() -> None:
    edit = answering({duplicate_of: nothing_is_a_duplicate, is_next_sequence: anything_is_next})
    assert verdict("smoke", edit) >= TWICE


REPAIRED = [
    ("in_flight", "repair_unknown_producers_begin_at_zero"),
    ("truncated", "repair_unknown_producers_begin_at_zero"),
    ("deleted", "repair_snapshots_outlive_their_records"),
    ("expired", "repair_requests_die_before_expiry"),
    ("clean", "repair_read_log_without_snapshots"),
    ("empty", "repair_skip_empty_snapshots"),
    ("rebuilt", "repair_followers_keep_the_snapshot"),
    ("emptied", "repair_fetch_producers_with_the_log_start"),
]


@pytest.mark.parametrize(("scope", "repair"), REPAIRED)
def test_with_its_repair_everything_holds_where_the_finding_was(scope: str, repair: str) -> None:
    design = DESIGN.with_variant(repair)
    assert explore(design, DESIGN.scope(scope), MemoryExecution).verdict is Verdict.HOLDS


def test_a_lost_snapshot_that_is_skipped_leaves_the_log_directory_online() -> None:
    assert "log_directory_stays_online" in verdict("gone", Edit())
    assert "log_directory_stays_online" not in verdict("gone", SKIP_LOST_SNAPSHOTS)


TOGETHER = [
    {"unanswered": 2, "sequences": 3, "crashes": 1, "lost_snapshots": 1, "empty_snapshots": 1},
    {"unanswered": 2, "sequences": 3, "crashes": 1, "shutdowns": 1, "record_deletions": 1},
    {"truncations": 1, "crashes": 1, "lost_snapshots": 1, "empty_snapshots": 1},
    {"truncations": 1, "crashes": 1, "shutdowns": 1, "record_deletions": 2},
    {"tiered": 1, "rebuilds": 1, "record_deletions": 1, "crashes": 1},
    {"producer_ms": 1, "expiration_ms": 1, "producer_epochs": 2, "epoch_bumps": 1, "crashes": 1},
]


@pytest.mark.parametrize("bounds", TOGETHER, ids=lambda bounds: "-".join(bounds))
def test_with_all_repairs_everything_holds_where_several_things_go_wrong(
    bounds: dict[str, int],
) -> None:
    scope = DESIGN.scope("truncated").replace(truncations=0).replace(**bounds)
    as_shipped = explore(DESIGN, scope, MemoryExecution)
    assert as_shipped.verdict is Verdict.VIOLATED
    repaired = explore(DESIGN.with_variant("repair_all"), scope, MemoryExecution)
    assert repaired.verdict is Verdict.HOLDS


@pytest.mark.parametrize("scope", ["empty", "clean", "deleted", "expired", "emptied", "rebuilt"])
def test_a_first_sequence_of_0_alone_does_not_prevent_duplicates(scope: str) -> None:
    design = DESIGN.with_variant("repair_unknown_producers_begin_at_zero")
    result = explore(design, DESIGN.scope(scope), MemoryExecution)
    violated = {one.name for one in result.properties if one.verdict is Verdict.VIOLATED}
    assert violated >= TWICE


@pytest.mark.parametrize("scope", [name for name in DESIGN.scopes if name not in LARGE])
def test_the_counts_are_those_of_the_ledger(scope: str) -> None:
    result = explore(DESIGN, DESIGN.scope(scope), MemoryExecution, scope_name=scope)
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


def test_with_all_repairs_only_an_empty_log_that_loses_its_snapshot_breaks_anything() -> None:
    known = explorations.known(DESIGN).scopes
    broken = {scope for scope, explored in known.items() if explored["violated"]}
    assert set(known) == set(DESIGN.scopes)
    assert broken == {register_of(DESIGN).finding("empty_log_has_one_snapshot").scope}
