"""A published alternative: a key has the UUID and the state, so that a segment has four keys."""

from tierproof.invariants.compacted_topic import has_key, keys_of_an_object
from tierproof.model.designs.kip1266.clean_up import RecordPlace, is_message_expired
from tierproof.model.designs.kip1266.keys import (
    WIDTH,
    key_to_tombstone,
    kind_of,
    segment_key,
    segment_of,
)
from tierproof.model.designs.kip1266.repairs.keys import (
    KEY_DIFFERS,
    UUID_IN_KEY,
    is_of_id,
    is_segment_deleted,
)
from tierproof.model.designs.kip1266.state import Kind, Topic
from tierproof.model.kafka.compacted_topic import latest
from tierproof.model.language import NONE, Variant, guard


def key_of_id_and_state(state: Topic, segment: int, epoch: int, kind: int) -> int:
    """The key is UUID and state: a segment's records do not supersede each other."""
    return segment * WIDTH + kind


def key_of_state(state: Topic, segment: int, term: int, n: int) -> int:
    """A segment has a key for each of its states."""
    return segment * WIDTH + n + 1 if n < Kind.DELETE_SEGMENT_FINISHED else NONE


def key_for_each_state(state: Topic) -> int:
    """Four keys for each object."""
    return 4


UUID_AND_STATE_IN_KEY = Variant(
    name="pull_request_uuid_and_state_in_key",
    because="records of a segment supersede each other (pull request 22774)",
    define={
        segment_key: key_of_id_and_state,
        key_to_tombstone: key_of_state,
        has_key: is_of_id,
        keys_of_an_object: key_for_each_state,
    },
    redefines={
        has_key: KEY_DIFFERS,
        keys_of_an_object: "the bound is of keys for each object: here a segment has one a state",
    },
    test={is_message_expired: is_segment_deleted},
    after=(UUID_IN_KEY,),
)


@guard
def is_oldest_state_expired(state: Topic, place: RecordPlace) -> bool:
    """The record is of an id that is deleted, and the topic has no older state of it."""
    topic = state.metadata
    value = topic.record[place].value
    has_older = any(
        0 < kind_of(topic.record[n].value) < kind_of(value)
        and segment_of(topic.record[n].value) == segment_of(value)
        and latest(topic, topic.record[n].key) == n
        for n in range(topic.end)
    )
    return is_segment_deleted(state, place) and not has_older


TOMBSTONES_IN_ORDER = Variant(
    name="repair_tombstones_in_order",
    because="beside `pull_request_uuid_and_state_in_key`: a deletion needs what was tombstoned",
    test={is_message_expired: is_oldest_state_expired},
    after=(UUID_AND_STATE_IN_KEY,),
)

STATE_IN_KEY = (UUID_AND_STATE_IN_KEY, TOMBSTONES_IN_ORDER)
