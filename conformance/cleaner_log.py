"""A keyed log in the words of `cleaner.jsonl.gz`, and a scope that is large enough for a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tierproof.model.kafka.cleaner_transactions import CleanedTransactions
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    KeyedLog,
    KeyedScope,
    is_control,
    is_marker,
    last_stable_offset,
)
from tierproof.model.kafka.local_segments import segment_end
from tierproof.model.kafka.offset_map import KeyMap
from tierproof.model.kafka.sized_segments import (
    OFFSET_ENTRY_BYTES,
    TIME_ENTRY_BYTES,
    index_entries,
    largest_timestamp,
    segment_bytes,
)
from tierproof.model.language import NONE, State

CONTROL_WORDS = {
    BatchKind.COMMIT: "COMMIT",
    BatchKind.ABORT: "ABORT",
    BatchKind.EMPTY_CONTROL: "EMPTY",
}


class CompactedReplica(State):
    """One replica of a compacted partition, and what its cleaner holds during a round."""

    log: KeyedLog
    read: CleanedTransactions
    map: KeyMap


def scope_for(row: Mapping[str, Any]) -> KeyedScope:
    """A scope large enough for a row."""
    steps: Sequence[Mapping[str, Any]] = row["steps"]
    appends = [step for step in steps if step["op"] == "append"]
    producers = [step for step in steps if step["op"] in ("append", "marker")]
    appended = [step for step in appends if "error" not in step]
    records = [record for step in appended for record in step["records"]]
    offsets = [step["st"][3] for step in steps if "st" in step]
    times = [step[name] for step in steps for name in ("now", "ts") if name in step]
    return KeyedScope(
        offsets=rounded(max([1, *offsets])),
        log_keys=max([int(row["keys"]), *(key + 1 for key, _ in records if key is not None)]),
        log_values=rounded(1 + max([0, *(value for _, value in records if value is not None)])),
        producers=1 + max([0, *(step["pid"] for step in producers)]),
        producer_epochs=rounded(1 + max([0, *(step["epoch"] for step in producers)])),
        sequences=rounded(1 + max([0, *(step["seq"] for step in appends)])),
        milliseconds=rounded(max([START_MS, *times]) + row["config"]["delete.retention.ms"]),
        batch_bytes=rounded(max([LARGEST_MARKER, *(2 * step["bytes"] for step in appended)])),
    )


def rounded(least: int) -> int:
    """The next multiple of 16, or power of two above 128: rows share their layouts."""
    return -(-least // 16) * 16 if least <= 128 else 1 << (least - 1).bit_length()


START_MS = 1000
LARGEST_MARKER = 100
"""Bytes of a marker whose delete horizon is far away, at most."""


def optional(number: int) -> int | None:
    """NONE as the recordings write it."""
    return None if number == NONE else int(number)


def log_offsets(log: KeyedLog) -> list[int]:
    """`st`: log start, high watermark, last stable offset, log end."""
    stable = last_stable_offset(log)
    return [log.log_start_offset, log.high_watermark, stable, log.log_end_offset]


def bases_of(log: KeyedLog) -> list[int]:
    """The base offsets of all segments."""
    return [base for base, starts in enumerate(log.starts_segment) if starts]


def segments_of(log: KeyedLog) -> list[list[int]]:
    """`segs`: base offset and bytes of each segment."""
    bases = bases_of(log)
    sizes = [log.batch[offset].bytes for offset in range(log.log_end_offset)]
    ends = [*bases[1:], log.log_end_offset]
    return [[base, sum(sizes[base:end])] for base, end in zip(bases, ends, strict=True)]


def producers_of(log: KeyedLog) -> dict[str, list[int | None]]:
    """`producers`: those that the log knows, with last data offset and epoch."""
    return {
        str(number): [optional(entry.last_data_offset), entry.epoch]
        for number, entry in enumerate(log.producer)
        if entry.is_known
    }


def whole_log(log: KeyedLog, index_interval_bytes: int) -> list[dict[str, Any]]:
    """`log`: every segment with its batches and records."""
    return [segment_with_batches(log, base, index_interval_bytes) for base in bases_of(log)]


def segment_with_batches(log: KeyedLog, base: int, index_interval_bytes: int) -> dict[str, Any]:
    """One segment of `log`."""
    of_offsets, of_times = index_entries(log, base, index_interval_bytes)
    kinds = ((at, log.batch[at].kind) for at in range(base, segment_end(log, base)))
    batches = [at for at, kind in kinds if kind != BatchKind.ABSENT]
    return {
        "base": base,
        "bytes": segment_bytes(log, base),
        "max_ts": largest_timestamp(log, base),
        "mtime": log.modified_ms[base],
        "idx": of_offsets * OFFSET_ENTRY_BYTES,
        "tidx": of_times * TIME_ENTRY_BYTES,
        "aborted": [aborted_of(log, at) for at in batches if log.batch[at].has_index_entry],
        "batches": [batch_with_records(log, at) for at in batches],
    }


def aborted_of(log: KeyedLog, marker: int) -> list[int]:
    """An entry of the transaction index."""
    batch = log.batch[marker]
    return [batch.producer, batch.transaction_first, marker, batch.index_stable_offset]


def batch_with_records(log: KeyedLog, base: int) -> dict[str, Any]:
    """One batch of `log`."""
    batch = log.batch[base]
    offsets = range(base, batch.last_offset + 1)
    records = [record_at(log, offset) for offset in offsets if log.record[offset].is_there]
    return {
        "base": base,
        "last": batch.last_offset,
        "pid": batch.producer,
        "epoch": batch.epoch,
        "seq": batch.sequence,
        "tx": batch.is_transactional,
        "ctl": CONTROL_WORDS[batch.kind] if is_control(batch.kind) else None,
        "horizon": optional(batch.horizon),
        "max_ts": batch.max_timestamp,
        "bytes": batch.bytes,
        "n": 1 if is_marker(batch.kind) else len(records),
        "records": records,
    }


def record_at(log: KeyedLog, offset: int) -> list[int | None]:
    """One record of a batch."""
    record = log.record[offset]
    return [offset, optional(record.key), optional(record.value), record.timestamp]
