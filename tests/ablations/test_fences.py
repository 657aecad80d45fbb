"""Every fence that a design declares: left out in its scope, what it protects breaks.

A fence stands in the design that introduces it, or in the variant that does. One that breaks
nothing in any committed scope says why it stays, and is not explored.
"""

from functools import cache

import pytest

from tierproof.model.language import Design
from tierproof.register import ledger
from tierproof.register.ablation import Part, parts_of
from tierproof.register.ablation.matrix import Ablating, known_before
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

MOST_STATES = 400_000
SLOW = 500_000
FENCES = {
    "kip405": (
        "is_out_of_range_at_leader",
        "is_only_remote_at_leader",
        "is_cache_ready",
        "has_no_copy_of_its_own",
        "has_read_own_record",
        "has_read_own_deletion",
        "has_none_to_remove",
        "repair_fence_remote_metadata-is_copied_by_the_leader",
        "repair_fence_remote_metadata-deletes_as_leader",
        "repair_fence_remote_metadata-is_copy_current",
        "fetches_from_a_leader",
        "agrees_with_leader",
        "has_segment_to_build_on",
        "is_fetched_by",
        "has_caught_up",
        "is_in_sync",
        "repair_fence_remote_metadata-finishes_as_leader",
    ),
    "kip405_faults": (
        "has_two_metadata_replicas",
        "has_current_broker_epoch",
        "lagging_followers-has_caught_up_below_min_in_sync",
    ),
    "kip950": (
        "has_removed_what_it_chose",
        "has_removal_ended",
        "decides_on_remote_data",
        "aligns_local_retention",
    ),
    "kip950_zookeeper": ("has_no_stale_epoch",),
    "kip950_early_kraft": (
        "has_all_answers",
        "removes_nothing",
        "is_acceptable",
        "has_no_remote_log_to_expire_first",
    ),
    "kip950_early_zookeeper": (
        "has_all_answers",
        "removes_nothing",
        "is_acceptable",
        "has_no_remote_log_to_expire_first",
    ),
    "kip952_waits": ("has_expired_old_segments",),
    "kip952_refuses": ("has_snapshots_everywhere",),
    "kip1266": (
        "is_cache_ready",
        "is_segment_due",
        "is_message_expired",
        "is_topic_deleted",
    ),
    "kip1266_migration": (
        "is_upgraded",
        "has_waited",
    ),
    "kip1272": (
        "repair_swap_waits_for_the_copy-is_no_copy_in_flight",
        "repair_retention_and_cleaning_take_turns-is_no_cleaning_under_way",
        "repair_retention_and_cleaning_take_turns-has_nothing_to_expire",
        "repair_new_leader_reads_to_the_end-has_read_all_metadata",
    ),
    "log_cleaner": ("every_group_is_cleaned",),
}
"""The fences of each design that its base has not; before a dash the variant that adds one."""
IN_LARGE_SCOPES: dict[str, tuple[str, ...]] = {
    "kip1266": ("repair_store_remembers_deletions-does_store_take_it",)
}
"""Their scopes generate more states than SLOW: they are explored by the slow tests only."""


@cache
def design_of(name: str) -> Design:
    return Question(design=name).resolve()[0]


@cache
def ablating(name: str) -> Ablating:
    """One for each design, so that what holds with a fence is explored once for several fences."""
    return Ablating(design_of(name), is_brief=True, max_states=MOST_STATES)


@cache
def declared(name: str) -> dict[str, Part]:
    """The fences of a design that its base has not, and those that its variants add."""
    design = design_of(name)
    parts = parts_of(design, known=known_before(design))
    return {"-".join(filter(None, (it.variant, it.name))): it for it in parts if it.protects}


def is_in_large_scope(design: str, part: Part) -> bool:
    entry = ledger.read().get(design, {}).get(part.scope)
    return entry is not None and entry["generated_states"] > SLOW


def cases(fences: dict[str, tuple[str, ...]], *marks: pytest.MarkDecorator) -> list[object]:
    """A case for each fence, by its name: no design is imported for it."""
    return [
        pytest.param(design, name, id=f"{design}-{name}", marks=marks)
        for design, names in fences.items()
        for name in names
    ]


@pytest.mark.parametrize(
    ("design", "name"), [*cases(FENCES), *cases(IN_LARGE_SCOPES, pytest.mark.slow)]
)
def test_without_a_fence_what_it_protects_breaks(design: str, name: str) -> None:
    part = declared(design)[name]
    (row,) = ablating(design).run([part], watched=False).rows
    assert row.is_needed
    assert row.scope == part.scope


@pytest.mark.parametrize("design", DESIGNS)
def test_every_fence_of_every_design_is_left_out(design: str) -> None:
    large = {name for name, part in declared(design).items() if is_in_large_scope(design, part)}
    assert large == set(IN_LARGE_SCOPES.get(design, ()))
    assert declared(design).keys() - large == set(FENCES.get(design, ()))
