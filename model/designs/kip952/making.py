"""The proposal: a producer snapshot is made where a segment that is to be copied has none.

`make_snapshot` says what is in it and where it lies; alternatives and readings define it anew.
"""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.missing_snapshots import has_no_snapshot
from tierproof.model.designs.kip405.state import AttemptStep
from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.kafka.producer_snapshots import register_empty_snapshot
from tierproof.model.kafka.scope import SegmentId


def make_snapshot(state: ProducedTopic, segment: int, scope: ProducedPartition) -> None:
    """Without producers, in the log directory, where the ProducerStateManager knows of it.

    KIP-952: "create a segment-aligned empty producer snapshot".
    """
    copy = state.segment[segment]
    register_empty_snapshot(state.broker[copy.copier].snapshot[copy.end_offset + 1])


@COPIER.action(AttemptStep.CHOSEN, guards=[has_no_snapshot])
def copy_makes_snapshot(state: ProducedTopic, segment: SegmentId, scope: ProducedPartition) -> None:
    """Make the snapshot that the segment lacks, before anything is published.

    KIP-952: "whenever we detect that the value ... is null", which copyLogSegment looks up
    before it publishes COPY_SEGMENT_STARTED.
    """
    make_snapshot(state, segment, scope)
