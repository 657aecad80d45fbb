"""What the settings of a topic promise: the KIP-950 combination table, row by row.

Only for designs with `settings` and `tiering` at the controller, and `cluster_end`, brokers'
`position` and `batch` of the cluster's metadata log.
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    is_in_sync,
    is_led,
    is_quiet,
    is_readable,
    told_state,
)
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, guard, invariant, step_property


def has_applied_everything(state: Any) -> bool:
    """Every broker has applied the whole cluster log, with all that follows from it."""
    for b in range(len(state.broker)):
        if state.broker[b].batch > 0 or state.broker[b].position < state.cluster_end:
            return False
    return True


@guard
def is_quiet_topic(state: Any) -> bool:
    """Nothing is left to do for tiering: all settings are applied, and all is quiet."""
    return bool(has_applied_everything(state) and is_quiet(state))


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
    return bool(state.tiering == TieringState.DISABLED and is_quiet_topic(state))


# -- the settings


@step_property(source="KIP-950, combination table, row 3: invalid")
def disabling_decides_on_remote_data(before: Any, after: Any) -> bool:
    """Remote storage is switched off only together with delete-on-disable."""
    disabled = before.settings.remote_storage_enable and not after.settings.remote_storage_enable
    return bool(not disabled or after.settings.remote_log_delete_on_disable)


@invariant(source="KIP-950, step 2.2.2")
def read_only_topic_has_one_retention(state: Any) -> bool:
    """A topic with copying disabled has no local retention that differs from its retention.

    -2 stands for the topic's retention.
    """
    settings = state.settings
    if not settings.remote_storage_enable or not settings.remote_log_copy_disable:
        return True
    return bool(
        settings.local_retention_ms in (-2, settings.retention_ms)
        and settings.local_retention_bytes in (-2, settings.retention_bytes)
    )


# -- row 1 and row 2: uploadable, readable


@invariant(source="KIP-950, combination table, row 1", premise=is_enabled_everywhere)
def enabled_topic_is_copied_and_expired(state: Any) -> bool:
    """Row 1, uploadable and readable: the leader has a copy task and an expiration task."""
    leader = current_leader(state)
    if leader == NONE or state.is_topic_deleted:
        return bool(state.is_topic_deleted)
    me = state.broker[leader]
    return bool(me.copy_task != CopyTask.NONE and me.expiration_task)


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_has_no_copy_task(state: Any) -> bool:
    """Row 2, readable: no broker has a copy task, the leader has an expiration task."""
    for b in range(len(state.broker)):
        if state.broker[b].copy_task != CopyTask.NONE:
            return False
    leader = current_leader(state)
    if leader == NONE or state.is_topic_deleted:
        return bool(state.is_topic_deleted)
    return bool(state.broker[leader].expiration_task)


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_is_readable(state: Any) -> bool:
    """Row 2, readable: what was copied before is still read at the leader.

    Suspended while the leader's cache is not initialized: the answer is a retriable error.
    """
    if not is_led(state):
        return True
    leader = current_leader(state)
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


# -- row 4: deleted


@step_property(source="KIP-950: DISABLED implies no copy task, and no copy begins")
def disabled_topic_copies_nothing_new(before: Any, after: Any) -> bool:
    """Once every broker has applied a disabled topic, no COPY_SEGMENT_STARTED is published."""
    if before.tiering != TieringState.DISABLED or not has_applied_everything(before):
        return True
    return not starts_a_copy(before, after)


def starts_a_copy(before: Any, after: Any) -> bool:
    """The step publishes COPY_SEGMENT_STARTED."""
    for n in range(before.metadata_end, after.metadata_end):
        if after.metadata_topic[n].kind == SegmentState.COPY_SEGMENT_STARTED:
            return True
    return False


@invariant(source="KIP-950, RemoteLogManager Change", premise=is_disabled_everywhere)
def disabled_topic_has_no_tasks(state: Any) -> bool:
    """Row 4: once every broker has applied the disable, none has a task of the remote log."""
    for b in range(len(state.broker)):
        me = state.broker[b]
        if me.copy_task != CopyTask.NONE or me.expiration_task or me.follower_task:
            return False
    return True


@step_property(source="KIP-950: no inflight of an older tEpoch may end in F")
def cancelled_copy_never_finishes(before: Any, after: Any) -> bool:
    """A copy whose task was cancelled does not become COPY_SEGMENT_FINISHED.

    Kafka does not believe it: cancelling is a flag and an interrupt, and neither is
    waited for. The KIP leans on the tiered epoch, which KRaft dropped.
    """
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        if (
            record.kind == SegmentState.COPY_SEGMENT_FINISHED
            and before.segment[record.segment].is_cancelled
            and told_state(after, n, record.segment) == SegmentState.COPY_SEGMENT_STARTED
        ):
            return False
    return True


@invariant(source="KIP-950, combination table, row 4", premise=is_quiet_and_disabled)
def disabled_topic_leaves_no_objects(state: Any) -> bool:
    """Row 4, all remote data are deleted: when nothing is left to do, no object remains.

    Safety form of `disable(delete) leads to no objects`: quiet means that nobody is going
    to delete what is left.
    """
    return all(not state.segment[i].object_exists for i in range(len(state.segment)))


@invariant(source="KIP-405: NoOrphan, at quiescence, where settings change", premise=is_quiet_topic)
def quiet_topic_holds_finished_segments_only(state: Any) -> bool:
    """When nothing is left to do, nor to apply, every object belongs to a finished segment.

    As `quiet_store_holds_finished_segments_only`; a disable that is on its way may still
    delete.
    """
    finished = finished_ids(state)
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and not finished >> i & 1:
            return False
    return True


@invariant(source="KIP-950: remote off implies llst[r] <= max lst for every replica in sync")
def every_replica_can_take_over_without_remote(state: Any) -> bool:
    """Without remote storage every replica in sync has what the leader's log start promises.

    Checked once all brokers have applied all metadata and the topic is disabled; the log
    start that counts is the highest of all replicas'.
    """
    if state.settings.remote_storage_enable or not has_applied_everything(state):
        return True
    return every_replica_has_what_is_promised(state)


def every_replica_has_what_is_promised(state: Any) -> bool:
    """No replica in sync begins, locally, above the highest log start of all."""
    highest = 0
    for b in range(len(state.broker)):
        highest = max(highest, state.broker[b].log_start_offset)
    for b in range(len(state.broker)):
        me = state.broker[b]
        has_more = me.local_log_start_offset > highest and highest < me.log_end_offset
        if is_in_sync(state, b) and has_more:
            return False
    return True
