"""A compacted topic on one broker: what clients append, and what passes of the log cleaner show.

A pass is many steps of the model. What of it can be seen is awaited: the records that are left in
the segment files, and the checkpoint. The next pass is held back until its step by the dirty ratio
that it waits for, so that what a pass leaves is there until it has been seen.
"""

from __future__ import annotations

from tierproof.conformance.brokers.looking import cleaner_checkpoint, local_data, local_segments
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.language import NONE

MAP_BYTES = 1_048_577
"""log.cleaner.dedupe.buffer.size at its least: more than a MiB for a thread."""

ENTRY_BYTES = 24
"""An entry of the offset map: an MD5 digest and an offset."""

BATCH_BYTES = 100
"""The cleaner reads and writes so much at once: a batch, so that each has an index entry."""

SEGMENT_BYTES = 1_048_576
FILLING_BYTES = 1_048_400
"""A record as large as a producer may send. With it, no other fits into a segment."""

CLEANER_SETTINGS: dict[str, object] = {
    "transaction.state.log.num.partitions": 1,
    "log.cleaner.threads": 1,
    "log.cleaner.dedupe.buffer.size": MAP_BYTES,
    "log.cleaner.io.buffer.load.factor": 1.5 / (MAP_BYTES // ENTRY_BYTES),
    "log.cleaner.io.buffer.size": 2 * BATCH_BYTES,
    "log.cleaner.backoff.ms": 200,
}
"""Settings of the broker: an offset map that is full with one key."""

HOLDING = {"min.cleanable.dirty.ratio": 0.75}
"""A log without a checkpoint is dirty as a whole and is cleaned. A checkpoint inside its only
inactive segment leaves half of it dirty, as that segment counts as clean and as dirty."""

LETTING_GO = {"min.cleanable.dirty.ratio": 0}

AMPLE = {"log.cleaner.io.buffer.load.factor": 0.9}
"""The default: an offset map that has room for all keys of a trace."""


def begin_compacted(play: Play) -> None:
    """Create a compacted topic, empty as the trace begins; its first pass needs nothing more."""
    settings: dict[str, object] = {
        "cleanup.policy": "compact",
        "segment.bytes": SEGMENT_BYTES,
        "index.interval.bytes": 1,
        "delete.retention.ms": 0,
        **HOLDING,
    }
    play.client.create_topic(TOPIC, [0], settings)
    play.note("topic created, compacted; the offset map of the cleaner has room for one key")


def client_appends(play: Play) -> None:
    """A client appends a value or a tombstone."""
    _append(play, "client", "")


def producer_appends(play: Play) -> None:
    """A producer appends a value or a tombstone, in a transaction that may begin so."""
    name = _name(play)
    if play.before.log.producer[play.step.producer].open_first == NONE:
        play.note(f"{name}: begin a transaction")
        play.client.begin_transaction(name)
    _append(play, name, name)


def _append(play: Play, who: str, transactional_id: str) -> None:
    offset = int(play.before.log.log_end_offset)
    value = b"value of offset %d" % offset if play.step.value != NONE else None
    what = "a tombstone" if value is None else "a value"
    at = play.client.append(TOPIC, key_of(play.step.key), value, transactional_id)
    play.note(f"{who}: append {what} of key {play.step.key}, at offset {at}")


def end_transaction(play: Play) -> None:
    """A producer commits or aborts, and the coordinator writes the marker."""
    name, end = _name(play), int(play.after.log.log_end_offset)
    play.note(f"{name}: {'commit' if play.step.commits else 'abort'} the transaction")
    play.client.end_transaction(name, commits=bool(play.step.commits))
    play.await_that(
        f"the marker is at offset {end - 1}", lambda: play.client.offset(TOPIC, "latest") == end
    )


def roll(play: Play) -> None:
    """The active segment rolls, as a record does not fit into it: one that the trace has not."""
    end = int(play.after.log.log_end_offset)
    play.note("client: append a record of another key that does not fit into the segment")
    play.client.append(TOPIC, b"another key", b"-" * FILLING_BYTES, "")
    play.await_that(
        f"a segment begins at {end}", lambda: local_segments(play.cluster, 0, TOPIC)[-1] == end
    )


def begin_pass(play: Play) -> None:
    """A pass reads the dirty records; one that begins at a checkpoint is let go now."""
    if play.before.checkpoint > 0:
        play.note("operator: alter min.cleanable.dirty.ratio=0")
        play.client.alter_settings(TOPIC, LETTING_GO)


def clean(play: Play) -> None:
    """The cleaner swaps a cleaned segment in."""
    log = play.after.log
    left = [o for o in range(log.log_end_offset) if log.record[o].is_there]
    left = [o for o in left if log.batch[o].kind == BatchKind.DATA]
    play.await_that(
        f"the cleaner has left the records at {_listed(left)}",
        lambda: _data(play) == left,
    )


def write_checkpoint(play: Play) -> None:
    """A pass ends: the next begins at the checkpoint."""
    end = int(play.after.checkpoint)
    play.await_that(
        f"the cleaner's checkpoint is {end}",
        lambda: cleaner_checkpoint(play.cluster, 0, TOPIC) == end,
    )


def roll_with_an_ample_map(play: Play) -> None:
    """The segment rolls once the offset map has room for every key: one pass cleans all."""
    play.note("operator: alter log.cleaner.io.buffer.load.factor=0.9")
    play.client.alter_brokers(AMPLE)
    roll(play)
    end = int(play.after.log.log_end_offset)
    play.await_that(
        f"one pass has cleaned up to {end}",
        lambda: cleaner_checkpoint(play.cluster, 0, TOPIC) == end,
        in_controls_too=True,
    )
    play.note(f"seen: the records at {_listed(_data(play))} are left")


def _data(play: Play) -> list[int]:
    """The offsets of the trace's records that are still in the segment files."""
    end = play.after.log.log_end_offset
    return [offset for offset in local_data(play.cluster, 0, TOPIC) if offset < end]


def _listed(offsets: list[int]) -> str:
    return ", ".join(map(str, offsets)) or "no offset"


def _name(play: Play) -> str:
    return f"producer {play.step.producer}"


def key_of(number: int) -> bytes:
    """A key of the trace."""
    return b"key %d" % number


def revived(play: Play) -> dict[int, int]:
    """Deleted keys that a consumer gets a value of, with the offset of that value."""
    state, found = play.trace.states[-1], {}
    records = play.client.committed(TOPIC)
    for key, value in enumerate(state.committed_value):
        if state.committed_offset[key] == NONE or value != NONE:
            continue
        of_key = [at for at, (name, _) in records.items() if name == key_of(key)]
        if of_key and records[max(of_key)][1] is not None:
            found[key] = max(of_key)
    return found


CLEANER_ACTIONS = {
    "client_appends_record": client_appends,
    "producer_appends_record": producer_appends,
    "coordinator_ends_transaction": end_transaction,
    "broker_rolls_segment": roll,
    "cleaner_fills_map": begin_pass,
    "cleaner_cleans_group": clean,
    "cleaner_writes_checkpoint": write_checkpoint,
}
"""Action -> what it is on brokers."""
