"""KIP-405: what it can do, what it violates, and published bugs found again, step by step."""

from __future__ import annotations

import pytest

from tests.designs.kip405_steps import (
    COPY,
    NEW_LEADER,
    ONLY_OLD_EPOCHS,
    START,
    expire,
    plan,
    walk_of,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.kip405 import DESIGN
from tierproof.model.designs.kip405.repairs import REPAIRS
from tierproof.model.designs.kip405.state import RunStep
from tierproof.model.language import Step
from tierproof.register import ledger, register_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore


def test_a_copied_segment_is_read_from_the_remote_tier() -> None:
    walk = walk_of("smoke")
    raises = act("broker_raises_start_to_delete", broker=0, reason=1)
    assert walk.violated_after(*START, *COPY, raises) == set()
    assert walk.state.broker[0].local_log_start_offset == 1
    assert walk.state.broker[0].log_start_offset == 0


def test_a_thread_waits_until_its_broker_has_read_what_it_published() -> None:
    walk = walk_of("smoke")
    walk.take(*START, *COPY[:2])
    assert not walk.can(act("copy_stores_object", segment=0))
    walk.take(act("broker_reads_metadata", broker=0))
    assert walk.can(act("copy_stores_object", segment=0))


def test_other_brokers_read_metadata_later() -> None:
    walk = walk_of("smoke")
    walk.take(*START, *COPY)
    assert [int(b.cache.state[0]) for b in walk.state.broker] == [2, 0]


def test_a_leader_that_is_voted_out_works_on_until_it_learns() -> None:
    walk = walk_of("smoke")
    walk.take(*START, *COPY[:3], act("controller_elects_leader", leader=1))
    walk.take(act("broker_learns_leader", broker=0))
    assert walk.state.segment[0].is_cancelled
    walk.take(*COPY[3:])
    assert walk.state.broker[0].highest_remote_offset == 0


def test_size_retention_at_a_fresh_leader_keeps_what_fits() -> None:
    walk = walk_of("size")
    assert walk.violated_after(*NEW_LEADER, plan(1)) == set()
    assert walk.state.broker[1].run_step == RunStep.IDLE


def test_kafka_20732_without_its_fix_deletes_too_early() -> None:
    walk = walk_of("size", "kafka_20732_highest_offset_not_seeded")
    assert "log_start_passes_only_what_may_go" in walk.violated_after(*NEW_LEADER, *expire(1))


def test_a_segment_of_one_record_counts_twice() -> None:
    """UnifiedLog#onlyLocalLogSegmentsSize takes base >= highest remote offset as only local."""
    walk = walk_of("size_of_one")
    assert "log_start_passes_only_what_may_go" in walk.violated_after(*START, *COPY, *expire(0))


def test_a_segment_of_one_record_counts_once_in_our_repair() -> None:
    walk = walk_of("size_of_one", "repair_count_local_above_the_highest_remote_offset")
    assert walk.violated_after(*START, *COPY, plan(0)) == set()
    assert walk.state.broker[0].run_step == RunStep.IDLE


@pytest.mark.parametrize(
    ("variants", "violates"), [((), False), (("kafka_17062_failed_copies_counted",), True)]
)
def test_kafka_17062_failed_copies_count_only_without_its_fix(
    variants: tuple[str, ...], violates: bool
) -> None:
    walk = walk_of("alone_size", *variants)
    walk.take(
        *START,
        act("copy_task_chooses_segment", broker=0),
        act("copy_publishes_started", segment=0),
        act("broker_reads_metadata", broker=0),
        act("store_defers_copy", segment=0),
    )
    walk.take(plan(0))
    assert walk.can(expire(0)[1]) == violates
    assert not violates or "log_start_passes_only_what_may_go" in walk.violated_by(expire(0)[1])


EXPIRED_ELSEWHERE = (
    act("time_passes", ms=1),
    act("controller_elects_leader", leader=1),
    act("broker_learns_leader", broker=1),
    act("copy_task_finds_log_start", broker=1),
    act("copy_task_finds_highest_remote_offset", broker=1),
    act("copy_task_chooses_segment", broker=1),
    act("copy_publishes_started", segment=0),
    act("broker_reads_metadata", broker=0),
    *expire(0),
    act("expiration_publishes_delete_started", broker=0),
    act("broker_reads_metadata", broker=1),
    act("copy_stores_object", segment=0),
    act("copy_publishes_finished", segment=0),
    act("broker_reads_metadata", broker=1),
    act("broker_reads_metadata", broker=1),
    act("copy_records_progress", segment=0),
    act("broker_raises_start_to_delete", broker=1, reason=1),
)


def test_a_zombie_expires_what_the_new_leader_is_copying() -> None:
    """COPY_SEGMENT_FINISHED is dropped, and the leader takes the segment for copied."""
    assert "committed_records_stay_readable" in walk_of("smoke").violated_after(*EXPIRED_ELSEWHERE)


CRASH = (
    *START,
    *COPY,
    act("time_passes", ms=2),
    *expire(0),
    act("expiration_publishes_delete_started", broker=0),
    act("broker_reads_metadata", broker=0),
    act("expiration_deletes_object", broker=0),
    act("expiration_publishes_delete_finished", broker=0),
    act("lone_leader_restarts", broker=0),
)


def test_a_crash_takes_the_log_start_back_to_its_checkpoint() -> None:
    walk = walk_of("alone_restart")
    walk.take(*CRASH)
    assert walk.state.broker[0].log_start_offset == 0
    walk = walk_of("alone_restart")
    walk.take(*CRASH[:-1], act("broker_checkpoints_log_start", broker=0), CRASH[-1])
    assert walk.state.broker[0].log_start_offset == 2


def test_a_follower_truncates_what_an_unclean_leader_lacks() -> None:
    walk = walk_of("unclean", "unclean_elections")
    walk.take(
        act("leader_shrinks_in_sync", follower=1),
        act("leader_appends_record", leader=0, bytes=1, timestamp=0),
        act("leader_appends_record", leader=0, bytes=1, timestamp=0),
        act("controller_elects_unclean_leader", leader=1),
        act("broker_learns_leader", broker=1),
        act("leader_appends_record", leader=1, bytes=1, timestamp=0),
        act("broker_learns_leader", broker=0),
        act("follower_truncates", follower=0),
    )
    assert walk.state.broker[0].log_end_offset == 1
    assert [it.epoch for it in walk.state.committed] == [0, 1, -1]
    walk.take(act("follower_fetches", follower=0))
    assert list(walk.state.broker[0].lineage) == list(walk.state.broker[1].lineage) == [0, 1]


def test_an_empty_replica_builds_on_the_remote_tier() -> None:
    walk = walk_of("followers", appends=0)
    walk.take(
        *START,
        *COPY,
        act("broker_raises_start_to_delete", broker=0, reason=1),
        act("broker_removes_segments", broker=0),
        act("broker_loses_disk", broker=1),
    )
    assert not walk.can(act("follower_fetches", follower=1))
    reads = act("broker_reads_metadata", broker=1)
    walk.take(reads, reads, act("follower_builds_on_remote_tier", follower=1))
    assert walk.state.broker[1].log_start_offset == 0
    assert walk.state.broker[1].local_log_start_offset == 1
    walk.take(
        act("follower_fetches", follower=1), act("leader_expands_in_sync", leader=0, follower=1)
    )
    assert walk.state.in_sync == {0, 1}


def test_a_segment_counts_twice_until_its_copy_is_recorded() -> None:
    """COPY_SEGMENT_FINISHED is read before UnifiedLog#updateHighestOffsetInRemoteStorage."""
    walk = walk_of("size_of_two")
    walk.take(
        *START,
        *COPY,
        act("copy_task_chooses_segment", broker=0),
        act("copy_publishes_started", segment=1),
        act("broker_reads_metadata", broker=0),
        act("copy_stores_object", segment=1),
        act("copy_publishes_finished", segment=1),
        act("broker_reads_metadata", broker=0),
    )
    assert "log_start_passes_only_what_may_go" in walk.violated_after(*expire(0))


STALE_LOG_START = (
    START[1],
    *COPY,
    act("broker_reads_metadata", broker=1),
    act("broker_reads_metadata", broker=1),
    act("follower_task_finds_highest_remote_offset", follower=1),
    act("broker_raises_start_to_delete", broker=1, reason=1),
    act("time_passes", ms=1),
    *expire(0),
    act("expiration_publishes_delete_started", broker=0),
    act("broker_reads_metadata", broker=0),
    act("expiration_deletes_object", broker=0),
    act("expiration_publishes_delete_finished", broker=0),
    act("controller_elects_leader", leader=1),
    act("broker_learns_leader", broker=1),
    act("broker_reads_metadata", broker=1),
    act("broker_reads_metadata", broker=1),
)


def test_a_new_leader_takes_its_log_start_from_the_remote_tier() -> None:
    walk = walk_of("smoke")
    steps = (*STALE_LOG_START, act("copy_task_finds_log_start", broker=1))
    assert walk.violated_after(act("copy_task_finds_log_start", broker=0), *steps) == set()
    assert walk.state.broker[1].log_start_offset == 1


def test_kafka_15351_without_its_fix_advertises_what_is_gone() -> None:
    walk = walk_of("smoke", "kafka_15351_new_leader_keeps_log_start")
    steps = (*STALE_LOG_START, act("copy_task_finds_log_start", broker=1))
    found = walk.violated_after(act("copy_task_finds_log_start", broker=0), *steps)
    assert "committed_records_stay_readable" in found
    assert walk.state.broker[1].log_start_offset == 0


def copy_of(segment: int) -> tuple[Step, ...]:
    """Broker 0 copies the next segment under this id."""
    return (
        act("copy_task_chooses_segment", broker=0),
        act("copy_publishes_started", segment=segment),
        act("broker_reads_metadata", broker=0),
        act("copy_stores_object", segment=segment),
        act("copy_publishes_finished", segment=segment),
        act("broker_reads_metadata", broker=0),
        act("copy_records_progress", segment=segment),
    )


@pytest.mark.parametrize("is_repaired", [False, True])
def test_what_was_truncated_still_counts_as_copied(is_repaired: bool) -> None:
    """A leader is truncated behind an unclean one; what it has anew is removed uncopied."""
    repair = "repair_truncation_lowers_highest_remote_offset"
    variants = ("unclean_elections", repair) if is_repaired else ("unclean_elections",)
    walk = walk_of("unclean", *variants, elections=2, leader_epochs=3)
    appends = [act("leader_appends_record", leader=b, bytes=1, timestamp=0) for b in (0, 1)]
    fetches = act("follower_fetches", follower=0)
    walk.take(
        act("leader_shrinks_in_sync", follower=1),
        *(appends[0], appends[0]),
        *START,
        *copy_of(0),
        *copy_of(1),
        act("controller_elects_unclean_leader", leader=1),
        act("broker_learns_leader", broker=1),
        *(appends[1], appends[1]),
        act("broker_learns_leader", broker=0),
        act("follower_truncates", follower=0),
        *(fetches, fetches),
        act("leader_expands_in_sync", leader=1, follower=0),
    )
    deletes = act("broker_raises_start_to_delete", broker=0, reason=1)
    if walk.can(deletes):
        walk.take(deletes, act("broker_removes_segments", broker=0))
    walk.take(act("controller_elects_leader", leader=0))
    lost = "no_committed_record_lost" in walk.violated_after(act("broker_learns_leader", broker=0))
    assert lost == (not is_repaired)


def test_counts_verdicts_and_witnesses_are_those_of_the_ledger() -> None:
    result = explore(DESIGN, DESIGN.scope("smoke"), MemoryExecution, scope_name="smoke")
    entry = ledger.expected(result, ledger.read())
    assert entry is not None
    assert ledger.differences(result, entry) == []


def test_the_ledger_knows_every_property_of_the_design() -> None:
    known = ledger.read()[DESIGN.name]
    claimed = {entry.name for entry in DESIGN.properties}
    for scope in ("smoke", "default"):
        assert claimed <= set(known[scope]["properties"])


def test_all_repairs_together_leave_nothing_violated() -> None:
    """They compose: chosen one by one, or under one name, they are the same design."""
    together = DESIGN.with_variant("repair_all")
    assert together.system == DESIGN.with_variants(*(one.name for one in REPAIRS)).system
    for scope in ("size_of_one", "size_of_two", "alone_deleted", "alone_restart"):
        result = explore(together, DESIGN.scope(scope), MemoryExecution)
        assert all(entry.verdict is Verdict.HOLDS for entry in result.properties)


def test_each_finding_has_a_repair_of_its_own() -> None:
    repairs = [one.repair for one in register_of(DESIGN).findings]
    assert len(set(repairs)) == len(repairs)
    named = {one.name for one in REPAIRS} - {"repair_all"}
    assert named == set(repairs)


@pytest.mark.parametrize("is_repaired", [False, True])
def test_a_new_leader_counts_what_it_did_not_know_to_be_copied(is_repaired: bool) -> None:
    """Its follower task has seen one copy, its cache has read two: KAFKA-20732 does not seed."""
    repair = "repair_count_remote_up_to_the_highest_remote_offset"
    walk = walk_of(
        "size_of_two", *([repair] if is_repaired else []), brokers=2, elections=1, leader_epochs=2
    )
    reads = act("broker_reads_metadata", broker=1)
    walk.take(*START, *copy_of(0), reads, reads)
    walk.take(act("follower_task_finds_highest_remote_offset", follower=1), *copy_of(1))
    walk.take(act("controller_elects_leader", leader=1), reads, reads)
    walk.take(act("broker_learns_leader", broker=1))
    assert walk.state.broker[1].highest_remote_offset == 1
    walk.take(plan(1))
    assert walk.can(expire(1)[1]) == (not is_repaired)
    assert is_repaired or "log_start_passes_only_what_may_go" in walk.violated_by(expire(1)[1])


@pytest.mark.parametrize("is_repaired", [False, True])
def test_the_clean_up_of_old_epochs_meets_a_copy_of_its_own_broker(is_repaired: bool) -> None:
    """segmentIdsBeingCopied is asked by the loop over the epochs, and not after it."""
    repairs = ["repair_old_epochs_spare_running_copies"] if is_repaired else []
    walk = walk_of("alone_elected", *repairs)
    walk.take(*ONLY_OLD_EPOCHS, plan(0))
    assert walk.can(expire(0)[1]) == (not is_repaired)
    if not is_repaired:
        walk.take(expire(0)[1], act("expiration_task_plans_old_epochs", broker=0))
        assert walk.can(act("expiration_publishes_delete_started", broker=0))
