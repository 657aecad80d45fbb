"""A repair of ours: what a thread of an earlier leader epoch publishes or stores is refused.

KIP-405's fence tells such a thread by its flag of a cancelled one, which a broker sets for all
of its threads when it learns of an election. The cleaner has no such flag: its pass belongs to
the epoch in which it began, whichever epoch the broker leads in when it begins to copy a group.
"""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.repairs import fencing
from tierproof.model.designs.kip405.repairs.fencing import (
    FENCE_EPOCHS,
    is_copy_current,
    is_copy_stale,
)
from tierproof.model.designs.kip405.state import AttemptStep
from tierproof.model.designs.kip1272.state import CompactedTopic
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard


def is_pass_current(state: CompactedTopic, segment: int) -> bool:
    """The copy is not the cleaner's, or its pass began in the present leader epoch."""
    copy = state.segment[segment]
    return not copy.is_cleaned or state.broker[copy.copier].cleaner_epoch == state.leader_epoch


@guard
def is_work_current(state: CompactedTopic, segment: SegmentId) -> bool:
    """The copy, and the pass that it is of, began in the epoch in which the broker leads.

    A pass that began before has read versions that a leader in between may have replaced.
    """
    return is_copy_current(state, segment) and is_pass_current(state, segment)


@guard
def is_work_stale(state: CompactedTopic, segment: SegmentId) -> bool:
    """The copy, or its pass, began in an earlier epoch, or its broker does not lead."""
    return is_copy_stale(state, segment) or not is_pass_current(state, segment)


FENCE = Variant(
    name=fencing.FENCE.name,
    because=fencing.FENCE.because,
    parts=(FENCE_EPOCHS,),
    test={is_copy_current: is_work_current, is_copy_stale: is_work_stale},
)


@COPIER.action(AttemptStep.STARTED, AttemptStep.IDLE, guards=[is_work_stale], to="remote_store")
def store_refuses_copy(state: CompactedTopic, segment: SegmentId) -> None:
    """Refuse an object of a copy or a pass that began in an earlier epoch; the thread gives up."""
    release(state, segment)
