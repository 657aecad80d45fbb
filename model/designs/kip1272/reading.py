"""A consumer that walks the log, from the remote tier to the local log."""

from tierproof.model.designs.kip405.actors import CONSUMER
from tierproof.model.designs.kip1272.state import CompactedTopic
from tierproof.model.kafka.replica import is_leading
from tierproof.model.kafka.segment_versions import (
    LOCAL,
    Kept,
    record_in,
    serving_segment,
    source_of,
)
from tierproof.model.language import NONE, guard


def next_in_local_log(state: CompactedTopic, broker: int, offset: int) -> int:
    """The offset after the next batch of the local log, or `offset` if there is none."""
    log = state.broker[broker]
    for later in range(offset, log.high_watermark):
        if log.records[later].kept != Kept.GONE:
            return later + 1
    return offset


def next_in_object(state: CompactedTopic, broker: int, segment: int, offset: int) -> int:
    """The offset after the next batch of the object, or NONE if it has none from `offset` on."""
    for later in range(offset, state.segment[segment].end_offset + 1):
        if record_in(state, broker, segment, later).kept != Kept.GONE:
            return later + 1
    return NONE


def next_in_remote_tier(state: CompactedTopic, broker: int, offset: int) -> int:
    """The offset after the next batch in this segment or those that follow it remotely.

    `offset` where the last of them has none: the answer is empty, and the consumer asks again.
    """
    log, first = state.broker[broker], offset
    while first < log.log_end_offset:
        segment = serving_segment(state, broker, first)
        if segment == NONE or not state.segment[segment].object_exists:
            return offset
        found = next_in_object(state, broker, segment, first)
        if found != NONE:
            return found
        first = state.segment[segment].end_offset + 1
    return offset


def next_position(state: CompactedTopic, broker: int, offset: int) -> int:
    """Where a fetch at `offset` takes the consumer; `offset` if it brings nothing."""
    source = source_of(state, broker, offset)
    if source == LOCAL:
        return next_in_local_log(state, broker, offset)
    return offset if source == NONE else next_in_remote_tier(state, broker, offset)


def sought_position(state: CompactedTopic, broker: int) -> int:
    """The consumer's position; the log start if that lies above (auto.offset.reset)."""
    return max(state.consumer_position, state.broker[broker].log_start_offset)


@guard
def leader_answers(state: CompactedTopic) -> bool:
    """There is a consumer, and the elected leader has something for it."""
    leader = state.elected_leader
    if state.consumer_position == NONE or not is_leading(state, leader):
        return False
    start = sought_position(state, leader)
    log = state.broker[leader]
    return start < log.high_watermark and next_position(state, leader, start) > start


@CONSUMER.action(guards=[leader_answers], to="broker")
def consumer_fetches(state: CompactedTopic) -> None:
    """Fetch the next batch from the elected leader.

    Kafka: RemoteLogManager#read, which continues in the next remote segment where a segment
    has no batch left, and with an empty answer after the last one.
    """
    leader = state.elected_leader
    state.consumer_position = next_position(state, leader, sought_position(state, leader))
