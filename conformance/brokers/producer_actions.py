"""What idempotent producers do: batches with the producer, epoch and sequence of the trace."""

from __future__ import annotations

from tierproof.conformance.brokers import produce_requests
from tierproof.conformance.brokers.broker_actions import UNANSWERED_MS
from tierproof.conformance.brokers.errors import Refused
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.conformance.brokers.process_actions import restart
from tierproof.conformance.brokers.produce_requests import TIMEOUT_MS, Answer, Batch
from tierproof.model.kafka.keyed_log import BatchKind

NOT_YET = ("NOT_LEADER_OR_FOLLOWER", "UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE")
"""A broker that has not learnt yet that it leads appends nothing."""


def begin_with_producers(play: Play) -> None:
    """Create the topic as the trace begins: the producers' batches, some of them remote only."""
    start = play.trace.states[0]
    leader = int(start.elected_leader)
    copied = [segment.end_offset for segment in start.segment if segment.object_exists]
    play.create_tiered()
    if not copied:
        play.shut_gates()
    for offset in range(start.broker[leader].log_end_offset):
        send(play, leader, _batch_at(play, offset))
    if copied:
        _begin_copied(play, int(max(copied)), int(start.broker[leader].local_log_start_offset))
        play.shut_gates()


def _begin_copied(play: Play, last: int, local_start: int) -> None:
    brokers = range(len(play.cluster.brokers))
    play.await_that(
        f"{last} is the latest tiered offset",
        lambda: play.client.offset(TOPIC, "latest_tiered") == last,
    )
    play.client.alter_settings(TOPIC, {"local.retention.bytes": 1})
    play.await_that(
        f"the local log of each broker begins at {local_start}",
        lambda: all(play.local_start(broker) == local_start for broker in brokers),
    )


def _batch_at(play: Play, offset: int) -> Batch:
    """The batch that the trace begins with at an offset: of the local log, or a copied one."""
    start = play.trace.states[0]
    logs = [start.broker[start.elected_leader].batch, *(one.batch for one in start.segment)]
    found = next(log[offset] for log in logs if log[offset].kind == BatchKind.DATA)
    number = len(play.values)
    play.values.append(play.value(number))
    return Batch(found.producer, found.epoch, found.first_sequence, play.value(number))


def send(play: Play, leader: int, batch: Batch) -> None:
    """Send a batch to a broker, and keep its answer.

    While another broker stands still, nobody waits long for the answer: there will be none.
    """
    patience_ms = UNANSWERED_MS if play.standing else TIMEOUT_MS
    port = play.cluster.brokers[leader].port
    answers: list[Answer] = []

    def is_answered() -> bool:
        try:
            answers.append(produce_requests.send(play.client.jvm, port, TOPIC, batch, patience_ms))
        except Refused as error:
            if error.code not in NOT_YET:
                play.note(f"broker {leader} refuses {batch}: {error.code}")
                play.refusals.append(error.code)
                return True
            return False
        return True

    play.await_that(f"broker {leader} has answered {batch}", is_answered, in_controls_too=True)
    play.answers += answers
    for answer in answers:
        play.note(f"broker {leader}: acknowledge {batch}, at offset {answer.offset}")


def retry(play: Play) -> None:
    """A producer has no answer and sends its batch again: the request is late."""
    play.note(f"producer {play.step.producer}: send the batch again; the request is late")


def keep_disk(play: Play) -> None:
    """The follower restarts, and has its disk: it reads its producers from there."""
    restart(play, play.actor)


def receive(play: Play) -> None:
    """A request arrives at the leader, with the very batch that it had before."""
    step = play.step
    asked = (step.producer, step.epoch, step.sequence)
    known = [one.batch for one in play.answers]
    batch = next(one for one in known if (one.producer, one.epoch, one.sequence) == asked)
    send(play, step.leader, batch)


def duplicates(play: Play) -> dict[Batch, list[int]]:
    """The batches that were acknowledged at several offsets, with these."""
    found: dict[Batch, list[int]] = {}
    for one in play.answers:
        found.setdefault(one.batch, []).append(one.offset)
    return {batch: sorted(set(at)) for batch, at in found.items() if len(set(at)) > 1}


def listed(offsets: list[int]) -> str:
    """Offsets in words: "0 and 2"."""
    return " and ".join(map(str, offsets))


PRODUCER_ACTIONS = {"producer_retries_batch": retry, "leader_receives_batch": receive}
"""Action -> what it is on brokers."""
