"""A plan that is not kept to, the published code, and repairs."""

from typing import Any

from model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from model.designs.kip1266.deleting import PUBLISHES
from model.designs.kip1266.keys import segment_of
from model.designs.kip1266.leadership import refused_task_gives_up
from model.designs.kip1266.metadata import publish
from model.designs.kip1266.state import Broker, KeyScheme, Kip1266, OnTombstone, Topic
from model.designs.kip1266_migration.steps import (
    existing_cluster,
    is_not_compacted,
    is_upgraded,
    operator_upgrades_broker,
    restart_as_new_version,
)
from model.kafka.compacted_topic import CleanupPolicy
from model.kafka.remote_metadata_cache import CachedState
from model.kafka.scope import SegmentId
from model.language import NONE, Variant, action, guard, initial


@action(guards=[is_not_compacted], actor="operator", to="remote_metadata")
def operator_enables_compaction_early(state: Topic) -> None:
    """Set cleanup.policy=compact at any moment, as nothing checks for.

    **Who**: the operator.
    **Kafka**: KIP-1266: "operators are comfortable that the topic is mostly populated".
    **Left out**: nothing.
    """
    state.policy = CleanupPolicy.COMPACT


@action(guards=[is_not_compacted, is_upgraded], actor="operator", to="remote_metadata")
def operator_enables_both_policies(state: Topic) -> None:
    """Set cleanup.policy=compact,delete once all are upgraded.

    **Who**: the operator; version 1 of the feature in pull request 22459.
    **Kafka**: remote.log.metadata.version 1.
    **Left out**: nothing.
    """
    state.policy = CleanupPolicy.COMPACT_DELETE


@action(guards=operator_upgrades_broker.guards, actor="operator", to="broker {broker}")
def operator_upgrades_code_only(state: Topic, broker: Broker) -> None:
    """Restart a broker with the new version; it reads tombstones, and writes as before.

    **Who**: the operator.
    **Kafka**: ours.
    **Left out**: nothing.
    """
    restart_as_new_version(state, broker)


@guard
def is_feature_off(state: Topic) -> bool:
    """The feature level is not raised."""
    return not state.is_new_feature


@action(guards=[is_upgraded, is_feature_off], actor="operator", to="controller")
def operator_upgrades_feature(state: Topic) -> None:
    """Raise the feature level: every broker writes keys from now on.

    **Who**: the operator, once every broker is upgraded.
    **Kafka**: ours; kafka-features.sh --upgrade remote.log.metadata.compaction=1.
    **Left out**: brokers that hear of it later.
    """
    state.is_new_feature = True
    for b in range(len(state.broker)):
        state.broker[b].writes_keys = True


def has_keyed_record(state: Any, segment: int) -> bool:
    """The topic has a record with a key that names the segment."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        if it.key != NONE and it.value != 0 and segment_of(it.value) == segment:
            return True
    return False


@guard
def is_without_keys(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The broker knows the segment, and the topic has no record of it that has a key."""
    is_known = state.broker[broker].cache.state[segment] != CachedState.UNKNOWN
    return bool(is_known and not has_keyed_record(state, segment))


@guard
def writes_keys(state: Topic, broker: Broker) -> bool:
    """The broker writes keys."""
    return bool(state.broker[broker].writes_keys)


@guard
def has_read_all(state: Topic, broker: Broker) -> bool:
    """The broker has read the topic to its end: what it publishes anew is no older state."""
    return bool(state.broker[broker].position == state.metadata.end)


@action(
    guards=[
        writes_keys,
        has_begun_to_lead,
        is_cache_ready,
        has_read_all,
        is_without_keys,
        *PUBLISHES,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def leader_backfills(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """Publish what the cache knows of the segment once more, with a key.

    **Who**: the leader.
    **Kafka**: ours, for the backfill that the text promises.
    **Left out**: nothing.
    """
    known = int(state.broker[broker].cache.state[segment])
    publish(state, broker, segment, known)


@guard
def has_backfilled(state: Topic) -> bool:
    """Every segment that the topic tells of is told with a key."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        told = segment_of(it.value)
        is_known = state.broker[state.elected_leader].cache.state[told] != CachedState.UNKNOWN
        if it.key == NONE and is_known and not has_keyed_record(state, told):
            return False
    return True


@guard
def has_leader_begun(state: Topic) -> bool:
    """The leader knows that it leads, and what is in the topic."""
    me = state.broker[state.elected_leader]
    return bool(me.has_begun and me.cache.is_initialized and me.term == state.leader_epoch)


@guard
def has_leader_read_all(state: Topic) -> bool:
    """The leader has read the topic to its end."""
    return bool(state.broker[state.elected_leader].position == state.metadata.end)


@action(
    guards=[
        is_not_compacted,
        is_upgraded,
        has_leader_begun,
        has_leader_read_all,
        has_backfilled,
    ],
    actor="operator",
    to="remote_metadata",
)
def operator_enables_compaction_after_backfill(state: Topic) -> None:
    """Set cleanup.policy=compact once every segment is told with a key; no record expired.

    **Who**: the operator, or the controller that checks.
    **Kafka**: ours.
    **Left out**: nothing.
    """
    state.policy = CleanupPolicy.COMPACT


@initial
def existing_cluster_to_repair(state: Topic, scope: Kip1266) -> None:
    """The same cluster, of which every repair of `kip1266` is to be introduced."""
    existing_cluster.effect(state, scope)
    state.choices.key = KeyScheme.SEGMENT_ID
    state.choices.is_self_contained = True
    state.choices.on_tombstone = OnTombstone.FORGETS
    state.choices.is_fenced = True


VARIANTS = (
    Variant(
        name="text_compaction_enabled_early",
        because="nothing checks what the operator turns compaction on for",
        replace={"operator_enables_compaction": operator_enables_compaction_early},
    ),
    Variant(
        name="pull_request_both_policies",
        because="version 1 of the pull request's feature is compact,delete",
        replace={"operator_enables_compaction": operator_enables_both_policies},
    ),
    Variant(
        name="repair_feature_gates_writing",
        because="consumers of old brokers die of a tombstone",
        replace={"operator_upgrades_broker": operator_upgrades_code_only},
        add_environment=(operator_upgrades_feature,),
    ),
    Variant(
        name="repair_backfill",
        because="retention removes what describes live segments",
        replace={
            "existing_cluster": existing_cluster_to_repair,
            "operator_upgrades_broker": operator_upgrades_code_only,
            "operator_enables_compaction": operator_enables_compaction_after_backfill,
        },
        drop=("operator_sets_retention", "retention_removes_metadata", "retention_window_passes"),
        add_system=(leader_backfills, refused_task_gives_up),
        add_environment=(operator_upgrades_feature,),
    ),
)
