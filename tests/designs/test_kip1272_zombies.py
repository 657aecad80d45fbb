"""The table of KIP-1272 with brokers A and B, and what else a former leader may try.

"The following table shows the content of remote log metadata when the leadership switches from
broker A to broker B": cleaner offsets 100, 123 and 155 are 1, 2 and 3 here. A is broker 0, which
leads in epoch 0, B is broker 1 in epoch 1.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tests.designs.kip1272_steps import CompactedWalk, clean, map_keys, resolve
from tests.designs.step_by_step import act
from tierproof.invariants.vocabulary import know_the_same
from tierproof.model.designs.kip1272.cleaner_offsets import apply_claim, forget_claims
from tierproof.model.designs.kip1272.written_records import DELETED_LATER
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE

A, B = 0, 1


class Table(CompactedWalk):
    """The table row by row; Seg-0, Seg-1 and Seg-2 get their ids on the way."""

    def __init__(self, *variants: str) -> None:
        super().__init__(
            *variants,
            brokers=2,
            leader_epochs=2,
            elections=1,
            offsets=5,
            topic_keys=2,
            history=DELETED_LATER,
            copied=5,
            segment_ids=20,
            metadata_records=60,
            planned_deletions=20,
        )
        self.seg_0 = self.seg_1 = self.seg_2 = NONE

    def a_finishes_one_compaction(self) -> None:
        """Publish Seg-0, CO at 100; A's next upload is stored and not published."""
        (self.seg_0,) = self.clean_chunk(A)
        self.take(map_keys(A), clean(A))
        self.seg_1 = self.store(A)
        self.read(B)

    def b_becomes_leader(self) -> None:
        """Resolve the cleaner offsets."""
        self.elect(B, B).take(resolve(B))

    def b_finishes_one_compaction(self) -> None:
        """Upload Seg-2, CO at 155: two chunks, of which the last upload is Seg-2."""
        self.clean_chunk(B)
        self.seg_2 = self.clean_chunk(B)[-1]

    def a_copies_its_pending_compaction(self) -> None:
        """Seg-1, CO at 123."""
        self.publish(self.seg_1)

    def claims(self, id: int) -> list[int]:
        """The cleaner offsets in the metadata of an id, by leader epoch."""
        return list(self.state.segment[id].cleaner_offsets)

    def serves(self, broker: int, id: int) -> bool:
        """The broker's cache reads the id."""
        return any(id in epoch.referenced for epoch in list(self.state.broker[broker].cache.epoch))

    def knows(self, broker: int) -> tuple[list[int], list[int]]:
        """The cleaner offset of each epoch, and where earlier epochs ended."""
        cache = self.state.broker[broker].cache
        return list(cache.cleaner_offset), list(cache.cleaner_end)


def test_the_text_s_own_table_with_seg_1_after_seg_2():
    table = Table()
    table.a_finishes_one_compaction()
    assert table.claims(table.seg_0) == [1, NONE]
    assert table.claims(table.seg_1) == [2, NONE]
    table.b_becomes_leader()
    assert list(table.state.broker[B].cleaner_offsets) == [1, NONE]
    assert table.state.broker[B].cleaner_offset == 1
    table.b_finishes_one_compaction()
    assert table.claims(table.seg_2) == [1, 3]
    assert table.knows(B) == ([1, 3], [1, NONE])
    table.a_copies_its_pending_compaction()
    table.read(A, B)
    assert [table.serves(broker, table.seg_1) for broker in (A, B)] == [False, False]
    assert [table.serves(broker, table.seg_2) for broker in (A, B)] == [True, True]
    assert table.knows(A) == table.knows(B) == ([1, 3], [1, NONE])


def test_the_text_s_own_table_with_seg_1_before_seg_2():
    table = Table()
    table.a_finishes_one_compaction()
    table.b_becomes_leader()
    table.a_copies_its_pending_compaction()
    table.read(A, B)
    assert [table.serves(broker, table.seg_1) for broker in (A, B)] == [True, True]
    assert table.knows(B) == ([2, NONE], [NONE, NONE])
    table.b_finishes_one_compaction()
    table.read(A, B)
    assert [table.serves(broker, table.seg_1) for broker in (A, B)] == [False, False]
    assert [table.serves(broker, table.seg_2) for broker in (A, B)] == [True, True]
    assert table.knows(A) == table.knows(B) == ([1, 3], [1, NONE])


@pytest.mark.parametrize("is_early", [True, False])
def test_brokers_that_have_read_the_table_at_their_own_pace_know_the_same(is_early):
    table = Table()
    table.a_finishes_one_compaction()
    table.b_becomes_leader()
    if is_early:
        table.a_copies_its_pending_compaction()
    table.b_finishes_one_compaction()
    if not is_early:
        table.a_copies_its_pending_compaction()
    assert not know_the_same(table.state.broker[A].cache, table.state.broker[B].cache)
    table.read(A, B)
    assert know_the_same(table.state.broker[A].cache, table.state.broker[B].cache)


def cache_after(table: Table, *ids: int) -> Any:
    """A cache to which COPY_SEGMENT_FINISHED of these ids arrives in this order."""
    state = table.state.copy_for("a test")
    cache = state.broker[A].cache
    forget_claims(cache)
    for target in (SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED):
        for id in ids:
            apply_claim(cache, state.segment, id, target)
    return cache


@pytest.fixture(scope="module")
def table() -> Table:
    """The table after its last row."""
    table = Table()
    table.a_finishes_one_compaction()
    table.b_becomes_leader()
    table.b_finishes_one_compaction()
    table.a_copies_its_pending_compaction()
    return table


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_seg_1_is_rejected_and_seg_0_served_in_every_order_of_arrival(table, order):
    ids = [table.seg_0, table.seg_1, table.seg_2]
    cache = cache_after(table, *(ids[n] for n in order))
    assert set(cache.epoch[0].referenced) == {table.seg_0, table.seg_2}
    assert (list(cache.cleaner_offset), list(cache.cleaner_end)) == ([1, 3], [1, NONE])


def test_wherever_seg_1_arrives_among_the_uploads_of_b_the_same_ids_serve_in_the_end(table):
    uploads = [table.seg_0, *range(table.seg_1 + 1, table.seg_2 + 1)]
    served = set(cache_after(table, *uploads).epoch[0].referenced)
    for place in range(1, len(uploads) + 1):
        cache = cache_after(table, *uploads[:place], table.seg_1, *uploads[place:])
        assert set(cache.epoch[0].referenced) == served
        assert (list(cache.cleaner_offset), list(cache.cleaner_end)) == ([1, 3], [1, NONE])


# -- besides the table


def test_without_a_claim_of_the_new_leader_the_zombie_s_claim_stands():
    table = Table()
    table.a_finishes_one_compaction()
    table.b_becomes_leader()
    table.a_copies_its_pending_compaction()
    table.read(B)
    assert table.serves(B, table.seg_1)
    assert table.state.broker[B].cleaner_offset == 1


def test_a_zombie_s_claim_that_the_new_leader_resolves_is_never_rejected():
    table = Table()
    table.a_finishes_one_compaction()
    table.a_copies_its_pending_compaction()
    table.elect(B, B).read(B).take(resolve(B))
    assert table.state.broker[B].cleaner_offset == 2
    table.clean_chunk(B)
    assert table.knows(B) == ([2, 3], [2, NONE])


def test_a_zombie_that_claims_no_more_than_the_new_leader_took_over_is_accepted():
    """A comparison of offsets does not tell whose claim it is: both groups of a chunk claim 2."""
    table = Table()
    table.clean_chunk(A)
    table.take(map_keys(A), clean(A))
    table.copy(A)
    late = table.take(clean(A)).store(A)
    table.elect(B, B).read(B).take(resolve(B))
    assert table.state.broker[B].cleaner_offset == 2
    table.clean_chunk(B)
    table.publish(late).read(B)
    assert table.claims(late) == [2, NONE]
    assert table.serves(B, late)


def test_an_epoch_that_had_claimed_nothing_is_not_ended_by_the_next_one():
    """The vector of B has no entry for the epoch, which could say where that ended."""
    table = Table()
    table.take(map_keys(A), clean(A))
    seg_0 = table.store(A)
    table.elect(B, B).read(B).take(resolve(B))
    assert table.state.broker[B].cleaner_offset == 0
    first = table.clean_chunk(B)[-1]
    assert table.claims(first) == [NONE, 1]
    table.publish(seg_0).read(B)
    assert table.claims(seg_0) == [1, NONE]
    assert table.serves(B, seg_0)
    assert not table.serves(B, first)


def test_a_zombie_s_run_deletes_what_it_has_planned():
    """isRemoteSegmentWithinLeaderEpochs compares epochs, and passes."""
    table = Table()
    for _ in range(5):
        table.clean_chunk(A)
    table.take(act("expiration_task_plans_retention", broker=A))
    table.take(act("expiration_task_raises_log_start", broker=A))
    table.take(act("expiration_publishes_delete_started", broker=A))
    (planned,) = [id for id in table.log.planned if id != NONE]
    table.elect(B, B, A).read(A).take(act("expiration_deletes_object", broker=A))
    assert not table.state.segment[planned].object_exists


@pytest.mark.parametrize("broker", [A, B])
def test_one_epoch_rejects_nothing_of_itself(broker):
    table = Table()
    for end in (1, 2, 3):
        last = table.clean_chunk(A)[-1]
        assert table.claims(last) == [end, NONE]
        table.read(broker)
        assert table.serves(broker, last)
