"""Cases of the local log: which segments may be copied, and which local retention removes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tierproof.conformance.case_partition import scope_of
from tierproof.conformance.replaying import BYTES_OF_A_RECORD, Replay
from tierproof.conformance.rows import NotARecording
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.kafka.copy_task import learn_highest_remote_offset, next_base_to_copy
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.language import NONE

RECORD = BYTES_OF_A_RECORD[0]


def candidates(given: Mapping[str, Any]) -> list[list[int]]:
    """candidate_log_segments: [base, next base] of the segments that a run would copy, in order."""
    bases, last_stable = [int(base) for base in given["segment_bases"]], int(given["lso"])
    end = max(*bases, last_stable)
    state = Replay(scope_of({0: 0}, [], end)).state.copy_for("the case")
    log = state.broker[0]
    log.log_start_offset, log.log_end_offset = bases[0], end
    log.high_watermark = last_stable
    for offset in range(end + 1):
        log.starts_segment[offset] = offset in bases
    found, cursor = [], int(given["from"]) - 1
    base = next_base_to_copy(log, cursor)
    while base != NONE:
        following = min(it for it in bases if it > base)
        found.append([base, following])
        base = next_base_to_copy(log, following - 1)
    return found


def retention(lines: Sequence[str], recorded: Sequence[Mapping[str, Any]]) -> list[Any]:
    """unified_log_local_retention: after each line, the part of the log that is recorded."""
    session = Session()
    found = []
    for line, shown in zip(lines, recorded, strict=True):
        for clause in re.split(r"[;,]\s*", line):
            session.perform(clause.strip())
        found.append(session.shown(shown))
    return found


class Session:
    """One log of segments of one record; settings stay as they are until a line changes them."""

    def __init__(self) -> None:
        self.replay = Replay(
            TieredPartition(
                brokers=1,
                offsets=20,
                clock_ms=604_800_000,
                record_bytes=RECORD,
                segment_bytes=RECORD,
                retention_bytes=1_000_000,
                metadata_records=4,
            )
        )
        self.settings: dict[str, str] = {}
        self.is_deleted = False

    def perform(self, clause: str) -> None:
        """One clause of a line."""
        if found := re.fullmatch(r"append (\d+)( one-record segments)?", clause):
            self.append(int(found[1]))
        elif found := re.fullmatch(r"\+(\d+)ms", clause):
            self.replay.tick(int(found[1]))
        elif found := re.fullmatch(r"highestRemote:=(\d+)", clause):
            self.change(learn_highest_remote_offset, int(found[1]))
        elif found := re.fullmatch(r"updateLogStartOffsetFromRemoteTier\((\d+)\)", clause):
            self.change(raise_log_start, int(found[1]))
        elif clause == "deleteOldSegments":
            first = self.replay.local_segments()[0]
            self.replay.clean()
            self.is_deleted = first not in self.replay.local_segments()
        elif clause != "HW=LEO":  # a broker alone commits what it appends
            self.configure(clause)

    def append(self, count: int) -> None:
        """Append records of one size at the current time."""
        for _ in range(count):
            now = self.replay.state.clock
            self.replay.take("leader_appends_record", leader=0, bytes=RECORD, timestamp=now)

    def change(self, effect: Callable[[Any, int], None], offset: int) -> None:
        """Apply what the remote log manager reports to the log."""
        state = self.replay.state.copy_for("the case")
        effect(state.broker[0], offset)
        self.replay.state = state.frozen_for("the case")

    def configure(self, clause: str) -> None:
        """`enable`, or a setting; `5seg` is the size of five segments."""
        name, equals, value = clause.partition("=")
        if clause != "enable" and not equals:
            raise NotARecording(f"there is no operation {clause!r}")
        name = {"enable": "remote.storage.enable", "copy.disable": "remote.log.copy.disable"}.get(
            name, name
        )
        if value.endswith("seg"):
            value = str(int(value.removesuffix("seg")) * RECORD)
        self.settings[name] = value or "true"
        self.replay.conf(";".join(f"{name}={value}" for name, value in self.settings.items()))

    def shown(self, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """The log, in the words of the recording."""
        log, segments = self.replay.shown(), self.replay.local_segments()
        known = {
            "segs": len(segments),
            "bases": [base for base, _ in segments],
            "deleted": ">0" if self.is_deleted else 0,
            **{name: log[name] for name in ("lso", "llso", "leo")},
        }
        return {name: known[name] for name in recorded}
