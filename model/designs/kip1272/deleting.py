"""Old versions: unreferenced, marked, validated and deleted; retention by the cleanup.policy.

KIP-1272, "Swap Old/New Log Segment Files" and "Deletion of remote log segment file and indexes
on total retention.ms trigger".
"""

from tierproof.invariants.vocabulary import committed_end, removable_end
from tierproof.model.designs.kip405.expiring import plan_by_size_and_time, planned_segment
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.state import CompactedTopic, CompactingBroker
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.expiration_task import (
    is_past_time,
    is_planned,
    plan_deletion,
    plan_retention,
)
from tierproof.model.kafka.fields import SizedSegment
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_segments import bytes_between, floor_base
from tierproof.model.kafka.remote_metadata_cache import is_listed, is_referenced
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import bytes_held, serving_segment
from tierproof.model.language import NONE, fence


def is_replaced(log: CompactingBroker, id: int) -> bool:
    """The cache lists the finished segment, and it serves no reads."""
    if log.cache.state[id] != SegmentState.COPY_SEGMENT_FINISHED:
        return False
    is_there = any(is_listed(log.cache, e, id) for e in range(len(log.cache.epoch)))
    return is_there and not any(
        is_referenced(log.cache, e, id) for e in range(len(log.cache.epoch))
    )


def plan_replaced(state: CompactedTopic, broker: int) -> None:
    """Plan unreferenced segments besides what retention lets the run delete.

    What the plan has no place for, a later run deletes.
    """
    log = state.broker[broker]
    for i in range(len(state.segment)):
        has_place = log.planned_end < len(log.planned)
        if has_place and is_replaced(log, i) and not is_planned(log, i):
            plan_deletion(log, i)


@fence(stays="it passes whatever a segment of the same leaders holds: see the finding")
def is_within_leader_epochs(state: CompactedTopic, broker: Broker) -> bool:
    """The segment that is deleted next is within the leader epochs of the broker's own log.

    "Then validates them using isRemoteSegmentWithinLeaderEpochs() before actual deletion."
    A segment below the log start, of which the lineage says nothing any more, passes.
    """
    log = state.broker[broker]
    segment = state.segment[planned_segment(state, broker)]
    is_below = segment.end_offset < log.log_start_offset
    return is_below or is_in_lineage(segment, log.lineage, log.log_end_offset)


def expires(log: CompactingBroker) -> bool:
    """The cleanup.policy contains delete."""
    return log.settings.cleanup_policy != CleanupPolicy.COMPACT


def is_past_time_by_policy(segment: SizedSegment, log: CompactingBroker, now: int) -> bool:
    """retention.ms counts where the cleanup.policy contains delete."""
    return expires(log) and is_past_time(segment, log, now)


def plan_by_policy(state: CompactedTopic, broker: int) -> None:
    """retention.bytes counts where the cleanup.policy contains delete."""
    log = state.broker[broker]
    if expires(log):
        plan_by_size_and_time(state, broker)
    else:
        plan_retention(log, state.segment, 0, state.clock)


def is_only_compacted(state: CompactedTopic) -> bool:
    """The topic's policy is compact, and the elected leader has learned of no other."""
    learned = state.broker[state.elected_leader].settings.cleanup_policy
    return learned == CleanupPolicy.COMPACT and state.cleanup_policy == CleanupPolicy.COMPACT


def past_time_end(state: CompactedTopic) -> int:
    """The end of the committed records, from the first, that retention.ms permits to remove."""
    settings = state.broker[state.elected_leader].settings
    end, held = state.legal_end, committed_end(state)
    if settings.retention_ms >= 0:
        oldest = state.clock - settings.retention_ms
        while end < held and state.committed[end].timestamp < oldest:
            end += 1
    return end


def bytes_left(state: CompactedTopic, start_offset: int, end_offset: int) -> int:
    """The size of the log between two offsets, by the broker that knows of the most.

    A broker that has just restarted knows of no remote segment yet.
    """
    most = 0
    for broker in range(len(state.broker)):
        most = max(most, bytes_held(state, broker, start_offset, end_offset))
    return most


def removable_by_policy(state: CompactedTopic) -> int:
    """Retention removes nothing from a topic that is only compacted.

    By size, an offset may be removed if what compaction has left of the log after it still has
    retention.bytes.
    """
    if is_only_compacted(state) and not state.is_topic_deleted:
        return state.legal_end
    most = state.broker[state.elected_leader].settings.retention_bytes
    if state.is_topic_deleted or most < 0:
        return removable_end(state)
    end, held = past_time_end(state), committed_end(state)
    while end < held and bytes_left(state, end + 1, held) >= most:
        end += 1
    return end


def bytes_of_the_log(state: CompactedTopic, broker: int) -> int:
    """The size of what a broker serves; the segment that the log start lies in counts in full."""
    log = state.broker[broker]
    start, end = log.log_start_offset, log.log_end_offset
    total = bytes_held(state, broker, start, end)
    id = serving_segment(state, broker, start) if start < end else NONE
    if id != NONE:
        segment = state.segment[id]
        return total + bytes_between(segment.records, segment.start_offset, start)
    return total + bytes_between(log.records, floor_base(log, start), start)


def note_removable(state: CompactedTopic) -> None:
    """What retention permits to remove stays permitted.

    The policy or the leader may change, or compaction remove what the size was too large for.
    """
    state.legal_end = max(state.legal_end, removable_by_policy(state))
