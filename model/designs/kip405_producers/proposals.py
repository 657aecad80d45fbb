"""What mails propose where it is another change than the repair of their finding."""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.missing_snapshots import has_no_snapshot, has_snapshot
from tierproof.model.designs.kip405.state import AttemptStep
from tierproof.model.designs.kip405_producers.state import ProducedTopic
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_snapshots import register_empty_snapshot
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.snapshot_replay import continue_newest_snapshot
from tierproof.model.language import Variant


@COPIER.action(AttemptStep.CHOSEN, guards=[has_no_snapshot])
def copy_builds_snapshot(state: ProducedTopic, segment: SegmentId) -> None:
    """Build the snapshot that the segment lacks, in a directory of its own, and register it.

    From the newest earlier snapshot and the batches since or, without one, from the first local
    segment on. Nothing is published before that.

    Kafka: ours: RLMCopyTask#copyLogSegment, where fetchSnapshot answers an empty Optional.
    Left out: that the log changes while it is read.
    """
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    register_empty_snapshot(log.snapshot[end])
    continue_newest_snapshot(log, end, first_base(log))


BUILD_BEFORE_PUBLISHING = Variant(
    name="proposal_build_the_snapshot_before_publishing",
    because="only a thread that can build the snapshot may look for it before it publishes",
    fence={copy_publishes_started: has_snapshot},
    add_system=(copy_builds_snapshot,),
)
"""`has_snapshot` is the order of the two within copyLogSegment, and no test of the code."""

PROPOSALS = (BUILD_BEFORE_PUBLISHING,)
