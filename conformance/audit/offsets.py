"""Accusations on the offset axis of a partition: gaps, overlaps, what no lookup reaches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.accusations import of_places, of_rows
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.groups import highest_so_far
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.lifecycles import is_deleted_topic
from tierproof.conformance.audit.lineages import Lineage, out_of_lineage
from tierproof.conformance.audit.lookups import Reached, reached_of
from tierproof.conformance.audit.overlaps import overlaps
from tierproof.conformance.audit.segments import DELETED, FINISHED, STARTED, Segments


def on_the_axis(
    history: History, segments: Segments, asked: Asked
) -> tuple[list[pa.Table], Reached]:
    """All accusations about offsets, and what lookups reach."""
    reached = reached_of(history, segments)
    strange = out_of_lineage(history, segments, reached)
    is_judged = ~is_deleted_topic(history, asked)
    found = [
        _out_of_lineage(history, segments, strange, is_judged),
        *_unreached(history, segments, reached, strange, asked, is_judged),
        *overlaps(history, segments, reached, strange, asked, is_judged),
        *_gaps(history, segments, reached, strange, asked, is_judged),
    ]
    return found, reached


def _out_of_lineage(
    history: History, segments: Segments, strange: dict[int, Lineage], is_judged: Numbers
) -> pa.Table:
    chosen = [segment for segment in strange if is_judged[segments.place[segment]]]
    words = [f"the newest leader has {_words(strange[segment])}" for segment in chosen]
    rows = segments.row[FINISHED][np.array(chosen, np.int64)]
    return of_rows("out_of_lineage", history, segments, rows, words)


def _words(lineage: Lineage) -> str:
    entries = [f"epoch {epoch} from {start}" for epoch, start in lineage.items()]
    return ", ".join([*entries[:3], *(["..."] if len(entries) > 3 else [])])


def _unreached(
    history: History,
    segments: Segments,
    reached: Reached,
    strange: dict[int, Lineage],
    asked: Asked,
    is_judged: Numbers,
) -> Iterator[pa.Table]:
    """Live segments in the lineage that serve nothing; young ones may be replaced just now."""
    rows = segments.row[FINISHED]
    chosen = segments.is_live & ~reached.is_reached & is_judged[segments.place]
    chosen &= (segments.description >= 0) & _has_stretch(segments, reached)
    chosen[list(strange)] = False
    chosen &= history.appended_ms[rows] < asked.oldest_young_ms
    for name, some in (
        ("unreachable", chosen & reached.is_listed),
        ("listed_nowhere", chosen & ~reached.is_listed),
    ):
        which = np.flatnonzero(some)
        words = [_replaced(history, segments, reached, segment) for segment in which.tolist()]
        yield of_rows(name, history, segments, rows[which], words)


def _has_stretch(segments: Segments, reached: Reached) -> Numbers:
    found = np.zeros(len(segments), bool)
    found[reached.stretches.segment] = True
    return found


def _replaced(history: History, segments: Segments, reached: Reached, segment: int) -> str:
    other = reached.replaced_by.get(segment)
    if other is None:
        return "other segments have taken its place"
    name = history.segment_ids[other].as_py()
    is_gone = "" if segments.state[other] == FINISHED else ", which is no longer live"
    return f"{name}, {segments.start[other]} to {segments.end[other]}, took its place{is_gone}"


# -- gaps


def _gaps(
    history: History,
    segments: Segments,
    reached: Reached,
    strange: dict[int, Lineage],
    asked: Asked,
    is_judged: Numbers,
) -> Iterator[pa.Table]:
    """Ranges that are served before and behind, and not themselves."""
    stretches = reached.stretches
    serves = (reached.served_last >= stretches.start) & is_judged[stretches.place]
    serves &= ~np.isin(stretches.segment, list(strange))
    rows = np.flatnonzero(serves)
    rows = rows[np.lexsort((stretches.start[rows], stretches.place[rows]))]
    place, start = stretches.place[rows], stretches.start[rows]
    reach, is_new = highest_so_far(place, reached.served_last[rows])
    after = np.flatnonzero(~is_new & (start > np.append(-1, reach[:-1] + 1)))
    finished = segments.row[FINISHED][stretches.segment[rows]]
    is_old = history.appended_ms[finished[after]] < asked.oldest_young_ms
    after = after[is_old]
    from_offsets, to_offsets = reach[after - 1] + 1, start[after] - 1
    keep = _may_be_read(history, place[after], from_offsets, to_offsets, asked)
    after, from_offsets, to_offsets = after[keep], from_offsets[keep], to_offsets[keep]
    words, is_moving = _why(history, segments, place[after], from_offsets, to_offsets, asked)
    after, from_offsets, to_offsets = (
        after[~is_moving],
        from_offsets[~is_moving],
        to_offsets[~is_moving],
    )
    words = [one for one, moves in zip(words, is_moving, strict=True) if not moves]
    yield of_places(
        "gap",
        history,
        place[after],
        words,
        start_offset=from_offsets,
        end_offset=to_offsets,
        at_ms=history.appended_ms[finished[after]],
    )
    yield from _at_the_ends(history, asked, place, start, reach, is_new, is_judged)


def _at_the_ends(
    history: History,
    asked: Asked,
    place: Numbers,
    start: Numbers,
    reach: Numbers,
    is_new: Numbers,
    is_judged: Numbers,
) -> Iterator[pa.Table]:
    """Ranges that neither tier has, before the first remote offset and behind the last."""
    if not asked.local_log_starts:
        return
    is_last = np.append(is_new[1:], True) if len(place) else np.empty(0, bool)
    first = dict(zip(place[is_new].tolist(), start[is_new].tolist(), strict=True))
    last = dict(zip(place[is_last].tolist(), reach[is_last].tolist(), strict=True))
    before, behind = [], []
    for number in np.flatnonzero(is_judged).tolist():
        key = _key(history, number)
        log, local = asked.log_starts.get(key), asked.local_log_starts.get(key)
        if local is None:
            continue
        begins = min(first.get(number, local), local)
        if log is not None and log < begins:
            before.append((number, log, begins - 1))
        if number in last and local > max(last[number] + 1, log or 0):
            behind.append((number, max(last[number] + 1, log or 0), local - 1))
    for name, ranges, words in (
        ("gap", before, "the log start promises it, and no segment begins there"),
        ("gap_to_local_log", behind, "neither tier has it"),
    ):
        places, starts, ends = (np.array([r[n] for r in ranges], np.int64) for n in range(3))
        detail = [words] * len(ranges)
        yield of_places(name, history, places, detail, start_offset=starts, end_offset=ends)


def _may_be_read(
    history: History, places: Numbers, starts: Numbers, ends: Numbers, asked: Asked
) -> Numbers:
    """Of each range whether a consumer may ask for it: above the log start, and not local."""
    log, local = asked.log_starts, asked.local_log_starts
    keep = np.ones(len(places), bool)
    if not log and not local:
        return keep
    for n, (place, start, end) in enumerate(zip(places.tolist(), starts, ends, strict=True)):
        key = _key(history, place)
        keep[n] = end >= log.get(key, 0) and start < local.get(key, int(end) + 1)
    return keep


def _key(history: History, place: int) -> tuple[str, int]:
    return str(history.places.topic[place]), int(history.places.partition[place])


def _why(
    history: History,
    segments: Segments,
    places: Numbers,
    starts: Numbers,
    ends: Numbers,
    asked: Asked,
) -> tuple[list[str], Numbers]:
    """What the records say of each range; and whether a young record is about it."""
    is_moving = np.zeros(len(places), bool)
    order = np.lexsort((segments.start, segments.place))
    by_place, words = segments.place[order], []
    lows = np.searchsorted(by_place, places.astype(by_place.dtype), "left").tolist()
    highs = np.searchsorted(by_place, places.astype(by_place.dtype), "right").tolist()
    ranges = zip(lows, highs, starts.tolist(), ends.tolist(), strict=True)
    for n, (low, high, start, end) in enumerate(ranges):
        own = order[low:high]
        own = own[(segments.start[own] <= end) & (segments.end[own] >= start)]
        latest = history.appended_ms[segments.last_row[own]].max(initial=0)
        is_moving[n] = latest >= asked.oldest_young_ms
        words.append(_words_of(set(segments.state[own].tolist())))
    return words, is_moving


def _words_of(states: set[int]) -> str:
    """Why a range is served by no segment, by the states of those that have its offsets."""
    if FINISHED in states:
        return "a finished segment has it, and lookups do not find it there"
    if DELETED in states:
        return "segments that had it were deleted, and earlier ones were not"
    if STARTED in states:
        return "its copy began and did not finish"
    return "its deletion has begun" if states else "no record ever named it"
