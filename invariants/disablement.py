"""Tiering that is disabled in stages: tiered epochs, DISABLING, requests to brokers (KIP-950).

Only for designs with `tiered_state`, `tiered_epoch`, `policy` and `tiering` of the topic,
`controller[c]`, the `fetch` of a consumer, brokers' `tiered_epoch`, `thread[t]` and
`handled_epoch`, and segments' `tiered_epoch`. Ghosts: `deleted_below`, brokers' `stopped_in`.
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.tiering import (
    every_replica_has_what_is_promised,
    is_quiet_topic,
    starts_a_copy,
)
from tierproof.invariants.vocabulary import (
    current_leader,
    finished_ids,
    is_led,
    serving_id,
    told_state,
)
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, guard, invariant, liveness, step_property

ENABLED, DISABLING, DISABLED = 0, 1, 2
"""TieredState."""
HANDLER = 1
"""The thread of a broker that executes requests."""
IDLE, CANCELLING_COPY, WAITING_FOR_REMOVAL = 0, 3, 7
"""DisableStep: from the second to the third a thread disables."""


# -- the tiered state is true


@guard
def is_disabled(state: Any) -> bool:
    """The cluster says DISABLED, in the tiered state and in the settings."""
    return bool(state.tiered_state == DISABLED and state.tiering != TieringState.ENABLED)


@guard
def is_disabled_with_delete(state: Any) -> bool:
    """The cluster says DISABLED, and the policy is delete."""
    return bool(state.tiered_state == DISABLED and state.tiering == TieringState.DISABLED)


@guard
def is_disabled_with_retain(state: Any) -> bool:
    """The cluster says DISABLED, and the policy is retain."""
    return bool(state.tiered_state == DISABLED and state.tiering == TieringState.READ_ONLY)


@invariant(source="KIP-950: DISABLED implies no copy task anywhere", premise=is_disabled)
def disabled_state_is_true_of_every_broker(state: Any) -> bool:
    """Once the topic is DISABLED, no broker has a task that copies.

    Suspended while it is being enabled again: the settings come before the tiered state. The
    KIP believes it because the controller has an answer of every broker.
    """
    return all(state.broker[b].copy_task == CopyTask.NONE for b in range(len(state.broker)))


@step_property(source="KIP-950: DISABLED, and no copy of an older tiered epoch ends in F")
def disabled_topic_finishes_no_older_copy(before: Any, after: Any) -> bool:
    """While the topic is DISABLED no copy of an older tiered epoch is finished."""
    if not is_disabled(before):
        return True
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        is_older = after.segment[record.segment].tiered_epoch < before.tiered_epoch
        was_started = told_state(after, n, record.segment) == SegmentState.COPY_SEGMENT_STARTED
        if record.kind == SegmentState.COPY_SEGMENT_FINISHED and is_older and was_started:
            return False
    return True


@step_property(source="KIP-950: DISABLED implies no copy task, and no copy begins")
def disabled_state_copies_nothing_new(before: Any, after: Any) -> bool:
    """While the topic is DISABLED, with either policy, no COPY_SEGMENT_STARTED is published."""
    return not is_disabled(before) or not starts_a_copy(before, after)


@guard
def is_settled(state: Any) -> bool:
    """Nothing is left to do for tiering: no disablement goes on, no request is on its way."""
    for c in range(len(state.controller)):
        me = state.controller[c]
        if me.is_disabling or me.has_state_to_write:
            return False
    for n in range(len(state.request)):
        if state.request[n].to != NONE:
            return False
    for b in range(len(state.broker)):
        if state.broker[b].thread[HANDLER].step != IDLE:
            return False
    return bool(is_quiet_topic(state) and state.tiered_state != DISABLING)


@guard
def is_settled_and_deleted(state: Any) -> bool:
    """Nothing is left to do, and the topic is DISABLED with delete."""
    return bool(is_disabled_with_delete(state) and is_settled(state))


@invariant(source="KIP-950, DISABLED: all remote data is deleted", premise=is_settled_and_deleted)
def disabled_state_leaves_no_objects(state: Any) -> bool:
    """When nothing is left to do for a topic that is DISABLED with delete, no object remains.

    Safety form of `disable(delete) leads to no objects`.
    """
    return all(not state.segment[i].object_exists for i in range(len(state.segment)))


@invariant(source="KIP-405: NoOrphan, at quiescence, where tiering is disabled", premise=is_settled)
def settled_topic_holds_finished_segments_only(state: Any) -> bool:
    """When nothing is left to do, nor to disable, every object belongs to a finished segment."""
    finished = finished_ids(state)
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and not finished >> i & 1:
            return False
    return True


@invariant(
    source="KIP-950: remote off implies llst[r] <= max lst for every replica in sync",
    premise=is_disabled_with_delete,
)
def disabled_state_lets_every_replica_take_over(state: Any) -> bool:
    """Once DISABLED with delete, every replica in sync has what the log start promises.

    The log start that counts is the highest of all replicas'.
    """
    return every_replica_has_what_is_promised(state)


@invariant(source="KIP-950, DISABLED: inaccessible for read", premise=is_disabled_with_delete)
def disabled_topic_serves_no_remote_read(state: Any) -> bool:
    """Once the topic is DISABLED with delete, no remote fetch is under way, and none begins."""
    if state.fetch.broker != NONE:
        return False
    leader = current_leader(state)
    if leader == NONE:
        return True
    me = state.broker[leader]
    for offset in range(me.log_start_offset, me.local_log_start_offset):
        if me.settings.remote_storage_enable and serving_id(state, leader, offset) != NONE:
            return False
    return True


@guard
def is_disabling(state: Any) -> bool:
    """The tiered state is DISABLING."""
    return state.tiered_state == DISABLING


@liveness(source="KIP-950: DISABLING leads to DISABLED", premise=is_disabling)
def disabling_ends(state: Any) -> bool:
    """A topic that is DISABLING becomes DISABLED, provided that brokers recover or are removed.

    The KIP believes it because the controller asks until every broker has answered.
    """
    return not is_disabling(state)


@guard
def is_disabled_in_settings_only(state: Any) -> bool:
    """The settings say that tiering is off, and the tiered state that it is on; or vice versa."""
    is_off = state.tiering != TieringState.ENABLED
    return bool(is_off != (state.tiered_state != ENABLED))


@liveness(source="KIP-950: settings and tiered state", premise=is_disabled_in_settings_only)
def settings_and_tiered_state_agree(state: Any) -> bool:
    """What the settings say of tiering, the tiered state says in the end."""
    return not is_disabled_in_settings_only(state)


# -- policy and tiered epoch


@step_property(source="KIP-950: policy constant within a tiered epoch")
def policy_is_bound_to_the_tiered_epoch(before: Any, after: Any) -> bool:
    """From DISABLING until the topic is enabled again the policy stays what it was.

    While the topic is enabled another policy is only what the next disable begins with.
    """
    is_enabled = before.tiered_state == ENABLED or after.tiered_state == ENABLED
    is_same_epoch = before.tiered_epoch == after.tiered_epoch
    return bool(is_enabled or not is_same_epoch or before.policy == after.policy)


@invariant(source="KIP-950: ids of an older tiered epoch are invisible unless retained")
def older_tiered_epochs_are_invisible(state: Any) -> bool:
    """A broker of a topic that is tiered again serves nothing that a disable with delete left.

    Asked of brokers that have applied the settings. The KIP believes it because segments are
    fenced with the tiered epoch.
    """
    if state.tiering != TieringState.ENABLED:
        return True
    for b in range(len(state.broker)):
        me = state.broker[b]
        has_applied = me.tiering == state.tiering and me.tiered_epoch == state.tiered_epoch
        if not has_applied or me.batch > 0:
            continue
        for offset in range(me.log_end_offset):
            id = serving_id(state, b, offset)
            if id != NONE and state.segment[id].tiered_epoch < state.deleted_below:
                return False
    return True


@invariant(source="KIP-950, Re-enabling, scenario 3: what was retained goes on being served")
def retained_segments_stay_visible(state: Any) -> bool:
    """The leader of a topic that was disabled with retain serves what was copied before.

    From its log start on, where nothing but retain came since the copy. Suspended while its
    cache is not filled.
    """
    if not is_led(state):
        return True
    leader = current_leader(state)
    me = state.broker[leader]
    finished = finished_ids(state)
    if not me.settings.remote_storage_enable or me.batch > 0:
        return True
    for i in range(len(state.segment)):
        it = state.segment[i]
        is_kept = finished >> i & 1 and it.object_exists and it.tiered_epoch >= state.deleted_below
        if not is_kept or me.metadata_position < state.metadata_end:
            continue
        for offset in range(max(it.start_offset, me.log_start_offset), it.end_offset + 1):
            if offset < me.local_log_start_offset and serving_id(state, leader, offset) == NONE:
                return False
    return True


# -- requests


def begins_to_disable(before: Any, after: Any, broker: int) -> bool:
    """The step has the broker's handler begin with a request."""
    was, now = before.broker[broker].thread[HANDLER].step, after.broker[broker].thread[HANDLER].step
    return bool(was == IDLE and CANCELLING_COPY <= now <= WAITING_FOR_REMOVAL)


@step_property(source="KIP-950: a request has an effect only in its own tiered epoch")
def request_acts_in_its_own_tiered_epoch(before: Any, after: Any) -> bool:
    """A broker executes a request only while the disablement that it was sent for goes on."""
    for b in range(len(after.broker)):
        if begins_to_disable(before, after, b):
            is_its_own = after.broker[b].handled_epoch == after.tiered_epoch
            if after.tiered_state != DISABLING or not is_its_own:
                return False
    return True


@step_property(source="KIP-950: a request is executed only for the current controller")
def request_comes_from_the_active_controller(before: Any, after: Any) -> bool:
    """A broker executes only what the controller asks that is the active one by now."""
    for b in range(len(after.broker)):
        if begins_to_disable(before, after, b):
            sender = after.controller[after.broker[b].handled_for]
            if not sender.is_active or sender.epoch != after.controller_epoch:
                return False
    return True


@step_property(source="KIP-950: executing a request twice is executing it once")
def disabling_twice_is_disabling_once(before: Any, after: Any) -> bool:
    """A broker that has stopped the partition in this tiered epoch changes nothing more by it.

    Not its log start, nor its tasks, nor what it deletes. Watch and request come for the same
    disablement.
    """
    for b in range(len(before.broker)):
        was, now = before.broker[b], after.broker[b]
        if was.stopped_in != before.tiered_epoch or before.tiered_epoch != after.tiered_epoch:
            continue
        for t in range(len(was.thread)):
            step = was.thread[t].step
            acts = CANCELLING_COPY <= step < WAITING_FOR_REMOVAL and now.thread[t].step != step
            if acts and not has_same_tasks(was, now):
                return False
    return True


def has_same_tasks(was: Any, now: Any) -> bool:
    """Log start, tasks and removal of a broker are as they were."""
    return bool(
        was.log_start_offset == now.log_start_offset
        and was.copy_task == now.copy_task
        and was.expiration_task == now.expiration_task
        and was.removal_list == now.removal_list
    )


# -- data expiry


@step_property(source="KIP-950, Data Expiry: local logs expire once the remote log is gone")
def local_log_expires_after_the_remote_log(before: Any, after: Any) -> bool:
    """While a topic is disabled with retain, local retention moves no log start past remote data.

    Asked of the elected leader, while a finished segment with an object ends at or above its
    log start. Expiration of the remote log, and a user's DeleteRecords, may move both starts.
    """
    if before.tiering != TieringState.READ_ONLY or after.tiering != TieringState.READ_ONLY:
        return True
    leader = before.elected_leader
    was, now = before.broker[leader], after.broker[leader]
    is_local = was.run_step == now.run_step and before.record_deletions == after.record_deletions
    moves_local = now.local_log_start_offset > was.local_log_start_offset
    moves = moves_local and now.log_start_offset > was.log_start_offset
    if was.leader_epoch != now.leader_epoch or not (moves and is_local):
        return True
    finished = finished_ids(before)
    for i in range(len(before.segment)):
        it = before.segment[i]
        if finished >> i & 1 and it.object_exists and it.end_offset >= was.log_start_offset:
            return False
    return True


def remote_end(state: Any) -> int:
    """The last offset of a finished segment that has its object, or NONE."""
    finished, found = finished_ids(state), NONE
    for i in range(len(state.segment)):
        if finished >> i & 1 and state.segment[i].object_exists:
            found = max(found, state.segment[i].end_offset)
    return found


@invariant(source="KIP-950, Data Expiry: L_z >= L_y >= L_x and L_y >= R_y >= R_x")
def offsets_are_in_order(state: Any) -> bool:
    """At the leader: log end >= last stable offset >= local log start; last stable >= remote end.

    Without transactions the last stable offset is the high watermark. R_y >= R_x is so by
    the making of segments.
    """
    leader = current_leader(state)
    if leader == NONE:
        return True
    me = state.broker[leader]
    is_chain = me.log_end_offset >= me.high_watermark >= me.local_log_start_offset
    return bool(is_chain and me.high_watermark > remote_end(state))


@invariant(source="KIP-950, Re-enabling, scenario 3", premise=is_disabled_with_retain)
def remote_log_ends_one_past_the_local_start(state: Any) -> bool:
    """R_y = L_x + 1, as the text has it of a topic that is disabled with retain.

    R_y ends the remote log (exclusively), L_x is the leader's local log start. What Kafka
    promises is L_x <= R_y: `remote_and_local_parts_are_contiguous`.
    """
    leader = current_leader(state)
    if leader == NONE or remote_end(state) == NONE:
        return True
    return bool(remote_end(state) + 1 == state.broker[leader].local_log_start_offset + 1)
