"""`cleaner.jsonl.gz`: histories of one compacted partition, with the log after every pass.

A row is replayed from its steps, and from when its log rolled (`segs`). A step that the leader
refuses has an `error`, and changes nothing. Compared after every step are the offsets, the
segments and the answer; after a round all that the cleaner decided, and the log down to its
records. The counters `read`, `written` and `no_key` are not compared, nor is `ratio`, a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tierproof.conformance.cleaner_log import (
    START_MS,
    CompactedReplica,
    log_offsets,
    producers_of,
    scope_for,
    segments_of,
)
from tierproof.conformance.cleaner_passes import CleanerSettings, Round, values_read
from tierproof.conformance.cleaner_producers import Producers
from tierproof.conformance.producer_words import EXCEPTIONS
from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import NotARecording, Row
from tierproof.model.kafka.batch_size import batch_bytes
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    append_marker,
    append_record,
    end_batch,
    forget_producers,
    raise_start,
    roll_at,
    set_producer,
)
from tierproof.model.kafka.keyed_retention import (
    Reason,
    count_segments,
    deletable_end,
    delete_before,
)
from tierproof.model.kafka.producer_validation import AppendAnswer
from tierproof.model.kafka.sized_segments import active_base
from tierproof.model.language import NONE, TierproofError

Step = Mapping[str, Any]
Answer = dict[str, Any]


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file."""
    return read_rows(
        content,
        lambda number, row: row_for(f"row {number} (seed {row['seed']}, {row['kind']})", row),
    )


def row_for(name: str, row: Mapping[str, Any]) -> Row:
    """One history, cut at its first disagreement."""
    replay, done = Replay(row), []
    for number, step in enumerate(row["steps"], start=1):
        done.append(step["op"])
        modelled = replay.answer_to(step)
        recorded = {field: step[field] for field in modelled if field in step}
        recorded.setdefault("error", None)
        if modelled != recorded:
            at = f"step {number}: {step['op']}"
            return Row(name, done, *first_difference(recorded, modelled), at)
    if not replay.watches_values:
        return Row(name, done, None, None)
    return Row(name, done, row["revives"], replay.revived, "revives")


BESIDE_THE_LOG = ("tick", "checkpoint", "clean")
"""Operations that are recorded without `segs`: two do not touch the log, a round shows it whole."""

MISSING = "nothing"
"""The recorded value of a field that a recording lacks."""


def number_of(part: Any) -> int:
    """A key or a value; null is NONE."""
    return NONE if part is None else int(part)


def first_difference(recorded: Answer, modelled: Answer) -> tuple[Any, Any]:
    """The first field in which the answers differ; of the log, the innermost one."""
    for field, ours in modelled.items():
        theirs = recorded.get(field, MISSING)
        if ours != theirs:
            place, *both = innermost(field, theirs, ours)
            return {place: both[0]}, {place: both[1]}
    return recorded, modelled


def innermost(place: str, theirs: Any, ours: Any) -> tuple[str, Any, Any]:
    """Where two values first differ: `log[1].batches[0].horizon`, and both there."""
    if isinstance(theirs, dict) and isinstance(ours, dict) and theirs.keys() == ours.keys():
        name = next(name for name in ours if theirs[name] != ours[name])
        return innermost(f"{place}.{name}", theirs[name], ours[name])
    is_log = isinstance(theirs, list) and isinstance(ours, list) and "log" in place
    if is_log and len(theirs) == len(ours) and isinstance(ours[0], (dict, list)):
        at = next(at for at in range(len(ours)) if theirs[at] != ours[at])
        return innermost(f"{place}[{at}]", theirs[at], ours[at])
    return place, theirs, ours


class Replay:
    """A partition that follows a recording; `revived` are the clocks of passes that revive."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.settings = CleanerSettings(row)
        scope = scope_for(row)
        self.replica: CompactedReplica = CompactedReplica.at_start(scope).copy_for("the recording")
        self.log = self.replica.log
        self.is_automatic = row["hw_mode"] == "auto"
        self.expiration_ms = int(row["producer_id_expiration_ms"])
        self.watches_values = "revives" in row
        self.now, self.checkpoint = START_MS, NONE
        self.revived: list[int] = []
        self.producers = Producers(scope)
        roll_at(self.log, self.now)

    def answer_to(self, step: Step) -> Answer:
        """The model's answer to a step, with the offsets and the segments after it."""
        verb = _VERBS.get(step["op"])
        if verb is None:
            raise NotARecording(f"there is no operation {step['op']!r}")
        try:
            answer = {"error": None, **verb(self, step)}
            if step["op"] not in BESIDE_THE_LOG:
                answer |= {"st": log_offsets(self.log), "segs": segments_of(self.log)}
        except (TierproofError, IndexError) as error:
            return {"error": None, "st": f"the model cannot: {str(error).splitlines()[0]}"}
        return answer

    def append(self, step: Step) -> Answer:
        """One batch of the leader, unless it refuses; after a roll if the recording has one."""
        answer = self.producers.answer_to_batch(step)
        if answer != AppendAnswer.APPENDED:
            return _refusal(answer)
        self._roll_as(step)
        base = self.log.log_end_offset
        for key, value in step["records"]:
            append_record(self.log, number_of(key), number_of(value), step["ts"])
        end_batch(self.log, base, step["ts"], 0)
        self.log.batch[base].bytes = batch_bytes(self.log, base)
        if step["pid"] != NONE:
            set_producer(self.log, base, step["pid"], step["epoch"], step["seq"], step["tx"])
            self.producers.remember(step, base, self.log.batch[base].last_offset)
        return self._appended(base)

    def marker(self, step: Step) -> Answer:
        """The end of a transaction."""
        answer = self.producers.answer_to_marker(step)
        if answer != AppendAnswer.APPENDED:
            return _refusal(answer)
        self._roll_as(step)
        base = self.log.log_end_offset
        kind = BatchKind[step["type"]]
        append_marker(self.log, kind, step["pid"], step["epoch"], step["ts"], 0)
        self.producers.remember(step, base, base)
        self.log.batch[base].bytes = batch_bytes(self.log, base)
        return self._appended(base)

    def _appended(self, base: int) -> Answer:
        """The high watermark follows, if it does by itself; the file is modified."""
        self.log.modified_ms[active_base(self.log)] = self.now
        if self.is_automatic:
            self.log.high_watermark = self.log.log_end_offset
        batch = self.log.batch[base]
        return {"at": [base, batch.last_offset], "bytes": batch.bytes}

    def _roll_as(self, step: Step) -> None:
        """When a log rolls is taken from the recording."""
        base = step["segs"][-1][0]
        if base == self.log.log_end_offset and not self.log.starts_segment[base]:
            roll_at(self.log, self.now)

    def roll(self, step: Step) -> Answer:
        """UnifiedLog#roll."""
        roll_at(self.log, self.now)
        return {}

    def tick(self, step: Step) -> Answer:
        """Time passes."""
        self.now += step["ms"]
        return {"now": self.now}

    def high_watermark(self, step: Step) -> Answer:
        """The high watermark moves."""
        self.log.high_watermark = step["offset"]
        return {}

    def start(self, step: Step) -> Answer:
        """DeleteRecords."""
        if step["offset"] > self.log.high_watermark:
            return {"error": "OffsetOutOfRangeException"}
        moves = step["offset"] > self.log.log_start_offset
        raise_start(self.log, step["offset"])
        return {"moved": moves}

    def expire(self, step: Step) -> Answer:
        """Producers are forgotten."""
        forget_producers(self.log, self.now, self.expiration_ms)
        self.producers.expire(self.now, self.expiration_ms)
        return {"producers": producers_of(self.log)}

    def configure(self, step: Step) -> Answer:
        """cleanup.policy changes."""
        self.settings.policy = step["cleanup.policy"]
        return {}

    def set_checkpoint(self, step: Step) -> Answer:
        """The cleaner checkpoint is another, or lost."""
        self.checkpoint = NONE if step["offset"] is None else step["offset"]
        return {}

    def delete(self, step: Step) -> Answer:
        """deleteOldSegments, if the policy contains compact."""
        deleted = 0
        limits = {Reason.LOG_START: NONE}
        if "delete" in self.settings.policies:
            limits[Reason.SIZE] = self.settings.retention_bytes
            limits[Reason.TIME] = self.settings.retention_ms
        if "compact" not in self.settings.policies:
            limits = {}
        for reason, limit in limits.items():
            end = deletable_end(self.log, reason, limit, self.now)
            deleted += count_segments(self.log, end)
            if end > 0:
                if not self.log.starts_segment[end]:
                    roll_at(self.log, self.now)
                delete_before(self.log, end)
        return {"deleted": deleted}

    def clean(self, step: Step) -> Answer:
        """One cleaner round."""
        before = values_read(self.replica) if self.watches_values else []
        round = Round(self.replica, self.settings, self.checkpoint, self.now)
        self.checkpoint = round.run()
        after = values_read(self.replica) if self.watches_values else []
        if any(old == NONE != new for old, new in zip(before, after, strict=True)):
            self.revived.append(self.now)
        return round.answer


def _refusal(answer: AppendAnswer) -> Answer:
    """The leader's answer to a batch that it does not append; no recording has a duplicate."""
    if answer == AppendAnswer.DUPLICATE:
        return {"at": "taken as a duplicate"}
    return {"error": EXCEPTIONS[answer]}


_VERBS: dict[str, Callable[[Replay, Step], Answer]] = {
    "append": Replay.append,
    "marker": Replay.marker,
    "roll": Replay.roll,
    "tick": Replay.tick,
    "hw": Replay.high_watermark,
    "start": Replay.start,
    "expire": Replay.expire,
    "conf": Replay.configure,
    "checkpoint": Replay.set_checkpoint,
    "delete": Replay.delete,
    "clean": Replay.clean,
}
