"""Readings of the text where it says two things, the published code, and repairs.

A name that begins with `text_` follows a letter of the KIP, `pull_request_` its published
code; one that begins with `repair_` is no part of the KIP.
"""

from tierproof.model.designs.kip1266.clean_up import RecordPlace, has_clean_up_of_its_own
from tierproof.model.designs.kip1266.deleting import (
    PUBLISHES,
    has_deleted_object,
    is_about_to_delete,
    is_deletion_current,
    task_deletes_object,
    task_publishes_delete_started,
)
from tierproof.model.designs.kip1266.keys import WIDTH
from tierproof.model.designs.kip1266.leadership import refused_task_gives_up
from tierproof.model.designs.kip1266.metadata import publish
from tierproof.model.designs.kip1266.partition import leader_tombstones_partition
from tierproof.model.designs.kip1266.repairs import (
    REPAIRS,
    WHOLE,
    new_cluster_forgetting,
    new_cluster_uuid_and_state_whole,
)
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import (
    Broker,
    EpochOfKey,
    Kind,
    Kip1266,
    OnTombstone,
    Step,
    ThreadIndex,
    Topic,
)
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.language import Variant, action, guard, initial


@initial
def new_cluster_epoch_at_copy(state: Topic) -> None:
    """brokerLeaderEpoch is "the leader epoch of the broker [...] during the upload"."""
    new_cluster.effect(state)
    state.choices.epoch = EpochOfKey.AT_COPY


@initial
def new_cluster_partition_key_with_end_offset(state: Topic) -> None:
    """ "For partition-level delete metadata, the same key structure is used, with an endOffset"."""
    new_cluster.effect(state)
    state.choices.is_partition_key_like_segment = True


@initial
def new_cluster_with_kind_in_key(state: Topic) -> None:
    """The same, and a key says whether it is a segment's or the partition's."""
    new_cluster_partition_key_with_end_offset.effect(state)
    state.choices.is_kind_in_key = True


@initial
def new_cluster_consumer_unchanged(state: Topic) -> None:
    """ "There is no change in how the ConsumerTask read the messages"."""
    new_cluster.effect(state)
    state.choices.on_tombstone = OnTombstone.DIES


@action(guards=[is_about_to_delete], actor="broker {broker}", to="remote_store")
def task_deletes_object_first(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Delete the object before anything is told.

    **Who**: the expiration task, or the copying thread whose copy failed.
    **Kafka**: KIP-1266, scenario 4: T2 "Delete from S3", T3 "Mark deletion".
    **Left out**: nothing.
    """
    at = state.broker[broker].thread[thread]
    state.segment[at.segment].object_exists = False
    state.segment[at.segment].was_deleted = True
    at.step = Step.OBJECT_DELETED


@guard
def has_deleted_untold(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has deleted the object, and has said nothing of it."""
    at = state.broker[broker].thread[thread]
    is_known = state.broker[broker].cache.state[at.segment] != CachedState.DELETE_SEGMENT_STARTED
    return bool(at.step == Step.OBJECT_DELETED and is_known)


@action(
    guards=[has_deleted_untold, is_deletion_current, *PUBLISHES],
    actor="broker {broker}",
    to="remote_metadata",
)
def task_publishes_delete_started_late(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_STARTED of an object that is gone.

    **Who**: the thread that deleted it.
    **Kafka**: KIP-1266, scenario 4, T3.
    **Left out**: nothing.
    """
    publish(
        state, broker, int(state.broker[broker].thread[thread].segment), Kind.DELETE_SEGMENT_STARTED
    )


@guard
def has_deleted_and_told(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has deleted the object, and then published DELETE_SEGMENT_STARTED."""
    at = state.broker[broker].thread[thread]
    is_told = state.broker[broker].cache.state[at.segment] == CachedState.DELETE_SEGMENT_STARTED
    return bool(at.step == Step.OBJECT_DELETED and is_told)


@guard
def is_below_log_start(state: Topic, broker: Broker, place: RecordPlace, scope: Kip1266) -> bool:
    """The key's end offset lies below the log start that the broker has."""
    key = state.metadata.record[place].key
    return bool(key // WIDTH < min(state.broker[broker].log_start, scope.offsets))


READINGS = (
    Variant(
        name="text_epoch_at_copy",
        because="the text has brokerLeaderEpoch both at the upload and at the publication",
        replace={"new_cluster": new_cluster_epoch_at_copy},
    ),
    Variant(
        name="text_partition_key_with_end_offset",
        because="section 2 gives partition markers the keys of segments, scenario 5 their own",
        replace={"new_cluster": new_cluster_partition_key_with_end_offset},
    ),
    Variant(
        name="text_consumer_unchanged",
        because="the consumer that ships takes every value for a message",
        replace={"new_cluster": new_cluster_consumer_unchanged},
    ),
    Variant(
        name="text_object_deleted_first",
        because="scenario 4 deletes from the store before it marks the deletion",
        replace={
            "task_deletes_object": task_deletes_object_first,
            "task_publishes_delete_started": task_publishes_delete_started_late,
            "has_deleted_object": has_deleted_and_told,
        },
    ),
    Variant(
        name="text_leader_scans",
        because="the text does not say on which broker the clean-up runs",
        replace={"has_clean_up": has_clean_up_of_its_own},
    ),
    Variant(
        name="pull_request_cleans_below_log_start",
        because="pull request 22459 tombstones keys whose end offset is below the log start",
        replace={"is_message_expired": is_below_log_start},
    ),
)

BESIDE_READINGS = (
    Variant(
        name="repair_kind_in_key",
        because="beside `text_partition_key_with_end_offset`: a marker has a segment's key",
        replace={"new_cluster_partition_key_with_end_offset": new_cluster_with_kind_in_key},
    ),
    Variant(
        name="repair_consumer_reads_null",
        because="beside `text_consumer_unchanged`: a null value is an exception",
        replace={"new_cluster_consumer_unchanged": new_cluster_forgetting},
    ),
    Variant(
        name="repair_tell_deletion_first",
        because="beside `text_object_deleted_first`: the order that Kafka ships",
        replace={
            "task_deletes_object_first": task_deletes_object,
            "task_publishes_delete_started_late": task_publishes_delete_started,
            "has_deleted_and_told": has_deleted_object,
        },
    ),
    Variant(
        name="repair_deletion_counts_in_any_state",
        because="beside `repair_uuid_and_state_in_key`: a deletion needs what was tombstoned",
        replace={"new_cluster_uuid_and_state_in_key": new_cluster_uuid_and_state_whole, **WHOLE},
        add_system=(refused_task_gives_up, leader_tombstones_partition),
    ),
)
"""Repairs that go beside another variant, and without it are none."""

VARIANTS = READINGS + REPAIRS + BESIDE_READINGS
