"""The metadata topic at work: records are appended, read at each broker's pace, and cleaned."""

from typing import Annotated, Any

from tierproof.model.designs.kip1266.keys import (
    highest_offset_key,
    is_key_of,
    kind_of,
    partition_key,
    segment_key,
    segment_of,
    value_of,
)
from tierproof.model.designs.kip1266.state import (
    Broker,
    EpochOfKey,
    Kind,
    Kip1266,
    OnTombstone,
    Topic,
)
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
from tierproof.model.kafka.remote_metadata_cache import (
    CachedState,
    apply_record,
    forget_all,
    forget_segment,
    update,
)
from tierproof.model.language import NONE, Range, action, guard, limit

# -- what a record does to a cache


def apply_tombstone(state: Any, cache: Any, key: int) -> None:
    """A null value: skipped, unless the consumer remembers what it learned under the key."""
    if state.choices.on_tombstone == OnTombstone.FORGETS:
        for i in range(len(state.segment)):
            if is_key_of(state, i, key):
                forget_segment(cache, i)


def apply_to_cache(state: Any, cache: Any, n: int) -> None:
    """RemotePartitionMetadataStore, for record n of the topic."""
    it = state.metadata.record[n]
    kind, segment = kind_of(it.value), segment_of(it.value)
    if kind == Kind.TOMBSTONE:
        apply_tombstone(state, cache, it.key)
    elif kind == Kind.HIGHEST_OFFSET:
        apply_highest_offsets(cache, segment)
    elif kind == Kind.DELETE_PARTITION_FINISHED:
        is_initialized = cache.is_initialized
        forget_all(cache)
        cache.is_initialized = is_initialized
    elif kind <= Kind.DELETE_SEGMENT_FINISHED:
        forgets = state.choices.on_tombstone == OnTombstone.FORGETS
        if forgets and kind == Kind.DELETE_SEGMENT_FINISHED:
            forget_segment(cache, segment)
            return
        is_unknown = cache.state[segment] == CachedState.UNKNOWN
        if state.choices.is_self_contained and is_unknown and kind > Kind.COPY_SEGMENT_STARTED:
            apply_self_contained(state, cache, segment, kind)
        else:
            apply_record(cache, state.segment, segment, kind)


def apply_highest_offsets(cache: Any, offset: int) -> None:
    """An epoch was copied as far as `offset`: its highest offset is raised, and never lowered.

    All segments are of epoch 0.
    """
    cache.epoch[0].highest_offset = max(cache.epoch[0].highest_offset, offset)


def apply_self_contained(state: Any, cache: Any, segment: int, kind: int) -> None:
    """An update that says everything makes the id known; a deleted one stays unknown."""
    if kind != Kind.DELETE_SEGMENT_FINISHED:
        apply_record(cache, state.segment, segment, Kind.COPY_SEGMENT_STARTED)
        update(cache, state.segment, segment, kind)


def replay(state: Any) -> None:
    """Ghost: what a broker knows that reads the topic, as it is now, from its beginning."""
    forget_all(state.replayed)
    for n in range(state.metadata.end):
        apply_to_cache(state, state.replayed, n)


# -- appending


@guard
def is_writer_current(state: Topic, broker: Broker) -> bool:
    """Where writers are fenced, but for those of an old version: it leads in the latest epoch."""
    is_current = state.broker[broker].term == state.leader_epoch
    is_fenced = state.choices.is_fenced and state.broker[broker].writes_keys
    return bool(not is_fenced or (is_current and state.elected_leader == broker))


@guard
def topic_takes_records(state: Topic, broker: Broker) -> bool:
    """The topic is not compacted, or the broker's version gives its records keys."""
    key = NONE if has_no_keys(state, broker) else 0
    return accepts(state.policy, key)


@limit
def has_place_for_metadata(state: Topic) -> bool:
    """The scope lets the metadata topic grow."""
    return has_place(state.metadata)


@limit
def has_place_for_finished(state: Topic) -> bool:
    """The same, for COPY_SEGMENT_FINISHED and what comes in one batch with it."""
    records = 2 if state.choices.keeps_highest_offsets else 1
    return bool(state.metadata.end + records <= len(state.metadata.record))


def has_read_all(state: Any, broker: int) -> bool:
    """The broker has read the topic to its end."""
    return bool(state.broker[broker].position == state.metadata.end)


@guard
def is_not_overtaken(state: Topic, broker: Broker) -> bool:
    """Where highest offsets are told: the writer has read all that is in the topic.

    Else the topic refuses the batch, and the writer reads on: a highest offset of which it has
    not heard must not be superseded by a lower one.
    """
    return bool(not state.choices.keeps_highest_offsets or has_read_all(state, broker))


def has_no_keys(state: Any, broker: int) -> bool:
    """The broker publishes as Kafka ships, without keys."""
    return not state.broker[broker].writes_keys


def append_and_note(state: Any, broker: int, key: int, value: int) -> None:
    """Append; the ghosts learn it at once."""
    append(state.metadata, key, value)
    state.was_writer_elected = bool(
        state.elected_leader == broker and state.broker[broker].term == state.leader_epoch
    )
    apply_to_cache(state, state.truth, state.metadata.end - 1)
    replay(state)


def catch_up(state: Any, broker: int) -> None:
    """The broker's consumer reads to the end, for which a publishing thread waits."""
    me = state.broker[broker]
    while me.position < state.metadata.end and not me.is_consumer_dead:
        read_next(state, broker)


def publish(state: Any, broker: int, segment: int, kind: int) -> None:
    """Append a record of `segment`, and wait until the broker has read it.

    TopicBasedRemoteLogMetadataManager#storeRemoteLogMetadata.
    """
    me = state.broker[broker]
    key = NONE
    if not has_no_keys(state, broker):
        key = segment_key(state, segment, me.term, kind)
        if state.choices.epoch == EpochOfKey.AT_COPY:
            state.segment[segment].keyed_terms |= 1 << max(state.segment[segment].copy_term, 0)
        else:
            state.segment[segment].keyed_terms |= 1 << me.term
    append_and_note(state, broker, key, value_of(segment, kind))
    catch_up(state, broker)


def publish_highest_offset(state: Any, broker: int, offsets: int) -> None:
    """Append how far epoch 0 is copied, as the broker has it; of one batch with what it follows."""
    me = state.broker[broker]
    highest = int(me.cache.epoch[0].highest_offset)
    if state.choices.keeps_highest_offsets and me.writes_keys and highest != NONE:
        key = highest_offset_key(state, 0, offsets)
        append_and_note(state, broker, key, value_of(highest, Kind.HIGHEST_OFFSET))
        catch_up(state, broker)


def publish_partition(state: Any, broker: int, kind: int, offsets: int) -> None:
    """Append a record of the partition's deletion, and wait until the broker has read it."""
    key = NONE
    if not has_no_keys(state, broker):
        key = partition_key(state, state.broker[broker].term, offsets)
    append_and_note(state, broker, key, value_of(0, kind))
    catch_up(state, broker)


def publish_tombstone(state: Any, broker: int, key: int) -> None:
    """Append a tombstone; nobody waits for it."""
    append_and_note(state, broker, key, NULL)
    state.tombstoned_keys[key] = True


# -- reading


@guard
def is_consumer_alive(state: Topic, broker: Broker) -> bool:
    """The broker's consumer of the metadata topic has not died of an exception."""
    return not state.broker[broker].is_consumer_dead


@guard
def has_metadata_to_read(state: Topic, broker: Broker) -> bool:
    """The broker has not read to the end."""
    return bool(state.broker[broker].position < state.metadata.end)


def read_next(state: Any, broker: int) -> None:
    """ConsumerTask: the next record, and whether the cache is initialized by now."""
    me = state.broker[broker]
    it = state.metadata.record[me.position]
    dies = me.is_old_version or state.choices.on_tombstone == OnTombstone.DIES
    if it.value == NULL and dies:
        me.is_consumer_dead = True
    else:
        apply_to_cache(state, me.cache, me.position)
    me.position += 1
    if me.position >= me.assigned_end and not me.is_consumer_dead:
        me.cache.is_initialized = True


@action(
    guards=[is_consumer_alive, has_metadata_to_read],
    actor="broker {broker}",
    to="remote_metadata",
)
def broker_reads_metadata(state: Topic, broker: Broker) -> None:
    """Apply the next record to the cache.

    **Who**: the broker's consumer of the metadata topic.
    **Kafka**: ConsumerTask#processConsumerRecord; an exception that is not retriable ends it.
    **Left out**: nothing.
    """
    read_next(state, broker)


def assign(state: Any, broker: int) -> None:
    """ConsumerTask: the partition is read from the beginning, up to the end as it is now."""
    me = state.broker[broker]
    forget_all(me.cache)
    me.position = 0
    me.is_consumer_dead = False
    me.assigned_end = state.metadata.end
    me.cache.is_initialized = state.metadata.end == 0


# -- cleaning

CleanEnd = Annotated[int, Range(1, Kip1266.topic_records)]


@guard
def is_topic_compacted(state: Topic) -> bool:
    """cleanup.policy has compact."""
    return is_compacted(state.policy)


@guard
def is_below_active_segment(state: Topic, clean_end: CleanEnd) -> bool:
    """The active segment is never cleaned; it may be as short as the last record."""
    return bool(clean_end <= first_uncleanable(state.metadata, 1))


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
    for b in range(len(state.broker)):
        for n in range(state.broker[b].position, clean_end):
            it = state.metadata.record[n]
            if it.value == NULL and is_removed(state.metadata, n, clean_end, is_late):
                return False
    return True


@action(
    guards=[
        is_topic_compacted,
        is_below_active_segment,
        cleans_something,
        running_consumers_keep_up,
    ],
    actor="log cleaner",
    to="remote_metadata",
)
def cleaner_cleans(state: Topic, clean_end: CleanEnd, is_late: bool) -> None:
    """Compact the topic; `is_late`: delete.retention.ms is over for tombstones stamped before.

    **Who**: the log cleaner of the broker that leads the metadata partition.
    **Kafka**: Cleaner#clean, with a map of the records below `clean_end`: segments end
    wherever `segment.ms` made them, and a map may be full before.
    **Left out**: min.cleanable.dirty.ratio, which only makes the cleaner wait.
    """
    for b in range(len(state.broker)):
        me = state.broker[b]
        me.position = place_after_cleaning(state.metadata, me.position, clean_end, is_late)
        me.assigned_end = place_after_cleaning(state.metadata, me.assigned_end, clean_end, is_late)
    clean(state.metadata, clean_end, is_late)
    replay(state)
