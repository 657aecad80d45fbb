"""A broker that reads a partition's metadata: the design in which a real history is a trace.

Records describe segments and change their states. The mechanism is the cache of
`model.kafka.remote_metadata_cache`; the property says that no record is forbidden. A history is
written as a trace in ITF, which `tierproof serve tierproof.conformance.audit.stepped:DESIGN` opens.
"""

from __future__ import annotations

from typing import Annotated

from tierproof.conformance.audit.judging import Judgement
from tierproof.conformance.audit.tracing import Replay, replay_of
from tierproof.model.kafka.remote_metadata_cache import (
    MetadataCache,
    SegmentMetadata,
    apply_record,
)
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition
from tierproof.model.kafka.scope import LeaderEpoch, Offset, SegmentId, TieredScope
from tierproof.model.language import (
    Array,
    Design,
    State,
    Step,
    Trace,
    action,
    guard,
    initial,
    invariant,
)
from tierproof.model.language.itf import itf_as_text, trace_as_itf


class ReadHistory(State):
    """One cache, what the records have said of each segment, and whether the last may not be."""

    cache: MetadataCache
    segment: Annotated[list[SegmentMetadata], Array(TieredScope.segment_ids)]
    told: Annotated[list[SegmentState], Array(TieredScope.segment_ids)]
    is_forbidden: bool


@initial
def nothing_is_read(state: ReadHistory) -> None:
    """The topic is empty, and the cache of the broker is initialized."""
    state.cache.is_initialized = True


@guard
def is_not_described(state: ReadHistory, segment: SegmentId) -> bool:
    """No record of the segment was read."""
    return state.told[segment] == SegmentState.ABSENT


@guard
def is_a_range(state: ReadHistory, segment: SegmentId, start: Offset, end: Offset) -> bool:
    """A segment has an offset."""
    return start <= end


@action(guards=[is_not_described, is_a_range], actor="broker", stutters=True)
def broker_learns_offsets(
    state: ReadHistory, segment: SegmentId, start: Offset, end: Offset
) -> None:
    """The record that describes a segment gives its offsets, both inclusive."""
    state.segment[segment].start_offset = start
    state.segment[segment].end_offset = end


@action(guards=[is_not_described], actor="broker", stutters=True)
def broker_learns_epoch(
    state: ReadHistory, segment: SegmentId, epoch: LeaderEpoch, start: Offset
) -> None:
    """It gives the start offset of a leader epoch."""
    state.segment[segment].lineage[epoch] = start


@guard
def is_a_state(state: ReadHistory, segment: SegmentId, target: SegmentState) -> bool:
    """A record says a state; ABSENT is none."""
    return target != SegmentState.ABSENT


@action(guards=[is_a_state], actor="broker", stutters=True)
def broker_reads_record(state: ReadHistory, segment: SegmentId, target: SegmentState) -> None:
    """A record says the next state of a segment; a cache drops what may not follow.

    Kafka: RemoteLogMetadataCache; RemoteLogSegmentState#isValidTransition.
    """
    state.is_forbidden = not is_valid_transition(state.told[segment], target)
    if not state.is_forbidden:
        state.told[segment] = target
    apply_record(state.cache, state.segment, segment, target)


@invariant(source="RemoteLogSegmentState#isValidTransition")
def records_follow_the_lifecycle(state: ReadHistory) -> bool:
    """No record of a segment forbids itself by the state of the one before."""
    return not state.is_forbidden


DESIGN = Design(
    name="audited_history",
    title="A broker reads the remote log metadata of one partition",
    document="RemoteLogMetadataCache",
    state=ReadHistory,
    initial=(nothing_is_read,),
    system=(broker_learns_offsets, broker_learns_epoch, broker_reads_record),
    properties=(records_follow_the_lifecycle,),
    scopes={"small": TieredScope(offsets=2, leader_epochs=1, segment_ids=1)},
)


def itf_of(judgement: Judgement, name: str) -> str:
    """The history of a topic-partition as ITF, to the first record that may not be, if any."""
    replay = replay_of(judgement, name)
    steps, is_broken = _steps(judgement, replay)
    trace = Trace(DESIGN, replay.scope, 0, tuple(steps))
    return itf_as_text(trace_as_itf(trace, records_follow_the_lifecycle.name if is_broken else ""))


def _steps(judgement: Judgement, replay: Replay) -> tuple[list[Step], bool]:
    history, described = judgement.history, set[int]()
    told = dict.fromkeys(replay.segments, int(SegmentState.ABSENT))
    steps = []
    for row in replay.rows:
        number, target = int(history.segment[row]), int(history.state[row])
        one = replay.segments[number]
        if number not in described and history.description[row] >= 0:
            described.add(number)
            given = {"segment": one.number, "start": one.start, "end": one.end}
            steps.append(_step("broker_learns_offsets", **given))
            steps += [
                _step("broker_learns_epoch", segment=one.number, epoch=epoch, start=start)
                for epoch, start in one.lineage.items()
            ]
        steps.append(_step("broker_reads_record", segment=one.number, target=target))
        if not is_valid_transition(told[number], target):
            return steps, True
        told[number] = target
    return steps, False


def _step(name: str, **arguments: int) -> Step:
    return Step(name, tuple(arguments.items()))
