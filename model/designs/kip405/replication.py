"""Followers fetch and truncate; with each fetch watermark and log start come along.

A fetch and its answer are one step: the leader learns how far the follower is, the follower
takes what the answer brings. Whether the two logs agree, their lineages say.
"""

from typing import Any

from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.leader_epoch_lineage import (
    assign,
    clear,
    end_offset_for,
    epoch_for_offset,
    latest_epoch,
    truncate_from_end,
)
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import (
    append_record,
    cut_records,
    first_base,
    restart_records,
)
from tierproof.model.language import NONE, action, guard


def divergence(leader: Any, follower: Any) -> int:
    """Where the follower's log leaves the leader's, or NONE: what a diverging epoch tells."""
    latest = latest_epoch(follower.lineage)
    if latest == NONE or follower.log_end_offset <= leader.log_start_offset:
        return NONE
    epoch, end = end_offset_for(leader.lineage, latest, leader.log_end_offset)
    if epoch == NONE:
        return NONE
    if epoch == latest and end >= follower.log_end_offset:
        return NONE
    _, own_end = end_offset_for(follower.lineage, epoch, follower.log_end_offset)
    if own_end == NONE:
        own_end = follower.log_end_offset
    return int(min(end, own_end, follower.log_end_offset))


def fetches_from(state: Any, follower: int, leader: int) -> bool:
    """The follower fetches from the leader: both believe in the same leader and epoch."""
    return bool(
        follower != leader
        and state.broker[follower].presumed_leader == leader
        and state.broker[leader].presumed_leader == leader
        and state.broker[follower].leader_epoch == state.broker[leader].leader_epoch
    )


def committed_by(state: Any, leader: int) -> int:
    """What every in-sync replica has, as far as its fetches have told the leader."""
    end = state.broker[leader].log_end_offset
    for b in range(len(state.broker)):
        if b == leader or not state.in_sync >> b & 1:
            continue
        if not fetches_from(state, b, leader):
            return 0
        if divergence(state.broker[leader], state.broker[b]) != NONE:
            return 0
        end = min(end, state.broker[b].log_end_offset)
    return int(end)


def raise_high_watermark(state: Any, leader: int) -> None:
    """Partition#maybeIncrementLeaderHW: never back. What is committed by it is noted."""
    me = state.broker[leader]
    before = me.high_watermark
    me.high_watermark = max(before, committed_by(state, leader))
    for offset in range(before, me.high_watermark):
        it = state.committed[offset]
        if it.epoch == NONE:
            it.epoch = epoch_for_offset(me.lineage, offset)
            it.bytes = me.records[offset].bytes
            it.timestamp = me.records[offset].timestamp


# -- fetching


@guard
def fetches_from_a_leader(state: Partition, broker: Broker) -> bool:
    """The broker follows, and whom it follows believes to lead in the same epoch."""
    leader = state.broker[broker].presumed_leader
    return leader != NONE and fetches_from(state, broker, leader)


@guard
def agrees_with_leader(state: Partition, broker: Broker) -> bool:
    """The follower's log is the beginning of the leader's."""
    me = state.broker[broker]
    return divergence(state.broker[me.presumed_leader], me) == NONE


@guard
def is_local_at_leader(state: Partition, broker: Broker) -> bool:
    """What the follower asks for lies in the leader's local log, or at its end."""
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    return bool(leader.local_log_start_offset <= me.log_end_offset <= leader.log_end_offset)


def fetched_high_watermark(state: Any, follower: int) -> int:
    """The high watermark in the answer, from before this fetch; it may go down."""
    me = state.broker[follower]
    leader = state.broker[me.presumed_leader]
    reach = min(me.log_end_offset + 1, leader.log_end_offset)
    return int(max(me.log_start_offset, min(leader.high_watermark, reach)))


@guard
def has_something_to_fetch(state: Partition, broker: Broker) -> bool:
    """The answer, or the leader's reaction to the request, changes something."""
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    if leader.starts_segment[me.log_end_offset] and not me.starts_segment[me.log_end_offset]:
        return True
    return bool(
        me.log_end_offset < leader.log_end_offset
        or me.high_watermark != fetched_high_watermark(state, broker)
        or leader.high_watermark < committed_by(state, me.presumed_leader)
        or me.log_start_offset < min(leader.log_start_offset, me.log_end_offset)
    )


@action(
    guards=[
        fetches_from_a_leader,
        agrees_with_leader,
        is_local_at_leader,
        has_something_to_fetch,
    ],
    actor="broker {broker}",
)
def follower_fetches(state: Partition, broker: Broker) -> None:
    """Fetch: the leader may commit; the follower takes a record, the watermark, the log start.

    **Who**: the replica fetcher of a follower.
    **Kafka**: Partition#fetchRecords, ReplicaFetcherThread#processPartitionData.
    **Left out**: fetches of several records; answers that arrive after another one; what
    other followers have fetched since they last told.
    """
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    offset = me.log_end_offset
    watermark = fetched_high_watermark(state, broker)
    raise_high_watermark(state, me.presumed_leader)
    if offset < leader.log_end_offset:
        assign(me.lineage, epoch_for_offset(leader.lineage, offset), offset)
        me.starts_segment[offset] |= leader.starts_segment[offset]
        append_record(me, leader.records[offset].bytes, leader.records[offset].timestamp)
    elif leader.starts_segment[offset]:
        me.starts_segment[offset] = True
    me.high_watermark = watermark
    raise_log_start(me, min(leader.log_start_offset, me.log_end_offset))


@guard
def disagrees_with_leader(state: Partition, broker: Broker) -> bool:
    """The follower's log has what the leader's has not."""
    me = state.broker[broker]
    return divergence(state.broker[me.presumed_leader], me) != NONE


@action(guards=[fetches_from_a_leader, disagrees_with_leader], actor="broker {broker}")
def follower_truncates(state: Partition, broker: Broker) -> None:
    """Give up what the leader does not have.

    The local log start and the highest remote offset stay as they were.

    **Who**: the replica fetcher of a follower, told of a diverging epoch.
    **Kafka**: AbstractFetcherThread#truncateOnFetchResponse, UnifiedLog#truncateTo.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    truncate_follower(me, divergence(state.broker[me.presumed_leader], me))


def truncate_follower(me: Any, offset: int) -> None:
    """UnifiedLog#truncateTo: a log that begins later begins anew, and forgets its lineage."""
    if offset < first_base(me):
        begin_log(me, offset)
        clear(me.lineage)
        return
    cut_records(me, offset)
    truncate_from_end(me.lineage, offset)
    me.log_start_offset = min(me.log_start_offset, offset)
    me.high_watermark = min(me.high_watermark, offset)


def empty_log(me: Any) -> None:
    """A replica without records, as of a log that was just made."""
    begin_log(me, 0)
    clear(me.lineage)
    me.local_log_start_offset = 0
    me.log_start_checkpoint = 0
    me.producer_snapshots_start = 0


def begin_log(me: Any, offset: int) -> None:
    """UnifiedLog#truncateFullyAndStartAt: an empty log, all of it committed."""
    restart_records(me, offset)
    me.log_start_offset = offset
    if me.settings.remote_storage_enable:
        me.local_log_start_offset = offset
    me.high_watermark = offset
