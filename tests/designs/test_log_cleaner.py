"""Kafka's log cleaner: its findings step by step, and which rule keeps which property."""

from __future__ import annotations

import pytest

from tests.designs.log_cleaner_steps import (
    ABORT,
    CHECKPOINT,
    CLEAN,
    COMMIT,
    COMMIT_OF_OTHER,
    CRASH,
    LATER,
    MAP,
    PASS,
    ROLL,
    transact,
    value,
    walk_of,
)
from tests.designs.step_by_step import Walk
from tierproof.model.designs.log_cleaner import DESIGN
from tierproof.model.designs.log_cleaner.cleaning import (
    cleaner_writes_checkpoint,
    first_uncleanable,
)
from tierproof.model.designs.log_cleaner.repairs import REPAIRS
from tierproof.model.designs.log_cleaner.state import CompactedPartition
from tierproof.model.kafka.cleaner_retention import is_marker_deletable, is_record_kept
from tierproof.model.kafka.cleaner_transactions import CleanedTransactions, collect_aborted
from tierproof.model.kafka.keyed_log import KeyedLog, ValuedRecord, remove_record
from tierproof.model.kafka.offset_map import collect_for_map
from tierproof.model.kafka.read_committed import latest_value
from tierproof.model.kafka.sized_segments import active_base
from tierproof.model.language import NONE, Edit, PropertyKind
from tierproof.register import register_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

NAMES = [variant.name for variant in REPAIRS]

# -- what it can do


def test_a_pass_keeps_the_last_record_of_each_key() -> None:
    walk = walk_of("ample", log_keys=2, map_keys=3)
    walk.take(value(0), value(0, key=1), value(NONE), ROLL, *PASS)
    assert [record.is_there for record in walk.state.log.record] == [False, True, True, False]
    assert walk.state.checkpoint == 3


def test_records_are_appended_while_a_pass_runs_and_it_does_not_see_them() -> None:
    walk = walk_of("ample")
    walk.take(value(0), ROLL, MAP, value(0), CLEAN, value(0), CHECKPOINT)
    assert walk.state.checkpoint == 1
    assert [record.is_there for record in walk.state.log.record] == [True, True, True, False]


def test_a_crash_leaves_cleaned_segments_and_the_old_checkpoint() -> None:
    walk = walk_of("crash")
    walk.take(value(0), value(0), ROLL, MAP, CLEAN, CRASH)
    assert [record.is_there for record in walk.state.log.record][:2] == [False, True]
    assert walk.state.checkpoint == 0
    assert walk.can(MAP)


def test_the_checkpoint_waits_for_every_group() -> None:
    walk = walk_of("ample", segment_records=1)
    walk.take(value(0), ROLL, value(0), ROLL, MAP, CLEAN)
    assert not walk.can(CHECKPOINT)
    walk.take(CLEAN, CHECKPOINT)
    assert walk.state.log.starts_segment[1]


def test_small_segments_are_cleaned_into_one() -> None:
    walk = walk_of("ample")
    walk.take(value(0), ROLL, value(0), ROLL, *PASS)
    assert [bool(starts) for starts in walk.state.log.starts_segment][:3] == [True, False, True]


def test_an_open_transaction_is_not_cleaned() -> None:
    walk = walk_of("ample")
    walk.take(transact(0), ROLL)
    assert not walk.can(MAP)
    walk.take(COMMIT)
    assert walk.can(MAP)


# -- a deleted key comes back

DELETED = (value(0), transact(0), ABORT, transact(NONE), COMMIT, ROLL)


def value_read(walk: Walk) -> int:
    """What a read-committed reader sees of key 0."""
    log = walk.state.log
    return int(latest_value(log, 0, log.log_end_offset))


def test_a_partial_pass_behind_an_abort_marker_brings_a_deleted_key_back() -> None:
    walk = walk_of("smoke")
    walk.take(*DELETED)
    assert value_read(walk) == NONE
    walk.take(*PASS)
    assert (walk.state.checkpoint, value_read(walk)) == (3, NONE)
    assert walk.violated_after(LATER, MAP, CLEAN) == {"deleted_keys_stay_deleted"}
    assert value_read(walk) == 0


def test_the_key_comes_back_also_if_its_delete_horizon_passes_after_the_second_pass() -> None:
    walk = walk_of("smoke", offsets=8, log_keys=2)
    walk.take(*DELETED, *PASS, *PASS)
    assert (walk.state.checkpoint, value_read(walk)) == (5, NONE)
    walk.take(value(0, key=1), LATER, ROLL, MAP)
    assert walk.violated_after(CLEAN) == {"deleted_keys_stay_deleted"}
    assert value_read(walk) == 0


@pytest.mark.parametrize("repair", NAMES)
def test_with_a_repair_the_tombstone_is_mapped_and_the_key_stays_deleted(repair: str) -> None:
    walk = walk_of("smoke", repair)
    assert walk.violated_after(*DELETED, *PASS, LATER, MAP, CLEAN) == set()
    assert walk.state.map.mapped_offset[0] == 3
    assert value_read(walk) == NONE


def test_without_a_partial_pass_the_key_stays_deleted() -> None:
    walk = walk_of("smoke", map_keys=2)
    assert walk.violated_after(*DELETED, *PASS) == set()
    assert (walk.state.checkpoint, value_read(walk)) == (5, NONE)


def test_a_tombstone_of_another_producer_is_mapped() -> None:
    walk = walk_of("smoke", producers=2)
    walk.take(value(0), transact(0), ABORT, transact(NONE, producer=1), COMMIT_OF_OTHER, ROLL)
    assert walk.violated_after(*PASS, LATER, MAP, CLEAN) == set()
    assert value_read(walk) == NONE


MERGED = (
    *(transact(NONE), ABORT, ROLL, value(0), MAP, ROLL, CLEAN, CHECKPOINT),
    *(MAP, CLEAN, CRASH),
)


def test_a_crash_before_the_checkpoint_does_the_same_with_an_ample_map() -> None:
    walk = walk_of("crash")
    walk.take(*MERGED)
    assert not walk.state.log.starts_segment[walk.state.checkpoint]
    walk.take(transact(NONE), ROLL, COMMIT, MAP, CLEAN, LATER, ROLL, CHECKPOINT, MAP)
    assert walk.violated_after(CLEAN) == {"deleted_keys_stay_deleted"}


def test_a_pass_that_is_aborted_between_two_groups_does_so_too() -> None:
    walk = walk_of("aborts", "only_aborted_passes")
    walk.take(transact(0), ABORT, ROLL, MAP, CLEAN, transact(0), ROLL, COMMIT, ROLL, CHECKPOINT)
    walk.take(MAP, CLEAN, CRASH, transact(NONE), COMMIT, ROLL, MAP, CLEAN, CLEAN)
    assert walk.violated_after(CHECKPOINT) == {"cleaned_keys_have_one_record"}


def test_a_pass_is_not_aborted_after_its_last_group() -> None:
    walk = walk_of("aborts", "only_aborted_passes")
    walk.take(value(0), ROLL, MAP)
    assert walk.can(CRASH)
    assert not walk.take(CLEAN).can(CRASH)


def test_a_checkpoint_at_the_base_of_a_segment_is_harmless() -> None:
    walk = walk_of("crash")
    walk.take(*MERGED[:-3], transact(NONE), ROLL, COMMIT, *PASS, LATER, ROLL, MAP)
    assert walk.violated_after(CLEAN) == set()
    assert value_read(walk) == NONE


SAFETY = [one.name for one in DESIGN.properties if one.kind is not PropertyKind.LIVENESS]


@pytest.mark.parametrize("scope", ["smoke", "crash"])
@pytest.mark.parametrize("repair", NAMES)
def test_with_either_repair_all_is_safe(repair: str, scope: str) -> None:
    design = DESIGN.with_variant(repair)
    result = explore(design, DESIGN.scope(scope), MemoryExecution, only=SAFETY)
    assert {one.verdict for one in result.properties} == {Verdict.HOLDS}


def test_without_partial_passes_and_crashes_everything_holds() -> None:
    assert explore(DESIGN, DESIGN.scope("ample"), MemoryExecution).verdict is Verdict.HOLDS


# -- which rule of the cleaner keeps which property


def collect_nothing(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int
) -> None:
    """The second pass knows no aborted transactions, nor does the first."""
    for marker in range(len(read.is_pending)):
        read.is_pending[marker] = False


def collect_nothing_for_map(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int, position: int
) -> None:
    """The first pass knows no aborted transactions."""
    for marker in range(len(read.is_pending)):
        read.is_pending[marker] = False


def always_deletable(has_type: bool, has_batch: bool) -> bool:
    """A marker need not wait for the batches of its transaction."""
    return True


def kept_while_last(
    offset: int,
    has_key: bool,
    is_tombstone: bool,
    mapped_offset: int,
    map_latest_offset: int,
    is_late: bool,
) -> bool:
    """Tombstones stay for ever."""
    return offset > map_latest_offset or offset >= mapped_offset


def kept_if_mapped(
    offset: int,
    has_key: bool,
    is_tombstone: bool,
    mapped_offset: int,
    map_latest_offset: int,
    is_late: bool,
) -> bool:
    """A record that the map does not have goes, although an earlier pass has kept it."""
    return offset > map_latest_offset or offset == mapped_offset


def removed_by_half(record: ValuedRecord) -> None:
    """The record loses its value, and stays."""
    record.value = NONE


def active_segment(state: CompactedPartition) -> int:
    """Every inactive segment is cleaned, stable or not."""
    return active_base(state.log)


MUTANTS = {
    "collects_nothing": Edit(define={collect_aborted: collect_nothing}),
    "maps_aborted_records": Edit(define={collect_for_map: collect_nothing_for_map}),
    "deletes_markers_at_once": Edit(define={is_marker_deletable: always_deletable}),
    "keeps_tombstones": Edit(define={is_record_kept: kept_while_last}),
    "keeps_what_is_mapped": Edit(define={is_record_kept: kept_if_mapped}),
    "removes_by_half": Edit(define={remove_record: removed_by_half}),
    "cleans_what_is_unstable": Edit(define={first_uncleanable: active_segment}),
    "writes_no_checkpoint": Edit(drop=(cleaner_writes_checkpoint,)),
}

BROKEN = [
    ("collects_nothing", "aborted_records_are_not_read"),
    ("maps_aborted_records", "aborted_records_are_not_mapped"),
    ("maps_aborted_records", "readers_see_the_last_value"),
    ("deletes_markers_at_once", "markers_stay_with_their_records"),
    ("keeps_tombstones", "expired_tombstones_are_removed"),
    ("keeps_what_is_mapped", "readers_see_the_last_value"),
    ("removes_by_half", "records_never_change"),
    ("cleans_what_is_unstable", "checkpoint_is_stable"),
    ("writes_no_checkpoint", "dirty_log_is_cleaned"),
]


@pytest.mark.parametrize(("mutant", "claim"), BROKEN)
def test_a_cleaner_without_the_rule_breaks_the_property(mutant: str, claim: str) -> None:
    design = DESIGN.derive(name=mutant, title="A mutant", change=MUTANTS[mutant])
    result = explore(design, DESIGN.scope("ample"), MemoryExecution, only=[claim])
    assert [one.verdict for one in result.properties] == [Verdict.VIOLATED]


def test_every_property_is_broken_by_a_mutant_a_fence_or_a_finding() -> None:
    found = {claim for finding in register_of(DESIGN).findings for claim in finding.claims}
    claims = {one.name for one in DESIGN.properties}
    assert {claim for _, claim in BROKEN} | found == claims
