"""States along the axis of offsets, one panel below another, as a self-contained SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tierproof.diagrams.offsets_layout import (
    LABEL,
    LINE,
    MARGIN,
    WIDTH,
    OffsetsLayout,
    PlacedBox,
    PlacedPanel,
    PlacedRow,
)
from tierproof.diagrams.palette import OFFSETS_CSS, variables
from tierproof.model.language.offset_picture import OffsetPicture

Panel = tuple[str, OffsetPicture]
"""A caption and the state below it."""


def offsets_as_svg(panels: Sequence[Panel], *, is_standalone: bool = True) -> str:
    """The panels as an SVG element; all have the same axis. A standalone one has its own style."""
    layout = OffsetsLayout(panels)
    height = round(layout.height)
    what = "; ".join(caption for caption, _ in panels)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-offsets" role="img" '
        f'aria-label="Offsets: {escape(what)}" width="{WIDTH:.0f}" height="{height}" '
        f'viewBox="0 0 {WIDTH:.0f} {height}" font-size="{_n(LABEL.size)}">'
    )
    style = f"<style>{variables('.tp-offsets')}{OFFSETS_CSS}</style>" if is_standalone else ""
    parts = [opening, style, *_drawn(layout), "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def _drawn(layout: OffsetsLayout) -> Iterator[str]:
    yield f'<rect class="paper" width="{_n(WIDTH)}" height="{_n(layout.height)}"/>'
    for panel in layout.panels:
        yield from _panel(layout, panel)
    for left, top, look, meaning in layout.legend:
        where = f'x="{_n(left)}" y="{_n(top)}" width="22" height="13"'
        yield f'<g class="{look}"><rect {where}/></g>'
        yield _text(left + 29, top + 10.5, meaning)
    for number, line in enumerate(layout.reading):
        yield _text(MARGIN, layout.reading_top + LINE * number + 6, line, "faint")


def _panel(layout: OffsetsLayout, panel: PlacedPanel) -> Iterator[str]:
    yield f'<path class="rule" d="M{_n(MARGIN)},{_n(panel.top)}H{_n(WIDTH - MARGIN)}"/>'
    yield _text(MARGIN, panel.top + 22, panel.caption, "caption")
    axis = panel.axis_top
    yield _upright("grid", map(layout.x, range(layout.end + 1)), axis + 4, panel.bottom)
    for offset in range(layout.end):
        yield _text(layout.x(offset + 0.5), axis, str(offset), "offset")
    yield _text(MARGIN, axis, "offset", "faint")
    for row in panel.rows:
        yield from _row(layout, row)


def _row(layout: OffsetsLayout, row: PlacedRow) -> Iterator[str]:
    look = "faint" if row.row.is_detail else "name"
    yield _text(MARGIN, row.top + 14, row.row.name, look)
    for number, (line, classes) in enumerate(row.notes, start=1):
        yield _text(MARGIN, row.top + 14 + LINE * number, line, classes)
    for number, line in enumerate(row.text):
        yield _text(layout.x(0), row.top + 14 + LINE * number, line, "faint")
    for placed in row.boxes:
        yield from _box(layout, placed)
    for mark in row.marks:
        x, last = _n(mark.x), mark.top + LINE * (len(mark.lines) - 1) + 11
        yield f'<path class="mark" d="M{x},{_n(row.boxes_top - 3)}V{_n(last)}"/>'
        for number, line in enumerate(mark.lines):
            yield _text(mark.x + 4, mark.top + LINE * number + 10, line, "value")


def _box(layout: OffsetsLayout, placed: PlacedBox) -> Iterator[str]:
    box = placed.box
    size = f'width="{_n(placed.width)}" height="{_n(placed.height)}"'
    yield f'<g class="{box.look}"><title>{escape(placed.title)}</title>'
    yield f'<rect x="{_n(placed.left)}" y="{_n(placed.top)}" {size}/>'
    if box.end > box.first + 1:
        bottom = placed.top + placed.height
        yield _upright("tick", map(layout.x, range(box.first + 1, box.end)), bottom - 5, bottom)
    y = placed.top + 15
    if placed.label:
        middle = placed.left + placed.width / 2
        yield _text(middle, y, placed.label, "label")
        y += LINE
    for x, record in placed.records:
        yield _text(x, y, record, "record")
    yield "</g>"


def _upright(classes: str, at: Iterable[float], top: float, bottom: float) -> str:
    """Upright lines from top to bottom, in one path: a report has many hundreds."""
    path = "".join(f"M{_n(x)},{_n(top)}V{_n(bottom)}" for x in at)
    return f'<path class="{classes}" d="{path}"/>'


def _text(x: float, y: float, text: str, classes: str = "") -> str:
    where = f'x="{_n(x)}" y="{_n(y)}"'
    classed = f' class="{classes}"' if classes else ""
    return f"<text {where}{classed}>{escape(text)}</text>"


def _n(value: float) -> str:
    """A coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
