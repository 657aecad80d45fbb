"""The four steps of the plan, and the cluster that they are taken on."""

from typing import Annotated

from tierproof.model.designs.kip1266.ghosts import note_appended
from tierproof.model.designs.kip1266.keys import value_of
from tierproof.model.designs.kip1266.leadership import stop_threads
from tierproof.model.designs.kip1266.metadata import assign, read_to_end
from tierproof.model.designs.kip1266.start import begin
from tierproof.model.designs.kip1266.state import Broker, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import CleanupPolicy, append, remove_oldest
from tierproof.model.language import NONE, Actor, Range, fence, guard, initial

OPERATOR = Actor("operator")
CLOCK = Actor("clock")
LOG_MANAGER = Actor("log manager")

# -- an existing cluster


@initial
def existing_cluster(state: Topic, scope: Kip1266) -> None:
    """Old brokers, a topic that keeps everything, and segments that were copied without keys."""
    begin(state, CleanupPolicy.DELETE)
    for id in range(scope.history):
        segment = state.segment[id]
        segment.start_offset = id
        segment.end_offset = id
        segment.lineage[0] = id
        segment.copy_term = 0
        segment.object_exists = True
        append(state.metadata, NONE, value_of(id, Kind.COPY_SEGMENT_STARTED))
        append(state.metadata, NONE, value_of(id, Kind.COPY_SEGMENT_FINISHED))
    for b in range(len(state.broker)):
        state.broker[b].is_old_version = True
        state.broker[b].writes_keys = False
        state.broker[b].next_to_copy = scope.history
        state.broker[b].has_begun = b == 0
        read_to_end(state, b)


def note_existing(state: Topic) -> None:
    """Ghosts: broker 0 has written what is there."""
    note_appended(state, 0)


# -- step 1


@guard
def is_retention_infinite(state: Topic) -> bool:
    """The metadata topic keeps everything."""
    return not state.has_finite_retention


@OPERATOR.action(guards=[is_retention_infinite], to="remote_metadata")
def operator_sets_retention(state: Topic) -> None:
    """Step 1: configure a finite retention.ms for the metadata topic.

    The operator does so "before or during the upgrade".

    Kafka: KIP-1266, Migration Plan, step 1.
    Left out: how long; nothing relates it to how long user topics are kept.
    """
    state.has_finite_retention = True


RecordCount = Annotated[int, Range(1, Kip1266.topic_records)]


@guard
def deletes_by_retention(state: Topic) -> bool:
    """The topic's retention is finite, and its policy has delete."""
    return state.has_finite_retention and state.policy != CleanupPolicy.COMPACT


@guard
def has_as_many_records(state: Topic, count: RecordCount) -> bool:
    """The topic has these records; where all expire, the active segment rolls before."""
    return count <= state.metadata.end


def remove_records(state: Topic, count: int) -> None:
    """Remove the oldest records; consumers that have not read them continue behind them."""
    for reader in state.broker:
        reader.position = max(0, reader.position - count)
        reader.assigned_end = max(0, reader.assigned_end - count)
    remove_oldest(state.metadata, count)


@LOG_MANAGER.action(
    guards=[deletes_by_retention, has_as_many_records], to="remote_metadata", budget="windows"
)
def retention_removes_metadata(state: Topic, count: RecordCount) -> None:
    """Remove the oldest records of the metadata topic, which are past its retention.

    Kafka: UnifiedLog#deleteOldSegments, of the broker that leads the metadata partition.
    """
    remove_records(state, count)


# -- step 2


@guard
def is_follower_of_old_version(state: Topic, broker: Broker) -> bool:
    """The broker is not upgraded, and has handed the leadership over for its shutdown."""
    return state.broker[broker].is_old_version and state.elected_leader != broker


def restart_as_new_version(state: Topic, broker: Broker) -> None:
    """Restart a broker with the new version: its threads and its cache are gone."""
    stop_threads(state, broker)
    upgraded = state.broker[broker]
    upgraded.is_old_version = False
    upgraded.is_leader = False
    upgraded.has_begun = False
    upgraded.term = state.leader_epoch
    assign(state, broker)


@OPERATOR.action(guards=[is_follower_of_old_version], to="broker {broker}")
def operator_upgrades_broker(state: Topic, broker: Broker) -> None:
    """Step 2: restart a broker with the new version; from now on it writes keys.

    Kafka: KIP-1266, Migration Plan, step 2: "As brokers are upgraded and become leaders
    [...] They start writing keyed metadata records [...] They emit tombstones".
    Left out: the feature level, to which the text does not tie what is written.
    """
    restart_as_new_version(state, broker)
    state.broker[broker].writes_keys = True
    state.is_new_feature = is_upgraded(state)


@fence(protects="compacted_topic_has_keys_only", scope="default")
def is_upgraded(state: Topic) -> bool:
    """ "After the entire cluster is running the new version".

    A broker of the old version writes records without keys: the window must begin behind the
    last of them, and none may follow once the topic is compacted.
    """
    return all(not broker.is_old_version for broker in state.broker)


# -- steps 3 and 4


@guard
def is_window_to_come(state: Topic) -> bool:
    """The operator still waits for the retention window."""
    return state.has_finite_retention and not state.is_window_over


def keyless_end(state: Topic) -> int:
    """The end of the last record without a key."""
    end = 0
    for n in range(state.metadata.end):
        if state.metadata.record[n].key == NONE:
            end = n + 1
    return end


@CLOCK.action(guards=[is_upgraded, is_window_to_come], to="remote_metadata")
def retention_window_passes(state: Topic) -> None:
    """Step 3: one full retention.ms after the upgrade no record without a key is left.

    Kafka: KIP-1266, Migration Plan, step 3; it promises "most or all", here it is all.
    """
    remove_records(state, keyless_end(state))
    state.is_window_over = True


@fence(protects="compacted_topic_has_keys_only", scope="smoke")
def has_waited(state: Topic) -> bool:
    """The operator has waited for one retention window.

    Until then records of old brokers lie in the topic, which the cleaner drops as they have no
    keys.
    """
    return state.is_window_over


@guard
def is_not_compacted(state: Topic) -> bool:
    """Compaction is not on yet."""
    return state.policy == CleanupPolicy.DELETE


@OPERATOR.action(guards=[is_not_compacted, is_upgraded, has_waited], to="remote_metadata")
def operator_enables_compaction(state: Topic) -> None:
    """Step 4: set cleanup.policy=compact.

    Kafka: KIP-1266, Migration Plan, step 4.
    Left out: that a configuration takes time to arrive.
    """
    state.policy = CleanupPolicy.COMPACT


ENVIRONMENT = (
    operator_sets_retention,
    retention_removes_metadata,
    operator_upgrades_broker,
    retention_window_passes,
    operator_enables_compaction,
)
