"""Cases of the expiration task: deleted segments, measured sizes, the new log start offset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tierproof.conformance.case_partition import Copied, objects_of, partition_with
from tierproof.conformance.lineage import entries_of
from tierproof.conformance.replaying import Replay
from tierproof.model.kafka.expiration_task import surplus_bytes
from tierproof.model.kafka.local_segments import only_local_bytes

NOW = 1_000
ALL_EXPIRED = "retention.ms=0"
EXPIRED = NOW - 1
"""The time of records in cases that name none; ALL_EXPIRED lets them expire."""


def size_data(given: Mapping[str, Any]) -> dict[str, int | None]:
    """build_retention_size_data: null where nothing is above retention.bytes.

    Segments of `finished_total` beyond `valid_remote` have an epoch unknown to the leader.
    """
    total = int(given["finished_total"])
    valid = int(given.get("valid_remote", total))
    segments = [Copied(0, 0, valid), Copied(1, 1, total - valid, lineage={1: 1})]
    replay = partition_with(
        segments,
        settings=f"retention.bytes={given['retention']}",
        only_local_bytes=int(given["only_local"]),
    )
    state = replay.state.copy_for("the case")
    state.broker[0].highest_remote_offset = 1
    local = only_local_bytes(state.broker[0])
    return {"remaining_breached_size": surplus_bytes(state.broker[0], state.segment, local) or None}


def cleanup(given: Mapping[str, Any]) -> dict[str, Any]:
    """cleanup_expired: the runs of the expiration task in the case."""
    if "rsm_delete" in given:
        return failing(given)
    if "cancel" in given:
        return cancelled(given)
    if "segment" in given:
        return being_copied()
    if "max_ts" in given:
        segments = [Copied(0, 99, max_timestamp=NOW)]
        replay = partition_with(segments, settings=f"retention.ms={given['retention_ms']}", now=NOW)
        replay.expire()
        return {"deleted": deleted_of(replay, len(segments))}
    if "listed_order" in given:
        return overlapping(given)
    return retention(given)


def retention(given: Mapping[str, Any]) -> dict[str, Any]:
    """Many consecutive segments, of which the first breach retention by time or size."""
    count, records = int(given["segments"]), int(given["records_per_segment"])
    old = int(given.get("expired_first_n(max_ts=now-2)", 0))
    segments = [
        Copied(
            number * records,
            (number + 1) * records - 1,
            int(given["segment_size"]),
            NOW - 2 if number < old else NOW,
        )
        for number in range(count)
    ]
    replay = partition_with(
        segments,
        settings=f"retention.bytes={given['retention_bytes']};retention.ms={given['retention_ms']}",
        lineage=entries_of(given["leader_epochs"]),
        only_local_bytes=int(given["only_local_size"]),
        now=NOW,
    )
    return outcome(replay, count)


def overlapping(given: Mapping[str, Any]) -> dict[str, Any]:
    """Segments that overlap: published by end, as a leader after another one copies them."""
    spans = sorted(given["listed_order"], key=lambda span: int(span[1]))
    segments = [Copied(start, end, max_timestamp=EXPIRED) for start, end in spans]
    return outcome(partition_with(segments, settings=ALL_EXPIRED, now=NOW), len(segments))


def outcome(replay: Replay, count: int) -> dict[str, Any]:
    """A run: how many objects it deleted, and the log start if it moved."""
    before = replay.replica.log_start_offset
    replay.expire()
    after = replay.replica.log_start_offset
    return {
        "deleted": deleted_of(replay, count),
        "new_log_start_offset": None if after == before else int(after),
    }


def deleted_of(replay: Replay, count: int) -> int:
    """How many objects of `count` are gone."""
    return count - len(objects_of(replay))


def expired_spans(given: Mapping[str, Any]) -> Replay:
    """The segments of a case, all of them too old."""
    segments = [Copied(start, end, max_timestamp=EXPIRED) for start, end in given["segments"]]
    return partition_with(segments, settings=ALL_EXPIRED, now=NOW)


def failing(given: Mapping[str, Any]) -> dict[str, Any]:
    """A run in which the store refuses, then a second run in which it accepts."""
    replay = expired_spans(given)
    replay.fail_deletes("1")
    thrown = replay.expire()
    (first,) = replay.remote_segments() or [None]
    found = {
        "throws": thrown,
        "log_start_offset": int(replay.replica.log_start_offset),
        "state_after": first[2] if first else None,
    }
    replay.fail_deletes("0")
    replay.expire()
    return {**found, "next_run": "leaves it" if objects_of(replay) else "retries deletion"}


def cancelled(given: Mapping[str, Any]) -> dict[str, Any]:
    """The task is cancelled after its first publication; the next leader's task continues."""
    replay = expired_spans(given)
    before = objects_of(replay)
    replay.take("expiration_task_plans_retention", broker=0)
    replay.take("expiration_task_raises_log_start", broker=0)
    replay.publish("expiration_publishes_delete_started", broker=0)
    replay.take("broker_cancels_tasks", broker=0)
    replay.take("expiration_deletes_object", broker=0)
    replay.publish("expiration_publishes_delete_finished", broker=0)
    replay.take("cancelled_expiration_ends", broker=0)
    log_start, between = int(replay.replica.log_start_offset), objects_of(replay)
    replay.elect()
    replay.expire()
    after = objects_of(replay)
    return {
        "log_start_offset": log_start,
        "deleted": [span for span in before if span not in between],
        "new_leader_deletes": [span for span in between if span not in after],
    }


def being_copied() -> dict[str, Any]:
    """The broker copies the first of two expired segments."""
    segments = [Copied(start, start, max_timestamp=EXPIRED) for start in range(2)]
    replay = partition_with(segments, settings=ALL_EXPIRED, now=NOW)
    state = replay.state.copy_for("the case")
    state.broker[0].copying = {0}
    replay.state = state.frozen_for("the case")
    replay.expire()
    deleted = deleted_of(replay, len(segments))
    is_rest_kept = [1, 1] in objects_of(replay)
    return {"deleted": deleted, "and stops processing the rest": is_rest_kept}
