"""A reading of the swap: "a remote file delete followed by a remote file create/upload".

Another passage copies first, and leaves the old segments to the retention task.
"""

from tierproof.model.designs.kip405.metadata import has_place_for_metadata, publish
from tierproof.model.designs.kip405.state import Broker, RecordKind
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.cleaning import is_group_remote
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic
from tierproof.model.designs.kip1272.swapping import cleaner_begins_copy
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.segment_versions import serving_segment
from tierproof.model.language import NONE, Variant, fence, guard


def is_input(state: CompactedTopic, broker: int, segment: int, known: int) -> bool:
    """The segment lies in the group, and the broker knows it in this state."""
    log, copy = state.broker[broker], state.segment[segment]
    is_within = log.group_start <= copy.start_offset and copy.end_offset < log.group_end
    return log.cleans_remote and is_within and log.cache.state[segment] == known


def has_read_all(state: CompactedTopic, broker: int) -> bool:
    """The broker has read the metadata topic to its end, and what it published itself."""
    return state.broker[broker].metadata_position == state.metadata_end


@guard
def is_old_version(state: CompactedTopic, broker: Broker, segment: SegmentId) -> bool:
    """The segment is an old version of the group, and still finished."""
    is_old = is_input(state, broker, segment, SegmentState.COPY_SEGMENT_FINISHED)
    return is_old and has_read_all(state, broker)


@CLEANER.action(
    CleanerStep.GROUP_CLEANED,
    guards=[is_old_version, has_place_for_metadata],
    to="remote_metadata",
)
def cleaner_publishes_delete_started(
    state: CompactedTopic, broker: Broker, segment: SegmentId
) -> None:
    """Publish DELETE_SEGMENT_STARTED for an old version of the group."""
    publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)


@guard
def is_marked_version(state: CompactedTopic, broker: Broker, segment: SegmentId) -> bool:
    """The deletion of the old version is started, and its object is there."""
    is_marked = is_input(state, broker, segment, SegmentState.DELETE_SEGMENT_STARTED)
    return is_marked and state.segment[segment].object_exists


@CLEANER.action(
    CleanerStep.GROUP_CLEANED,
    guards=[is_marked_version],
    to="remote_store",
)
def cleaner_deletes_object(state: CompactedTopic, broker: Broker, segment: SegmentId) -> None:
    """Delete the object of an old version."""
    state.segment[segment].object_exists = False


@guard
def is_deleted_version(state: CompactedTopic, broker: Broker, segment: SegmentId) -> bool:
    """The object of the old version is deleted."""
    is_marked = is_input(state, broker, segment, SegmentState.DELETE_SEGMENT_STARTED)
    is_deleted = is_marked and not state.segment[segment].object_exists
    return is_deleted and has_read_all(state, broker)


@CLEANER.action(
    CleanerStep.GROUP_CLEANED,
    guards=[is_deleted_version, has_place_for_metadata],
    to="remote_metadata",
)
def cleaner_publishes_delete_finished(
    state: CompactedTopic, broker: Broker, segment: SegmentId
) -> None:
    """Publish DELETE_SEGMENT_FINISHED for an old version of the group."""
    publish(state, segment, RecordKind.DELETE_SEGMENT_FINISHED)


@fence(stays="it is the order of the steps that the passage gives, and protects nothing")
def has_deleted_old_versions(state: CompactedTopic, broker: Broker) -> bool:
    """No old version of the group is left, by what the broker has read."""
    return not any(
        is_input(state, broker, i, SegmentState.COPY_SEGMENT_FINISHED)
        or is_input(state, broker, i, SegmentState.DELETE_SEGMENT_STARTED)
        for i in range(len(state.segment))
    )


def is_copied_anyway(state: CompactedTopic, broker: int) -> bool:
    """A group is copied although its old versions are deleted."""
    return True


def is_group_served(state: CompactedTopic, broker: int) -> bool:
    """The remote tier has a segment of the group."""
    log = state.broker[broker]
    return any(
        serving_segment(state, broker, offset) != NONE
        for offset in range(log.group_start, log.group_end)
    )


DELETES_FIRST = Variant(
    name="text_deletes_before_it_copies",
    because="one passage deletes the old file and then copies, another copies first",
    add_system=(
        cleaner_publishes_delete_started,
        cleaner_deletes_object,
        cleaner_publishes_delete_finished,
    ),
    fence={cleaner_begins_copy: has_deleted_old_versions},
    define={is_group_remote: is_copied_anyway},
)
COPIES_FIRST = Variant(
    name="repair_copy_before_deleting",
    because="between the deletion and the copy neither version can be read",
    drop=(
        cleaner_publishes_delete_started,
        cleaner_deletes_object,
        cleaner_publishes_delete_finished,
    ),
    unfence={cleaner_begins_copy: has_deleted_old_versions},
    define={is_group_remote: is_group_served},
    after=(DELETES_FIRST,),
)
