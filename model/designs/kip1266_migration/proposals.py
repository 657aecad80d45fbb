"""What the mails propose where that is not our repair: other changes of the plan."""

from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from tierproof.model.designs.kip1266.ghosts import note_appended, note_removed
from tierproof.model.designs.kip1266.keys import kind_of, segment_of
from tierproof.model.designs.kip1266.metadata import PUBLISHES, has_read_all, publish
from tierproof.model.designs.kip1266.state import BROKER, Broker, Kind, TaskStep, Topic
from tierproof.model.designs.kip1266_migration.readings import NO_RETENTION
from tierproof.model.designs.kip1266_migration.repairs import (
    REFUSE_COMPACTION,
    has_keyed_record,
    has_leader_begun,
    has_leader_read_all,
    is_feature_off,
    is_highest_offset_published,
    leader_backfills_highest_offset,
)
from tierproof.model.designs.kip1266_migration.steps import (
    OPERATOR,
    is_upgraded,
    keyless_end,
    operator_enables_compaction,
    operator_upgrades_broker,
    remove_records,
    restart_as_new_version,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard

# -- a feature level that each broker learns at its own pace


@OPERATOR.action(guards=[is_upgraded, is_feature_off], to="controller")
def operator_raises_feature_level(state: Topic) -> None:
    """Raise the feature level, of which no broker knows yet.

    Kafka: ours; kafka-features.sh --upgrade remote.log.metadata.compaction=1.
    """
    state.is_new_feature = True


@guard
def has_level_to_learn(state: Topic, broker: Broker) -> bool:
    """The feature level is raised, and the broker still writes records without keys."""
    return state.is_new_feature and not state.broker[broker].writes_keys


@BROKER.action(guards=[has_level_to_learn], to="controller")
def broker_learns_feature_level(state: Topic, broker: Broker) -> None:
    """Learn of the feature level: from now on the broker writes keys and tombstones.

    So do threads that have begun a copy or a deletion without keys.

    Kafka: ours: a FeatureLevelRecord in the broker's metadata image.
    """
    state.broker[broker].writes_keys = True


LEVEL_FIRST = Variant(
    name="proposal_brokers_wait_for_the_feature_level",
    because="consumers of old brokers die of a tombstone",
    effect={operator_upgrades_broker: restart_as_new_version},
    add_system=(broker_learns_feature_level,),
    add_environment=(operator_raises_feature_level,),
)

# -- step 4 looks for live segments, too


@guard
def has_each_live_segment_keyed(state: Topic) -> bool:
    """Each segment that the leader knows has a record with a key."""
    known = state.broker[state.elected_leader].cache
    return all(
        known.state[segment] == SegmentState.ABSENT or has_keyed_record(state, segment)
        for segment in range(len(state.segment))
    )


LOOK_FOR_LIVE_SEGMENTS = Variant(
    name="proposal_step_4_waits_for_keys_of_live_segments",
    because="a topic without a record that has no key may have lost what such records said",
    parts=(REFUSE_COMPACTION,),
    fence={
        operator_enables_compaction: (
            has_leader_begun,
            has_leader_read_all,
            has_each_live_segment_keyed,
        )
    },
)

# -- a backfill of every segment, in the order of end offsets


@guard
def do_all_write_keys(state: Topic) -> bool:
    """Every broker writes keys, so that no more records without a key come."""
    return all(broker.writes_keys for broker in state.broker)


@guard
def has_nothing_begun(state: Topic, broker: Broker) -> bool:
    """The broker copies and deletes nothing, so that no state of a segment changes meanwhile."""
    return all(thread.step == TaskStep.IDLE for thread in state.broker[broker].thread)


def has_to_be_backfilled(state: Topic, broker: int, segment: int) -> bool:
    """The broker knows the segment, and no record behind those without keys names it."""
    is_published = any(
        0 < kind_of(state.metadata.record[n].value) <= Kind.DELETE_SEGMENT_FINISHED
        and segment_of(state.metadata.record[n].value) == segment
        for n in range(keyless_end(state), state.metadata.end)
    )
    is_known = state.broker[broker].cache.state[segment] != SegmentState.ABSENT
    return is_known and not is_published


@guard
def is_first_to_backfill(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The segment is to be backfilled, and none that ends before it is."""
    return has_to_be_backfilled(state, broker, segment) and not any(
        state.segment[i].end_offset < state.segment[segment].end_offset
        and has_to_be_backfilled(state, broker, i)
        for i in range(len(state.segment))
    )


@BROKER.action(
    guards=[
        do_all_write_keys,
        has_begun_to_lead,
        is_cache_ready,
        has_read_all,
        has_nothing_begun,
        is_first_to_backfill,
        *PUBLISHES,
    ],
    to="remote_metadata",
)
def leader_backfills_in_order(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Publish what the leader's cache has of the segment once more, with a key.

    Kafka: ours, for the backfill that the text promises.
    Left out: a second record of a segment that has one behind those without keys.
    """
    publish(state, broker, segment, state.broker[broker].cache.state[segment])


@guard
def is_all_backfilled(state: Topic) -> bool:
    """The leader has published every segment that it knows behind the records without keys.

    And the highest offset, where another repair publishes that.
    """
    return is_highest_offset_published(state, state.broker[state.elected_leader].cache) and not any(
        has_to_be_backfilled(state, state.elected_leader, i) for i in range(len(state.segment))
    )


@guard
def have_all_read_keyless(state: Topic) -> bool:
    """Records without keys are left, and every broker has read past them."""
    end = keyless_end(state)
    return end > 0 and all(broker.position >= end for broker in state.broker)


@OPERATOR.action(
    guards=[
        do_all_write_keys,
        has_leader_begun,
        has_leader_read_all,
        is_all_backfilled,
        have_all_read_keyless,
    ],
    to="remote_metadata",
)
def operator_deletes_records_before_backfill(state: Topic) -> None:
    """Delete the records up to the last one without a key.

    Kafka: ours; DeleteRecords up to the first record of the backfill, which may be more.
    """
    remove_records(state, keyless_end(state))


BACKFILL_IN_ORDER = Variant(
    name="proposal_backfill_in_the_order_of_end_offsets",
    because="what has no key is dropped by retention or by the cleaner",
    drop=NO_RETENTION,
    # The second publishes what `repair_tell_highest_offsets` adds to the topic, beside which this
    # is explored; the mail does not ask for it.
    add_system=(leader_backfills_in_order, leader_backfills_highest_offset),
    add_environment=(operator_deletes_records_before_backfill,),
    also={
        leader_backfills_in_order: note_appended,
        leader_backfills_highest_offset: note_appended,
        operator_deletes_records_before_backfill: note_removed,
    },
)

PROPOSALS = (LEVEL_FIRST, LOOK_FOR_LIVE_SEGMENTS, BACKFILL_IN_ORDER)
