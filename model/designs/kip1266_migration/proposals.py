"""What the mails propose where that is not our repair: other changes of the plan."""

from tierproof.model.designs.kip1266.state import BROKER, Broker, TaskStep, Topic
from tierproof.model.designs.kip1266_migration.repairs import (
    REFUSE_COMPACTION,
    has_keyed_record,
    has_leader_begun,
    has_leader_read_all,
    is_feature_off,
)
from tierproof.model.designs.kip1266_migration.steps import (
    OPERATOR,
    is_upgraded,
    operator_enables_compaction,
    operator_upgrades_broker,
    restart_as_new_version,
)
from tierproof.model.kafka.remote_segment import SegmentState
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


@guard
def has_nothing_begun(state: Topic, broker: Broker) -> bool:
    """The broker's threads have come to the end of what they began.

    Else a thread that has chosen a segment would publish a complete record of it, also if another
    broker has deleted it since, and the scan would tombstone that record.
    """
    return all(thread.step == TaskStep.IDLE for thread in state.broker[broker].thread)


@BROKER.action(guards=[has_level_to_learn, has_nothing_begun], to="controller")
def broker_learns_feature_level(state: Topic, broker: Broker) -> None:
    """Learn of the feature level: from now on the broker writes keys and tombstones.

    Kafka: ours: a FeatureLevelRecord in the broker's metadata image.
    Left out: that each thread has an end of its own.
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

PROPOSALS = (LEVEL_FIRST, LOOK_FOR_LIVE_SEGMENTS)
