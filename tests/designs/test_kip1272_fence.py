"""The repaired fence of KIP-1272: a broker that leads again does not finish what it began before.

Broker 0 leads in epochs 0 and 2, broker 1 in epoch 1. Both offsets have the same key.
"""

from __future__ import annotations

import pytest

from tests.designs.kip1272_steps import SMALL, CompactedWalk, begin_copy, clean, map_keys, resolve
from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405.repairs.fencing import FENCE_EPOCHS
from tierproof.model.designs.kip1272 import DESIGN
from tierproof.model.designs.kip1272.repairs import DELETE_UNFINISHED, REPAIR_ALL
from tierproof.model.language import NONE

BOUNDS = {
    "brokers": 2,
    "leader_epochs": 3,
    "elections": 2,
    "segment_ids": 12,
    "metadata_records": 40,
    "local_start": 2,
    "planned_deletions": 8,
}


class Again(CompactedWalk):
    """Broker 0 begins, broker 1 leads and compacts all, and broker 0 leads again."""

    def others_lead(self, chunks: int = 2) -> Again:
        """Broker 1 compacts what is left; broker 0 learns of the last election only."""
        self.elect(1, 1).read(1).take(resolve(1))
        for _ in range(chunks):
            self.clean_chunk(1)
        self.elect(0, 0).read(0)
        return self


class OnlyFlags(Again):
    """A fence that asks whether the copy was cancelled, not when its pass began; no store's."""

    def __init__(self, **bounds: int) -> None:
        left_out = (FENCE_EPOCHS.name, DELETE_UNFINISHED.name)
        kept = [one.name for one in REPAIR_ALL.parts if one.name not in left_out]
        design = DESIGN.with_variants(*kept)
        for fence in (*FENCE_EPOCHS.parts, FENCE_EPOCHS):
            design = design.derive(name=design.name, title=design.title, change=fence)
        Walk.__init__(self, design, SMALL.replace(**bounds))


def test_a_pass_that_began_in_an_earlier_epoch_publishes_nothing():
    walk = Again("repair_all", **BOUNDS)
    walk.take(map_keys(), clean()).others_lead().take(begin_copy())
    stale = walk.log.output_id
    assert not walk.can(act("copy_publishes_started", segment=stale))
    walk.take(act("metadata_refuses_stale_copy", segment=stale))
    walk.take(act("cleaner_gives_up", broker=0), resolve(0))
    assert walk.log.cleaner_offset == 2
    assert walk.violated() == set()


def test_without_asking_for_the_epoch_of_the_pass_it_brings_a_superseded_value_back():
    walk = OnlyFlags(**BOUNDS)
    walk.take(map_keys(), clean()).others_lead()
    walk.copy()
    walk.take(act("cleaner_writes_checkpoint", broker=0), resolve(0))
    assert "cleaned_keys_are_unique" in walk.violated()


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_copy_that_began_in_an_earlier_epoch_is_refused_where_its_broker_leads_again(is_stored):
    walk = Again("repair_all", **BOUNDS)
    walk.take(map_keys(), clean(), begin_copy())
    stale = walk.log.output_id
    walk.take(act("copy_publishes_started", segment=stale)).read(0)
    if is_stored:
        walk.take(act("copy_stores_object", segment=stale))
    walk.others_lead()
    refuse = "metadata_refuses_stale_copy" if is_stored else "store_refuses_copy"
    assert not walk.can(act("copy_stores_object", segment=stale))
    assert not walk.can(act("copy_publishes_finished", segment=stale))
    walk.take(act(refuse, segment=stale))
    assert walk.state.segment[stale].copier == NONE


def test_a_run_that_was_planned_as_a_follower_deletes_nothing_once_its_broker_leads_again():
    walk = Again("repair_all", **BOUNDS)
    walk.clean_chunk()
    walk.take(act("expiration_task_plans_retention", broker=0))
    walk.others_lead(chunks=1).take(act("expiration_task_raises_log_start", broker=0))
    assert not walk.can(act("expiration_publishes_delete_started", broker=0))
    walk.take(act("cancelled_expiration_ends", broker=0))


def test_a_deletion_that_failed_is_planned_again_wherever_the_segment_lies():
    bounds = {"failed_deletes": 1, "cleaned": 1, "metadata_records": 14, "segment_ids": 5}
    planned = {}
    for variants in ((), ("repair_take_deletions_up",)):
        walk = CompactedWalk("repair_newest_version_serves", *variants, **bounds)
        walk.clean_chunk()
        walk.take(
            act("expiration_task_plans_retention", broker=0),
            act("expiration_task_raises_log_start", broker=0),
            act("expiration_publishes_delete_started", broker=0),
        ).read(0)
        deleted = walk.log.planned[0]
        walk.take(act("store_fails_expiration", broker=0))
        walk.take(act("expiration_task_plans_retention", broker=0))
        planned[variants] = deleted in list(walk.log.planned)
    assert planned == {(): False, ("repair_take_deletions_up",): True}
