"""KIP-405 beneath faults: published bugs that need them, and what holds with their fixes."""

from __future__ import annotations

import pytest

from tests.designs.kip405_steps import COPY, START
from tests.designs.step_by_step import Walk, act
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405_faults import DESIGN
from tierproof.model.language import Design, Scope
from tierproof.register import register_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

BUGS = {bug.name: bug for bug in register_of(DESIGN).published_bugs}
FAULTS = (
    "is_shared",
    "metadata_shrinks",
    "metadata_losses",
    "hung_copies",
    "failed_starts",
    "own_rolls",
    "slow_requests",
)
UNSAFE = "kafka_19858_one_replica_acknowledges"


def violated(design: Design, scope: Scope) -> set[str]:
    """What the design violates in a scope, explored to the end."""
    result = explore(design, scope, MemoryExecution)
    assert result.cut is None
    return {one.name for one in result.properties if one.verdict is Verdict.VIOLATED}


def test_every_fault_is_a_budget_that_is_none_by_default() -> None:
    bounds = dict(type(DESIGN.scope("default"))())
    assert [bounds[name] for name in FAULTS] == [0] * len(FAULTS)


def test_without_a_fault_the_states_are_those_of_kip405_with_all_repairs() -> None:
    scope, repaired = DESIGN.scope("smoke"), kip405.DESIGN.with_variant("repair_all")
    known = dict(kip405.DESIGN.scope("smoke"))
    same = kip405.DESIGN.scope("smoke").replace(
        **{name: value for name, value in dict(scope).items() if name in known}
    )
    counts = [
        (one.distinct_states, one.generated_states, one.depth)
        for one in (
            explore(DESIGN, scope, MemoryExecution),
            explore(repaired, same, MemoryExecution),
        )
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", BUGS)
def test_a_published_bug_breaks_what_it_claims_and_with_its_fix_that_holds(name: str) -> None:
    bug = BUGS[name]
    scope = DESIGN.scope(bug.scope)
    fixed = DESIGN.with_variants(*bug.beside)
    assert set(bug.claims) <= violated(fixed.with_variants(bug.variant), scope)
    assert not set(bug.claims) & violated(fixed, scope)


def test_a_follower_that_gets_in_sync_and_out_again_without_end_does_get_in_sync() -> None:
    """Only a goal that is to stay tells that it does not stay in sync (KAFKA-19996)."""
    bug = BUGS["kafka_19996_expands_below_min_in_sync"]
    found = violated(DESIGN.with_variants(*bug.beside, bug.variant), DESIGN.scope(bug.scope))
    assert found == {"in_sync_replicas_keep_up"}
    assert "followers_get_in_sync" in {one.name for one in DESIGN.properties}


def test_two_copiers_copy_the_other_partition_beside_a_copy_that_hangs() -> None:
    found = violated(DESIGN, DESIGN.scope("hung_copy_of_two"))
    assert found == {"rolled_segments_are_copied"}


@pytest.mark.parametrize("variant", [None, UNSAFE])
def test_kip_1235_refuses_a_metadata_record_that_one_replica_would_have_alone(
    variant: str | None,
) -> None:
    walk = Walk(DESIGN, DESIGN.scope("lost_metadata"), *filter(None, [variant]))
    walk.take(*START, COPY[0], act("metadata_replica_falls_behind"))
    assert walk.can(act("copy_publishes_started", segment=0)) == (variant is not None)
    assert walk.take(act("metadata_replica_catches_up")).can(
        act("copy_publishes_started", segment=0)
    )


def test_a_reader_skips_a_record_that_takes_the_place_of_a_lost_one() -> None:
    walk = Walk(DESIGN, DESIGN.scope("lost_metadata"), UNSAFE)
    walk.take(*START, *COPY[:4], act("metadata_replica_falls_behind"), *COPY[4:])
    walk.take(act("metadata_leader_is_lost"))
    assert walk.state.metadata_end == 1
    assert walk.state.broker[0].metadata_position == 2
    assert not walk.can(act("broker_reads_metadata", broker=0))


def test_a_copy_that_hangs_keeps_its_thread_also_where_its_task_is_cancelled() -> None:
    scope = DESIGN.scope("smoke").replace(hung_copies=1, copier_threads=1, is_shared=1)
    walk = Walk(DESIGN, scope)
    walk.take(*START, *COPY[:3], act("store_never_answers_copy", segment=0))
    walk.take(act("controller_elects_leader", leader=1), act("broker_learns_leader", broker=0))
    assert walk.state.segment[0].is_cancelled
    assert not walk.can(act("copy_stores_object", segment=0))
    assert not walk.can(act("other_copy_starts", broker=0))


def test_a_broker_that_gives_up_reads_no_metadata_until_it_starts_again() -> None:
    walk = Walk(DESIGN, DESIGN.scope("alone_failed_start"))
    walk.take(*START, *COPY, act("lone_leader_restarts_without_metadata", broker=0))
    assert not walk.can(act("broker_reads_metadata", broker=0))
    walk.take(act("lone_leader_stops_and_restarts", broker=0))
    assert walk.can(act("broker_reads_metadata", broker=0))
