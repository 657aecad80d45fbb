"""What the settings of a topic promise: the KIP-950 combination table, row by row.

Only for designs whose state is a Topic (`tierproof.invariants.fields`).
"""

from __future__ import annotations

from tierproof.invariants.fields import Partition, Topic
from tierproof.invariants.vocabulary import (
    current_leader,
    has_finished_objects_only,
    has_object,
    is_in_sync,
    is_led,
    is_quiet,
    is_readable_from_log_start,
    told_state,
)
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, guard, invariant, step_property


def has_applied_everything(state: Topic) -> bool:
    """Every broker has applied the whole cluster log, with all that follows from it."""
    return all(
        broker.batch == 0 and broker.position >= state.cluster_end for broker in state.broker
    )


@guard
def is_quiet_topic(state: Topic) -> bool:
    """Nothing is left to do for tiering: all settings are applied, and the partition is quiet."""
    return has_applied_everything(state) and is_quiet(state)


@guard
def is_disabled_everywhere(state: Topic) -> bool:
    """The topic is disabled and every broker has applied it."""
    return state.tiering == TieringState.DISABLED and has_applied_everything(state)


@guard
def is_read_only_everywhere(state: Topic) -> bool:
    """The topic is read-only and every broker has applied it."""
    return state.tiering == TieringState.READ_ONLY and has_applied_everything(state)


@guard
def is_enabled_everywhere(state: Topic) -> bool:
    """The topic is tiered and copied, and every broker has applied it."""
    return state.tiering == TieringState.ENABLED and has_applied_everything(state)


@guard
def is_quiet_and_disabled(state: Topic) -> bool:
    """Nothing is left to do and the topic is disabled."""
    return state.tiering == TieringState.DISABLED and is_quiet_topic(state)


# -- the settings


@step_property(source="KIP-950, combination table, row 3: invalid")
def disabling_decides_on_remote_data(before: Topic, after: Topic) -> bool:
    """Remote storage is switched off only together with delete-on-disable."""
    was, now = before.settings, after.settings
    is_disable = was.remote_storage_enable and not now.remote_storage_enable
    return now.remote_log_delete_on_disable or not is_disable


@invariant(source="KIP-950, step 2.2.2")
def read_only_topic_has_one_retention(state: Topic) -> bool:
    """The local retention of a topic with copying disabled is its retention.

    A local retention of -2 stands for the topic's retention.
    """
    settings = state.settings
    if not settings.remote_storage_enable or not settings.remote_log_copy_disable:
        return True
    return settings.local_retention_ms in (
        UNSET,
        settings.retention_ms,
    ) and settings.local_retention_bytes in (UNSET, settings.retention_bytes)


# -- row 1 and row 2: uploadable, readable


@invariant(source="KIP-950, combination table, row 1", premise=is_enabled_everywhere)
def enabled_topic_is_copied_and_expired(state: Topic) -> bool:
    """Row 1, uploadable and readable: the leader has a copy task and an expiration task."""
    leader = current_leader(state)
    if leader == NONE or state.is_topic_deleted:
        return state.is_topic_deleted
    return state.broker[leader].copy_task != CopyTask.NONE and state.broker[leader].expiration_task


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_has_no_copy_task(state: Topic) -> bool:
    """Row 2, readable: no broker has a copy task, the leader has an expiration task."""
    if any(broker.copy_task != CopyTask.NONE for broker in state.broker):
        return False
    leader = current_leader(state)
    if leader == NONE or state.is_topic_deleted:
        return state.is_topic_deleted
    return state.broker[leader].expiration_task


@invariant(source="KIP-950, combination table, row 2", premise=is_read_only_everywhere)
def read_only_topic_is_readable(state: Topic) -> bool:
    """Row 2, readable: what was copied before is still read at the leader.

    Suspended while the leader's cache is not initialized: the answer is a retriable error.
    """
    return not is_led(state) or is_readable_from_log_start(state, current_leader(state))


@step_property(source="KIP-950: copyOff and all applied imply no new S")
def read_only_topic_copies_nothing_new(before: Topic, after: Topic) -> bool:
    """Once every broker has applied a read-only topic, no COPY_SEGMENT_STARTED is published."""
    if before.tiering != TieringState.READ_ONLY or not has_applied_everything(before):
        return True
    return not starts_a_copy(before, after)


# -- row 4: deleted


@step_property(source="KIP-950: DISABLED implies no copy task, and no copy begins")
def disabled_topic_copies_nothing_new(before: Topic, after: Topic) -> bool:
    """Once every broker has applied a disabled topic, no COPY_SEGMENT_STARTED is published."""
    if before.tiering != TieringState.DISABLED or not has_applied_everything(before):
        return True
    return not starts_a_copy(before, after)


def starts_a_copy(before: Partition, after: Partition) -> bool:
    """The step publishes COPY_SEGMENT_STARTED."""
    return any(
        after.metadata_topic[n].kind == SegmentState.COPY_SEGMENT_STARTED
        for n in range(before.metadata_end, after.metadata_end)
    )


@invariant(source="KIP-950, RemoteLogManager Change", premise=is_disabled_everywhere)
def disabled_topic_has_no_tasks(state: Topic) -> bool:
    """Row 4: once every broker has applied the disable, none has a task of the remote log."""
    return all(
        broker.copy_task == CopyTask.NONE
        and not broker.expiration_task
        and not broker.follower_task
        for broker in state.broker
    )


@step_property(source="KIP-950: no inflight of an older tEpoch may end in F")
def cancelled_copy_never_finishes(before: Topic, after: Topic) -> bool:
    """A copy whose task was cancelled does not become COPY_SEGMENT_FINISHED.

    Kafka does not believe it: cancelling is a flag and an interrupt, and nothing waits until
    the thread has seen them. The KIP relies on the tiered epoch, which KRaft dropped.
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
def disabled_topic_leaves_no_objects(state: Topic) -> bool:
    """Row 4, all remote data are deleted: when nothing is left to do, no object remains.

    Safety form of `disable(delete) leads to no objects`: in a quiet topic no thread and no
    task will delete what is left.
    """
    return not has_object(state)


@invariant(source="KIP-405: NoOrphan, at quiescence, where settings change", premise=is_quiet_topic)
def quiet_topic_holds_finished_segments_only(state: Topic) -> bool:
    """When nothing is left to do, nor to apply, every object belongs to a finished segment.

    As `quiet_store_holds_finished_segments_only`; but a disable that is not applied may still
    delete.
    """
    return has_finished_objects_only(state)


@invariant(source="KIP-950: remote off implies llst[r] <= max lst for every replica in sync")
def every_replica_can_take_over_without_remote(state: Topic) -> bool:
    """Without remote storage every replica in sync has the records from the log start on.

    Checked once all brokers have applied all metadata and the topic is disabled. The log
    start that counts is the highest of all replicas'.
    """
    if state.settings.remote_storage_enable or not has_applied_everything(state):
        return True
    return every_replica_has_what_is_promised(state)


def every_replica_has_what_is_promised(state: Partition) -> bool:
    """No replica in sync begins, locally, above the highest log start of all."""
    highest = 0
    for broker in state.broker:
        highest = max(highest, broker.log_start_offset)
    return all(
        state.broker[b].local_log_start_offset <= highest
        or highest >= state.broker[b].log_end_offset
        for b in range(len(state.broker))
        if is_in_sync(state, b)
    )
