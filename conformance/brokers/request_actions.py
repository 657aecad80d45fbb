"""Requests on the way, as traces of `producer_state` have them, and what the leader does with them.

A request is sent when it arrives: until then it is on its way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tierproof.conformance.brokers.broker_actions import delete_records
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.conformance.brokers.produce_requests import Batch
from tierproof.conformance.brokers.producer_actions import send
from tierproof.conformance.brokers.snapshot_actions import (
    SHOWN,
    SNAPSHOT_ACTIONS,
    await_producers,
)
from tierproof.conformance.brokers.truncation_actions import (
    TRUNCATION_ACTIONS,
    append,
    append_plain,
    append_transactional,
    end_transaction,
)
from tierproof.model.kafka.keyed_log import BatchKind

DAY_MS = 86_400_000
"""A millisecond of the model's clock, after which a producer expires: producer.id.expiration.ms."""

SETTINGS: dict[str, object] = {
    "log.flush.offset.checkpoint.interval.ms": 500,
    "log.flush.start.offset.checkpoint.interval.ms": 500,
    "producer.id.expiration.check.interval.ms": 500,
    "transaction.state.log.num.partitions": 1,
}
"""Settings of the brokers: what they do by themselves every minute, they do twice a second."""


def begin_empty(play: Play) -> None:
    """Create the topic, empty as the trace begins; it is not tiered."""
    replicas = list(range(len(play.cluster.brokers)))
    play.client.create_topic(TOPIC, replicas, {"retention.ms": -1})
    play.note(f"topic created, not tiered, replicas: {len(replicas)}")


def send_later(play: Play) -> None:
    """A producer sends a batch: the request is on its way."""
    play.note(f"producer {play.step.producer}: send a batch")


def retry(play: Play) -> None:
    """A producer has no answer and sends a batch again: that request is on its way, too."""
    producer = play.before.request[play.step.place].producer
    play.note(f"producer {producer}: send the batch again; the request is late")


def receive(play: Play) -> None:
    """A request arrives at the leader."""
    request = play.before.request[play.step.place]
    if request.kind != BatchKind.DATA:
        end_transaction(play, commits=request.kind == BatchKind.COMMIT)
    elif request.is_transactional:
        append_transactional(play)
    else:
        append(play, batch_of(play, request))


def batch_of(play: Play, request: Any) -> Batch:
    """The batch of a request, the very same where it was answered before."""
    asked = int(request.producer), int(request.epoch), int(request.first_sequence)
    known = [one.batch for one in play.answers]
    found = [one for one in known if (one.producer, one.epoch, one.sequence) == asked]
    age_ms = int(play.trace.states[-1].now - play.before.now) * DAY_MS
    value = b"epoch %d, sequence %d" % asked[1:]
    return found[0] if found else Batch(*asked, value, play.began_ms - age_ms)


def receive_of_now(play: Play) -> None:
    """A request arrives whose record is of now."""
    batch = batch_of(play, play.before.request[play.step.place])
    send(play, SHOWN, replace(batch, timestamp_ms=None))


def receive_in_order(play: Play) -> None:
    """All requests arrive, in the order in which they were sent."""
    for request in play.before.request:
        send(play, SHOWN, batch_of(play, request))


def send_what_is_late(play: Play) -> None:
    """The requests that are on the way in the end arrive, too."""
    for request in play.trace.states[-1].request:
        send(play, SHOWN, batch_of(play, request))


REQUEST_ACTIONS = {
    "producer_sends_batch": send_later,
    "producer_retries_batch": retry,
    "leader_appends_batch": receive,
    "leader_appends_plain_batch": append_plain,
    "user_deletes_records": delete_records,
    "broker_expires_producers": await_producers,
    **SNAPSHOT_ACTIONS,
    **TRUNCATION_ACTIONS,
}
"""Action -> what it is on brokers."""
