"""The history of a partition, stepped through the model: the lifecycle, and a broker's cache.

The model's domains are small, so that offsets and epochs are numbered anew, in their order, and of
a long history the segments with accusations are stepped, with their neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from tierproof.conformance.audit.history import Numbers
from tierproof.conformance.audit.judging import Judgement
from tierproof.conformance.audit.reading import NotReadable
from tierproof.conformance.cache import CachedSegments
from tierproof.model.kafka.remote_metadata_cache import (
    CacheOutcome,
    apply_record,
    is_referenced,
)
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition
from tierproof.model.kafka.scope import TieredScope

MOST_SEGMENTS = 60
"""The model has room for 62."""


@dataclass(frozen=True)
class Described:
    """A segment in the numbers of the model: its id, offsets, and epochs with their starts."""

    number: int
    name: str
    start: int
    end: int
    lineage: dict[int, int]


@dataclass(frozen=True)
class Replay:
    """A partition as the model sees it: `rows` of the history in order, and their segments."""

    name: str
    rows: list[int]
    segments: dict[int, Described]
    scope: TieredScope
    left_out: int


def replay_of(judgement: Judgement, name: str) -> Replay:
    """The records of `name`, a topic-partition as `topic-3`. Raises NotReadable."""
    place = _place(judgement, name)
    segments, history = judgement.segments, judgement.history
    own = np.flatnonzero((segments.place == place) & (segments.description >= 0))
    chosen = _chosen(judgement, own, place)
    rows = np.concatenate(
        [np.arange(segments.first_row[one], segments.last_row[one] + 1) for one in chosen]
        or [np.empty(0, np.int64)]
    ).astype(np.int64)
    rows = rows[np.argsort(history.sequence[rows], kind="stable")]
    described, scope = _described(judgement, chosen)
    return Replay(name, rows.tolist(), described, scope, len(own) - len(chosen))


def _place(judgement: Judgement, name: str) -> int:
    topic, _, partition = name.rpartition("-")
    places = judgement.history.places
    if not re.fullmatch(r"\d+", partition):
        raise NotReadable(f"--trace takes a topic-partition as topic-3, not {name!r}")
    found = np.flatnonzero((places.topic == topic) & (places.partition == int(partition)))
    if not len(found):
        some = ", ".join(places.name(n) for n in range(min(3, len(places))))
        raise NotReadable(f"no record is of {name}: there is {some or 'none'}")
    return int(found[-1])


def _chosen(judgement: Judgement, own: Numbers, place: int) -> Numbers:
    """All segments of a short history; of a longer one those with accusations, and their like."""
    if len(own) <= MOST_SEGMENTS:
        return own
    segments, history = judgement.segments, judgement.history
    named = pc.unique(judgement.accusations["segment_id"].drop_null()).to_pylist()
    ids = history.segment_ids.take(own).to_pylist()
    is_accused = np.isin(np.array(ids, object), np.array(named, object))
    order = np.argsort(segments.start[own], kind="stable")
    at = np.flatnonzero(is_accused[order])[: MOST_SEGMENTS // 3]
    around = (
        np.unique(np.concatenate([at - 1, at, at + 1])) if len(at) else np.arange(MOST_SEGMENTS)
    )
    around = around[(around >= 0) & (around < len(own))][:MOST_SEGMENTS]
    return own[order][around]


def _described(judgement: Judgement, chosen: Numbers) -> tuple[dict[int, Described], TieredScope]:
    segments, history = judgement.segments, judgement.history
    rows = history.described.take(segments.description[chosen]).to_pylist()
    lineages = [
        dict(zip(row["leader_epochs"] or [], row["epoch_starts"] or [], strict=True))
        for row in rows
    ]
    bounds = {0}
    for row, lineage in zip(rows, lineages, strict=True):
        bounds |= {row["start_offset"], row["end_offset"] + 1, *lineage.values()}
    number = {offset: n for n, offset in enumerate(sorted(bounds))}
    epochs = {e: n for n, e in enumerate(sorted({e for one in lineages for e in one} or {0}))}
    found = {}
    for n, (segment, row, lineage) in enumerate(zip(chosen.tolist(), rows, lineages, strict=True)):
        found[int(segment)] = Described(
            n,
            history.segment_ids[segment].as_py(),
            number[row["start_offset"]],
            number[row["end_offset"] + 1] - 1,
            {epochs[e]: number[start] for e, start in lineage.items()},
        )
    scope = TieredScope(
        offsets=len(number) + 1, leader_epochs=len(epochs), segment_ids=max(1, len(found))
    )
    return found, scope


def trace_of(judgement: Judgement, name: str) -> dict[str, Any]:
    """Each record with what the model says of it, and the accusations that it shows."""
    replay = replay_of(judgement, name)
    accused: dict[tuple[int, int], list[str]] = {}
    for row in judgement.accusations.to_pylist():
        if row["record_offset"] is not None:
            key = (row["metadata_partition"], row["record_offset"])
            accused.setdefault(key, []).append(row["class"])
    return {
        "name": name,
        "left_out": replay.left_out,
        "steps": list(_steps(judgement, replay, accused)),
    }


def _steps(
    judgement: Judgement, replay: Replay, accused: dict[tuple[int, int], list[str]]
) -> Iterator[dict[str, Any]]:
    history = judgement.history
    state = CachedSegments.at_start(replay.scope).copy_for("the recording")
    for one in replay.segments.values():
        mine = state.segment[one.number]
        mine.start_offset, mine.end_offset = one.start, one.end
        for epoch, start in one.lineage.items():
            mine.lineage[epoch] = start
    state.cache.is_initialized = True
    served = dict.fromkeys(replay.segments, False)
    told = dict.fromkeys(replay.segments, int(SegmentState.ABSENT))
    for number, row in enumerate(replay.rows, start=1):
        segment, target = int(history.segment[row]), int(history.state[row])
        one, before = replay.segments[segment], told[segment]
        outcome = apply_record(state.cache, state.segment, one.number, target)
        is_legal = bool(judgement.segments.is_legal[row]) and is_valid_transition(before, target)
        told[segment] = target if is_legal else before
        now = {
            each: any(
                is_referenced(state.cache, epoch, replay.segments[each].number)
                for epoch in replay.segments[each].lineage
            )
            for each in replay.segments
        }
        key = (int(history.metadata_partition[row]), int(history.record_offset[row]))
        yield {
            "number": number,
            "record": f"{key[0]}:{key[1]}",
            "at_ms": int(history.appended_ms[row]),
            "segment_id": one.name,
            "state": SegmentState(target).name,
            "is_legal": is_legal,
            "outcome": CacheOutcome(outcome).name,
            "accused": accused.get(key, []),
            "words": _words(judgement, replay, row, before, is_legal, served, now)
            + "".join(f" [{name}]" for name in accused.get(key, [])),
        }
        served = now


def _words(
    judgement: Judgement,
    replay: Replay,
    row: int,
    before: int,
    is_legal: bool,
    served: dict[int, bool],
    now: dict[int, bool],
) -> str:
    """What a record does, in a line."""
    history, segments = judgement.history, judgement.segments
    segment, state = int(history.segment[row]), SegmentState(int(history.state[row]))
    name = replay.segments[segment].name
    offsets = f"{segments.start[segment]}..{segments.end[segment]}"
    words = f"{name} {offsets} {state.name} of broker {history.broker[row]}"
    if not is_legal:
        found = "nothing" if before == SegmentState.ABSENT else SegmentState(before).name
        return f"{words}: the model says no, as it found {found}; a cache drops it"
    if now[segment] and not served[segment]:
        words += ": serves reads"
    if served[segment] and not now[segment]:
        words += ": serves reads no longer"
    lost = [each for each in now if each != segment and served[each] and not now[each]]
    for each in lost:
        words += f"; takes the place of {replay.segments[each].name}"
    return words
