"""What drawings in SVG are made of: coordinates, rectangles, arrows between lifelines."""

from __future__ import annotations

from collections.abc import Iterator


def n(value: float) -> str:
    """A coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def rect(classes: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """A rectangle, perhaps with round corners."""
    size = f'width="{n(width)}" height="{n(height)}"'
    rounded = f' rx="{n(radius)}"' if radius else ""
    return f'<rect class="{classes}" x="{n(x)}" y="{n(y)}" {size}{rounded}/>'


def arrow(source: float, target: float, y: float, radius: float) -> Iterator[str]:
    """An arrow from the rim of a badge to another lifeline."""
    way = 1 if target > source else -1
    start, end = source + way * radius, target - way * 2
    yield f'<path class="arrow" d="M{n(start)},{n(y)}H{n(end - way * 8)}"/>'
    yield _tip(end, y, way)


def loop(x: float, y: float, radius: float, reach: float) -> Iterator[str]:
    """A step from an actor to itself: an arrow to the right, `reach` long, and back."""
    yield f'<path class="arrow" d="M{n(x + radius)},{n(y)}h{n(reach)}q9,0 9,9t-9,9H{n(x + 10)}"/>'
    yield _tip(x + 2, y + 18, -1)


def _tip(x: float, y: float, way: int) -> str:
    back = x - way * 9
    return f'<path class="tip" d="M{n(x)},{n(y)}L{n(back)},{n(y - 4.5)}V{n(y + 4.5)}z"/>'
