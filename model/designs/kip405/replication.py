"""Followers fetch and truncate; each fetch also carries high watermark and log start.

A fetch and its answer are one step: the leader learns the follower's log end, the follower
takes what the answer brings. Whether the two logs agree, their lineages say.
"""

from tierproof.model.designs.kip405.actors import FOLLOWER
from tierproof.model.designs.kip405.state import Broker, BrokerState, Partition
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
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, fence, guard


def divergence(leader: BrokerState, follower: BrokerState) -> int:
    """Where the follower's log leaves the leader's, or NONE: the answer's diverging epoch."""
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
    return min(end, own_end, follower.log_end_offset)


def fetches_from(state: Partition, follower: int, leader: int) -> bool:
    """The follower fetches from the leader: both believe in the same leader and epoch."""
    return (
        follower != leader
        and state.broker[follower].presumed_leader == leader
        and state.broker[leader].presumed_leader == leader
        and state.broker[follower].leader_epoch == state.broker[leader].leader_epoch
    )


def committed_by(state: Partition, leader: int) -> int:
    """The log end that every in-sync replica has, as far as fetches have told the leader."""
    end = state.broker[leader].log_end_offset
    for b in range(len(state.broker)):
        if b == leader or b not in state.in_sync:
            continue
        if not fetches_from(state, b, leader):
            return 0
        if divergence(state.broker[leader], state.broker[b]) != NONE:
            return 0
        end = min(end, state.broker[b].log_end_offset)
    return end


def known_to_be_committed(state: Partition, leader: int) -> int:
    """What all replicas have, where the leader is a zombie: it knows an older set in sync.

    A broker of which the controller has accepted a later election counts by what it knew before.
    Left out: an older set that lacked a replica already.
    """
    end = committed_by(state, leader)
    if not is_leading(state, leader):
        for b in range(len(state.broker)):
            is_fetching = b == leader or fetches_from(state, b, leader)
            end = min(end, state.broker[b].log_end_offset) if is_fetching else 0
    return end


COMMITTED_BY_THE_CONTROLLER = {known_to_be_committed: committed_by}
"""For a design that was explored by the older rule: an old leader commits by the in-sync replicas
that the controller knows now, so that it may commit alone, which Kafka does not permit."""


def raise_high_watermark(state: Partition, leader: int) -> None:
    """Partition#maybeIncrementLeaderHW: never back."""
    log = state.broker[leader]
    log.high_watermark = max(log.high_watermark, known_to_be_committed(state, leader))


# -- fetching


@fence(protects="in_sync_replicas_have_committed_records", scope="followers")
def fetches_from_a_leader(state: Partition, follower: Broker) -> bool:
    """The replica follows a broker that believes to lead in the same epoch.

    Brokers of different epochs may hold different records at the same offsets: a fetch across
    epochs would append, truncate or begin by a log that is not the leader's.
    """
    leader = state.broker[follower].presumed_leader
    return leader != NONE and fetches_from(state, follower, leader)


@fence(protects="logs_agree_below_the_high_watermark", scope="followers")
def agrees_with_leader(state: Partition, follower: Broker) -> bool:
    """The follower's log is the beginning of the leader's.

    A follower that appends to records which its leader does not have keeps these below the
    high watermark that the answer brings.
    """
    log = state.broker[follower]
    return divergence(state.broker[log.presumed_leader], log) == NONE


@guard
def is_local_at_leader(state: Partition, follower: Broker) -> bool:
    """The follower's log end lies in the leader's local log, or at its end."""
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    return leader.local_log_start_offset <= log.log_end_offset <= leader.log_end_offset


def fetched_high_watermark(state: Partition, follower: int) -> int:
    """The high watermark in the answer, from before this fetch; it may decrease."""
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    reach = min(log.log_end_offset + 1, leader.log_end_offset)
    return max(log.log_start_offset, min(leader.high_watermark, reach))


@guard
def has_something_to_fetch(state: Partition, follower: Broker) -> bool:
    """The answer, or the leader's reaction to the request, changes something."""
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    if leader.starts_segment[log.log_end_offset] and not log.starts_segment[log.log_end_offset]:
        return True
    return (
        log.log_end_offset < leader.log_end_offset
        or log.high_watermark != fetched_high_watermark(state, follower)
        or leader.high_watermark < known_to_be_committed(state, log.presumed_leader)
        or log.log_start_offset < min(leader.log_start_offset, log.log_end_offset)
    )


@FOLLOWER.action(
    guards=[fetches_from_a_leader, agrees_with_leader, is_local_at_leader, has_something_to_fetch]
)
def follower_fetches(state: Partition, follower: Broker) -> None:
    """Fetch: the leader may commit; the follower takes a record, the watermark, the log start.

    Kafka: Partition#fetchRecords, ReplicaFetcherThread#processPartitionData. Left out: fetches
    of several records; answers that arrive after another one; log ends that other followers
    have reached since their last fetch.
    """
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    offset = log.log_end_offset
    watermark = fetched_high_watermark(state, follower)
    raise_high_watermark(state, log.presumed_leader)
    if offset < leader.log_end_offset:
        assign(log.lineage, epoch_for_offset(leader.lineage, offset), offset)
        log.starts_segment[offset] |= leader.starts_segment[offset]
        append_record(log, leader.records[offset].bytes, leader.records[offset].timestamp)
    elif leader.starts_segment[offset]:
        log.starts_segment[offset] = True
    log.high_watermark = watermark
    raise_log_start(log, min(leader.log_start_offset, log.log_end_offset))


# -- truncating


@guard
def disagrees_with_leader(state: Partition, follower: Broker) -> bool:
    """The follower's log has records that the leader's has not."""
    log = state.broker[follower]
    return divergence(state.broker[log.presumed_leader], log) != NONE


@FOLLOWER.action(guards=[fetches_from_a_leader, disagrees_with_leader])
def follower_truncates(state: Partition, follower: Broker) -> None:
    """Truncate the log to where it diverges from the leader's.

    The local log start and the highest remote offset stay as they were.

    Kafka: AbstractFetcherThread#truncateOnFetchResponse, UnifiedLog#truncateTo.
    """
    log = state.broker[follower]
    truncate_follower(log, divergence(state.broker[log.presumed_leader], log))


def truncate_follower(log: BrokerState, offset: int) -> None:
    """UnifiedLog#truncateTo: a log that begins later begins anew, and forgets its lineage."""
    if offset < first_base(log):
        begin_log(log, offset)
        clear(log.lineage)
        return
    cut_records(log, offset)
    truncate_from_end(log.lineage, offset)
    log.log_start_offset = min(log.log_start_offset, offset)
    log.high_watermark = min(log.high_watermark, offset)


def empty_log(log: BrokerState) -> None:
    """A replica without records, as a log that was just made."""
    begin_log(log, 0)
    clear(log.lineage)
    log.local_log_start_offset = 0
    log.log_start_checkpoint = 0
    log.producer_snapshots_start = 0


def begin_log(log: BrokerState, offset: int) -> None:
    """UnifiedLog#truncateFullyAndStartAt: an empty log, all of it committed."""
    restart_records(log, offset)
    log.log_start_offset = offset
    if log.settings.remote_storage_enable:
        log.local_log_start_offset = offset
    log.high_watermark = offset


SYSTEM = (
    follower_fetches,
    follower_truncates,
)
