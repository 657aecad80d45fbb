"""The metadata topic at work: records are appended, read at each broker's pace, and cleaned."""

from typing import Annotated

from tierproof.model.designs.kip1266.keys import (
    epoch_of_key,
    kind_of,
    partition_key,
    segment_key,
    segment_of,
    value_of,
)
from tierproof.model.designs.kip1266.state import BROKER, Broker, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import (
    NULL,
    accepts,
    append,
    changes_something,
    clean,
    first_uncleanable,
    has_place,
    is_compacted,
    is_removed,
    place_after_cleaning,
)
from tierproof.model.kafka.remote_metadata_cache import MetadataCache, apply_record, forget_all
from tierproof.model.language import NONE, Actor, Range, guard, limit

CLEANER = Actor("log cleaner")

# -- what a record does to a cache


def apply_to_cache(state: Topic, cache: MetadataCache, n: int) -> None:
    """RemotePartitionMetadataStore, for record n of the topic."""
    record = state.metadata.record[n]
    kind, segment = kind_of(record.value), segment_of(record.value)
    if kind == Kind.TOMBSTONE:
        apply_tombstone(state, cache, record.key)
    elif kind < Kind.DELETE_SEGMENT_FINISHED:
        apply_update(state, cache, n)
    elif kind == Kind.DELETE_SEGMENT_FINISHED:
        apply_deletion(state, cache, segment)
    elif kind == Kind.DELETE_PARTITION_FINISHED:
        is_initialized = cache.is_initialized
        forget_all(cache)
        cache.is_initialized = is_initialized


def apply_tombstone(state: Topic, cache: MetadataCache, key: int) -> None:
    """Change nothing: a cache has no index by key, and the text leaves it as it is."""


def apply_update(state: Topic, cache: MetadataCache, n: int) -> None:
    """COPY_SEGMENT_STARTED adds the segment, other states update it if it is known."""
    value = state.metadata.record[n].value
    apply_record(cache, state.segment, segment_of(value), kind_of(value))


def apply_deletion(state: Topic, cache: MetadataCache, segment: int) -> None:
    """DELETE_SEGMENT_FINISHED makes the cache forget the segment, if the transition is legal."""
    apply_record(cache, state.segment, segment, Kind.DELETE_SEGMENT_FINISHED)


# -- appending


@guard
def topic_takes_records(state: Topic, broker: Broker) -> bool:
    """The topic is not compacted, or the broker's version gives its records keys."""
    return accepts(state.policy, 0 if state.broker[broker].writes_keys else NONE)


@limit
def has_place_for_metadata(state: Topic) -> bool:
    """The scope lets the metadata topic grow."""
    return has_place(state.metadata)


@guard
def is_consumer_alive(state: Topic, broker: Broker) -> bool:
    """The broker's consumer of the metadata topic has not died of an exception."""
    return not state.broker[broker].is_consumer_dead


PUBLISHES = (is_consumer_alive, topic_takes_records, has_place_for_metadata)
"""The guards of every append by a thread that waits for its record."""


def publish(state: Topic, broker: int, segment: int, kind: int) -> None:
    """Append a record of `segment`, and wait until the broker has read it.

    TopicBasedRemoteLogMetadataManager#storeRemoteLogMetadata.
    """
    writer, key = state.broker[broker], NONE
    if writer.writes_keys:
        epoch = epoch_of_key(state, segment, writer.term)
        key = segment_key(state, segment, epoch, kind)
        state.segment[segment].keyed_terms |= 1 << epoch
    append(state.metadata, key, value_of(segment, kind))
    read_to_end(state, broker)


def publish_partition(state: Topic, broker: int, kind: int, offsets: int) -> None:
    """Append a marker of the partition's deletion, and wait until the broker has read it."""
    writer, key = state.broker[broker], NONE
    if writer.writes_keys:
        key = partition_key(state, writer.term, offsets)
    append(state.metadata, key, value_of(0, kind))
    read_to_end(state, broker)


# -- reading


@guard
def has_metadata_to_read(state: Topic, broker: Broker) -> bool:
    """The broker has not read to the end."""
    return state.broker[broker].position < state.metadata.end


@guard
def has_read_all(state: Topic, broker: Broker) -> bool:
    """The broker has read the topic to its end."""
    return state.broker[broker].position == state.metadata.end


def read_next(state: Topic, broker: int) -> None:
    """ConsumerTask: apply the next record; at the assigned end the cache is initialized."""
    reader = state.broker[broker]
    if state.metadata.record[reader.position].value == NULL and reader.is_old_version:
        reader.is_consumer_dead = True
    else:
        apply_to_cache(state, reader.cache, reader.position)
    reader.position += 1
    if reader.position >= reader.assigned_end and not reader.is_consumer_dead:
        reader.cache.is_initialized = True


def read_to_end(state: Topic, broker: int) -> None:
    """The broker's consumer reads to the end, for which a publishing thread waits."""
    reader = state.broker[broker]
    while reader.position < state.metadata.end and not reader.is_consumer_dead:
        read_next(state, broker)


@BROKER.action(guards=[is_consumer_alive, has_metadata_to_read], to="remote_metadata")
def broker_reads_metadata(state: Topic, broker: Broker) -> None:
    """Apply the next record to the cache.

    Kafka: ConsumerTask#processConsumerRecord; an exception that is not retriable ends it.
    """
    read_next(state, broker)


def assign(state: Topic, broker: int) -> None:
    """ConsumerTask: read the partition from its beginning, up to the end as it is now."""
    reader = state.broker[broker]
    forget_all(reader.cache)
    reader.position = 0
    reader.is_consumer_dead = False
    reader.assigned_end = state.metadata.end
    reader.cache.is_initialized = state.metadata.end == 0


# -- cleaning

CleanEnd = Annotated[int, Range(1, Kip1266.topic_records)]


@guard
def is_topic_compacted(state: Topic) -> bool:
    """cleanup.policy has compact."""
    return is_compacted(state.policy)


@guard
def is_below_active_segment(state: Topic, clean_end: CleanEnd) -> bool:
    """The active segment is never cleaned; it may be as short as the last record."""
    return clean_end <= first_uncleanable(state.metadata, 1)


@guard
def cleans_something(state: Topic, clean_end: CleanEnd, is_late: bool) -> bool:
    """The run removes a record, or sets the horizon of a tombstone."""
    return changes_something(state.metadata, clean_end, is_late)


@limit
def running_consumers_keep_up(
    state: Topic, clean_end: CleanEnd, is_late: bool, scope: Kip1266
) -> bool:
    """Unless the scope lets them lag, consumers have read a tombstone within delete.retention.ms.

    Nothing in Kafka sees to it; a day is long.
    """
    if scope.lagging or not is_late:
        return True
    return not any(
        state.metadata.record[n].value == NULL and is_removed(state.metadata, n, clean_end, is_late)
        for b in range(len(state.broker))
        for n in range(state.broker[b].position, clean_end)
    )


@CLEANER.action(
    guards=[
        is_topic_compacted,
        is_below_active_segment,
        cleans_something,
        running_consumers_keep_up,
    ],
    to="remote_metadata",
)
def cleaner_cleans(state: Topic, clean_end: CleanEnd, is_late: bool) -> None:
    """Compact the topic; `is_late`: delete.retention.ms is over for tombstones stamped before.

    Kafka: Cleaner#clean, with a map of the records below `clean_end`: segments end wherever
    `segment.ms` made them, and a map may be full before.
    Left out: min.cleanable.dirty.ratio, which only makes the cleaner wait.
    """
    for reader in state.broker:
        reader.position = place_after_cleaning(state.metadata, reader.position, clean_end, is_late)
        reader.assigned_end = place_after_cleaning(
            state.metadata, reader.assigned_end, clean_end, is_late
        )
    clean(state.metadata, clean_end, is_late)
