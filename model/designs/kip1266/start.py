"""How a cluster begins: with a topic that is compacted from the first record on."""

from tierproof.model.designs.kip1266.metadata import assign
from tierproof.model.designs.kip1266.state import Topic
from tierproof.model.kafka.compacted_topic import NULL, CleanupPolicy
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.language import NONE, initial


def begin(state: Topic, policy: CleanupPolicy) -> None:
    """Broker 0 leads, every replica has all records, nothing is copied."""
    state.policy = policy
    for record in state.metadata.record:
        record.key = NONE
        record.value = NULL
    for segment in state.segment:
        clear(segment.lineage)
    for b in range(len(state.broker)):
        state.broker[b].is_leader = b == 0
        state.broker[b].writes_keys = True
        assign(state, b)


@initial
def new_cluster(state: Topic) -> None:
    """The topic is new, and compacted: every broker has the KIP."""
    begin(state, CleanupPolicy.COMPACT)
    state.is_new_feature = True
