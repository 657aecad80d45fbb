"""What the mails propose where that is not our repair: a leader deletes its failed attempts."""

from tierproof.model.designs.kip1266.deleting import has_in_hand, is_segment_due
from tierproof.model.designs.kip1266.state import Broker, Topic
from tierproof.model.kafka.remote_metadata_cache import highest_offset_for_epoch
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard


def is_own_attempt_replaced(state: Topic, broker: int, segment: int) -> bool:
    """The broker began the attempt in its epoch, no longer copies it, and a retry has succeeded."""
    leader, attempt = state.broker[broker], state.segment[segment]
    return (
        leader.cache.state[segment] == SegmentState.COPY_SEGMENT_STARTED
        and attempt.copy_term == leader.term
        and not has_in_hand(leader, segment)
        and highest_offset_for_epoch(leader.cache, 0) >= attempt.end_offset
    )


@guard
def is_segment_due_or_replaced(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The segment is due, or a failed attempt of this leader that a retry has replaced.

    Attempts of earlier leaders are left alone: one of these may still finish its copy.
    """
    return is_segment_due(state, broker, segment) or is_own_attempt_replaced(state, broker, segment)


DELETE_OWN_ATTEMPTS = Variant(
    name="proposal_leader_deletes_its_own_failed_attempts",
    because="an attempt that the store deferred keeps its key until it expires",
    test={is_segment_due: is_segment_due_or_replaced},
)

PROPOSALS = (DELETE_OWN_ATTEMPTS,)
