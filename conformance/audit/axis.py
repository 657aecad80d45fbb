"""What a picture of a partition shows: its segments on the offset axis, and what is wrong there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.compute as pc

from tierproof.conformance.audit.classes import BY_NAME, Severity
from tierproof.conformance.audit.judging import Judgement
from tierproof.conformance.audit.segments import DELETED, FINISHED, STARTED
from tierproof.model.kafka.remote_segment import SegmentState

MOST_PICTURES = 12
MOST_SEGMENTS = 120
"""Of one picture: those with accusations, and their neighbours."""


def pictures_of(judgement: Judgement) -> list[dict[str, Any]]:
    """The partitions with the most accusations, at most MOST_PICTURES."""
    accusations = judgement.accusations
    notes = [one.name for one in BY_NAME.values() if one.severity == Severity.NOTE]
    kept = [one not in notes for one in accusations["class"].to_pylist()]
    accusations = accusations.filter(kept) if kept else accusations
    keys = ["topic", "topic_id", "partition"]
    counted = accusations.group_by(keys).aggregate([([], "count_all")])
    rows = sorted(counted.to_pylist(), key=lambda one: (-one["count_all"], str(one["topic"])))
    places = judgement.history.places
    number = {
        (places.topic_id[n], int(places.partition[n])): n for n in range(len(places.partition))
    }
    found = []
    for row in rows[:MOST_PICTURES]:
        mine = accusations.filter(
            pc.and_(
                pc.equal(accusations["topic_id"], row["topic_id"]),
                pc.equal(accusations["partition"], row["partition"]),
            )
        ).to_pylist()
        place = number.get((row["topic_id"], row["partition"]))
        found.append(_picture(judgement, place, row, mine))
    return found


def _picture(
    judgement: Judgement, place: int | None, row: dict[str, Any], mine: list[dict[str, Any]]
) -> dict[str, Any]:
    classes: dict[str, list[str]] = {}
    for one in mine:
        if one["segment_id"] is not None and one["class"] not in classes.get(one["segment_id"], []):
            classes.setdefault(one["segment_id"], []).append(one["class"])
    chosen, left_out = ([], 0) if place is None else _chosen(judgement, place, set(classes))
    segments = [_segment(judgement, int(one), classes) for one in chosen]
    known = {one["segment_id"] for one in segments}
    strays = [
        {"start": one["start_offset"], "key": one["object_key"], "class": one["class"]}
        for one in mine
        if one["object_key"] and one["start_offset"] is not None and one["segment_id"] not in known
    ]
    ranges = [
        {"start": one["start_offset"], "end": one["end_offset"], "class": one["class"]}
        for one in mine
        if one["segment_id"] is None and one["end_offset"] is not None
    ]
    return {
        "topic": row["topic"],
        "topic_id": row["topic_id"],
        "partition": row["partition"],
        "accusations": len(mine),
        "segments": segments,
        "ranges": ranges[:MOST_SEGMENTS],
        "strays": _first_of_each(strays)[:MOST_SEGMENTS],
        "left_out": left_out,
    }


def _first_of_each(strays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: dict[tuple[Any, str], dict[str, Any]] = {}
    for one in strays:
        found.setdefault((one["start"], one["class"]), one)
    return list(found.values())


def _chosen(judgement: Judgement, place: int, accused: set[str]) -> tuple[Any, int]:
    """The accused segments and what lies around them, in the order of offsets."""
    segments, ids = judgement.segments, judgement.history.segment_ids
    own = np.flatnonzero((segments.place == place) & (segments.start >= 0))
    own = own[np.lexsort((segments.first_row[own], segments.start[own]))]
    is_accused = np.array([ids[int(one)].as_py() in accused for one in own], bool)
    shown = is_accused | (segments.state[own] != DELETED)
    own, is_accused = own[shown], is_accused[shown]
    if len(own) <= MOST_SEGMENTS:
        return own, 0
    at = np.flatnonzero(is_accused)
    distance = np.abs(np.arange(len(own))[:, None] - at[:MOST_SEGMENTS][None, :]).min(axis=1)
    kept = np.sort(np.argsort(distance, kind="stable")[:MOST_SEGMENTS])
    return own[kept], len(own) - MOST_SEGMENTS


def _segment(judgement: Judgement, one: int, classes: dict[str, list[str]]) -> dict[str, Any]:
    segments, history = judgement.segments, judgement.history
    name = history.segment_ids[one].as_py()
    state = int(segments.state[one])
    begun = int(segments.row[STARTED][one])
    return {
        "segment_id": name,
        "start": int(segments.start[one]),
        "end": int(segments.end[one]),
        "bytes": int(segments.bytes[one]),
        "state": SegmentState(state).name,
        "is_reached": bool(judgement.reached.is_reached[one]) and state == FINISHED,
        "broker": int(history.broker[segments.last_row[one]]),
        "at_ms": int(history.appended_ms[begun if begun >= 0 else segments.first_row[one]]),
        "classes": classes.get(name, []),
    }
