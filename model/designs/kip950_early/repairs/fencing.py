"""KIP-950's fence of remote metadata, where brokers learn of elections as these designs have it."""

from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.repairs.fencing import FENCE, FENCE_RECORDS, cancel_threads
from tierproof.model.designs.kip950_early.learning import broker_applies_leadership
from tierproof.model.designs.kip950_early.state import RecordCount, Topic
from tierproof.model.language import Variant


def cancel_threads_of_earlier_epochs(state: Topic, broker: Broker, records: RecordCount) -> None:
    """A broker that is about to apply an election cancels its threads."""
    learning = state.broker[broker]
    image = state.cluster_log[learning.position + records - 1]
    if image.leader_epoch != learning.leader_epoch:
        cancel_threads(state, broker)


IN_KRAFT = Variant(
    name=FENCE.name,
    because=FENCE.because,
    parts=(FENCE_RECORDS,),
    first={broker_applies_leadership: cancel_threads_of_earlier_epochs},
)
IN_ZOOKEEPER = Variant(
    name=FENCE.name,
    because=FENCE.because,
    parts=(FENCE_RECORDS,),
    first={broker_learns_leader: cancel_threads},
)
