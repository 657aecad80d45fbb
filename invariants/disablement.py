"""Tiering that is disabled in stages: tiered epochs, DISABLING, requests to brokers (KIP-950).

Only for designs whose state is a DisablingTopic (`tierproof.invariants.fields`). Ghosts:
`deleted_below`, brokers' `stopped_in`.
"""

from __future__ import annotations

from tierproof.invariants.fields import DisablingBroker, DisablingTopic
from tierproof.invariants.tiering import (
    every_replica_has_what_is_promised,
    is_quiet_topic,
    starts_a_copy,
)
from tierproof.invariants.vocabulary import (
    current_leader,
    finished_ids,
    has_finished_objects_only,
    has_object,
    is_led,
    serving_id,
    told_state,
)
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.tiered_state import HANDLER, DisableStep, TieredState
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, Step, guard, invariant, liveness, step_property

# -- the tiered state is true


@guard
def is_disabled(state: DisablingTopic) -> bool:
    """The topic is DISABLED, by its tiered state and by its settings."""
    return state.tiered_state == TieredState.DISABLED and state.tiering != TieringState.ENABLED


@guard
def is_disabled_with_delete(state: DisablingTopic) -> bool:
    """The topic is DISABLED, and the policy is delete."""
    return state.tiered_state == TieredState.DISABLED and state.tiering == TieringState.DISABLED


@guard
def is_disabled_with_retain(state: DisablingTopic) -> bool:
    """The topic is DISABLED, and the policy is retain."""
    return state.tiered_state == TieredState.DISABLED and state.tiering == TieringState.READ_ONLY


@invariant(source="KIP-950: DISABLED implies no copy task anywhere", premise=is_disabled)
def disabled_state_is_true_of_every_broker(state: DisablingTopic) -> bool:
    """Once the topic is DISABLED, no broker has a task that copies.

    Suspended while the topic is being enabled again: the settings change before the tiered
    state. The KIP believes it because every broker has answered the controller.
    """
    return all(broker.copy_task == CopyTask.NONE for broker in state.broker)


@step_property(source="KIP-950: DISABLED, and no copy of an older tiered epoch ends in F")
def disabled_topic_finishes_no_older_copy(before: DisablingTopic, after: DisablingTopic) -> bool:
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
def disabled_state_copies_nothing_new(before: DisablingTopic, after: DisablingTopic) -> bool:
    """While the topic is DISABLED, with either policy, no COPY_SEGMENT_STARTED is published."""
    return not is_disabled(before) or not starts_a_copy(before, after)


@guard
def is_settled(state: DisablingTopic) -> bool:
    """Nothing is left to do for tiering: no disablement is in progress, no request on its way."""
    is_disabling = any(
        controller.is_disabling or controller.has_state_to_write for controller in state.controller
    )
    is_asked = any(request.to != NONE for request in state.request) or any(
        broker.thread[HANDLER].step != DisableStep.IDLE for broker in state.broker
    )
    is_undecided = is_disabling or is_asked or state.tiered_state == TieredState.DISABLING
    return is_quiet_topic(state) and not is_undecided


@guard
def is_settled_and_deleted(state: DisablingTopic) -> bool:
    """Nothing is left to do, and the topic is DISABLED with delete."""
    return is_disabled_with_delete(state) and is_settled(state)


@invariant(source="KIP-950, DISABLED: all remote data is deleted", premise=is_settled_and_deleted)
def disabled_state_leaves_no_objects(state: DisablingTopic) -> bool:
    """When nothing is left to do for a topic that is DISABLED with delete, no object remains.

    Safety form of `disable(delete) leads to no objects`.
    """
    return not has_object(state)


@invariant(source="KIP-405: NoOrphan, at quiescence, where tiering is disabled", premise=is_settled)
def settled_topic_holds_finished_segments_only(state: DisablingTopic) -> bool:
    """When nothing is left to do, nor to disable, every object belongs to a finished segment."""
    return has_finished_objects_only(state)


@invariant(
    source="KIP-950: remote off implies llst[r] <= max lst for every replica in sync",
    premise=is_disabled_with_delete,
)
def disabled_state_lets_every_replica_take_over(state: DisablingTopic) -> bool:
    """Once DISABLED with delete, every replica in sync has the records from the log start on.

    The log start that counts is the highest of all replicas'.
    """
    return every_replica_has_what_is_promised(state)


@invariant(source="KIP-950, DISABLED: inaccessible for read", premise=is_disabled_with_delete)
def disabled_topic_serves_no_remote_read(state: DisablingTopic) -> bool:
    """Once the topic is DISABLED with delete, no remote fetch is under way, and none begins."""
    if state.fetch.broker != NONE:
        return False
    id = current_leader(state)
    if id == NONE or not state.broker[id].settings.remote_storage_enable:
        return True
    leader = state.broker[id]
    return all(
        serving_id(state, id, offset) == NONE
        for offset in range(leader.log_start_offset, leader.local_log_start_offset)
    )


@guard
def is_disabling(state: DisablingTopic) -> bool:
    """The tiered state is DISABLING."""
    return state.tiered_state == TieredState.DISABLING


@liveness(source="KIP-950: DISABLING leads to DISABLED", premise=is_disabling)
def disabling_ends(state: DisablingTopic) -> bool:
    """A topic that is DISABLING becomes DISABLED, provided that brokers recover or are removed.

    The KIP believes it because the controller asks until every broker has answered.
    """
    return not is_disabling(state)


@guard
def is_disabled_in_settings_only(state: DisablingTopic) -> bool:
    """The settings say that tiering is off, and the tiered state that it is on; or vice versa."""
    return (state.tiering == TieringState.ENABLED) != (state.tiered_state == TieredState.ENABLED)


@liveness(source="KIP-950: settings and tiered state", premise=is_disabled_in_settings_only)
def settings_and_tiered_state_agree(state: DisablingTopic) -> bool:
    """In the end the tiered state agrees with the settings."""
    return not is_disabled_in_settings_only(state)


# -- policy and tiered epoch


@step_property(source="KIP-950: policy constant within a tiered epoch")
def policy_is_bound_to_the_tiered_epoch(before: DisablingTopic, after: DisablingTopic) -> bool:
    """From DISABLING until the topic is enabled again the policy does not change.

    While the topic is enabled the policy may change: it only decides about the next disable.
    """
    is_enabled = (
        before.tiered_state == TieredState.ENABLED or after.tiered_state == TieredState.ENABLED
    )
    is_same_epoch = before.tiered_epoch == after.tiered_epoch
    return is_enabled or not is_same_epoch or before.policy == after.policy


@invariant(source="KIP-950: ids of an older tiered epoch are invisible unless retained")
def older_tiered_epochs_are_invisible(state: DisablingTopic) -> bool:
    """A broker of a topic that is tiered again serves nothing that a disable with delete left.

    Checked at brokers that have applied the settings. The KIP believes it because segments
    are fenced with the tiered epoch.
    """
    if state.tiering != TieringState.ENABLED:
        return True
    for b in range(len(state.broker)):
        broker = state.broker[b]
        is_current = broker.tiering == state.tiering and broker.tiered_epoch == state.tiered_epoch
        if not is_current or broker.batch > 0:
            continue
        for offset in range(broker.log_end_offset):
            id = serving_id(state, b, offset)
            if id != NONE and state.segment[id].tiered_epoch < state.deleted_below:
                return False
    return True


@invariant(source="KIP-950, Re-enabling, scenario 3: what was retained is still served")
def retained_segments_stay_visible(state: DisablingTopic) -> bool:
    """The leader of a topic that was disabled with retain serves what was copied before.

    Checked from its log start on, where no disable with delete came since the copy. Suspended
    until its cache has read all metadata.
    """
    if not is_led(state):
        return True
    id, finished = state.elected_leader, finished_ids(state)
    leader = state.broker[id]
    if not leader.settings.remote_storage_enable or leader.batch > 0:
        return True
    if leader.metadata_position < state.metadata_end:
        return True
    for i in range(len(state.segment)):
        copy = state.segment[i]
        if not finished >> i & 1 or not copy.object_exists:
            continue
        if copy.tiered_epoch < state.deleted_below:
            continue
        end = min(copy.end_offset + 1, leader.local_log_start_offset)
        for offset in range(max(copy.start_offset, leader.log_start_offset), end):
            if serving_id(state, id, offset) == NONE:
                return False
    return True


# -- requests


def is_handler_disabling(state: DisablingTopic, broker: int) -> bool:
    """The broker's handler executes a request, and has more to do than to answer."""
    step = state.broker[broker].thread[HANDLER].step
    return DisableStep.CANCELLING_COPY <= step <= DisableStep.WAITING_FOR_REMOVAL


@step_property(source="KIP-950: a request has an effect only in its own tiered epoch")
def request_acts_in_its_own_tiered_epoch(
    before: DisablingTopic, after: DisablingTopic, step: Step
) -> bool:
    """A broker executes a request only during the disablement that it was sent for."""
    if step.action != "broker_executes_request":
        return True
    is_its_own = after.broker[step.broker].handled_epoch == after.tiered_epoch
    is_disablement = after.tiered_state == TieredState.DISABLING and is_its_own
    return is_disablement or not is_handler_disabling(after, step.broker)


@step_property(source="KIP-950: a request is executed only for the current controller")
def request_comes_from_the_active_controller(
    before: DisablingTopic, after: DisablingTopic, step: Step
) -> bool:
    """A broker executes only requests of the controller that is active at that time."""
    if step.action != "broker_executes_request":
        return True
    sender = after.controller[after.broker[step.broker].handled_for]
    is_current = sender.is_active and sender.epoch == after.controller_epoch
    return is_current or not is_handler_disabling(after, step.broker)


@step_property(source="KIP-950: executing a request twice is executing it once")
def disabling_twice_is_disabling_once(
    before: DisablingTopic, after: DisablingTopic, step: Step
) -> bool:
    """A broker that stops the partition a second time in a tiered epoch changes nothing by it.

    It does not change its log start, its tasks, or what it deletes. A broker stops twice
    because the watch and the request are for the same disablement.
    """
    if step.action not in (
        "thread_cancels_copy",
        "thread_raises_log_start",
        "thread_drains_fetches",
        "thread_stops_partition",
    ):
        return True
    was, now = before.broker[step.broker], after.broker[step.broker]
    return was.stopped_in != before.tiered_epoch or has_same_tasks(was, now)


def has_same_tasks(was: DisablingBroker, now: DisablingBroker) -> bool:
    """Log start, tasks and removal of a broker are as they were."""
    return (
        was.log_start_offset == now.log_start_offset
        and was.copy_task == now.copy_task
        and was.expiration_task == now.expiration_task
        and was.removal_list == now.removal_list
    )


# -- data expiry


@step_property(source="KIP-950, Data Expiry: local logs expire once the remote log is gone")
def local_log_expires_after_the_remote_log(
    before: DisablingTopic, after: DisablingTopic, step: Step
) -> bool:
    """While a topic is disabled with retain, local retention moves no log start past remote data.

    Checked at the elected leader, while a finished segment with an object ends at or above its
    log start. Expiration of the remote log, and a user's DeleteRecords, may move both starts.
    """
    if step.action in ("expiration_task_raises_log_start", "user_deletes_records"):
        return True
    if before.tiering != TieringState.READ_ONLY or after.tiering != TieringState.READ_ONLY:
        return True
    was, now = before.broker[before.elected_leader], after.broker[before.elected_leader]
    moves_local = now.local_log_start_offset > was.local_log_start_offset
    moves_both = moves_local and now.log_start_offset > was.log_start_offset
    if was.leader_epoch != now.leader_epoch or not moves_both:
        return True
    return remote_end(before) < was.log_start_offset


def remote_end(state: DisablingTopic) -> int:
    """The last offset of a finished segment that has its object, or NONE."""
    finished, found = finished_ids(state), NONE
    for i in range(len(state.segment)):
        if finished >> i & 1 and state.segment[i].object_exists:
            found = max(found, state.segment[i].end_offset)
    return found


@invariant(source="KIP-950, Data Expiry: L_z >= L_y >= L_x and L_y >= R_y >= R_x")
def offsets_are_in_order(state: DisablingTopic) -> bool:
    """At the leader: log end >= last stable offset >= local log start; last stable >= remote end.

    Without transactions the last stable offset is the high watermark. R_y >= R_x holds because
    no segment ends before it starts.
    """
    if current_leader(state) == NONE:
        return True
    leader = state.broker[current_leader(state)]
    is_chain = leader.log_end_offset >= leader.high_watermark >= leader.local_log_start_offset
    return is_chain and leader.high_watermark > remote_end(state)


@invariant(source="KIP-950, Re-enabling, scenario 3", premise=is_disabled_with_retain)
def remote_log_ends_one_past_the_local_start(state: DisablingTopic) -> bool:
    """R_y = L_x + 1, as the text has it of a topic that is disabled with retain.

    R_y ends the remote log (exclusively), L_x is the leader's local log start. What Kafka
    promises is L_x <= R_y: `remote_and_local_parts_are_contiguous`.
    """
    leader = current_leader(state)
    if leader == NONE or remote_end(state) == NONE:
        return True
    return remote_end(state) + 1 == state.broker[leader].local_log_start_offset + 1


@invariant(source="KIP-950, Re-enabling, scenario 3, corrected", premise=is_disabled_with_retain)
def remote_log_reaches_the_local_log(state: DisablingTopic) -> bool:
    """R_y >= L_x: the remote log of a topic that is disabled with retain leaves no gap.

    What scenario 3 needs, in place of its equation; for designs whose text says so.
    """
    leader = current_leader(state)
    if leader == NONE or remote_end(state) == NONE:
        return True
    return remote_end(state) + 1 >= state.broker[leader].local_log_start_offset
