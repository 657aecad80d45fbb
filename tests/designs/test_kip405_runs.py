"""When a run of the expiration task takes its steps, and when it has nothing to do."""

from __future__ import annotations

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
from tierproof.model.designs.kip405.state import RunStep
from tierproof.model.language import NONE


def test_a_run_that_finds_nothing_to_do_is_no_step() -> None:
    walk = walk_of("smoke").take(*START, *COPY)
    before = walk.state
    assert walk.take(plan(0)).state.leaves == before.leaves


def test_a_run_without_a_plan_still_learns_the_highest_remote_offset() -> None:
    walk = walk_of("size").take(*NEW_LEADER)
    assert walk.state.broker[1].highest_remote_offset == NONE
    assert walk.take(plan(1)).state.broker[1].highest_remote_offset == 1
    assert walk.state.broker[1].run_step == RunStep.IDLE


def test_a_run_that_finds_only_segments_of_old_epochs_takes_its_steps() -> None:
    """Retention plans nothing, as the only segment is of an epoch before the leader's earliest."""
    walk = walk_of("alone_elected").take(*ONLY_OLD_EPOCHS, plan(0))
    assert walk.state.broker[0].run_step == RunStep.PLANNED
    assert walk.state.broker[0].planned_end == 0
    walk.take(expire(0)[1], act("expiration_task_plans_old_epochs", broker=0))
    assert walk.state.broker[0].planned[0] == 0


def test_a_run_takes_its_steps_for_what_an_edit_plans() -> None:
    interrupted = (*START, *COPY[:4], act("controller_elects_leader", leader=1))
    leads = (act("broker_learns_leader", broker=1), act("broker_reads_metadata", broker=1))
    walk = walk_of("smoke", "repair_delete_unfinished_copies").take(*interrupted, *leads)
    assert walk.take(plan(1)).state.broker[1].run_step == RunStep.PLANNED
    assert walk.state.broker[1].planned[0] == 0
