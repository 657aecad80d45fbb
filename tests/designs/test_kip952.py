"""What KIP-952 and the alternatives that it rejects do, by name: step by step in CPython."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designs.kip405_producers_steps import (
    CRASH,
    SHUT_DOWN,
    ProducerWalk,
    build,
    receive,
    retry,
)
from tests.designs.step_by_step import act
from tierproof.model.designs import kip952

MAKE = act("copy_makes_snapshot", segment=0)
PUBLISH = act("copy_publishes_started", segment=0)
CHOOSE = act("copy_task_chooses_segment", broker=0)
ENABLE = act("user_enables_remote_storage")
EXPAND = act("leader_expands_in_sync", leader=0, follower=1)

ONLY_COPIED, AT_RESTART = "text_snapshot_is_only_copied", "text_snapshot_is_found_at_restart"
ALL_OLD = {"old_end": 2, "restarts": 1}
"""Neither of the two rolled segments has a snapshot; producer 1 has written in the second alone."""


class ProposalWalk(ProducerWalk):
    """A walk through the proposal, in which segments without snapshot are copied."""

    subject = kip952.DESIGN

    def begin_copy(self) -> int:
        """An attempt to copy the next segment is published, once it has a snapshot; its id."""
        self.take(CHOOSE)
        id = next(i for i, copy in enumerate(self.state.segment) if copy.copier != -1)
        if self.can(act("copy_makes_snapshot", segment=id)):
            self.take(act("copy_makes_snapshot", segment=id))
        self.take(act("copy_publishes_started", segment=id)).read(0)
        return id


class RegeneratedWalk(ProposalWalk):
    """A walk through the alternative that regenerates the snapshot."""

    subject = kip952.REGENERATED


class RegeneratedYoungWalk(ProposalWalk):
    """The same from segments that are young enough."""

    subject = kip952.REGENERATED_YOUNG


class WaitingWalk(ProducerWalk):
    """A walk through the alternative that waits until old segments have expired."""

    subject = kip952.WAITING


class RefusingWalk(ProducerWalk):
    """A walk through the alternative that refuses to enable tiering."""

    subject = kip952.REFUSING


class NotCopiedWalk(ProducerWalk):
    """A walk through the alternative that copies no snapshots."""

    subject = kip952.NOT_COPIED


class CreatedOnReadWalk(ProducerWalk):
    """A walk through the alternative that takes a missing snapshot for an empty one."""

    subject = kip952.CREATED_ON_READ


def is_built_on_old_segments(walk: ProducerWalk) -> Any:
    """The old segments are copied and removed, and a follower with a new disk begins there."""
    walk.prepare_copies()
    for _ in range(2):
        walk.copy()
    walk.remove_locally()
    return walk.take(act("broker_loses_disk", broker=1)).read(1).take(build())


# -- the proposal


def test_the_proposal_makes_an_empty_snapshot_before_it_publishes_anything():
    walk = ProposalWalk(old_end=1).prepare_copies().take(CHOOSE)
    assert not walk.can(PUBLISH)
    walk.take(MAKE)
    assert walk.metadata() == []
    assert walk.snapshots()[1] == {}
    assert not walk.can(MAKE)
    assert "inputs_exist_before_copy_is_published" not in walk.violated_by(PUBLISH)


def test_old_segments_and_those_after_them_are_copied():
    walk = ProposalWalk(old_end=1).prepare_copies()
    assert [walk.stored(walk.copy()) for _ in range(2)] == [{}, {0: (0, 0), 1: (0, 0)}]
    assert [kind for _, kind in walk.metadata()] == [
        "COPY_SEGMENT_STARTED",
        "COPY_SEGMENT_FINISHED",
    ] * 2


def test_a_segment_that_has_its_snapshot_gets_no_other():
    walk = ProposalWalk().prepare_copies().take(CHOOSE)
    assert not walk.can(MAKE)
    assert walk.can(PUBLISH)


def test_what_is_stored_with_an_old_segment_is_not_what_the_log_says():
    walk = ProposalWalk(old_end=1).prepare_copies()
    walk.copy()
    assert {"copied_snapshots_are_right", "local_snapshots_are_right"} <= walk.violated()


def test_in_the_log_directory_the_empty_snapshot_makes_the_leader_itself_forget():
    walk = ProposalWalk(**ALL_OLD).prepare_copies()
    walk.copy()
    walk.take(CHOOSE)
    changes = walk.violated_by(act("copy_makes_snapshot", segment=1))
    assert changes == {"making_a_snapshot_changes_no_recovery"}
    walk.take(CRASH)
    assert walk.known() == {0: (0, [1])}
    walk.take(retry(1, 0), receive(1, 0))
    assert "each_batch_is_committed_once" in walk.violated()


@pytest.mark.parametrize("reading", [ONLY_COPIED, AT_RESTART])
def test_the_readings_store_the_same_with_the_segment(reading: str):
    walk = ProposalWalk(reading, **ALL_OLD).prepare_copies()
    assert [walk.stored(walk.copy()) for _ in range(2)] == [{}, {}]


def test_a_snapshot_for_the_copy_alone_leaves_the_log_directory_and_its_recovery_as_they_are():
    walk = ProposalWalk(ONLY_COPIED, **ALL_OLD).prepare_copies()
    walk.copy()
    assert list(walk.snapshots()) == [3]
    walk.take(CHOOSE)
    assert walk.violated_by(act("copy_makes_snapshot", segment=1)) == set()
    walk.take(CRASH)
    assert walk.known() == {0: (0, [1]), 1: (0, [0])}


def test_a_file_that_the_running_broker_is_not_told_of_is_found_at_the_next_crash():
    walk = ProposalWalk(AT_RESTART, **ALL_OLD).prepare_copies()
    walk.copy()
    walk.copy()
    assert not walk.log.snapshot[2].is_registered
    walk.take(CRASH)
    assert walk.known() == {0: (0, [1])}


def test_after_an_orderly_shutdown_the_empty_snapshot_does_no_harm():
    walk = ProposalWalk(old_end=2, shutdowns=1).prepare_copies()
    walk.copy()
    walk.copy()
    walk.take(SHUT_DOWN)
    assert walk.known() == {0: (0, [1]), 1: (0, [0])}


@pytest.mark.parametrize("keeps", [False, True])
def test_a_follower_that_begins_on_an_old_segment_knows_nobody_even_if_it_keeps_the_snapshot(keeps):
    repairs = ["repair_followers_keep_the_snapshot"] if keeps else []
    walk = is_built_on_old_segments(
        ProposalWalk(*repairs, brokers=2, old_end=2, lost_disks=1, elections=1)
    )
    assert walk.known(1) == {}
    walk.catch_up().take(EXPAND).elect(1, 1, 0)
    walk.take(retry(1, 0), receive(1, 0, leader=1)).catch_up(0)
    assert "each_batch_is_committed_once" in walk.violated()


# -- alternatives


def test_a_regenerated_snapshot_is_right():
    walk = RegeneratedWalk(**ALL_OLD).prepare_copies()
    assert [walk.stored(walk.copy()) for _ in range(2)] == [
        {0: (0, 0)},
        {0: (0, 0), 1: (0, 0)},
    ]
    assert walk.violated() == set()
    walk.take(CRASH)
    assert walk.known() == {0: (0, [1]), 1: (0, [0])}


def test_regenerated_from_young_segments_it_leaves_out_producers_that_may_have_expired():
    bounds = {"clock_ms": 3, "producer_ms": 3, "expiration_ms": 2, "old_end": 2}
    young = RegeneratedYoungWalk(**bounds).prepare_copies().take(act("time_passes", ms=2))
    assert [young.stored(young.copy()) for _ in range(2)] == [{}, {1: (0, 0)}]
    whole = RegeneratedWalk(**bounds).prepare_copies().take(act("time_passes", ms=2))
    assert [whole.stored(whole.copy()) for _ in range(2)][1] == {0: (0, 0), 1: (0, 0)}


def test_while_it_waits_nothing_is_published_and_nothing_is_copied():
    walk = WaitingWalk(old_end=1).prepare_copies()
    assert not walk.can(CHOOSE)
    assert walk.metadata() == []
    assert WaitingWalk().prepare_copies().can(CHOOSE)


def test_local_retention_does_not_remove_what_it_waits_for_as_that_is_not_copied():
    walk = WaitingWalk(old_end=1).prepare_copies()
    assert walk.segments() == [0, 1, 2]
    assert not walk.can(act("broker_raises_start_to_delete", broker=0, reason=1))


def test_it_copies_once_a_user_has_deleted_the_old_records():
    walk = WaitingWalk(old_end=1, record_deletions=1).prepare_copies()
    walk.take(act("user_deletes_records", leader=0, offset=1))
    walk.take(act("broker_removes_segments", broker=0))
    assert walk.segments() == [1, 2]
    assert walk.stored(walk.copy()) == {0: (0, 0), 1: (0, 0)}


def test_tiering_is_refused_while_a_replica_has_a_segment_without_snapshot():
    assert not RefusingWalk(old_end=1, is_enabled_later=1).can(ENABLE)
    assert RefusingWalk(is_enabled_later=1).can(ENABLE)


def test_whether_the_leader_alone_is_asked_decides_where_only_a_follower_is_old():
    for variants, expected in (((), False), (("text_only_the_leader_is_asked",), True)):
        walk = RefusingWalk(*variants, brokers=2, is_enabled_later=1)
        walk.state = walk.state.copy_for("a follower with an old segment")
        walk.state.broker[1].snapshot[1].is_registered = False
        assert walk.can(ENABLE) == expected


def test_without_snapshots_old_segments_are_copied_like_others():
    walk = NotCopiedWalk(old_end=1).prepare_copies()
    ids = [walk.copy() for _ in range(2)]
    assert not any(walk.state.segment[id].has_snapshot for id in ids)
    assert walk.violated() == {"every_object_has_its_snapshot"}


def test_without_snapshots_a_follower_rereads_the_remote_log_and_knows_everybody():
    walk = is_built_on_old_segments(NotCopiedWalk(brokers=2, old_end=2, lost_disks=1))
    assert walk.known(1) == {0: (0, [0]), 1: (0, [0])}
    assert walk.catch_up().known(1) == walk.known(0)


def test_what_is_created_on_read_is_not_in_the_store_and_others_take_their_snapshot_along():
    walk = CreatedOnReadWalk(old_end=1).prepare_copies()
    ids = [walk.copy() for _ in range(2)]
    assert [walk.state.segment[id].has_snapshot for id in ids] == [False, True]
    assert walk.stored(ids[1]) == {0: (0, 0), 1: (0, 0)}


@pytest.mark.parametrize("old_end", [0, 1, 2])
def test_a_follower_reads_a_missing_snapshot_as_empty(old_end: int):
    walk = is_built_on_old_segments(
        CreatedOnReadWalk(
            "repair_followers_keep_the_snapshot", brokers=2, old_end=old_end, lost_disks=1
        )
    )
    assert walk.known(1) == ({} if old_end == 2 else {0: (0, [0]), 1: (0, [0])})
