"""KIP-405: published bugs in the form of their issues, where the register shows a shorter one."""

from __future__ import annotations

import pytest

from tests.designs.step_by_step import Walk, act
from tests.designs.test_kip405_overlaps import copy_next
from tierproof.model.designs.kip405 import DESIGN

REMOVE_LOCALLY = (
    act("broker_raises_start_to_delete", broker=0, reason=1),
    act("broker_removes_segments", broker=0),
)
NOT_CHECKPOINTED = "kafka_16146_log_start_not_checkpointed"
NOT_RETRIED = "kafka_17428_dangling_deletion_not_retried"


@pytest.mark.parametrize(("variants", "is_forgotten"), [((), False), ((NOT_CHECKPOINTED,), True)])
def test_kafka_16146_without_its_fix_forgets_deleted_records_at_a_restart(
    variants: tuple[str, ...], is_forgotten: bool
) -> None:
    """A user deletes records of the remote part; the checkpoint is written before the crash."""
    scope = DESIGN.scope("alone_restart").replace(record_deletions=1)
    walk = Walk(DESIGN, scope, *variants)
    walk.take(*copy_next(0, 0), *REMOVE_LOCALLY)
    walk.take(act("user_deletes_records", leader=0, offset=1))
    walk.take(act("broker_checkpoints_log_start", broker=0))
    found = walk.violated_by(act("lone_leader_restarts", broker=0))
    assert ("acknowledged_deletions_are_remembered" in found) == is_forgotten
    assert walk.state.broker[0].log_start_offset == (0 if is_forgotten else 1)


@pytest.mark.parametrize(
    ("variants", "is_retried"),
    [((), True), (("kafka_17428_dangling_deletion_not_retried",), False)],
)
def test_kafka_17428_without_its_fix_leaves_the_object_of_a_failed_copy(
    variants: tuple[str, ...], is_retried: bool
) -> None:
    walk = Walk(DESIGN, DESIGN.scope("alone_size").replace(failed_deletes=1), *variants)
    walk.take(*copy_next(0, 0)[:5], act("store_loses_reply_of_copy", segment=0))
    walk.take(act("copy_publishes_delete_started", segment=0))
    walk.take(act("broker_reads_metadata", broker=0), act("store_fails_clean_up", segment=0))
    assert walk.state.segment[0].object_exists
    walk.take(act("expiration_task_plans_retention", broker=0))
    assert (walk.state.broker[0].planned_end == 1) == is_retried


@pytest.mark.parametrize(
    ("variants", "is_removed"), [((), True), (("pr_14905_deleted_records_wait_for_copy",), False)]
)
def test_pr_14905_without_its_fix_keeps_deleted_records_that_were_never_copied(
    variants: tuple[str, ...], is_removed: bool
) -> None:
    walk = Walk(DESIGN, DESIGN.scope("alone"), *variants)
    walk.take(act("user_deletes_records", leader=0, offset=2), *copy_next(0, 0)[:2])
    assert not walk.can(act("copy_task_chooses_segment", broker=0))
    assert walk.can(REMOVE_LOCALLY[1]) == is_removed
