"""A plan that is not kept to, the published code, and repairs."""

from typing import Any

from tierproof.model.designs.kip1266.copying import has_begun_to_lead, is_cache_ready
from tierproof.model.designs.kip1266.deleting import PUBLISHES
from tierproof.model.designs.kip1266.keys import kind_of, segment_of
from tierproof.model.designs.kip1266.leadership import outdate_threads, refused_task_gives_up
from tierproof.model.designs.kip1266.metadata import publish, publish_highest_offset
from tierproof.model.designs.kip1266.partition import is_last_with_value
from tierproof.model.designs.kip1266.repairs import WHOLE
from tierproof.model.designs.kip1266.state import (
    Broker,
    KeyScheme,
    Kind,
    Kip1266,
    OnTombstone,
    Topic,
)
from tierproof.model.designs.kip1266_migration.steps import (
    existing_cluster,
    expire_records,
    is_all_upgraded,
    is_not_compacted,
    is_upgraded,
    keyless_end,
    operator_upgrades_broker,
    restart_as_new_version,
)
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant, action, guard, initial


@action(guards=[is_not_compacted], actor="operator", to="remote_metadata")
def operator_enables_compaction_early(state: Topic) -> None:
    """Set cleanup.policy=compact at any moment, as nothing checks for.

    **Who**: the operator.
    **Kafka**: KIP-1266: "operators are comfortable that the topic is mostly populated".
    **Left out**: nothing.
    """
    state.policy = CleanupPolicy.COMPACT


@guard
def is_topic_ready(state: Topic) -> bool:
    """Compaction is not on; every broker is upgraded, and no record is left without a key."""
    is_off = state.policy == CleanupPolicy.DELETE
    return bool(is_off and is_all_upgraded(state) and keyless_end(state) == 0)


@action(guards=[is_topic_ready], actor="operator", to="remote_metadata")
def operator_enables_compaction_of_keys(state: Topic) -> None:
    """Set cleanup.policy=compact; it is refused while a record without a key is there.

    **Who**: the operator, or the controller that checks.
    **Kafka**: ours.
    **Left out**: nothing.
    """
    state.policy = CleanupPolicy.COMPACT


@action(guards=[is_not_compacted, is_upgraded], actor="operator", to="remote_metadata")
def operator_enables_compaction_without_backfill(state: Topic) -> None:
    """Set cleanup.policy=compact once all are upgraded; what has no key is left to itself.

    **Who**: the operator.
    **Kafka**: KIP-1266, Public Interfaces: "A backfill strategy [...] will be shared in the
    migration plan part", which has none.
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
        outdate_threads(state, b)


def has_keyed_record(state: Any, segment: int) -> bool:
    """The topic has a record with a key that names the segment."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        is_segments = 0 < kind_of(it.value) <= Kind.DELETE_SEGMENT_FINISHED
        if it.key != NONE and is_segments and segment_of(it.value) == segment:
            return True
    return False


def is_highest_offset_told(state: Any, cache: Any) -> bool:
    """The topic tells the highest offset that the cache has, or it has none."""
    highest = cache.epoch[0].highest_offset
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        is_of_epoch = kind_of(it.value) == Kind.HIGHEST_OFFSET and is_last_with_value(state, n)
        if is_of_epoch and segment_of(it.value) == highest:
            return True
    return bool(highest == NONE)


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
def is_highest_offset_untold(state: Topic, broker: Broker) -> bool:
    """The broker knows how far epoch 0 was copied, and the topic does not say so under a key."""
    return not is_highest_offset_told(state, state.broker[broker].cache)


@action(
    guards=[
        writes_keys,
        has_begun_to_lead,
        is_cache_ready,
        has_read_all,
        is_highest_offset_untold,
        *PUBLISHES,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def leader_backfills_highest_offset(state: Topic, broker: Broker, scope: Kip1266) -> None:
    """Publish how far epoch 0 was copied, also if its segments are gone by now.

    **Who**: the leader.
    **Kafka**: ours, beside `leader_backfills`.
    **Left out**: nothing.
    """
    publish_highest_offset(state, broker, scope.offsets)


@guard
def has_backfilled(state: Topic) -> bool:
    """Every segment that the topic tells of is told with a key, and so is the highest offset."""
    if not is_highest_offset_told(state, state.broker[state.elected_leader].cache):
        return False
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


@guard
def is_keyless_read(state: Topic) -> bool:
    """Every broker has read the records without keys, behind which all have one."""
    end, keyless = keyless_end(state), 0
    for n in range(end):
        if state.metadata.record[n].key == NONE:
            keyless += 1
    for b in range(len(state.broker)):
        if state.broker[b].position < end:
            return False
    return bool(end > 0 and keyless == end)


@action(
    guards=[
        is_upgraded,
        has_leader_begun,
        has_leader_read_all,
        has_backfilled,
        is_keyless_read,
    ],
    actor="operator",
    to="remote_metadata",
)
def operator_deletes_keyless_records(state: Topic) -> None:
    """Delete the records without keys, once all that they say is told with a key, and read.

    **Who**: the operator, or the controller; each broker reports how far it has read.
    **Kafka**: ours; DeleteRecords up to the first record with a key.
    **Left out**: nothing.
    """
    expire_records(state, keyless_end(state))


@initial
def existing_cluster_to_repair(state: Topic, scope: Kip1266) -> None:
    """The same cluster, of which every repair of `kip1266` is to be introduced."""
    existing_cluster.effect(state, scope)
    state.choices.key = KeyScheme.SEGMENT_ID
    state.choices.is_self_contained = True
    state.choices.on_tombstone = OnTombstone.FORGETS
    state.choices.keeps_highest_offsets = True
    state.choices.is_fenced = True
    state.choices.does_store_remember = True


BACKFILL: Any = {
    "existing_cluster": existing_cluster_to_repair,
    "operator_upgrades_broker": operator_upgrades_code_only,
    **WHOLE,
}
STEP_1_AND_3 = ("operator_sets_retention", "retention_removes_metadata", "retention_window_passes")


def _backfills(name: str, because: str, enabling: str, *drop: str) -> Variant:
    """Every repair of `kip1266`; before `enabling` a backfill is complete, all have a key."""
    return Variant(
        name=name,
        because=because,
        replace={**BACKFILL, enabling: operator_enables_compaction_of_keys},
        drop=drop,
        add_system=(leader_backfills, leader_backfills_highest_offset, refused_task_gives_up),
        add_environment=(operator_upgrades_feature, operator_deletes_keyless_records),
    )


VARIANTS = (
    Variant(
        name="text_compaction_enabled_early",
        because="nothing checks what the operator turns compaction on for",
        replace={"operator_enables_compaction": operator_enables_compaction_early},
    ),
    Variant(
        name="text_backfill_left_out",
        because="a backfill is promised and not there: what if nothing is to expire, either",
        replace={"operator_enables_compaction": operator_enables_compaction_without_backfill},
        drop=STEP_1_AND_3,
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
        name="repair_refuse_compaction_of_keyless_records",
        because="nothing checks what the operator turns compaction on for",
        replace={"is_not_compacted": is_topic_ready},
    ),
    _backfills(
        "repair_backfill",
        "retention removes what describes live segments",
        "operator_enables_compaction",
        *STEP_1_AND_3,
    ),
    _backfills(
        "repair_backfill_before_compaction",
        "beside `text_backfill_left_out`: the cleaner drops what nobody gave a key",
        "operator_enables_compaction_without_backfill",
    ),
)
