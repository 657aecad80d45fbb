"""Each property of disabling in stages holds of a right state or step, and not of a wrong one.

Made by hand from a walk: a segment is copied, the leader has it in the remote tier only, and
both brokers have read so.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.designs.kip950_early_steps import copied
from tests.invariants.changes import (
    DELETE,
    FINISH,
    OBJECT_GONE,
    SECOND_LEFT,
    START,
    both,
    described,
    published,
    put,
)
from tests.invariants.states import Change, nothing
from tierproof.invariants import disablement
from tierproof.model.designs.kip950_early import KRAFT
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.tiered_state import (
    HANDLER,
    WATCH,
    DisableStep,
    Policy,
    TieredState,
    Tiering,
)
from tierproof.model.language import Property, PropertyKind, Step

PROPERTIES = {
    name: entry for name, entry in vars(disablement).items() if isinstance(entry, Property)
}
COPIED = copied(KRAFT.name).state


def made(*changes: Change) -> Any:
    """The state that was copied in, changed."""
    state = COPIED.copy_for("a test")
    for change in changes:
        change(state)
    return state


def answer(name: str, *states: Any, step: Step | None = None) -> bool:
    """What the property says of a state, or of a step."""
    return bool(
        PROPERTIES[name](*states, *([step] if "step" in PROPERTIES[name].arguments else []))
    )


def is_now(tiered_state: TieredState, tiering: Tiering = Tiering.ENABLED) -> Change:
    """What the cluster says of the topic."""
    return both(put("tiered_state", tiered_state), put("tiering", tiering))


DISABLING = is_now(TieredState.DISABLING, Tiering.RETAINED)
RETAINED = is_now(TieredState.DISABLED, Tiering.RETAINED)
DELETED = is_now(TieredState.DISABLED, Tiering.DELETED)
ENABLED_AGAIN = is_now(TieredState.DISABLED)
NO_COPY_TASK = put("broker.0.copy_task", CopyTask.NONE)
RAISED = put("broker.0.log_start_offset", 1)
HIDDEN = put("broker.0.cache.epoch.0.referenced", frozenset())
LATER_LOCAL_START = put("broker.0.local_log_start_offset", 2)
DELETED_BELOW = put("deleted_below", 1)

STATES: list[tuple[str, Change, Change]] = [
    # name, it holds, it is violated
    ("disabled_state_is_true_of_every_broker", both(RETAINED, NO_COPY_TASK), RETAINED),
    (
        "disabled_state_is_true_of_every_broker",
        both(RETAINED, NO_COPY_TASK),
        both(RETAINED, NO_COPY_TASK, put("broker.1.copy_task", CopyTask.SCHEDULED)),
    ),
    ("disabled_topic_serves_no_remote_read", both(DELETED, RAISED), DELETED),
    (
        "disabled_topic_serves_no_remote_read",
        both(DELETED, put("broker.0.settings.remote_storage_enable", False)),
        DELETED,
    ),
    (
        "disabled_topic_serves_no_remote_read",
        both(DELETED, RAISED),
        both(DELETED, RAISED, put("fetch.broker", 0)),
    ),
    (
        "disabled_topic_serves_no_remote_read",
        both(DELETED, put("leader_epoch", 1)),
        DELETED,
    ),
    ("disabled_state_leaves_no_objects", both(DELETED, OBJECT_GONE), DELETED),
    ("settled_topic_holds_finished_segments_only", nothing, SECOND_LEFT),
    (
        "settled_topic_holds_finished_segments_only",
        both(SECOND_LEFT, put("segment.1.object_exists", False)),
        both(DELETED, SECOND_LEFT),
    ),
    ("disabled_state_lets_every_replica_take_over", both(DELETED, RAISED), DELETED),
    (
        "disabled_state_lets_every_replica_take_over",
        both(DELETED, put("broker.1.log_start_offset", 1)),
        DELETED,
    ),
    ("disabled_state_lets_every_replica_take_over", both(DELETED, put("in_sync", {1})), DELETED),
    ("older_tiered_epochs_are_invisible", nothing, DELETED_BELOW),
    (
        "older_tiered_epochs_are_invisible",
        both(DELETED_BELOW, put("segment.0.tiered_epoch", 1)),
        DELETED_BELOW,
    ),
    ("older_tiered_epochs_are_invisible", both(DELETED_BELOW, DELETED), DELETED_BELOW),
    (
        "older_tiered_epochs_are_invisible",
        both(DELETED_BELOW, put("tiered_epoch", 1)),
        both(DELETED_BELOW, put("tiered_epoch", 1), put("broker.1.tiered_epoch", 1)),
    ),
    (
        "older_tiered_epochs_are_invisible",
        both(DELETED_BELOW, put("broker.0.batch", 1), put("broker.1.batch", 1)),
        both(DELETED_BELOW, put("broker.0.batch", 1)),
    ),
    ("retained_segments_stay_visible", nothing, HIDDEN),
    ("retained_segments_stay_visible", both(HIDDEN, DELETED_BELOW), HIDDEN),
    ("retained_segments_stay_visible", both(HIDDEN, OBJECT_GONE), HIDDEN),
    ("retained_segments_stay_visible", both(HIDDEN, RAISED), HIDDEN),
    ("retained_segments_stay_visible", both(HIDDEN, put("broker.0.metadata_position", 1)), HIDDEN),
    ("retained_segments_stay_visible", both(HIDDEN, put("broker.0.batch", 1)), HIDDEN),
    ("offsets_are_in_order", nothing, put("broker.0.log_end_offset", 3)),
    (
        "offsets_are_in_order",
        both(put("broker.0.high_watermark", 2), put("broker.0.local_log_start_offset", 2)),
        both(put("broker.0.high_watermark", 2), put("broker.0.local_log_start_offset", 3)),
    ),
    (
        "offsets_are_in_order",
        both(put("broker.0.high_watermark", 1), OBJECT_GONE, put("segment.0.end_offset", 1)),
        both(put("broker.0.high_watermark", 1), put("segment.0.end_offset", 1)),
    ),
    (
        "remote_log_ends_one_past_the_local_start",
        both(RETAINED, put("broker.0.local_log_start_offset", 0)),
        RETAINED,
    ),
    ("remote_log_ends_one_past_the_local_start", both(RETAINED, OBJECT_GONE), RETAINED),
    ("remote_log_reaches_the_local_log", RETAINED, both(RETAINED, LATER_LOCAL_START)),
    (
        "remote_log_reaches_the_local_log",
        both(RETAINED, LATER_LOCAL_START, OBJECT_GONE),
        both(RETAINED, LATER_LOCAL_START),
    ),
]


@pytest.mark.parametrize(("name", "fine", "wrong"), STATES)
def test_a_state_in_which_it_holds_and_one_in_which_it_is_violated(
    name: str, fine: Change, wrong: Change
) -> None:
    premise = PROPERTIES[name].premise
    for change, expected in ((fine, True), (wrong, False)):
        state = made(change)
        assert premise is None or premise(state)
        assert answer(name, state) == expected


PREMISES: list[tuple[str, list[Change]]] = [
    ("disabled_state_is_true_of_every_broker", [RETAINED, DELETED]),
    ("disabled_state_leaves_no_objects", [DELETED]),
    ("disabled_state_lets_every_replica_take_over", [DELETED]),
    ("disabled_topic_serves_no_remote_read", [DELETED]),
    ("remote_log_ends_one_past_the_local_start", [RETAINED]),
    ("remote_log_reaches_the_local_log", [RETAINED]),
    ("settled_topic_holds_finished_segments_only", [nothing, RETAINED, DELETED, ENABLED_AGAIN]),
]


@pytest.mark.parametrize(("name", "asked"), PREMISES)
def test_a_premise_says_in_which_tiered_state_and_policy_it_is_asked(
    name: str, asked: list[Change]
) -> None:
    premise = PROPERTIES[name].premise
    assert premise is not None
    for each in (nothing, DISABLING, RETAINED, DELETED, ENABLED_AGAIN):
        assert premise(made(each)) == (each in asked)


NOT_SETTLED: dict[str, Change] = {
    "a disablement is in the queue": put("controller.0.is_disabling", True),
    "a controller is between two writes": put("controller.0.has_state_to_write", True),
    "a request is on its way": put("request.1.to", 0),
    "a broker executes a request": put("broker.1.thread.1.step", DisableStep.ANSWERING),
    "settings are not applied": put("cluster_end", 1),
    "the topic is in DISABLING": put("tiered_state", TieredState.DISABLING),
}


@pytest.mark.parametrize("why", NOT_SETTLED)
def test_something_is_left_to_disable(why: str) -> None:
    assert disablement.is_settled(made())
    assert not disablement.is_settled(made(NOT_SETTLED[why]))


SECOND_STARTED = both(described(1, 2), published(1, START))
SECOND_OF_EPOCH_0 = both(RETAINED, put("tiered_epoch", 1), SECOND_STARTED)
SECOND_OF_EPOCH_1 = both(SECOND_OF_EPOCH_0, put("segment.1.tiered_epoch", 1))
IN_EPOCH_1 = both(DISABLING, put("tiered_epoch", 1))
POLICY = put("policy", Policy.DELETE)


def at(thread: int, step: DisableStep) -> Change:
    """A thread of the leader is at this step."""
    return put(f"broker.0.thread.{thread}.step", step)


def begins(epoch: int, step: DisableStep = DisableStep.CANCELLING_COPY) -> Change:
    """The leader's handler has in hand what controller 0 asked for, in a tiered epoch."""
    return both(
        at(HANDLER, step), put("broker.0.handled_for", 0), put("broker.0.handled_epoch", epoch)
    )


STOPPED = put("broker.0.stopped_in", 0)
WAS_RAISING = both(STOPPED, at(WATCH, DisableStep.RAISING_LOG_START))
DRAINS = at(WATCH, DisableStep.DRAINING_FETCHES)
LOCAL_GONE = both(put("broker.0.local_log_start_offset", 2), put("broker.0.log_start_offset", 2))

TASKS: list[Change] = [
    RAISED,
    NO_COPY_TASK,
    put("broker.0.expiration_task", False),
    put("broker.0.removal_list", frozenset({0})),
]
FINISHES = "disabled_topic_finishes_no_older_copy"
COPIES = "disabled_state_copies_nothing_new"
POLICY_IS_BOUND = "policy_is_bound_to_the_tiered_epoch"
OWN_EPOCH = "request_acts_in_its_own_tiered_epoch"
ACTIVE = "request_comes_from_the_active_controller"
TWICE = "disabling_twice_is_disabling_once"
EXPIRES = "local_log_expires_after_the_remote_log"


def of_leader(action: str) -> Step:
    """A step of broker 0."""
    return Step(action, (("broker", 0), ("thread", WATCH), ("slot", 0)))


TAKEN = {
    OWN_EPOCH: of_leader("broker_executes_request"),
    ACTIVE: of_leader("broker_executes_request"),
    TWICE: of_leader("thread_raises_log_start"),
    EXPIRES: of_leader("broker_removes_segments"),
}
"""The steps that these properties are asked of."""

ALLOWED: list[tuple[str, Change, Change]] = [
    # name, a state, a step from it that may be
    (FINISHES, SECOND_OF_EPOCH_0, published(1, DELETE)),
    (FINISHES, SECOND_OF_EPOCH_1, published(1, FINISH)),
    (FINISHES, both(SECOND_OF_EPOCH_0, DISABLING), published(1, FINISH)),
    (FINISHES, both(SECOND_OF_EPOCH_0, ENABLED_AGAIN), published(1, FINISH)),
    (FINISHES, both(SECOND_OF_EPOCH_0, published(1, FINISH)), published(1, FINISH)),
    (COPIES, DISABLING, published(1, START)),
    (COPIES, ENABLED_AGAIN, published(1, START)),
    (COPIES, RETAINED, published(0, DELETE)),
    (POLICY_IS_BOUND, nothing, POLICY),
    (POLICY_IS_BOUND, nothing, both(DISABLING, POLICY, put("tiered_epoch", 1))),
    (POLICY_IS_BOUND, RETAINED, both(POLICY, put("tiered_state", TieredState.ENABLED))),
    (OWN_EPOCH, IN_EPOCH_1, begins(1)),
    (OWN_EPOCH, IN_EPOCH_1, begins(1, DisableStep.RAISING_LOG_START)),
    (OWN_EPOCH, nothing, at(WATCH, DisableStep.CANCELLING_COPY)),
    (OWN_EPOCH, IN_EPOCH_1, begins(0, DisableStep.ANSWERING)),
    (ACTIVE, nothing, begins(0)),
    (ACTIVE, put("controller_epoch", 1), at(WATCH, DisableStep.CANCELLING_COPY)),
    (TWICE, WAS_RAISING, DRAINS),
    *((TWICE, both(WAS_RAISING, put("tiered_epoch", 1)), both(DRAINS, it)) for it in TASKS),
    *((TWICE, both(WAS_RAISING, put("broker.0.stopped_in", -1)), both(DRAINS, it)) for it in TASKS),
    (EXPIRES, both(RETAINED, OBJECT_GONE), LOCAL_GONE),
    (EXPIRES, both(RETAINED, RAISED), LOCAL_GONE),
    (EXPIRES, RETAINED, put("broker.0.local_log_start_offset", 2)),
    (EXPIRES, RETAINED, RAISED),
    (EXPIRES, RETAINED, both(LOCAL_GONE, put("broker.0.leader_epoch", 1))),
    (EXPIRES, nothing, LOCAL_GONE),
]
REFUSED: list[tuple[str, Change, Change]] = [
    # name, a state, a step from it that violates it
    (FINISHES, SECOND_OF_EPOCH_0, published(1, FINISH)),
    (FINISHES, both(SECOND_OF_EPOCH_0, DELETED), published(1, FINISH)),
    (COPIES, RETAINED, published(1, START)),
    (COPIES, DELETED, published(1, START)),
    (POLICY_IS_BOUND, DISABLING, POLICY),
    (POLICY_IS_BOUND, RETAINED, POLICY),
    (POLICY_IS_BOUND, DISABLING, both(POLICY, put("tiered_state", TieredState.DISABLED))),
    (OWN_EPOCH, IN_EPOCH_1, begins(0)),
    (OWN_EPOCH, IN_EPOCH_1, begins(0, DisableStep.STOPPING_PARTITION)),
    (OWN_EPOCH, both(IN_EPOCH_1, RETAINED), begins(1, DisableStep.RAISING_LOG_START)),
    (OWN_EPOCH, nothing, begins(0)),
    (ACTIVE, put("controller_epoch", 1), begins(0)),
    (ACTIVE, put("controller.0.is_active", False), begins(0)),
    *((TWICE, WAS_RAISING, both(DRAINS, it)) for it in TASKS),
    (EXPIRES, RETAINED, LOCAL_GONE),
    (EXPIRES, DISABLING, LOCAL_GONE),
]


@pytest.mark.parametrize(("name", "before", "step"), ALLOWED)
def test_a_step_that_it_allows(name: str, before: Change, step: Change) -> None:
    assert answer(name, made(before), made(before), step=of_leader("broker_checkpoints_log_start"))
    assert answer(name, made(before), made(before, step), step=TAKEN.get(name))


@pytest.mark.parametrize(("name", "before", "step"), REFUSED)
def test_a_step_that_violates_it(name: str, before: Change, step: Change) -> None:
    assert not answer(name, made(before), made(before, step), step=TAKEN.get(name))


OTHERS = [
    (OWN_EPOCH, "thread_stops_partition"),
    (ACTIVE, "broker_answers"),
    (TWICE, "broker_restarts"),
    (EXPIRES, "expiration_task_raises_log_start"),
    (EXPIRES, "user_deletes_records"),
]


@pytest.mark.parametrize(("name", "action"), OTHERS)
def test_a_step_that_it_does_not_ask_about(name: str, action: str) -> None:
    for _, before, step in [row for row in REFUSED if row[0] == name]:
        assert answer(name, made(before), made(before, step), step=of_leader(action))


AWAITED: list[tuple[str, Change, Change]] = [
    # name, the goal is awaited, the goal is reached
    ("disabling_ends", DISABLING, RETAINED),
    ("disabling_ends", DISABLING, nothing),
    ("settings_and_tiered_state_agree", put("tiering", Tiering.DELETED), DELETED),
    ("settings_and_tiered_state_agree", put("tiered_state", TieredState.DISABLED), nothing),
    ("settings_and_tiered_state_agree", put("tiered_state", TieredState.DISABLING), DISABLING),
]


@pytest.mark.parametrize(("name", "awaited", "reached"), AWAITED)
def test_a_state_that_waits_for_the_goal_and_one_that_is_there(
    name: str, awaited: Change, reached: Change
) -> None:
    premise = PROPERTIES[name].premise
    assert premise is not None
    assert premise(made(awaited))
    assert not answer(name, made(awaited))
    assert answer(name, made(reached))


def test_every_property_is_tried_as_what_it_is() -> None:
    kinds = {}
    for table, kind in (
        (STATES, PropertyKind.INVARIANT),
        (ALLOWED, PropertyKind.STEP),
        (AWAITED, PropertyKind.LIVENESS),
    ):
        kinds.update({row[0]: kind for row in table})
    assert {row[0] for row in ALLOWED} == {row[0] for row in REFUSED}
    assert kinds == {name: entry.kind for name, entry in PROPERTIES.items()}
