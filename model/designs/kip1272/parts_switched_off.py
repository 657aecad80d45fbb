"""The fence of cleaner offsets with one of its parts switched off: what each part is for.

The fence rejects a claim when it arrives, and in retrospect, when the vector arrives that it
contradicts. With both, the order of arrival does not matter; each of them alone leaves one.
"""

from collections.abc import Sequence

from tierproof.model.designs.kip1272.cleaner_offsets import (
    apply_claim,
    claims_too_much,
    establish,
    note_finished,
    reject_earlier_claims,
    reject_on_arrival,
)
from tierproof.model.designs.kip1272.state import CompactedCache, CompactedSegment
from tierproof.model.kafka.remote_metadata_cache import CacheOutcome, apply_record
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Variant


def is_new_claim(cache: CompactedCache, id: int, target: int) -> bool:
    """The record is COPY_SEGMENT_FINISHED of a copy that was started."""
    is_finish = target == SegmentState.COPY_SEGMENT_FINISHED
    return is_finish and cache.state[id] == SegmentState.COPY_SEGMENT_STARTED


def accept_on_arrival(
    cache: CompactedCache, segment: Sequence[CompactedSegment], id: int, target: int
) -> CacheOutcome:
    """Whatever arrives is accepted; only what arrived before is looked at again."""
    is_new = is_new_claim(cache, id, target)
    is_excessive = is_new and claims_too_much(cache, segment[id].cleaner_offsets)
    outcome = apply_record(cache, segment, id, target)
    if is_new:
        note_finished(cache, id)
        if not is_excessive:
            establish(cache, segment[id].cleaner_offsets)
            reject_earlier_claims(cache, segment)
    return outcome


def leave_what_was_accepted(
    cache: CompactedCache, segment: Sequence[CompactedSegment], id: int, target: int
) -> CacheOutcome:
    """What was accepted stays so, whatever arrives later."""
    if not is_new_claim(cache, id, target):
        return apply_record(cache, segment, id, target)
    note_finished(cache, id)
    if claims_too_much(cache, segment[id].cleaner_offsets):
        return reject_on_arrival(cache, id)
    outcome = apply_record(cache, segment, id, target)
    establish(cache, segment[id].cleaner_offsets)
    return outcome


def fence_nothing(
    cache: CompactedCache, segment: Sequence[CompactedSegment], id: int, target: int
) -> CacheOutcome:
    """Cleaner offsets are noted, and reject nothing."""
    is_new = is_new_claim(cache, id, target)
    outcome = apply_record(cache, segment, id, target)
    if is_new:
        note_finished(cache, id)
        establish(cache, segment[id].cleaner_offsets)
    return outcome


PARTS_SWITCHED_OFF = (
    Variant(
        name="off_rejection_on_arrival",
        because="a claim that arrives after the vector that it contradicts",
        define={apply_claim: accept_on_arrival},
    ),
    Variant(
        name="off_rejection_in_retrospect",
        because="a claim that arrives before the vector that it contradicts",
        define={apply_claim: leave_what_was_accepted},
    ),
    Variant(
        name="off_cleaner_offset_fence",
        because="nothing but the order of arrival decides which version serves",
        define={apply_claim: fence_nothing},
    ),
)
"""Each breaks `contradicted_claims_serve_no_reads`: the first and the last in the scope `rejected`,
the second in `irrevocable`."""
