"""A partition's offset axis: its segments in lanes, what overlaps, gaps, and stray objects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from tierproof.diagrams.palette import SANS

WIDTH = 1100
LANE = 30
BOX = 22
LEFT = 12
TOP = 26
LEAST_STEP = 15
"""Pixels of a step between two bounds; the axis is wider than WIDTH if there are many."""

STATE_STYLES = {
    "COPY_SEGMENT_STARTED": "begun",
    "COPY_SEGMENT_FINISHED": "done",
    "DELETE_SEGMENT_STARTED": "ending",
    "DELETE_SEGMENT_FINISHED": "gone",
}

AUDIT_CSS = f"""
.tp-audit {{ display: block; margin: 0; }}
.tp-audit text {{ font-family: {SANS}; font-size: 11px; fill: var(--faint); }}
.tp-audit .done rect {{ fill: var(--good-soft); stroke: var(--good); }}
.tp-audit .begun rect {{ fill: var(--accent-soft); stroke: var(--accent); stroke-dasharray: 4 2; }}
.tp-audit .ending rect {{ fill: var(--open-soft); stroke: var(--open); stroke-dasharray: 5 2; }}
.tp-audit .gone rect {{ fill: var(--paper); stroke: var(--line); stroke-dasharray: 3 3; }}
.tp-audit .twice rect {{ fill: var(--open-soft); stroke: var(--open); stroke-width: 2; }}
.tp-audit .hidden rect {{ fill: var(--fault-soft); stroke: var(--fault); stroke-width: 2; }}
.tp-audit .wrong rect {{ fill: var(--bad-soft); stroke: var(--bad); stroke-width: 2; }}
.tp-audit .gap {{ fill: var(--bad-soft); stroke: var(--bad); stroke-dasharray: 4 3; }}
.tp-audit text.gap-words {{
  fill: var(--bad); stroke: none; font-weight: 600; text-anchor: middle;
}}
.tp-audit .stray {{ fill: var(--fault); stroke: var(--paper); }}
.tp-audit .axis {{ stroke: var(--line); }}
.tp-audit .tick {{ stroke: var(--faint); }}
.legend {{
  display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 10px 0; list-style: none;
  font-size: 13.5px; color: var(--faint);
}}
.legend svg {{ vertical-align: -4px; margin-right: 6px; }}
.loss {{ color: var(--bad); background: var(--bad-soft); }}
.stall, .cost {{ color: var(--open); background: var(--open-soft); }}
.note {{ color: var(--faint); background: var(--surface); }}
"""

HIDDEN = {"unreachable", "listed_nowhere", "out_of_lineage"}
TWICE = {"overlap"}


def axis_as_svg(picture: Mapping[str, Any], number: int) -> str:
    """The picture of a partition; `number` keeps its ids apart from those of others on a page."""
    segments, ranges, strays = picture["segments"], picture["ranges"], picture["strays"]
    places, width = _places(segments, ranges, strays)
    lanes = _lanes(segments)
    count = max(lanes, default=0) + 1
    bottom = TOP + count * LANE
    height = bottom + 30 + (18 if strays else 0)
    parts = [
        f'<svg class="tp-audit" xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="'
        f'{escape(picture["topic"] or "objects")}-{picture["partition"]}: offsets of its segments">'
    ]
    parts += [_gap(one, places, bottom) for one in ranges]
    parts += [_box(one, lane, places) for one, lane in zip(segments, lanes, strict=True)]
    parts += [_stray(one, places, bottom + 30) for one in strays]
    parts.append(f'<path class="axis" d="M{LEFT} {bottom}H{width - LEFT}"/>')
    parts += _ticks(places, bottom, width)
    return "\n".join([*parts, "</svg>"])


def style_of(segment: Mapping[str, Any]) -> str:
    """The style of a segment's box: what is wrong with it, else its state."""
    classes = set(segment["classes"])
    if classes & HIDDEN:
        return "hidden"
    if classes & TWICE:
        return "twice"
    if classes and segment["state"] == "COPY_SEGMENT_FINISHED":
        return "wrong"
    return STATE_STYLES.get(segment["state"], "gone")


def _places(
    segments: Sequence[Mapping[str, Any]],
    ranges: Sequence[Mapping[str, Any]],
    strays: Sequence[Mapping[str, Any]],
) -> tuple[dict[int, float], int]:
    """The x of each bound (starts and exclusive ends), and the width.

    Steps grow with the logarithm of their offsets, so that a long gap leaves room for segments.
    """
    bounds = {one["start"] for one in [*segments, *ranges, *strays]}
    bounds |= {one["end"] + 1 for one in [*segments, *ranges]}
    ordered = sorted(bounds)
    steps = [math.log2(1 + after - before) for before, after in pairwise(ordered)]
    width = max(WIDTH, LEAST_STEP * len(steps) + 2 * LEFT)
    room, total = width - 2 * LEFT, sum(steps) or 1.0
    places, x = {}, float(LEFT)
    for bound, step in zip(ordered, [*steps, 0.0][: len(ordered)], strict=True):
        places[bound] = round(x, 1)
        x += room * step / total
    return places, width


def _lanes(segments: Sequence[Mapping[str, Any]]) -> list[int]:
    """The lane of each segment: the first one that is free from its start on."""
    ends: list[int] = []
    found = []
    for one in segments:
        lane = next((n for n, end in enumerate(ends) if end < one["start"]), len(ends))
        if lane == len(ends):
            ends.append(one["end"])
        ends[lane] = one["end"]
        found.append(lane)
    return found


def _box(segment: Mapping[str, Any], lane: int, places: Mapping[int, float]) -> str:
    x, end = places[segment["start"]], places[segment["end"] + 1]
    words = (
        f"{segment['segment_id']}: {segment['start']:,} to {segment['end']:,}, {segment['state']}, "
        f"broker {segment['broker']}"
    )
    words += f" - {', '.join(segment['classes'])}" if segment["classes"] else ""
    return (
        f'<g class="{style_of(segment)}"><title>{escape(words)}</title>'
        f'<rect x="{x + 1:.1f}" y="{TOP + lane * LANE}" width="{max(2.0, end - x - 2):.1f}" '
        f'height="{BOX}" rx="3"/></g>'
    )


def _gap(one: Mapping[str, Any], places: Mapping[int, float], bottom: int) -> str:
    x, end = places[one["start"]], places[one["end"] + 1]
    count = one["end"] - one["start"] + 1
    label = f"{count:,} offsets" if end - x > 80 else "gap" if end - x > 26 else ""
    return (
        f"<g><title>{escape(one['class'])}: {one['start']:,} to {one['end']:,}</title>"
        f'<rect class="gap" x="{x:.1f}" y="{TOP - 6}" width="{max(3.0, end - x):.1f}" '
        f'height="{bottom - TOP + 2}"/>'
        f'<text class="gap-words" x="{(x + end) / 2:.1f}" y="{TOP - 11}">{label}</text></g>'
    )


def _stray(one: Mapping[str, Any], places: Mapping[int, float], y: int) -> str:
    x = places[one["start"]] + 6
    return (
        f"<g><title>{escape(one['class'])}: {escape(one['key'])}</title>"
        f'<path class="stray" d="M{x:.1f} {y - 7}l7 7l-7 7l-7 -7z"/></g>'
    )


def _ticks(places: Mapping[int, float], bottom: int, width: int) -> list[str]:
    """Offsets below the axis, as many as there is room for."""
    found, free = [], -1.0
    for bound, x in places.items():
        label = f"{bound:,}"
        half = 3.4 * len(label)
        found.append(f'<path class="tick" d="M{x} {bottom}v4"/>')
        left = min(max(2.0, x - half), width - 2 - 2 * half)
        if left > free:
            found.append(f'<text x="{left:.1f}" y="{bottom + 16}">{label}</text>')
            free = left + 2 * half + 8
    return found
