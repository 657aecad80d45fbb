"""Readings of the text where it says two things, and the published code.

A name that begins with `text_` follows a letter of the KIP, `pull_request_` its published code.
"""

from tierproof.model.designs.kip1266.clean_up import RecordPlace, has_clean_up, is_message_expired
from tierproof.model.designs.kip1266.copying import has_begun_to_lead
from tierproof.model.designs.kip1266.keys import WIDTH, epoch_of_key, partition_key
from tierproof.model.designs.kip1266.object_deleted_first import TEXT_OBJECT_DELETED_FIRST
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import Broker, Kip1266, Topic
from tierproof.model.language import Variant, guard

# -- keys


def epoch_of_copy(state: Topic, segment: int, term: int) -> int:
    """brokerLeaderEpoch is "the leader epoch of the broker [...] during the upload"."""
    return state.segment[segment].copy_term


TEXT_EPOCH_AT_COPY = Variant(
    name="text_epoch_at_copy",
    because="the text has brokerLeaderEpoch both at the upload and at the publication",
    define={epoch_of_key: epoch_of_copy},
)


def partition_key_with_end_offset(state: Topic, term: int, offsets: int) -> int:
    """ "For partition-level delete metadata, the same key structure is used, with an endOffset"."""
    return (offsets - 1) * WIDTH + term


TEXT_PARTITION_KEY_WITH_END_OFFSET = Variant(
    name="text_partition_key_with_end_offset",
    because="section 2 gives partition markers the keys of segments, scenario 5 their own",
    define={partition_key: partition_key_with_end_offset},
)

# -- consumers


def keep_consumers(state: Topic) -> None:
    """ "There is no change in how the ConsumerTask read the messages"."""
    for broker in state.broker:
        broker.is_old_version = True


TEXT_CONSUMER_UNCHANGED = Variant(
    name="text_consumer_unchanged",
    because="the consumer that ships takes every value for a message",
    also={new_cluster: keep_consumers},
)

# -- the clean-up


@guard
def has_clean_up_of_its_own(state: Topic, broker: Broker) -> bool:
    """The broker has the KIP, and believes to lead."""
    return state.broker[broker].writes_keys and has_begun_to_lead(state, broker)


TEXT_LEADER_SCANS = Variant(
    name="text_leader_scans",
    because="the text does not say on which broker the clean-up runs",
    test={has_clean_up: has_clean_up_of_its_own},
)


@guard
def is_below_log_start(state: Topic, broker: Broker, place: RecordPlace, scope: Kip1266) -> bool:
    """The key's end offset lies below the log start that the broker has."""
    key = state.metadata.record[place].key
    return key // WIDTH < min(state.broker[broker].log_start, scope.offsets)


PULL_REQUEST_CLEANS_BELOW_LOG_START = Variant(
    name="pull_request_cleans_below_log_start",
    because="pull request 22459 tombstones keys whose end offset is below the log start",
    test={is_message_expired: is_below_log_start},
)

READINGS = (
    TEXT_EPOCH_AT_COPY,
    TEXT_PARTITION_KEY_WITH_END_OFFSET,
    TEXT_CONSUMER_UNCHANGED,
    TEXT_OBJECT_DELETED_FIRST,
    TEXT_LEADER_SCANS,
    PULL_REQUEST_CLEANS_BELOW_LOG_START,
)
