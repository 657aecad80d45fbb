"""The four steps of the plan, and the cluster that they are taken on."""

from typing import Annotated, Any

from tierproof.model.designs.kip1266.copying import rest
from tierproof.model.designs.kip1266.keys import value_of
from tierproof.model.designs.kip1266.metadata import append_and_note, assign, catch_up, replay
from tierproof.model.designs.kip1266.start import begin
from tierproof.model.designs.kip1266.state import COPYING, EXPIRING, Broker, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import CleanupPolicy, remove_oldest
from tierproof.model.language import NONE, Range, action, guard, initial

# -- an existing cluster


@initial
def existing_cluster(state: Topic, scope: Kip1266) -> None:
    """Old brokers, a topic that keeps everything, and segments that were copied without keys."""
    begin(state, CleanupPolicy.DELETE)
    for b in range(len(state.broker)):
        state.broker[b].is_old_version = True
        state.broker[b].writes_keys = False
    for i in range(scope.history):
        it = state.segment[i]
        it.start_offset = i
        it.end_offset = i
        it.lineage[0] = i
        it.copy_term = 0
        it.object_exists = True
        append_and_note(state, 0, NONE, value_of(i, Kind.COPY_SEGMENT_STARTED))
        append_and_note(state, 0, NONE, value_of(i, Kind.COPY_SEGMENT_FINISHED))
    for b in range(len(state.broker)):
        catch_up(state, b)
        state.broker[b].next_to_copy = scope.history
        state.broker[b].has_begun = b == 0


# -- step 1


@guard
def is_retention_infinite(state: Topic) -> bool:
    """The metadata topic keeps everything."""
    return not state.has_finite_retention


@action(guards=[is_retention_infinite], actor="operator", to="remote_metadata")
def operator_sets_retention(state: Topic) -> None:
    """Step 1: configure a finite retention.ms for the metadata topic.

    **Who**: the operator, "before or during the upgrade".
    **Kafka**: KIP-1266, Migration Plan, step 1.
    **Left out**: how long; nothing relates it to how long user topics are kept.
    """
    state.has_finite_retention = True


RecordCount = Annotated[int, Range(1, Kip1266.topic_records)]


@guard
def deletes_by_retention(state: Topic) -> bool:
    """The topic's retention is finite, and its policy has delete."""
    return bool(state.has_finite_retention and state.policy != CleanupPolicy.COMPACT)


@guard
def has_as_many_records(state: Topic, count: RecordCount) -> bool:
    """The topic has these records; where all expire, the active segment rolls before."""
    return bool(count <= state.metadata.end)


def expire_records(state: Any, count: int) -> None:
    """The oldest records go; who was not past them goes on behind them."""
    for b in range(len(state.broker)):
        me = state.broker[b]
        me.position = max(0, me.position - count)
        me.assigned_end = max(0, me.assigned_end - count)
    remove_oldest(state.metadata, count)
    replay(state)


@action(
    guards=[deletes_by_retention, has_as_many_records],
    actor="log manager",
    to="remote_metadata",
    budget="windows",
)
def retention_removes_metadata(state: Topic, count: RecordCount) -> None:
    """The oldest records of the metadata topic are past its retention, and go.

    **Who**: time, and the log manager of the broker that leads the metadata partition.
    **Kafka**: UnifiedLog#deleteOldSegments.
    **Left out**: nothing.
    """
    expire_records(state, count)


# -- step 2


@guard
def is_follower_of_old_version(state: Topic, broker: Broker) -> bool:
    """The broker is not upgraded, and has handed the leadership over for its shutdown."""
    return bool(state.broker[broker].is_old_version and state.elected_leader != broker)


def restart_as_new_version(state: Any, broker: int) -> None:
    """The broker comes back: its threads and its cache are gone."""
    me = state.broker[broker]
    me.is_old_version = False
    rest(me, COPYING)
    rest(me, EXPIRING)
    me.is_leader = False
    me.has_begun = False
    me.term = state.leader_epoch
    assign(state, broker)


@action(guards=[is_follower_of_old_version], actor="operator", to="broker {broker}")
def operator_upgrades_broker(state: Topic, broker: Broker) -> None:
    """Step 2: restart a broker with the new version; from now on it writes keys.

    **Who**: the operator, in a rolling upgrade.
    **Kafka**: KIP-1266, Migration Plan, step 2: "As brokers are upgraded and become leaders
    [...] They start writing keyed metadata records [...] They emit tombstones".
    **Left out**: the feature level, to which the text does not tie what is written.
    """
    restart_as_new_version(state, broker)
    state.broker[broker].writes_keys = True
    state.is_new_feature = is_all_upgraded(state)


def is_all_upgraded(state: Any) -> bool:
    """Every broker has the KIP."""
    return all(not state.broker[b].is_old_version for b in range(len(state.broker)))


# -- steps 3 and 4


@guard
def is_upgraded(state: Topic) -> bool:
    """ "After the entire cluster is running the new version"."""
    return is_all_upgraded(state)


@guard
def is_window_to_come(state: Topic) -> bool:
    """The operator still waits for the retention window."""
    return bool(state.has_finite_retention and not state.is_window_over)


def keyless_end(state: Any) -> int:
    """The end of the last record without a key."""
    end = 0
    for n in range(state.metadata.end):
        if state.metadata.record[n].key == NONE:
            end = n + 1
    return end


@action(guards=[is_upgraded, is_window_to_come], actor="clock", to="remote_metadata")
def retention_window_passes(state: Topic) -> None:
    """Step 3: one full retention.ms after the upgrade no record without a key is left.

    **Who**: time.
    **Kafka**: KIP-1266, Migration Plan, step 3; it promises "most or all", here it is all.
    **Left out**: nothing.
    """
    expire_records(state, keyless_end(state))
    state.is_window_over = True


@guard
def has_waited(state: Topic) -> bool:
    """The operator has waited for one retention window."""
    return bool(state.is_window_over)


@guard
def is_not_compacted(state: Topic) -> bool:
    """Compaction is not on yet."""
    return state.policy == CleanupPolicy.DELETE


@action(guards=[is_not_compacted, is_upgraded, has_waited], actor="operator", to="remote_metadata")
def operator_enables_compaction(state: Topic) -> None:
    """Step 4: set cleanup.policy=compact.

    **Who**: the operator.
    **Kafka**: KIP-1266, Migration Plan, step 4.
    **Left out**: that a configuration takes time to arrive.
    """
    state.policy = CleanupPolicy.COMPACT
