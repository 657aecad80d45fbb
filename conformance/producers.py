"""`producer_state.jsonl.gz`: histories of producers on one partition, replayed as steps.

Every change of the state is a step of the design `producer_state-recorded`, taken only if its
guards hold. After each operation the answer and every recorded field are compared. A row that
ends with an exception has no state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from tierproof.conformance.following import Following, NotEnabled
from tierproof.conformance.producer_words import (
    answer_name,
    duplicate_answer,
    has_file,
    scope_for,
    shown,
)
from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import NotARecording, Row, differences
from tierproof.model.designs.producer_state import RECORDED
from tierproof.model.designs.producer_state.appending import answer_as_follower, answer_to
from tierproof.model.designs.producer_state.state import Broker, ProducerStateScope
from tierproof.model.kafka.producer_entries import SEQUENCES
from tierproof.model.kafka.producer_validation import AppendAnswer
from tierproof.model.language import NONE, Interpreter, TierproofError

MS_OF_AN_APPEND = 10
START_MS = 1_000_000

Arguments = Mapping[str, Any]
Answer = dict[str, Any]


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file."""
    return read_rows(content, lambda _, row: row_for(str(row["id"]), row))


def row_for(name: str, row: Mapping[str, Any]) -> Row:
    """One history, cut at its first disagreement."""
    replay, done = Replay(row), []
    for number, step in enumerate(row["steps"], start=1):
        done.append(f"{step['op']} {dict(step['args'])}")
        recorded = recorded_of(step)
        modelled = replay.answer_to(step["op"], step["args"])
        if modelled != recorded:
            at = f"step {number}: {step['op']}"
            return Row(name, done, *differences(recorded, modelled), at)
    return Row(name, done, recorded, modelled)


def recorded_of(step: Mapping[str, Any]) -> Answer:
    """The recorded answer, and every field of the state."""
    state = step["state"]
    return {"result": step["result"], **(state if state is not None else {"state": None})}


@cache
def interpreter_for(scope: ProducerStateScope) -> Interpreter:
    """Rows of the same scope share an interpreter."""
    return Interpreter(RECORDED, scope)


class Replay(Following):
    """A run of the design that follows a recording; `state` is its current state."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        super().__init__(interpreter_for(scope_for(row)))
        self.take("time_passes", ms=START_MS)

    def answer_to(self, operation: str, arguments: Arguments) -> Answer:
        """The model's answer to an operation, and its state afterwards."""
        verb = _VERBS.get(operation)
        if verb is None:
            raise NotARecording(f"there is no operation {operation!r}")
        try:
            result = verb(self, arguments)
        except (NotEnabled, TierproofError) as error:
            return {"result": f"the model cannot: {str(error).splitlines()[0]}"}
        if self.state.broker == Broker.LOG_DIR_OFFLINE:
            return {"result": result, "state": None}
        return {"result": result, **shown(self.state)}

    # -- appends

    def pass_time_of_append(self) -> None:
        """An append moves the clock, also if it is refused."""
        self.take("time_passes", ms=MS_OF_AN_APPEND)

    def produce(self, given: Arguments) -> str:
        """A client's batch, on the leader."""
        self.send_batch(given)
        return self.lead()

    def marker(self, given: Arguments) -> str:
        """A marker of the coordinator, on the leader."""
        self.send_marker(given, given["tv"])
        return self.lead()

    def follow(self, given: Arguments) -> str:
        """A batch that a follower has fetched."""
        self.send_batch(given)
        return self.follow_at(given["off"])

    def follow_marker(self, given: Arguments) -> str:
        """A marker that a follower has fetched."""
        self.send_marker(given, 0)
        return self.follow_at(given["off"])

    def send_batch(self, given: Arguments) -> None:
        """A client sends a batch."""
        self.pass_time_of_append()
        producer = given["p"] - 1
        self.take("producer_is_at", producer=producer, epoch=given["e"], sequence=given["s"])
        self.take(
            "producer_sends_batch",
            producer=producer,
            records=given["n"],
            is_transactional=given["txn"],
        )

    def send_marker(self, given: Arguments, transaction_version: int) -> None:
        """The coordinator sends a marker."""
        self.pass_time_of_append()
        producer = given["p"] - 1
        self.take("producer_is_at", producer=producer, epoch=given["e"], sequence=0)
        self.take(
            "coordinator_sends_marker",
            producer=producer,
            commits=given["commit"],
            coordinator_epoch=given["ce"],
            transaction_version=transaction_version,
        )

    def lead(self) -> str:
        """The leader's answer to the only request: the one whose action is enabled."""
        before = self.state
        if self.is_enabled("leader_appends_batch", place=0):
            self.take("leader_appends_batch", place=0)
            return f"OK {before.log.log_end_offset}"
        if self.is_enabled("leader_answers_duplicate", place=0):
            self.take("leader_answers_duplicate", place=0)
            return duplicate_answer(before)
        self.take("leader_refuses_batch", place=0)
        return answer_name(answer_to(before, 0))

    def follow_at(self, offset: int) -> str:
        """The follower's answer to the only request."""
        before = self.state
        if self.is_enabled("follower_appends_batch", place=0, offset=offset):
            self.take("follower_appends_batch", place=0, offset=offset)
            return f"OK {offset}"
        self.take("follower_fails_on_batch", place=0, offset=offset)
        return answer_name(answer_as_follower(before, 0))

    def plain(self, given: Arguments) -> str:
        """A batch without producer id."""
        self.pass_time_of_append()
        base = self.state.log.log_end_offset
        self.take("leader_appends_plain_batch", records=given["n"])
        return f"OK {base}"

    # -- the broker

    def roll(self, given: Arguments) -> str:
        """A new segment."""
        self.take("broker_rolls_segment")
        return f"OK {self.state.log.log_end_offset}"

    def flush(self, given: Arguments) -> str:
        """Nothing of this state is flushed."""
        return "OK"

    def snapshot(self, given: Arguments) -> str:
        """A snapshot of everything so far."""
        self.take("broker_takes_snapshot")
        return "OK"

    def tick(self, given: Arguments) -> str:
        """The clock moves."""
        self.take("time_passes", ms=given["ms"])
        return "OK"

    def expire(self, given: Arguments) -> str:
        """Producers expire, if one has."""
        if self.is_enabled("broker_expires_producers"):
            self.take("broker_expires_producers")
        return "OK"

    def delete_records(self, given: Arguments) -> str:
        """DeleteRecords: an offset above the high watermark is an error."""
        if given["o"] > self.state.log.log_end_offset:
            return "EXC OffsetOutOfRangeException"
        moves = self.is_enabled("user_deletes_records", offset=given["o"])
        if moves:
            self.take("user_deletes_records", offset=given["o"])
        return f"OK {word(moves)}"

    def clean(self, given: Arguments) -> str:
        """Segments below the log start are deleted."""
        before = sum(self.state.log.starts_segment)
        if self.is_enabled("broker_deletes_segments"):
            self.take("broker_deletes_segments")
        return f"OK {before - sum(self.state.log.starts_segment)}"

    # -- the log is cut

    def truncate(self, given: Arguments) -> str:
        """The log is cut, if the offset is below its end."""
        cuts = self.is_enabled("follower_truncates", offset=given["o"])
        if cuts:
            self.take("follower_truncates", offset=given["o"])
            if self.state.broker == Broker.LOG_DIR_OFFLINE:
                return "EXC KafkaStorageException"
            if self.state.log.producer_map_end < self.state.log.log_end_offset:
                return answer_name(AppendAnswer.INVALID_TXN_STATE)
        return f"OK {word(cuts)}"

    def truncate_fully(self, given: Arguments) -> str:
        """The log is emptied."""
        self.take("follower_truncates_fully", offset=given["o"], log_start=given["lso"])
        return "OK"

    def rebuild(self, given: Arguments) -> str:
        """A follower begins on the remote tier; without a snapshot it only empties its log."""
        if given["entries"] is None:
            return self.truncate_fully(given)
        self.store(given["entries"])
        self.take("follower_rebuilds", offset=given["o"], log_start=given["lso"])
        return "OK"

    def rebuild_as_intended(self, given: Arguments) -> str:
        """As rebuild, with the fetched snapshot kept."""
        if given["entries"] is None:
            return self.truncate_fully(given)
        self.store(given["entries"])
        self.take("follower_rebuilds_as_intended", offset=given["o"], log_start=given["lso"])
        return "OK"

    def store(self, entries: list[list[int]]) -> None:
        """The snapshot in the remote tier."""
        self.take("store_has_empty_snapshot")
        for number, epoch, last, offset, delta, timestamp, coordinator, start in entries:
            at = {"producer": number - 1}
            named = {"epoch": epoch, "timestamp": timestamp, "coordinator_epoch": coordinator}
            self.take("store_has_producer", **at, **named)
            if offset != NONE:
                sequences = {"first_sequence": (last - delta) % SEQUENCES, "last_sequence": last}
                self.take("store_has_batch", **at, **sequences, last_offset=offset)
            if start != NONE:
                self.take("store_has_transaction", **at, transaction_start=start)

    # -- files and restarts

    def place_empty(self, given: Arguments) -> str:
        """An empty snapshot is put in place."""
        self.take("operator_places_empty_snapshot", offset=given["o"])
        return "OK"

    def remove(self, given: Arguments) -> str:
        """A snapshot file is gone, if it was there."""
        existed = self.is_enabled("snapshot_is_lost", offset=given["o"])
        if existed:
            self.take("snapshot_is_lost", offset=given["o"])
        return f"OK {word(existed)}"

    def restart(self, given: Arguments) -> str:
        """The broker stops, its files are changed, and it starts again."""
        self.take("broker_shuts_down" if given["clean"] else "broker_crashes")
        for offset in given["rm"]:
            if has_file(self.state, offset):
                self.take("snapshot_is_lost", offset=offset)
        for offset in given["empty"]:
            self.take("operator_places_empty_snapshot", offset=offset)
        for offset in given["corrupt"]:
            self.take("snapshot_is_corrupted", offset=offset)
        if given["clean"]:
            self.take("broker_loads_log", log_start=given["lso"])
        else:
            points = {"log_start": given["lso"], "recovery_point": given["rp"]}
            self.take("broker_recovers_log", **points)
        is_loaded = self.state.broker == Broker.RUNNING
        return "OK" if is_loaded else answer_name(AppendAnswer.INVALID_TXN_STATE)


def word(flag: bool) -> str:
    """A boolean in the words of the recordings."""
    return "true" if flag else "false"


_VERBS: dict[str, Callable[[Replay, Arguments], str]] = {
    "produce": Replay.produce,
    "plain": Replay.plain,
    "marker": Replay.marker,
    "follow": Replay.follow,
    "fmarker": Replay.follow_marker,
    "roll": Replay.roll,
    "flush": Replay.flush,
    "snapshot": Replay.snapshot,
    "tick": Replay.tick,
    "expire": Replay.expire,
    "delrec": Replay.delete_records,
    "clean": Replay.clean,
    "truncate": Replay.truncate,
    "truncfull": Replay.truncate_fully,
    "rebuild": Replay.rebuild,
    "rebuild_intended": Replay.rebuild_as_intended,
    "emptylive": Replay.place_empty,
    "rmlive": Replay.remove,
    "restart": Replay.restart,
}
