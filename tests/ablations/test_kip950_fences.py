"""KIP-950 in small scopes: the counts that the ledger expects, and what each fence is for."""

from functools import cache

import pytest

from tierproof.model.designs.kip950 import DESIGN
from tierproof.spark_explorer import ledger
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore

ONCE = DESIGN.scope("smoke").replace(config_changes=1)
SETTINGS = DESIGN.scope("settings").replace(config_changes=2)


@cache
def violated(scope, *without):
    result = explore(DESIGN.without(*without), scope, MemoryExecution, max_states=300_000)
    return {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}


def result_of(scope: str) -> Result:
    return explore(DESIGN, DESIGN.scope(scope), MemoryExecution, scope_name=scope)


def test_counts_verdicts_and_witnesses_are_those_of_the_ledger():
    result = result_of("smoke")
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


@pytest.mark.parametrize(
    ("guard", "claim", "scope"),
    [
        # The controller's.
        ("decides_on_remote_data", "disabling_decides_on_remote_data", SETTINGS),
        ("aligns_local_retention", "read_only_topic_has_one_retention", SETTINGS),
        # The publisher's: one thread, one step after the other.
        ("is_publisher_idle", "PublisherStep_lifecycle", ONCE),
        ("is_starting_tasks", "disabled_topic_has_no_tasks", ONCE),
        ("is_stopping_copy", "enabled_topic_is_copied_and_expired", ONCE),
        ("is_raising_log_start", "log_start_passes_only_what_may_go", ONCE),
        ("is_stopping_partition", "object_deleted_only_when_not_needed", ONCE),
        ("has_removal_ended", "disabled_topic_has_no_tasks", ONCE),
        # The log's lock, and metadata before objects.
        ("has_removed_what_it_chose", "log_start_passes_only_what_may_go", ONCE),
        ("is_deleting_objects", "metadata_comes_before_objects", ONCE),
        ("has_started", "metadata_comes_before_objects", ONCE),
        ("has_stored", "served_segment_has_its_object", ONCE),
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
