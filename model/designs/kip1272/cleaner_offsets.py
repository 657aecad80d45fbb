"""Cleaner offsets in the metadata cache: what they fence, and what a new leader resolves.

KIP-1272, "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker".
A vector whose latest epoch is later says where the earlier epochs ended; a segment that claims
more for one of these is rejected, whichever of the two arrives first.
"""

from collections.abc import Sequence

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.metadata import is_cache_ready
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.state import (
    CleanerStep,
    CompactedCache,
    CompactedSegment,
    CompactedTopic,
)
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch
from tierproof.model.kafka.local_segments import next_base, segment_end
from tierproof.model.kafka.remote_metadata_cache import (
    CacheOutcome,
    apply_record,
    finish_copy,
    forget_all,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import Lineage
from tierproof.model.language import NONE, guard

# -- the cache


def claims_too_much(cache: CompactedCache, offsets: Lineage) -> bool:
    """The vector claims more for an epoch than the leader of a later epoch says."""
    return any(
        cache.cleaner_end[e] != NONE and offsets[e] > cache.cleaner_end[e]
        for e in range(len(offsets))
    )


def establish(cache: CompactedCache, offsets: Lineage) -> None:
    """Take a vector over: the claims of its latest epoch, and where the earlier epochs ended."""
    latest = latest_epoch(offsets)
    for e in range(len(offsets)):
        if offsets[e] != NONE:
            cache.cleaner_offset[e] = max(cache.cleaner_offset[e], offsets[e])
            if e < latest:
                cache.cleaner_end[e] = offsets[e]
                cache.cleaner_offset[e] = offsets[e]


def reject(cache: CompactedCache, segment: Sequence[CompactedSegment], id: int) -> None:
    """A segment that was accepted no longer serves reads; those that it replaced do again."""
    for e in range(len(cache.epoch)):
        if id in cache.epoch[e].referenced:
            cache.epoch[e].referenced.discard(id)
            cache.epoch[e].unreferenced.add(id)
    for n in range(len(cache.finished_order)):
        other = cache.finished_order[n]
        if other != NONE and cache.state[other] == SegmentState.COPY_SEGMENT_FINISHED:
            overlaps = (
                segment[other].start_offset <= segment[id].end_offset
                and segment[id].start_offset <= segment[other].end_offset
            )
            if overlaps and not claims_too_much(cache, segment[other].cleaner_offsets):
                finish_copy(cache, segment, other)


def reject_earlier_claims(cache: CompactedCache, segment: Sequence[CompactedSegment]) -> None:
    """Reject what was accepted and claims too much now."""
    for i in range(len(segment)):
        is_finished = cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        is_serving = any(i in cache.epoch[e].referenced for e in range(len(cache.epoch)))
        if is_finished and is_serving and claims_too_much(cache, segment[i].cleaner_offsets):
            reject(cache, segment, i)


def note_finished(cache: CompactedCache, id: int) -> None:
    """The id is the last of those that have finished."""
    place = 0
    while cache.finished_order[place] != NONE:
        place += 1
    cache.finished_order[place] = id


def apply_claim(
    cache: CompactedCache, segment: Sequence[CompactedSegment], id: int, target: int
) -> CacheOutcome:
    """A record of the metadata topic; COPY_SEGMENT_FINISHED also brings cleaner offsets."""
    is_finish = target == SegmentState.COPY_SEGMENT_FINISHED
    if not is_finish or cache.state[id] != SegmentState.COPY_SEGMENT_STARTED:
        return apply_record(cache, segment, id, target)
    note_finished(cache, id)
    if claims_too_much(cache, segment[id].cleaner_offsets):
        return reject_on_arrival(cache, id)
    outcome = apply_record(cache, segment, id, target)
    establish(cache, segment[id].cleaner_offsets)
    reject_earlier_claims(cache, segment)
    return outcome


def reject_on_arrival(cache: CompactedCache, id: int) -> CacheOutcome:
    """The segment is listed, and serves no reads."""
    cache.state[id] = SegmentState.COPY_SEGMENT_FINISHED
    return CacheOutcome.APPLIED


def forget_claims(cache: CompactedCache) -> None:
    """The cache of a partition is dropped, with its cleaner offsets."""
    forget_all(cache)
    for e in range(len(cache.cleaner_offset)):
        cache.cleaner_offset[e] = NONE
        cache.cleaner_end[e] = NONE
    for n in range(len(cache.finished_order)):
        cache.finished_order[n] = NONE


# -- a new leader


def must_resolve(state: CompactedTopic, broker: int) -> None:
    """A broker that has begun to lead does not know yet what is clean."""
    log = state.broker[broker]
    log.is_cleaner_behind = presumes_to_lead(state, broker) and log.settings.remote_storage_enable


def resolved_offset(cache: CompactedCache, epoch: int) -> int:
    """The cleaner offset of the last epoch before `epoch` that has one; 0 if none has."""
    for e in range(epoch - 1, -1, -1):
        if cache.cleaner_offset[e] != NONE:
            return cache.cleaner_offset[e]
    return 0


@guard
def has_cleaner_to_resolve(state: CompactedTopic, broker: Broker) -> bool:
    """The broker has begun to lead, and its cleaner is not at work on the partition."""
    log = state.broker[broker]
    return log.is_cleaner_behind and log.cleaner == CleanerStep.IDLE


def remove_below(state: CompactedTopic, broker: int, offset: int) -> None:
    """Raise the local log start past the segments that end at or below an offset."""
    log = state.broker[broker]
    base = log.local_log_start_offset
    while next_base(log, base) != NONE and segment_end(log, base) <= offset:
        base = segment_end(log, base)
    log.local_log_start_offset = base


@BROKER.action(guards=[has_cleaner_to_resolve, is_cache_ready], to="remote_metadata")
def leader_resolves_cleaner_offset(state: CompactedTopic, broker: Broker) -> None:
    """Take the previous leader's cleaner offset from the metadata read so far.

    The local segments below it are to be removed, so that the local log is consistent with
    the remote one. Left out: that the removal waits for anything.

    KIP-1272: "When the follower broker becomes the leader", "The follower also needs to remove
    its local log segments before the cleaner-offset-checkpoint".
    """
    log = state.broker[broker]
    log.cleaner_offset = resolved_offset(log.cache, log.leader_epoch)
    for e in range(len(log.cleaner_offsets)):
        log.cleaner_offsets[e] = log.cache.cleaner_offset[e] if e < log.leader_epoch else NONE
    log.is_cleaner_behind = False
    remove_below(state, broker, log.cleaner_offset)
