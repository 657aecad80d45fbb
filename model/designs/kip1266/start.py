"""How a cluster begins: with a topic that is compacted from the first record on."""

from typing import Any

from tierproof.model.designs.kip1266.metadata import assign
from tierproof.model.designs.kip1266.state import EpochOfKey, KeyScheme, OnTombstone, Topic
from tierproof.model.kafka.compacted_topic import NULL, CleanupPolicy
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.language import NONE, initial


def begin(state: Any, policy: int) -> None:
    """Broker 0 leads, every replica has all records, nothing is copied; the text as it stands."""
    state.policy = policy
    state.choices.key = KeyScheme.END_OFFSET_AND_EPOCH
    state.choices.epoch = EpochOfKey.AT_PUBLICATION
    state.choices.on_tombstone = OnTombstone.SKIPS
    for n in range(len(state.metadata.record)):
        state.metadata.record[n].key = NONE
        state.metadata.record[n].value = NULL
    for i in range(len(state.segment)):
        clear(state.segment[i].lineage)
    for b in range(len(state.broker)):
        state.broker[b].is_leader = b == 0
        state.broker[b].writes_keys = True
        assign(state, b)


@initial
def new_cluster(state: Topic) -> None:
    """The topic is new, and compacted: every broker has the KIP."""
    begin(state, CleanupPolicy.COMPACT)
    state.is_new_feature = True
