"""A reading of the bloom filter: "skip download and copy segment metadata forward".

What is skipped gets a new id with new cleaner offsets, and the same object as before.
"""

from tierproof.model.designs.kip405.copying import has_free_segment_id
from tierproof.model.designs.kip405.expiring import expiration_deletes_object, planned_segment
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.cleaning import filter_says_no
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic
from tierproof.model.designs.kip1272.swapping import begin_copy
from tierproof.model.kafka.segment_versions import (
    copy_record,
    next_segment_start,
    record_in,
    source_of,
)
from tierproof.model.language import NONE, Variant


def object_of(state: CompactedTopic, segment: int) -> int:
    """The id for which the object of a segment was stored."""
    shared = state.segment[segment].shared_with
    return segment if shared == NONE else shared


@CLEANER.action(
    CleanerStep.MAP_BUILT,
    CleanerStep.COPYING,
    guards=[filter_says_no, has_free_segment_id],
)
def cleaner_forwards_metadata(state: CompactedTopic, broker: Broker) -> None:
    """Publish the segment that the filter lets the cleaner skip under a new id.

    Left out: that nothing is sent to the remote store.
    """
    log = state.broker[broker]
    source = source_of(state, broker, log.group_start)
    log.group_end = next_segment_start(state, broker, log.group_start)
    for offset in range(log.group_start, log.group_end):
        copy_record(log.output[offset], record_in(state, broker, source, offset))
    begin_copy(state, broker)
    state.segment[log.output_id].shared_with = object_of(state, source)


def delete_shared_object(state: CompactedTopic, broker: int) -> None:
    """The object is gone for every id that shares it."""
    deleted = object_of(state, planned_segment(state, broker))
    for i in range(len(state.segment)):
        if object_of(state, i) == deleted:
            state.segment[i].object_exists = False


FORWARDS_METADATA = Variant(
    name="text_metadata_is_copied_forward",
    because="what is copied forward, and whether under a new id, is not said",
    add_system=(cleaner_forwards_metadata,),
    also={expiration_deletes_object: delete_shared_object},
)
LEAVES_METADATA = Variant(
    name="repair_leave_the_metadata_of_what_is_skipped",
    because="two ids share an object, and the retention task deletes that of the old one",
    drop=(cleaner_forwards_metadata,),
    after=(FORWARDS_METADATA,),
)
