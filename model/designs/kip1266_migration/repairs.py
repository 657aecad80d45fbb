"""Repairs of the plan: a feature level, a check, and the backfill that the text promises."""

from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from tierproof.model.designs.kip1266.ghosts import note_appended, note_removed
from tierproof.model.designs.kip1266.keys import kind_of, segment_of
from tierproof.model.designs.kip1266.metadata import PUBLISHES, has_read_all, publish
from tierproof.model.designs.kip1266.repairs import REPAIR_ALL as REPAIRS_OF_THE_TOPIC
from tierproof.model.designs.kip1266.repairs.partition import is_last_with_value
from tierproof.model.designs.kip1266.repairs.values import publish_highest_offset
from tierproof.model.designs.kip1266.repairs.writers import outdate_threads
from tierproof.model.designs.kip1266.state import BROKER, Broker, Kind, Kip1266, Topic
from tierproof.model.designs.kip1266_migration.readings import NO_RETENTION
from tierproof.model.designs.kip1266_migration.steps import (
    OPERATOR,
    is_upgraded,
    keyless_end,
    operator_enables_compaction,
    operator_upgrades_broker,
    remove_records,
    restart_as_new_version,
    retention_removes_metadata,
    retention_window_passes,
)
from tierproof.model.kafka.remote_metadata_cache import MetadataCache
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant, guard

# -- a feature level


@guard
def is_feature_off(state: Topic) -> bool:
    """The feature level is not raised."""
    return not state.is_new_feature


@OPERATOR.action(guards=[is_upgraded, is_feature_off], to="controller")
def operator_upgrades_feature(state: Topic) -> None:
    """Raise the feature level: every broker writes keys from now on.

    Kafka: ours; kafka-features.sh --upgrade remote.log.metadata.compaction=1.
    Left out: brokers that learn it later.
    """
    state.is_new_feature = True
    for broker in state.broker:
        broker.writes_keys = True


def outdate_all_threads(state: Topic) -> None:
    """Threads take their work up anew, with keys."""
    for broker in range(len(state.broker)):
        outdate_threads(state, broker)


FEATURE_GATES_WRITING = Variant(
    name="repair_feature_gates_writing",
    because="consumers of old brokers die of a tombstone",
    effect={operator_upgrades_broker: restart_as_new_version},
    add_environment=(operator_upgrades_feature,),
    also={operator_upgrades_feature: outdate_all_threads},
)

# -- a check


@guard
def is_topic_ready(state: Topic) -> bool:
    """Every broker is upgraded, and no record is left without a key."""
    return is_upgraded(state) and keyless_end(state) == 0


REFUSE_COMPACTION = Variant(
    name="repair_refuse_compaction_of_keyless_records",
    because="nothing checks what the operator turns compaction on for",
    fence={operator_enables_compaction: is_topic_ready},
)

# -- the end of a bootstrap


def end_bootstraps(state: Topic) -> None:
    """A broker whose position is past the end that it waits for is ready."""
    for reader in state.broker:
        if reader.position >= reader.assigned_end and not reader.is_consumer_dead:
            reader.cache.is_initialized = True


END_BOOTSTRAPS = Variant(
    name="repair_ready_at_the_position",
    because="a broker waits to read a record that has expired",
    also={retention_removes_metadata: end_bootstraps, retention_window_passes: end_bootstraps},
)

# -- a backfill


def has_keyed_record(state: Topic, segment: int) -> bool:
    """The topic has a record with a key that names the segment."""
    return any(
        state.metadata.record[n].key != NONE
        and 0 < kind_of(state.metadata.record[n].value) <= Kind.DELETE_SEGMENT_FINISHED
        and segment_of(state.metadata.record[n].value) == segment
        for n in range(state.metadata.end)
    )


def is_highest_offset_published(state: Topic, cache: MetadataCache) -> bool:
    """The topic has the highest offset that the cache has, or the cache has none."""
    highest = cache.epoch[0].highest_offset
    return highest == NONE or any(
        kind_of(state.metadata.record[n].value) == Kind.HIGHEST_OFFSET
        and segment_of(state.metadata.record[n].value) == highest
        and is_last_with_value(state, n)
        for n in range(state.metadata.end)
    )


@guard
def is_without_keys(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The broker knows the segment, and the topic has no record of it that has a key."""
    is_known = state.broker[broker].cache.state[segment] != SegmentState.ABSENT
    return is_known and not has_keyed_record(state, segment)


@guard
def writes_keys(state: Topic, broker: Broker) -> bool:
    """The broker writes keys."""
    return state.broker[broker].writes_keys


BACKFILLS = (writes_keys, has_begun_to_lead, is_cache_ready, has_read_all)
"""The leader writes keys, and what it publishes anew is no older state."""


@BROKER.action(guards=[*BACKFILLS, is_without_keys, *PUBLISHES], to="remote_metadata")
def leader_backfills(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Publish what the leader's cache knows of the segment once more, with a key.

    Kafka: ours, for the backfill that the text promises.
    """
    publish(state, broker, segment, state.broker[broker].cache.state[segment])


@guard
def is_highest_offset_missing(state: Topic, broker: Broker) -> bool:
    """The broker knows how far epoch 0 was copied, and the topic does not say so under a key."""
    return not is_highest_offset_published(state, state.broker[broker].cache)


@BROKER.action(guards=[*BACKFILLS, is_highest_offset_missing, *PUBLISHES], to="remote_metadata")
def leader_backfills_highest_offset(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish how far epoch 0 was copied, also if its segments are gone by now.

    Kafka: ours, beside `leader_backfills`.
    """
    publish_highest_offset(state, broker, scope)


@guard
def has_backfilled(state: Topic) -> bool:
    """Every segment that the topic speaks of has a record with a key, and the highest offset."""
    known = state.broker[state.elected_leader].cache
    if not is_highest_offset_published(state, known):
        return False
    for n in range(state.metadata.end):
        segment = segment_of(state.metadata.record[n].value)
        is_keyless = state.metadata.record[n].key == NONE
        is_known = known.state[segment] != SegmentState.ABSENT
        if is_keyless and is_known and not has_keyed_record(state, segment):
            return False
    return True


@guard
def has_leader_begun(state: Topic) -> bool:
    """The leader knows that it leads, and what is in the topic."""
    leader = state.broker[state.elected_leader]
    return leader.has_begun and leader.cache.is_initialized and leader.term == state.leader_epoch


@guard
def has_leader_read_all(state: Topic) -> bool:
    """The leader has read the topic to its end."""
    return has_read_all(state, state.elected_leader)


@guard
def is_keyless_read(state: Topic) -> bool:
    """Every broker has read the records without keys, behind which all have one."""
    end = keyless_end(state)
    has_read = all(broker.position >= end for broker in state.broker)
    return end > 0 and has_read and all(state.metadata.record[n].key == NONE for n in range(end))


@OPERATOR.action(
    guards=[
        is_upgraded,
        has_leader_begun,
        has_leader_read_all,
        has_backfilled,
        is_keyless_read,
    ],
    to="remote_metadata",
)
def operator_deletes_keyless_records(state: Topic) -> None:
    """Delete the records without keys, once all that they say has a key, and is read.

    The operator does so, or the controller; each broker reports how far it has read.

    Kafka: ours; DeleteRecords up to the first record with a key.
    """
    remove_records(state, keyless_end(state))


BACKFILL = Variant(
    name="repair_backfill",
    because="what has no key is dropped by retention or by the cleaner",
    drop=NO_RETENTION,
    add_system=(leader_backfills, leader_backfills_highest_offset),
    add_environment=(operator_deletes_keyless_records,),
    also={
        leader_backfills: note_appended,
        leader_backfills_highest_offset: note_appended,
        operator_deletes_keyless_records: note_removed,
    },
)
REPAIR_ALL = Variant(
    name="repair_all",
    because="the repairs belong together",
    parts=(
        *REPAIRS_OF_THE_TOPIC.parts,
        FEATURE_GATES_WRITING,
        REFUSE_COMPACTION,
        BACKFILL,
        END_BOOTSTRAPS,
    ),
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL)
