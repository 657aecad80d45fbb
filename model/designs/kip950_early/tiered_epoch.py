"""The tiered epoch of segments: stamped when a copy is chosen, compared when metadata is read.

The text has it "fence the segments", so that what an earlier enablement left is "completely
isolated from the new data". It does not say which broker compares what with what. Here a
broker of a topic that is enabled, after a disable with delete, ignores segments of an older
tiered epoch: the settings and the epoch are all that a broker can know of the past.
"""

from tierproof.model.designs.kip405.copying import free_segment_id
from tierproof.model.designs.kip405.metadata import pass_record
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.kafka.remote_metadata_cache import apply_record, forget_segment
from tierproof.model.kafka.tiered_state import Policy, Tiering


def stamp_tiered_epoch(state: Topic, broker: Broker) -> None:
    """Give the segment that is chosen next the tiered epoch that the broker knows.

    Kafka: KIP-950: RemoteLogSegmentMetadata#tieredEpoch.
    """
    state.segment[free_segment_id(state)].tiered_epoch = state.broker[broker].tiered_epoch


def is_hidden(state: Topic, broker: int, segment: int) -> bool:
    """The broker ignores the segment: it is of an enablement that ended with delete."""
    reader = state.broker[broker]
    is_older = state.segment[segment].tiered_epoch < reader.tiered_epoch
    return is_older and reader.tiering == Tiering.ENABLED and reader.policy == Policy.DELETE


def forget_hidden(state: Topic, broker: int) -> None:
    """Remove from the cache what is hidden from now on."""
    for i in range(len(state.segment)):
        if is_hidden(state, broker, i):
            forget_segment(state.broker[broker].cache, i)


def read_metadata_of_its_epoch(state: Topic, broker: Broker) -> None:
    """Apply the next record of the metadata topic, unless the tiered epoch hides its segment.

    Kafka: ConsumerTask; KIP-950, Re-enabling, scenario 1: "we fence the segments with the
    tiered epoch".
    """
    reader = state.broker[broker]
    record = state.metadata_topic[reader.metadata_position]
    if not is_hidden(state, broker, record.segment):
        apply_record(reader.cache, state.segment, record.segment, record.kind)
    pass_record(reader)
