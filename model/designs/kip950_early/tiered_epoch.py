"""The tiered epoch of segments: stamped when a copy is chosen, asked when metadata is read.

The text has it "fence the segments", so that what an earlier enablement left is "completely
isolated from the new data"; which broker compares what with what it does not say. Here a
broker of a topic that is enabled, after a disable with delete, passes over segments of an
older tiered epoch: setting and epoch are all that a broker can know of the past.
"""

from typing import Any

from tierproof.model.designs.kip405.copying import choose_segment, copy_task_chooses_segment
from tierproof.model.designs.kip405.metadata import broker_reads_metadata, pass_record
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.designs.kip950_early.tiered_state import Policy, Tiering
from tierproof.model.kafka.remote_metadata_cache import apply_record, forget_segment
from tierproof.model.language import action


def is_hidden(state: Any, broker: int, segment: int) -> bool:
    """The broker passes over the segment: it is of an enablement that ended with delete."""
    me = state.broker[broker]
    is_older = state.segment[segment].tiered_epoch < me.tiered_epoch
    return bool(is_older and me.tiering == Tiering.ENABLED and me.policy == Policy.DELETE)


def forget_hidden(state: Any, broker: int) -> None:
    """The cache gives up what is to be passed over from now on."""
    for i in range(len(state.segment)):
        if is_hidden(state, broker, i):
            forget_segment(state.broker[broker].cache, i)


@action(guards=copy_task_chooses_segment.guards, actor="broker {broker}")
def copy_task_chooses_and_stamps(state: Topic, broker: Broker) -> None:
    """Choose the next segment, and give it the tiered epoch that the broker knows.

    **Who**: the copy task.
    **Kafka**: RLMCopyTask#copyLogSegmentsToRemote; KIP-950: RemoteLogSegmentMetadata#tieredEpoch.
    **Left out**: that a run lists its segments once, at its beginning.
    """
    id = choose_segment(state, broker)
    state.segment[id].tiered_epoch = state.broker[broker].tiered_epoch


@action(guards=broker_reads_metadata.guards, actor="broker {broker}", to="remote_metadata")
def broker_reads_metadata_of_its_epoch(state: Topic, broker: Broker) -> None:
    """Apply the next record of the metadata topic, unless the tiered epoch fences its segment.

    **Who**: the broker's consumer of the metadata topic.
    **Kafka**: ConsumerTask; KIP-950, Re-enabling, scenario 1: "we fence the segments with the
    tiered epoch".
    **Left out**: nothing.
    """
    me = state.broker[broker]
    record = state.metadata_topic[me.metadata_position]
    if not is_hidden(state, broker, record.segment):
        apply_record(me.cache, state.segment, record.segment, record.kind)
    pass_record(me)
