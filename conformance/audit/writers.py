"""Accusations against the brokers that write the topic: their clocks and their versions.

A record's time and its event's time are by the writer's clock, unless the topic has LogAppendTime.
So clocks are compared by the order of records of different brokers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.accusations import of_places
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.tables import KINDS

WEEK_MS = 7 * 86_400_000
"""What brokers did before is over: a clock may be right by now, and a broker gone."""


def among_brokers(history: History, asked: Asked) -> Iterator[pa.Table]:
    """All accusations against writers, one for each place and pair of brokers."""
    if not len(history):
        return
    order = in_topic_order(history)
    yield _clocks(history, order, asked)
    yield _own_times(history, asked)
    yield _versions(history, order)


def in_topic_order(history: History) -> Numbers:
    """The records place by place, each in the order of the topic."""
    order = np.argsort(history.sequence, kind="stable")
    return order[np.argsort(history.place[order], kind="stable")]


def _clocks(history: History, order: Numbers, asked: Asked) -> pa.Table:
    """A record whose time is well before that of another broker's record before it."""
    time, place = history.appended_ms[order], history.place[order].astype(np.int64)
    first = time.min()
    span = int(time.max() - first) + 1
    latest = np.maximum.accumulate(place * span + (time - first)) - place * span + first
    holder = np.maximum.accumulate(np.where(time == latest, np.arange(len(time)), 0))
    is_recent = latest > asked.now_ms - WEEK_MS
    behind = np.flatnonzero((latest - time > asked.skew_ms) & is_recent)
    broker = history.broker[order]
    ahead = broker[holder[behind]]
    differs = ahead != broker[behind]
    behind, ahead = behind[differs], ahead[differs]
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    for n, fast in zip(behind.tolist(), ahead.tolist(), strict=True):
        key = (int(place[n]), fast, int(broker[n]))
        lag = int(latest[n] - time[n])
        found[key] = max(found.get(key, (0, 0)), (lag, int(order[n])))
    words = [
        f"the clock of broker {fast} is ahead of that of broker {slow} by {lag // 1000:,} s or more"
        for (_, fast, slow), (lag, _) in found.items()
    ]
    return _shown(history, "clocks_disagree", found, words)


def _shown(
    history: History,
    name: str,
    found: dict[tuple[int, int, int], tuple[int, int]],
    words: list[str],
) -> pa.Table:
    """Accusations of (place, ..., broker) -> (size, row that shows it)."""
    rows = np.array([row for _, row in found.values()], np.int64)
    return of_places(
        name,
        history,
        np.array([key[0] for key in found], np.int64),
        words,
        broker_id=np.array([key[2] for key in found], np.int64),
        at_ms=history.appended_ms[rows],
        metadata_partition=history.metadata_partition[rows],
        record_offset=history.record_offset[rows],
    )


def _own_times(history: History, asked: Asked) -> pa.Table:
    """Records whose own time and event's time differ: the topic has another clock's times."""
    differs = np.abs(history.appended_ms - history.event_ms)
    differs[(history.event_ms < 0) | (history.appended_ms <= asked.now_ms - WEEK_MS)] = 0
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    for row in np.flatnonzero(differs > asked.skew_ms).tolist():
        broker = int(history.broker[row])
        key = (int(history.place[row]), broker, broker)
        found[key] = max(found.get(key, (0, 0)), (int(differs[row]), row))
    words = [
        f"events of broker {broker} are up to {size // 1000:,} s away from the time of their record"
        for (_, broker, _), (size, _) in found.items()
    ]
    return _shown(history, "clocks_disagree", found, words)


def _versions(history: History, order: Numbers) -> pa.Table:
    """Kinds of records that brokers of one place last wrote in different versions."""
    known = history.version >= 0
    if not known.any() or (history.version[known] == history.version[known][0]).all():
        return of_places("versions_disagree", history, np.empty(0, np.int64), [])
    latest: dict[tuple[int, int], dict[int, int]] = {}
    newest = history.appended_ms.max()
    for row in order[history.appended_ms[order] > newest - WEEK_MS].tolist():
        key = (int(history.place[row]), int(history.kind[row]))
        latest.setdefault(key, {})[int(history.broker[row])] = row
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    words = []
    for (place, kind), rows in latest.items():
        versions = {broker: int(history.version[row]) for broker, row in rows.items()}
        if len(set(versions.values())) > 1:
            oldest = min(versions, key=lambda broker: versions[broker])
            found[place, kind, oldest] = (0, rows[oldest])
            told = ", ".join(f"broker {b} version {v}" for b, v in sorted(versions.items()))
            words.append(f"{KINDS[kind]}: {told}")
    return _shown(history, "versions_disagree", found, words)
