"""Readers get what was committed; followers and watermarks agree on what that is."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    has_locally,
    has_replica,
    is_in_sync,
    is_led,
    is_told_after,
    route_at,
    serving_id,
)
from tierproof.model.kafka.fetch_routing import FetchRoute
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Step, invariant, step_property


@invariant(source="KIP-405: LineageRead", premise=is_led)
def reads_return_what_was_committed(state: Partition) -> bool:
    """The leader serves a committed offset with the record that was committed there.

    Kafka believes it because a lookup uses the leader epoch of the leader's own lineage.
    A record is its offset and the epoch that wrote it. Not checked: zombies, which after an
    unclean election serve what they have until they learn of it.
    """
    leader = current_leader(state)
    replica = state.broker[leader]
    for offset in range(replica.log_start_offset, committed_end(state)):
        epoch = state.committed[offset].epoch
        own = epoch_for_offset(replica.lineage, offset)
        route = route_at(state, leader, offset)
        if route == FetchRoute.LOCAL and own != NONE and own != epoch:
            return False
        if route == FetchRoute.REMOTE:
            id = serving_id(state, leader, offset)
            if id != NONE and epoch_for_offset(state.segment[id].lineage, offset) != epoch:
                return False
    return True


@invariant(source="KIP-405: LineageRead, at every broker")
def lookups_follow_the_lineage(state: Partition) -> bool:
    """A segment that a broker's cache finds for an offset was written there by the same leader.

    Also at followers, which build their logs on it, and at zombies.
    """
    for b in range(len(state.broker)):
        replica = state.broker[b]
        for offset in range(replica.log_start_offset, replica.log_end_offset):
            id = serving_id(state, b, offset)
            if id != NONE:
                segment = state.segment[id]
                own = epoch_for_offset(replica.lineage, offset)
                if not segment.start_offset <= offset <= segment.end_offset:
                    return False
                if epoch_for_offset(segment.lineage, offset) != own:
                    return False
    return True


@invariant(source="KIP-405: LineageRead, for all that a fetch returns", premise=is_led)
def remote_reads_end_with_the_lineage(state: Partition) -> bool:
    """A remote read returns nothing but committed records, up to the end of its object.

    RemoteLogManager#read returns batches of the object from the offset on, as many as fit:
    it cuts neither at the end of the epoch nor at the high watermark. Kafka believes that a
    segment holds committed records only.
    """
    leader = current_leader(state)
    replica = state.broker[leader]
    if not replica.settings.remote_storage_enable:
        return True
    end, last_id = min(replica.local_log_start_offset, committed_end(state)), NONE
    for offset in range(replica.log_start_offset, end):
        id = serving_id(state, leader, offset)
        if id not in (NONE, last_id):
            last_id, segment = id, state.segment[id]
            for read in range(offset, segment.end_offset + 1):
                if state.committed[read].epoch != epoch_for_offset(segment.lineage, read):
                    return False
    return True


@step_property(source="KAFKA-15802")
def time_lookup_finds_its_index(before: Partition, after: Partition, step: Step) -> bool:
    """A lookup by time fetches the index of a segment whose object exists.

    Suspended where the deletion of the segment is published and not read by the leader yet.
    """
    id = after.index_fetched
    if step.action != "consumer_looks_up_time" or id == NONE or after.segment[id].object_exists:
        return True
    position = after.broker[after.elected_leader].metadata_position
    return is_told_after(after, position, id, SegmentState.DELETE_SEGMENT_STARTED)


# -- replicas


@invariant(source="KIP-966: committed means in every in-sync replica")
def in_sync_replicas_have_committed_records(state: Partition) -> bool:
    """A replica in sync has every committed record, from its first local segment to the last.

    Any of them may be elected. Records before its first local segment are in the remote tier,
    or nowhere (`committed_records_stay_readable`). Suspended once the topic is deleted. Not
    checked: local records below the first entry of the replica's lineage.
    """
    if state.is_topic_deleted:
        return True
    end = committed_end(state)
    for b in range(len(state.broker)):
        if is_in_sync(state, b):
            replica = state.broker[b]
            if replica.log_end_offset < end:
                return False
            for offset in range(max(first_base(replica), replica.log_start_offset), end):
                written = epoch_for_offset(replica.lineage, offset)
                if written != NONE and written != state.committed[offset].epoch:
                    return False
    return True


@invariant(source="Partition#maybeIncrementLeaderHW")
def high_watermark_covers_committed_records_only(state: Partition) -> bool:
    """No high watermark of a replica in sync lies beyond what is committed.

    Not checked: replicas out of sync, which after an unclean election have to truncate.
    """
    if state.is_topic_deleted:
        return True
    end = committed_end(state)
    return all(
        state.broker[b].high_watermark <= end or not is_in_sync(state, b)
        for b in range(len(state.broker))
    )


@invariant(source="KIP-101: logs do not diverge below the high watermark")
def logs_agree_below_the_high_watermark(state: Partition) -> bool:
    """What two replicas both hold below both high watermarks was written by the same leader.

    An unclean election breaks it, as such elections may, until the old replica truncates. Not
    checked: records below the first entry of a lineage, which does not say who wrote them.
    """
    return all(
        logs_agree(state, a, b)
        for a in range(len(state.broker))
        for b in range(a + 1, len(state.broker))
        if has_replica(state, a) and has_replica(state, b)
    )


def logs_agree(state: Partition, a: int, b: int) -> bool:
    """Both logs have the same record where both have one, from both starts to both watermarks."""
    one, other = state.broker[a], state.broker[b]
    low = max(one.log_start_offset, other.log_start_offset)
    for offset in range(low, min(one.high_watermark, other.high_watermark)):
        if has_locally(state, a, offset) and has_locally(state, b, offset):
            written = epoch_for_offset(one.lineage, offset)
            found = epoch_for_offset(other.lineage, offset)
            if written != NONE and found != NONE and written != found:
                return False
    return True
