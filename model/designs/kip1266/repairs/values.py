"""Repairs of values and of consumers: what a record says, and what a cache makes of it."""

from tierproof.invariants.compacted_topic import describes, has_key
from tierproof.model.designs.kip1266.copying import copy_task_publishes_finished
from tierproof.model.designs.kip1266.ghosts import note_appended
from tierproof.model.designs.kip1266.keys import (
    WIDTH,
    first_key_of_no_segment,
    kind_of,
    segment_of,
    value_of,
)
from tierproof.model.designs.kip1266.metadata import (
    CleanEnd,
    apply_deletion,
    apply_to_cache,
    apply_tombstone,
    apply_update,
    assign,
    cleaner_cleans,
    has_read_all,
    read_to_end,
)
from tierproof.model.designs.kip1266.readings import TEXT_CONSUMER_UNCHANGED
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import Broker, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import NULL, TopicRecord, append, is_removed
from tierproof.model.kafka.remote_metadata_cache import (
    MetadataCache,
    apply_record,
    forget_segment,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant, limit

# -- an update says everything


def describe_and_update(state: Topic, cache: MetadataCache, n: int) -> None:
    """An update makes an unknown segment known, as it says what the first record says.

    Records without keys are of the old version, whose updates do not.
    """
    record = state.metadata.record[n]
    segment = segment_of(record.value)
    if record.key != NONE and cache.state[segment] == SegmentState.ABSENT:
        apply_record(cache, state.segment, segment, Kind.COPY_SEGMENT_STARTED)
    apply_update(state, cache, n)


def describes_always(record: TopicRecord) -> bool:
    """Every record with a key says all about its segment."""
    return record.key != NONE or describes(record)


SELF_CONTAINED_VALUES = Variant(
    name="repair_self_contained_values",
    because="an update record does not describe its segment",
    define={apply_update: describe_and_update, describes: describes_always},
    redefines={
        describes: "the model has no values: what a record describes is what the variant says of it"
    },
)

# -- consumers forget


def forget_segments_of_key(state: Topic, cache: MetadataCache, key: int) -> None:
    """Forget every segment that the consumer learned of under the key."""
    for i in range(len(state.segment)):
        if has_key(state, i, key):
            forget_segment(cache, i)


def forget_deleted_segment(state: Topic, cache: MetadataCache, segment: int) -> None:
    """DELETE_SEGMENT_FINISHED makes the cache forget the segment, whatever its state."""
    forget_segment(cache, segment)


TOMBSTONES_FORGET = Variant(
    name="repair_tombstones_forget",
    because="a consumer that lags never hears of a deletion",
    define={apply_tombstone: forget_segments_of_key, apply_deletion: forget_deleted_segment},
)


def rebuild_outrun_caches(state: Topic, clean_end: CleanEnd, is_late: bool) -> None:
    """A broker that has not read a tombstone that is removed reads the topic from the beginning."""
    for b in range(len(state.broker)):
        is_outrun = any(
            state.metadata.record[n].value == NULL
            and is_removed(state.metadata, n, clean_end, is_late)
            for n in range(state.broker[b].position, clean_end)
        )
        if is_outrun:
            assign(state, b)


REBUILD_OUTRUN_CACHES = Variant(
    name="repair_rebuild_outrun_caches",
    because="a tombstone may go before a consumer that lags has read it",
    first={cleaner_cleans: rebuild_outrun_caches},
)


def read_null(state: Topic) -> None:
    """Consumers know that a null value is a tombstone."""
    for broker in state.broker:
        broker.is_old_version = False


CONSUMER_READS_NULL = Variant(
    name="repair_consumer_reads_null",
    because="beside `text_consumer_unchanged`: a null value is an exception",
    also={new_cluster: read_null},
    after=(TEXT_CONSUMER_UNCHANGED,),
)

# -- the topic keeps the highest offset of an epoch


def apply_with_highest_offsets(state: Topic, cache: MetadataCache, n: int) -> None:
    """A record of the highest offset raises that of epoch 0, of which all segments are."""
    value = state.metadata.record[n].value
    if kind_of(value) == Kind.HIGHEST_OFFSET:
        cache.epoch[0].highest_offset = max(cache.epoch[0].highest_offset, segment_of(value))
    else:
        apply_to_cache(state, cache, n)


def highest_offset_key(state: Topic, epoch: int, offsets: int) -> int:
    """The key of the highest offset of an epoch: one for each epoch."""
    return first_key_of_no_segment(state, offsets) + WIDTH + epoch


def publish_highest_offset(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Append how far epoch 0 was copied; of one batch with what it follows."""
    writer = state.broker[broker]
    highest = writer.cache.epoch[0].highest_offset
    if writer.writes_keys and highest != NONE:
        key = highest_offset_key(state, 0, scope.offsets)
        append(state.metadata, key, value_of(highest, Kind.HIGHEST_OFFSET))
        read_to_end(state, broker)


@limit
def has_place_for_batch(state: Topic) -> bool:
    """The scope has place for COPY_SEGMENT_FINISHED and the highest offset."""
    return state.metadata.end + 2 <= len(state.metadata.record)


TELL_HIGHEST_OFFSETS = Variant(
    name="repair_tell_highest_offsets",
    because="compaction forgets how far an epoch was copied",
    define={apply_to_cache: apply_with_highest_offsets},
    also={copy_task_publishes_finished: (publish_highest_offset, note_appended)},
    # Else a highest offset that the writer has not read would be superseded by a lower one.
    fence={copy_task_publishes_finished: (has_read_all, has_place_for_batch)},
)
