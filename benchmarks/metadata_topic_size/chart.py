"""A line chart with a logarithmic axis, drawn by hand: the same lines give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 90, 130, 50, 50
COLOURS = ("#b3422f", "#2b6cb0", "#2f855a")
LOWEST, HIGHEST = 3, 6.5
"""Powers of ten at the ends of the axis."""


def _x(day: int, days: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * day / max(1, days - 1)


def _y(value: int) -> float:
    power = math.log10(max(value, 10**LOWEST))
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (power - LOWEST) / (HIGHEST - LOWEST)


def _text(x: float, y: float, words: str, anchor: str = "start", colour: str = "#718096") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def _grid() -> list[str]:
    parts = []
    for power, words in ((3, "1,000"), (4, "10,000"), (5, "100,000"), (6, "1,000,000")):
        y = _y(10**power)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#a0aec0" '
            'stroke-opacity="0.4"/>'
        )
        parts.append(_text(LEFT - 8, y + 4, words, "end"))
    return parts


def draw(lines: Mapping[str, Sequence[int]]) -> str:
    """The chart of each line's values day by day."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        _text(LEFT, 24, "Records that a broker reads to begin, by day of the year (log scale)"),
        *_grid(),
    ]
    for colour, (name, values) in zip(COLOURS, lines.items(), strict=False):
        points = " ".join(f"{_x(n, len(values)):.1f},{_y(v):.1f}" for n, v in enumerate(values))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
        )
        parts.append(_text(WIDTH - RIGHT + 8, _y(values[-1]) + 4, name, colour=colour))
    for day in (0, 90, 180, 270, 364):
        parts.append(_text(_x(day, 365), HEIGHT - BOTTOM + 20, str(day), "middle"))
    return "\n".join([*parts, "</svg>", ""])
