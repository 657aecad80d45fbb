"""RemoteMetadataCleanupManager: a thread that scans the topic for keys nobody tombstoned.

"a background cleanup thread executed by RemoteMetadataCleanupManager will scan the
__remote_log_metadata periodically to check whether there are orphaned messages that can be
deleted". The text does not say on which broker it runs, so it runs on each; what may be
deleted it says once: messages of segments that are in DELETE_SEGMENT_FINISHED.
"""

from typing import Annotated

from tierproof.model.designs.kip1266.keys import WIDTH, kind_of
from tierproof.model.designs.kip1266.metadata import has_place_for_metadata, topic_takes_records
from tierproof.model.designs.kip1266.state import Broker, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import NULL, append, latest
from tierproof.model.language import NONE, Actor, Index, fence, guard

RecordPlace = Annotated[int, Index(Kip1266.topic_records)]
CLEAN_UP = Actor("clean-up of broker {broker}")


@guard
def is_last_of_its_key(state: Topic, place: RecordPlace) -> bool:
    """The record of a segment has a key and a value, and none of its key lies behind it."""
    if place >= state.metadata.end:
        return False
    record = state.metadata.record[place]
    if record.key == NONE or record.value == NULL:
        return False
    is_of_segment = kind_of(record.value) <= Kind.DELETE_SEGMENT_FINISHED
    return is_of_segment and latest(state.metadata, record.key) == place


@fence(protects="tombstone_only_after_deletion", scope="deletion")
def is_message_expired(state: Topic, broker: Broker, place: RecordPlace) -> bool:
    """The topic has a DELETE_SEGMENT_FINISHED of the same end offset, the epoch is no bigger.

    The scan knows segments only by their records: one that may have an object must keep its
    key, or nobody finds the object again. The condition is too weak where several attempts
    have one end offset (`late_tombstone_hits_the_retry`).
    """
    key = state.metadata.record[place].key
    return key % WIDTH <= state.broker[broker].term and any(
        kind_of(state.metadata.record[n].value) == Kind.DELETE_SEGMENT_FINISHED
        and state.metadata.record[n].key // WIDTH == key // WIDTH
        for n in range(state.metadata.end)
    )


@guard
def has_clean_up(state: Topic, broker: Broker) -> bool:
    """The broker has the KIP, and writes as it says."""
    return state.broker[broker].writes_keys


@CLEAN_UP.action(
    guards=[
        has_clean_up,
        is_last_of_its_key,
        is_message_expired,
        topic_takes_records,
        has_place_for_metadata,
    ],
    to="remote_metadata",
)
def clean_up_publishes_tombstone(state: Topic, broker: Broker, place: RecordPlace) -> None:
    """Tombstone a key that the scan takes for expired, on any broker.

    Kafka: KIP-1266, Broker Write Path.
    Left out: that a scan takes time, in which the topic changes.
    """
    append(state.metadata, state.metadata.record[place].key, NULL)
