"""What becomes of a log, its segments and its producer snapshots while the broker runs or not.

The broker that a trace of `producer_state` shows is broker 0.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

from tierproof.conformance.brokers import produce_requests
from tierproof.conformance.brokers.looking import checkpoint, local_segments
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.conformance.brokers.process_actions import start_again
from tierproof.conformance.brokers.produce_requests import Batch

SHOWN = 0
"""The broker that the trace shows."""

VERSION = 1
"""Of the format of a producer snapshot: the version, a CRC32C of the rest, and the producers."""

ROLLING = {"segment.ms": 1}
NOT_ROLLING = {"segment.ms": 604_800_000}
"""The default, a week."""


def shut_down(play: Play) -> None:
    """The broker stops in good order."""
    play.note(f"operator: stop broker {SHOWN}")
    play.cluster.brokers[SHOWN].stop()


def crash(play: Play) -> None:
    """The broker is killed, once it has written the checkpoints that the trace recovers from."""
    recovery = next(one for one in play.trace.steps[play.number :] if one.log_start >= 0)
    _await_checkpoint(play, "log-start-offset-checkpoint", int(recovery.log_start))
    _await_checkpoint(play, "recovery-point-offset-checkpoint", int(recovery.recovery_point))
    play.note(f"fault: kill -9 of broker {SHOWN}")
    play.cluster.crash(play.cluster.brokers[SHOWN])


def _await_checkpoint(play: Play, name: str, offset: int) -> None:
    """A checkpoint has come to an offset; a deletion of records takes both of them to its end."""
    play.await_that(
        f"{name} has come to {offset}",
        lambda: checkpoint(play.cluster, SHOWN, TOPIC, name) >= offset,
    )


def start(play: Play) -> None:
    """The broker starts, and loads or recovers its log."""
    play.note(f"operator: start broker {SHOWN}")
    start_again(play, SHOWN)
    await_producers(play)


def await_producers(play: Play) -> None:
    """The leader knows as many producers as the trace says."""
    count = sum(bool(one.is_known) for one in play.after.log.producer)
    play.await_that(
        f"the leader knows {count} producers", lambda: len(play.client.producers(TOPIC)) == count
    )


def roll(play: Play) -> None:
    """The active segment rolls, as a batch comes after segment.ms: one that it has already.

    A leader rolls before it looks whether it has the batch, and then does not append it.
    """
    end = int(play.after.log.log_end_offset)
    copy = _copy_of_now(play)
    play.note(f"operator: alter segment.ms=1; a copy of {copy} is sent, and not appended")
    play.client.alter_settings(TOPIC, ROLLING)
    port = play.cluster.brokers[SHOWN].port

    def has_rolled() -> bool:
        produce_requests.send(play.client.jvm, port, TOPIC, copy)
        return local_segments(play.cluster, SHOWN, TOPIC)[-1] == end

    play.await_that(f"a segment begins at {end}", has_rolled, in_controls_too=True)
    play.client.alter_settings(TOPIC, NOT_ROLLING)


def _copy_of_now(play: Play) -> Batch:
    """The last batch of the producer once more, of now, that segment.ms is over."""
    if play.answers:
        return replace(play.answers[-1].batch, timestamp_ms=None)
    (known,) = play.client.producers(TOPIC)
    return Batch(0, known.epoch, known.last_sequence, b"a copy", given_id=known.producer_id)


def lose_snapshot(play: Play) -> None:
    """The file of a producer snapshot is gone."""
    file = _snapshot(play)
    play.await_that(f"{file.name} is there", file.exists)
    play.note(f"fault: {file.name} is lost")
    file.unlink()


def place_empty_snapshot(play: Play) -> None:
    """An operator puts an empty producer snapshot in the place of one that is not there."""
    file = _snapshot(play)
    play.note(f"operator: put an empty {file.name} in its place")
    producers = struct.pack(">i", 0)
    crc = play.client.jvm.classes.java.util.zip.CRC32C()
    crc.update(producers, 0, len(producers))
    file.write_bytes(struct.pack(">hI", VERSION, int(crc.getValue())) + producers)


def _snapshot(play: Play) -> Path:
    folder = play.cluster.brokers[SHOWN].data / f"{TOPIC}-0"
    return folder / f"{int(play.step.offset):020d}.snapshot"


SNAPSHOT_ACTIONS = {
    "broker_shuts_down": shut_down,
    "broker_crashes": crash,
    "broker_loads_log": start,
    "broker_recovers_log": start,
    "broker_rolls_segment": roll,
    "snapshot_is_lost": lose_snapshot,
    "operator_places_empty_snapshot": place_empty_snapshot,
}
"""Action -> what it is on brokers."""
