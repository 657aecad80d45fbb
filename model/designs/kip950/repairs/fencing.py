"""KIP-405's fence of remote metadata, for the clean-up of a copy, too."""

from tierproof.model.designs.kip405 import repairs
from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.cleaning_up import (
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
)
from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.repairs.fencing import (
    is_copied_by_a_zombie,
    is_copied_by_the_leader,
)
from tierproof.model.designs.kip405.state import AttemptStep
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant


@COPIER.action(
    (AttemptStep.FAILED, AttemptStep.OBJECT_DELETED),
    AttemptStep.IDLE,
    guards=[is_copied_by_a_zombie],
    to="remote_metadata",
)
def metadata_refuses_clean_up(state: Topic, segment: SegmentId) -> None:
    """Refuse a record of a clean-up by a broker that does not lead; the thread gives up.

    Kafka: ours, as `metadata_refuses_copy`.
    """
    release(state, segment)


FENCE = Variant(
    name=repairs.FENCE.name,
    because=repairs.FENCE.because,
    parts=(repairs.FENCE,),
    fence={
        copy_publishes_delete_started: is_copied_by_the_leader,
        copy_publishes_delete_finished: is_copied_by_the_leader,
    },
    add_system=(metadata_refuses_clean_up,),
)
