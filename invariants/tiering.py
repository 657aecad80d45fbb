"""What the settings of a topic promise: the KIP-950 combination table, row by row."""

from __future__ import annotations

from typing import Any

from invariants.vocabulary import (
    committed_end,
    current_leader,
    has_applied_everything,
    is_quiet,
    is_readable,
)
from model.kafka.remote_segment import SegmentState
from model.kafka.topic_config import TieringState
from model.language import NONE, guard, invariant, step_property


@guard
def is_disabled_everywhere(state: Any) -> bool:
    """The topic is disabled and every broker has applied it."""
    return bool(state.tiering == TieringState.DISABLED and has_applied_everything(state))


@guard
def is_read_only_everywhere(state: Any) -> bool:
    """The topic is read-only and every broker has applied it."""
    return bool(state.tiering == TieringState.READ_ONLY and has_applied_everything(state))


@guard
def is_enabled_everywhere(state: Any) -> bool:
    """The topic is tiered and copied, and every broker has applied it."""
    return bool(state.tiering == TieringState.ENABLED and has_applied_everything(state))


@guard
def is_quiet_and_disabled(state: Any) -> bool:
    """Nothing is left to do and the topic is disabled."""
    return bool(state.tiering == TieringState.DISABLED and is_quiet(state))


@step_property(source="KIP-950, combination table, row 3: invalid")
def disabling_decides_on_remote_data(before: Any, after: Any) -> bool:
    """Remote storage is switched off only together with delete-on-disable."""
    disabled = before.settings.remote_storage_enable and not after.settings.remote_storage_enable
    return bool(not disabled or after.settings.remote_log_delete_on_disable)


@invariant(source="KIP-950, step 2.2.2")
def read_only_topic_has_one_retention(state: Any) -> bool:
    """A topic with copying disabled has no local retention that differs from its retention."""
    settings = state.settings
    return bool(
        not settings.remote_storage_enable
        or not settings.remote_log_copy_disable
        or settings.local_retention_matches
    )


@invariant(source="KIP-950, combination table, row 1", premise=is_enabled_everywhere)
def enabled_topic_is_copied_and_expired(state: Any) -> bool:
    """Row 1, uploadable and readable: the leader has a copy task and an expiration task."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    return bool(state.broker[leader].copy_task and state.broker[leader].expiration_task)


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_has_no_copy_task(state: Any) -> bool:
    """Row 2, readable: no broker has a copy task, the leader has an expiration task."""
    for b in range(len(state.broker)):
        if state.broker[b].copy_task:
            return False
    leader = current_leader(state)
    return bool(leader != NONE and state.broker[leader].expiration_task)


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_is_readable(state: Any) -> bool:
    """Row 2, readable: what was copied before is still read at the leader."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@step_property(source="KIP-950: copyOff and all applied imply no new S")
def read_only_topic_copies_nothing_new(before: Any, after: Any) -> bool:
    """Once every broker has applied a read-only topic, no COPY_SEGMENT_STARTED is published."""
    if before.tiering != TieringState.READ_ONLY or not has_applied_everything(before):
        return True
    return not starts_a_copy(before, after)


@step_property(source="KIP-950: DISABLED implies no copy task, and no copy begins")
def disabled_topic_copies_nothing_new(before: Any, after: Any) -> bool:
    """Once every broker has applied a disabled topic, no COPY_SEGMENT_STARTED is published."""
    if before.tiering != TieringState.DISABLED or not has_applied_everything(before):
        return True
    return not starts_a_copy(before, after)


def starts_a_copy(before: Any, after: Any) -> bool:
    """The step publishes COPY_SEGMENT_STARTED."""
    for i in range(len(after.segment)):
        if (
            before.segment[i].state == SegmentState.ABSENT
            and after.segment[i].state != SegmentState.ABSENT
        ):
            return True
    return False


@invariant(source="KIP-950, RemoteLogManager Change", premise=is_disabled_everywhere)
def disabled_topic_has_no_tasks(state: Any) -> bool:
    """Row 4: once every broker has applied the disable, none has a task of the remote log."""
    for b in range(len(state.broker)):
        replica = state.broker[b]
        if replica.copy_task or replica.expiration_task or replica.follower_task:
            return False
    return True


@step_property(source="KIP-950: no inflight of an older tEpoch may end in F")
def cancelled_copy_never_finishes(before: Any, after: Any) -> bool:
    """A copy whose task was cancelled does not become COPY_SEGMENT_FINISHED.

    Kafka does not believe it: cancelling is a flag and an interrupt, and neither is
    waited for. The KIP leans on the tiered epoch, which KRaft dropped.
    """
    for i in range(len(after.segment)):
        if (
            before.segment[i].is_cancelled
            and before.segment[i].state == SegmentState.COPY_SEGMENT_STARTED
            and after.segment[i].state == SegmentState.COPY_SEGMENT_FINISHED
        ):
            return False
    return True


@invariant(source="KIP-950, combination table, row 4", premise=is_quiet_and_disabled)
def disabled_topic_leaves_no_objects(state: Any) -> bool:
    """Row 4, all remote data are deleted: when nothing is left to do, no object remains.

    Safety form of `disable(delete) leads to no objects`: quiet means that nobody is going
    to delete what is left.
    """
    for i in range(len(state.segment)):
        if state.segment[i].object_exists:
            return False
    return True
