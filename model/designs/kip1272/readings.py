"""Readings of the text where it says two things or nothing; and what Kafka ships.

A name that begins with `text_` follows a letter of the KIP. A repair beside a reading is the
other reading, which the design takes by itself.
"""

from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.cleaning import (
    build_filters,
    cleaner_skips_segment,
    has_filter,
)
from tierproof.model.designs.kip1272.deleting import is_past_time_by_policy, is_within_leader_epochs
from tierproof.model.designs.kip1272.deleting_first import COPIES_FIRST, DELETES_FIRST
from tierproof.model.designs.kip1272.forwarding import FORWARDS_METADATA, LEAVES_METADATA
from tierproof.model.designs.kip1272.mapping import (
    cleaner_builds_offset_map,
    first_dirty_offset,
    is_known_aborted,
)
from tierproof.model.designs.kip1272.state import CompactedTopic, CompactingBroker
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.expiration_task import is_past_time
from tierproof.model.kafka.fields import SizedSegment
from tierproof.model.kafka.local_retention import is_eligible
from tierproof.model.kafka.local_segments import segment_end
from tierproof.model.kafka.segment_versions import is_aborted, marker_after
from tierproof.model.language import NONE, Variant, guard

# -- local retention


def is_eligible_once_clean(log: CompactingBroker, base: int) -> bool:
    """ "all messages in the file are cleaned (offset < cleaner-checkpoint)"."""
    end = segment_end(log, base)
    is_clean = end <= log.cleaner_offset or end <= log.log_start_offset
    return is_eligible(log, base) and (
        is_clean or log.settings.cleanup_policy != CleanupPolicy.COMPACT
    )


LOCAL_WAITS = Variant(
    name="text_local_segments_wait_for_the_cleaner",
    because=(
        "local segments of a compacted topic are deleted by time, whether cleaned or not; or only "
        "once they are cleaned: the text says both"
    ),
    define={is_eligible: is_eligible_once_clean},
)

# -- the bloom filter


def has_filter_at_base(state: CompactedTopic, broker: int, segment: int) -> bool:
    """The broker has a filter of some version of a segment with this base offset."""
    base = state.segment[segment].start_offset
    return state.broker[broker].filters[base].segment != NONE


def has_filter_of_id(state: CompactedTopic, broker: int, segment: int) -> bool:
    """The broker has a filter of this very id."""
    base = state.segment[segment].start_offset
    return state.broker[broker].filters[base].segment == segment


FILTER_BY_BASE = Variant(
    name="text_filter_is_kept_by_base_offset",
    because='"invalidated and rebuilt when segment is re-compacted": it outlives a version',
    define={has_filter: has_filter_at_base},
)
FILTER_BY_ID = Variant(
    name="repair_filter_is_kept_by_segment_id",
    because="another leader may have re-compacted the segment",
    define={has_filter: has_filter_of_id},
    after=(FILTER_BY_BASE,),
)


def build_filters_of_chunk(state: CompactedTopic, broker: int) -> None:
    """The first pass downloads the dirty segments: each has a filter from then on."""
    build_filters(state, broker, first_dirty_offset(state, broker), state.broker[broker].map_end)


@guard
def is_below_the_chunk(state: CompactedTopic, broker: Broker) -> bool:
    """The next segment was cleaned before: it has no aborted record any more."""
    return state.broker[broker].group_start < first_dirty_offset(state, broker)


FILTER_OF_CHUNK = Variant(
    name="text_filter_is_asked_for_dirty_segments",
    because=(
        'a filter is built "on first download", which is that of the first pass; the second pass '
        'reads the temporary file, or "from the InputStream" again: the text says both'
    ),
    also={cleaner_builds_offset_map: build_filters_of_chunk},
)
FILTER_BELOW_CHUNK = Variant(
    name="repair_filter_is_asked_for_clean_segments",
    because="a dirty segment may have aborted records, of which no key is in the map",
    fence={cleaner_skips_segment: is_below_the_chunk},
    after=(FILTER_OF_CHUNK,),
)

# -- transactions


def is_aborted_in_chunk(state: CompactedTopic, broker: int, offset: int) -> bool:
    """The segments of the chunk have the marker that aborted the record's transaction."""
    marker = marker_after(state, broker, offset)
    return marker < state.broker[broker].map_end and is_aborted(state, broker, offset)


def is_aborted_in_log(state: CompactedTopic, broker: int, offset: int) -> bool:
    """Any segment up to the last stable offset has the marker."""
    return is_aborted(state, broker, offset)


ABORTED_IN_CHUNK = Variant(
    name="text_aborted_is_known_from_the_chunk",
    because="a chunk is all that is fetched; where transaction indexes are read is not said",
    define={is_known_aborted: is_aborted_in_chunk},
)
ABORTED_IN_LOG = Variant(
    name="repair_aborted_is_known_from_the_log",
    because="the marker may lie beyond the chunk",
    define={is_known_aborted: is_aborted_in_log},
    after=(ABORTED_IN_CHUNK,),
)

# -- the vector


def keep_epochs_of_segment(state: CompactedTopic, segment: int) -> None:
    """ "the current cleanerOffset value for all leader epochs present in that segment"."""
    copy = state.segment[segment]
    for e in range(len(copy.cleaner_offsets)):
        if copy.lineage[e] == NONE:
            copy.cleaner_offsets[e] = NONE


EPOCHS_OF_SEGMENT = Variant(
    name="text_vector_has_the_epochs_of_the_segment",
    because="the vector has the epochs present in the segment, or those of the table",
    also={copy_publishes_started: keep_epochs_of_segment},
)


def forget_epochs(state: CompactedTopic, segment: int) -> None:
    """As the table has it: every epoch that the writer knows."""
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    for e in range(len(copy.cleaner_offsets)):
        copy.cleaner_offsets[e] = log.cleaner_offsets[e]
    if copy.is_cleaned:
        copy.cleaner_offsets[log.cleaner_epoch] = log.map_end


EPOCHS_OF_WRITER = Variant(
    name="repair_vector_has_the_epoch_of_its_writer",
    because="a vector without the writer's epoch fences nobody",
    also={copy_publishes_started: forget_epochs},
    after=(EPOCHS_OF_SEGMENT,),
)

# -- deletion and retention


@guard
def is_out_of_lineage(state: CompactedTopic, broker: Broker) -> bool:
    """The segment is not valid under the current leader: only such ones may be deleted."""
    return not is_within_leader_epochs(state, broker)


@guard
def belongs_to_the_leader(state: CompactedTopic, broker: Broker) -> bool:
    """The segment is within the leader epochs of the broker's log, as retention has it."""
    return is_within_leader_epochs(state, broker)


ONLY_INVALID = Variant(
    name="text_only_invalid_segments_are_deleted",
    because='the validation "prevents zombie brokers from deleting segments still valid"',
    test={is_within_leader_epochs: is_out_of_lineage},
)


DELETE_REPLACED = Variant(
    name="repair_delete_what_is_replaced",
    because="an old version is within the same leader epochs as the one that replaces it",
    test={is_within_leader_epochs: belongs_to_the_leader},
    after=(ONLY_INVALID,),
)


def is_past_time_whatever_policy(segment: SizedSegment, log: CompactingBroker, now: int) -> bool:
    """RLMExpirationTask asks for retention.ms, and for no policy."""
    most_ms = log.settings.retention_ms
    return most_ms >= 0 and segment.max_timestamp < now - most_ms


EXPIRES_ALWAYS = Variant(
    name="kafka_expires_whatever_the_policy",
    because="the expiration task that ships knows no cleanup.policy; the text leaves it as it is",
    define={is_past_time_by_policy: is_past_time_whatever_policy},
    redefines={is_past_time_by_policy: TASK_DECIDES},
)
EXPIRES_BY_POLICY = Variant(
    name="repair_expire_by_policy",
    because="a compacted topic keeps the latest value of a key for ever",
    define={is_past_time: is_past_time_by_policy},
    redefines={is_past_time: TASK_DECIDES},
    after=(EXPIRES_ALWAYS,),
)

READINGS = (
    LOCAL_WAITS,
    DELETES_FIRST,
    FILTER_BY_BASE,
    FILTER_OF_CHUNK,
    FORWARDS_METADATA,
    ABORTED_IN_CHUNK,
    EPOCHS_OF_SEGMENT,
    ONLY_INVALID,
    EXPIRES_ALWAYS,
    COPIES_FIRST,
    FILTER_BY_ID,
    FILTER_BELOW_CHUNK,
    LEAVES_METADATA,
    ABORTED_IN_LOG,
    EPOCHS_OF_WRITER,
    DELETE_REPLACED,
    EXPIRES_BY_POLICY,
)
