"""RemoteMetadataCleanupManager: a thread that scans the topic for keys nobody tombstoned.

"a background cleanup thread executed by RemoteMetadataCleanupManager will scan the
__remote_log_metadata periodically to check whether there are orphaned messages that can be
deleted". The text does not say on which broker it runs, so it runs on each; what may be
deleted it says once: messages of segments that are in DELETE_SEGMENT_FINISHED.
"""

from typing import Annotated, Any

from tierproof.model.designs.kip1266.keys import WIDTH, kind_of, segment_of
from tierproof.model.designs.kip1266.metadata import (
    has_place_for_metadata,
    is_writer_current,
    publish_tombstone,
)
from tierproof.model.designs.kip1266.state import Broker, KeyScheme, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import NULL, latest
from tierproof.model.language import NONE, Index, action, guard

RecordPlace = Annotated[int, Index(Kip1266.topic_records)]


@guard
def is_last_of_its_key(state: Topic, place: RecordPlace) -> bool:
    """The record has a key and a value, no later record of its key lies in the topic."""
    if place >= state.metadata.end:
        return False
    it = state.metadata.record[place]
    if it.key == NONE or it.value == NULL or kind_of(it.value) > Kind.DELETE_SEGMENT_FINISHED:
        return False
    return bool(latest(state.metadata, it.key) == place)


@guard
def is_message_expired(state: Topic, broker: Broker, place: RecordPlace) -> bool:
    """The topic has a DELETE_SEGMENT_FINISHED of the same end offset, the epoch is no bigger."""
    it = state.metadata.record[place]
    is_text = state.choices.key == KeyScheme.END_OFFSET_AND_EPOCH
    if is_text and it.key % WIDTH > state.broker[broker].term:
        return False
    if state.choices.is_conditional or not is_text:
        return is_deletion_last(state, place)
    for n in range(state.metadata.end):
        other = state.metadata.record[n]
        says_deleted = kind_of(other.value) == Kind.DELETE_SEGMENT_FINISHED
        if other.value != NULL and says_deleted and other.key // WIDTH == it.key // WIDTH:
            return True
    return False


def is_deletion_last(state: Any, place: int) -> bool:
    """Record `place` is of an id that is deleted; the record that says so goes as the last."""
    it, is_deleted, has_other = state.metadata.record[place], False, False
    for n in range(state.metadata.end):
        other = state.metadata.record[n]
        if other.value == NULL or kind_of(other.value) > Kind.DELETE_SEGMENT_FINISHED:
            continue
        if segment_of(other.value) == segment_of(it.value):
            if kind_of(other.value) == Kind.DELETE_SEGMENT_FINISHED:
                is_deleted = True
            if n != place and latest(state.metadata, other.key) == n:
                has_other = True
    return is_deleted and not (kind_of(it.value) == Kind.DELETE_SEGMENT_FINISHED and has_other)


@guard
def has_clean_up(state: Topic, broker: Broker) -> bool:
    """The broker has the KIP, and writes as it says."""
    return bool(state.broker[broker].writes_keys)


@guard
def has_clean_up_of_its_own(state: Topic, broker: Broker) -> bool:
    """The broker has the KIP, and believes to lead: another reading of who scans."""
    me = state.broker[broker]
    return bool(me.writes_keys and me.is_leader and me.has_begun)


@action(
    guards=[
        has_clean_up,
        is_last_of_its_key,
        is_message_expired,
        is_writer_current,
        has_place_for_metadata,
    ],
    actor="clean-up of broker {broker}",
    to="remote_metadata",
)
def clean_up_publishes_tombstone(state: Topic, broker: Broker, place: RecordPlace) -> None:
    """Tombstone a key that the scan takes for expired.

    **Who**: RemoteMetadataCleanupManager of any broker.
    **Kafka**: KIP-1266, Broker Write Path.
    **Left out**: that a scan takes time, in which the topic goes on.
    """
    publish_tombstone(state, broker, int(state.metadata.record[place].key))
