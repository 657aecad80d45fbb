"""A design made of Kafka's mechanisms alone is explored: lineage and cache, in guards and effects.

Two replicas, each with its lineage, publish segments that both read into caches of their own.
"""

from typing import Annotated, Any

from tests.agreement.test_executions_agree import interpreted
from tierproof.model.kafka.leader_epoch_lineage import (
    assign,
    epoch_for_offset,
    is_in_lineage,
    set_entries_in_range,
    truncate_from_end,
)
from tierproof.model.kafka.remote_metadata_cache import (
    MetadataCache,
    SegmentMetadata,
    apply_record,
    find_highest_remote_offset,
    lookup,
    next_listed,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import (
    LeaderEpoch,
    Lineage,
    Offset,
    OffsetEnd,
    SegmentId,
    TieredScope,
)
from tierproof.model.language import (
    NONE,
    Array,
    Design,
    Index,
    Record,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    witness,
)
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore


class Replicas(TieredScope):
    """The bounds of Kafka's mechanisms, and how many replicas there are."""

    replicas: int = bound(1, 3, default=2)


ReplicaId = Annotated[int, Index(Replicas.replicas)]


class Replica(Record):
    """One copy of the partition."""

    lineage: Lineage
    log_end_offset: OffsetEnd
    cache: MetadataCache


class Partition(State):
    """Replicas, and what has been published of each segment."""

    replica: Annotated[list[Replica], Array(Replicas.replicas)]
    segment: Annotated[list[SegmentMetadata], Array(TieredScope.segment_ids)]
    published: Annotated[list[SegmentState], Array(TieredScope.segment_ids)]


@initial
def nothing_written(state: Partition) -> None:
    """Every log is empty."""


@guard
def has_room(state: Partition, replica: ReplicaId, epoch: LeaderEpoch, scope: Replicas) -> bool:
    """The log can grow, and no later leader has written."""
    me = state.replica[replica]
    last = epoch_for_offset(me.lineage, scope.offsets)
    return me.log_end_offset < scope.offsets and last <= epoch


@action(guards=[has_room], actor="replica {replica}")
def replica_appends_record(state: Partition, replica: ReplicaId, epoch: LeaderEpoch) -> None:
    """A record of a leader."""
    me = state.replica[replica]
    assign(me.lineage, epoch, me.log_end_offset)
    me.log_end_offset += 1


@guard
def has_offset(state: Partition, replica: ReplicaId, offset: Offset) -> bool:
    """There is something to cut."""
    return offset < state.replica[replica].log_end_offset


@action(guards=[has_offset], actor="replica {replica}")
def replica_truncates_log(state: Partition, replica: ReplicaId, offset: Offset) -> None:
    """A follower gives up what its leader does not have."""
    truncate_from_end(state.replica[replica].lineage, offset)
    state.replica[replica].log_end_offset = offset


@guard
def is_unpublished(state: Partition, id: SegmentId) -> bool:
    """The id is new."""
    return state.published[id] == SegmentState.ABSENT


@action(guards=[is_unpublished, has_offset], actor="replica {replica}")
def replica_publishes_segment(
    state: Partition, replica: ReplicaId, id: SegmentId, offset: Offset
) -> None:
    """The whole log up to an offset becomes a segment."""
    mine = state.segment[id]
    mine.start_offset = 0
    mine.end_offset = offset
    set_entries_in_range(mine.lineage, state.replica[replica].lineage, 0, offset + 1)
    state.published[id] = SegmentState.COPY_SEGMENT_STARTED


@guard
def is_published(state: Partition, id: SegmentId) -> bool:
    """The copy has begun and not ended."""
    return state.published[id] == SegmentState.COPY_SEGMENT_STARTED


@action(guards=[is_published], actor="somebody")
def somebody_finishes_copy(state: Partition, id: SegmentId) -> None:
    """The object is there."""
    state.published[id] = SegmentState.COPY_SEGMENT_FINISHED


@guard
def is_behind(state: Partition, replica: ReplicaId, id: SegmentId) -> bool:
    """The replica has records of the id to read."""
    return state.replica[replica].cache.state[id] < state.published[id]


@action(guards=[is_behind], actor="replica {replica}")
def replica_reads_record(state: Partition, replica: ReplicaId, id: SegmentId) -> None:
    """The next record of the metadata topic."""
    cache = state.replica[replica].cache
    apply_record(cache, state.segment, id, cache.state[id] + 1)


def served(state: Any, replica: int, offset: int) -> int:
    """The id that serves an offset in the lineage of a replica."""
    me = state.replica[replica]
    epoch = epoch_for_offset(me.lineage, offset)
    return NONE if epoch == NONE else lookup(me.cache, state.segment, epoch, offset)


@invariant(source="RemoteLogMetadataCache")
def what_is_served_was_finished_and_holds_the_offset(state: Partition) -> bool:
    """A lookup finds a finished segment in which the offset lies."""
    for r in range(len(state.replica)):
        for offset in range(state.replica[r].log_end_offset):
            id = served(state, r, offset)
            if id != NONE and (
                state.replica[r].cache.state[id] != SegmentState.COPY_SEGMENT_FINISHED
                or state.segment[id].end_offset < offset
            ):
                return False
    return True


@invariant(source="RemoteLogManager#findHighestRemoteOffset")
def the_highest_remote_offset_is_below_the_log_end(state: Partition) -> bool:
    """A replica that is behind knows of more than it has, and cuts it at its own log end."""
    for r in range(len(state.replica)):
        me = state.replica[r]
        offset, _ = find_highest_remote_offset(me.cache, me.lineage, me.log_end_offset)
        if offset >= me.log_end_offset:
            return False
    return True


@witness(source="")
def a_listed_segment_is_out_of_lineage(state: Partition) -> bool:
    """A replica lists a segment that another leader wrote."""
    me = state.replica[0]
    id = next_listed(me.cache, state.segment, 0, NONE)
    return id != NONE and not is_in_lineage(state.segment[id], me.lineage, me.log_end_offset)


DESIGN = Design(
    name="mechanisms",
    title="Lineage and cache alone",
    document="none",
    state=Partition,
    initial=(nothing_written,),
    system=(
        replica_appends_record,
        replica_truncates_log,
        replica_publishes_segment,
        somebody_finishes_copy,
        replica_reads_record,
    ),
    properties=(
        what_is_served_was_finished_and_holds_the_offset,
        the_highest_remote_offset_is_below_the_log_end,
    ),
    witnesses=(a_listed_segment_is_out_of_lineage,),
    scopes={
        "one": Replicas(replicas=1, offsets=2, leader_epochs=2, segment_ids=2),
        "two": Replicas(replicas=2, offsets=2, leader_epochs=2, segment_ids=2),
    },
)


def test_mechanisms_are_explored_as_they_are_interpreted():
    expected = interpreted(DESIGN, "one")
    result = explore(DESIGN, DESIGN.scope("one"), lambda kernel: MemoryExecution(kernel, 2))
    assert result.distinct_states == len(expected.graph)
    assert result.generated_states == expected.generated
    assert result.depth == expected.depth
    assert {e.name for e in result.properties if e.occurrences} == expected.violated == set()
    assert result.witnesses[0].reached
