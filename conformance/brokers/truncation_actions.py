"""A broker that follows for a while, and what of transactions and other clients it cuts off.

A batch that is to be cut off comes while the other replica stands still, and has no answer.
"""

from __future__ import annotations

import time

from tierproof.conformance.brokers.looking import local_data
from tierproof.conformance.brokers.playing import FETCH_S, TOPIC, Play
from tierproof.conformance.brokers.process_actions import make_leader
from tierproof.conformance.brokers.produce_requests import Batch
from tierproof.conformance.brokers.producer_actions import send
from tierproof.conformance.brokers.snapshot_actions import SHOWN
from tierproof.model.designs.producer_state.state import Broker
from tierproof.model.language import NONE

OTHER = 1
"""The broker of the replica that the trace does not show."""

NAME = "a producer"
"""The transactional.id; there is one."""


def append_transactional(play: Play) -> None:
    """A producer begins a transaction, and appends a batch."""
    play.client.begin_transaction(NAME)
    at = play.client.append(TOPIC, b"a key", b"a value", NAME)
    play.note(f"{NAME}: begin a transaction, and append a record at offset {at}")


def end_transaction(play: Play, *, commits: bool) -> None:
    """The producer ends its transaction, and the coordinator writes the marker."""
    play.note(f"{NAME}: {'commit' if commits else 'abort'} the transaction")
    play.client.end_transaction(NAME, commits=commits)
    end = int(play.after.log.log_end_offset)
    play.await_that(
        f"the marker is at offset {end - 1}", lambda: play.client.offset(TOPIC, "latest") == end
    )


def append(play: Play, batch: Batch) -> None:
    """A batch arrives. While the other replica stands still it has no answer, but it is there."""
    send(play, SHOWN, batch)
    last = int(play.after.log.log_end_offset) - 1
    if play.standing:
        play.await_that(
            f"offset {last} is in the log of broker {SHOWN}",
            lambda: last in local_data(play.cluster, SHOWN, TOPIC),
            in_controls_too=True,
        )


def append_plain(play: Play) -> None:
    """A client that is not idempotent appends a batch."""
    append(play, Batch(NONE, NONE, NONE, b"of no producer"))


def truncate(play: Play) -> None:
    """The other replica is elected, and the broker cuts off what that one does not have.

    Then the broker leads again, as it does in the trace, unless its log directory is offline.
    """
    make_leader(play, OTHER, in_controls_too=True)
    time.sleep(FETCH_S)
    play.release()
    end = int(play.step.offset)
    play.await_that(
        f"broker {SHOWN} has cut its log off at {end}",
        lambda: all(offset < end for offset in local_data(play.cluster, SHOWN, TOPIC)),
        in_controls_too=True,
    )
    if play.after.broker != Broker.LOG_DIR_OFFLINE:
        play.await_that(
            f"broker {SHOWN} is in sync",
            lambda: SHOWN in play.client.in_sync(TOPIC),
            in_controls_too=True,
        )
        make_leader(play, SHOWN, in_controls_too=True)


TRUNCATION_ACTIONS = {"follower_truncates": truncate}
"""Action -> what it is on brokers."""
