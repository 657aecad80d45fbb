"""States along the axis of offsets, one panel below another, as a self-contained SVG.

The drawing can be read alone: it has a title, says what happened between its panels, draws the
turning point large, marks what is wrong with a word, and explains what it draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from tierproof.diagrams.offsets_layout import (
    INSET,
    LARGE,
    MARGIN,
    QUIET,
    RECORD,
    RECORD_LINE,
    WIDTH,
    OffsetsLayout,
    PlacedBox,
    PlacedPanel,
    PlacedRow,
    PlacedText,
    Size,
)
from tierproof.diagrams.offsets_panels import Named, Panel, ShownPanel, shown_panels, title_of
from tierproof.diagrams.palette import OFFSETS_CSS, variables
from tierproof.diagrams.strokes import n
from tierproof.model.language.offset_picture import Look

HATCHED = {Look.MISSING: 7.0, Look.DELETED: 11.0, Look.STRAY: 9.0, Look.DOUBLE: 15.0}
"""The looks that are hatched, too, for readers who see no colour: how far lines are apart."""
NEW = "Bold values differ from the panel before."


def offsets_as_svg(
    panels: Sequence[Panel],
    *,
    title: str = "",
    between: Sequence[str] = (),
    names: Mapping[Named, str] | None = None,
    turning: int | None = None,
    broken: str = "",
    is_standalone: bool = True,
) -> str:
    """The panels as an SVG element; all have the same axis. A standalone one has its own style.

    `between` says what happened between each two panels; `names` gives segments the letters of a
    text, by id or by their offsets (first, end). `turning` is the panel that is drawn large, by
    default the first with something new that is wrong. `broken` is what the last panel breaks, in
    words. Raises ValueError for what fits no panel.
    """
    shown = shown_panels(panels, between, names, turning, broken)
    end = max(picture.end for _, picture in panels)
    readings = [picture.reading for _, picture in panels if picture.reading]
    layout = OffsetsLayout(shown, end, title, tuple(_explained(shown, names or {}, readings)))
    height = round(layout.height)
    what = title or f"Offsets: {'; '.join(caption for caption, _ in panels)}"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-offsets" role="img" '
        f'aria-label="{escape(what)}" width="{WIDTH:.0f}" height="{height}" '
        f'viewBox="0 0 {WIDTH:.0f} {height}" font-size="{n(QUIET.label.size)}">'
    )
    told = f"<title>{escape(what)}</title>\n<desc>{escape(described(shown))}</desc>"
    style = f"<style>{variables('.tp-offsets')}{OFFSETS_CSS}</style>" if is_standalone else ""
    parts = [opening, told, style, *_drawn(layout), "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def described(shown: Iterable[ShownPanel]) -> str:
    """The drawing in words: what happens, and what is wrong in each panel."""
    said = []
    for panel in shown:
        wrong = [
            f"{one.row.name}: {it.word}, {it.where}" for one in panel.rows for it in one.alarms
        ]
        wrong += [f"broken: {panel.broken}"] if panel.broken else []
        said += [panel.between, f"{panel.caption}: {'; '.join(wrong) or 'nothing is marked'}"]
    return ". ".join(one.rstrip(".") for one in said if one) + "."


def _explained(
    shown: Sequence[ShownPanel], names: Mapping[Named, str], readings: Iterable[str]
) -> Iterator[str]:
    """What stands below the legend: letters, bold values, and how to read what is in the boxes."""
    if names:
        yield "; ".join(f"{letter}: {title_of(name)}" for name, letter in names.items())
    if any(row.new for panel in shown for row in panel.rows):
        yield NEW
    yield from dict.fromkeys(readings)


def _drawn(layout: OffsetsLayout) -> Iterator[str]:
    yield f'<rect class="paper" width="{n(WIDTH)}" height="{n(layout.height)}"/>'
    yield from map(_line, layout.title)
    for panel in layout.panels:
        yield from _panel(layout, panel)
    for left, top, look, meaning in layout.legend:
        yield f'<g class="box {look}">{_shape(left, top, 22, 13, look)}</g>'
        yield _text(left + 29, top + 10.5, meaning)
    yield from map(_line, layout.reading)


def _panel(layout: OffsetsLayout, placed: PlacedPanel) -> Iterator[str]:
    size = placed.size
    if placed.between:
        x, top, last = MARGIN + 20, placed.between[0].y - 11, placed.top - 3
        yield f'<path class="since" d="M{n(x)},{n(top)}V{n(last)}m-5,-6l5,6l5,-6"/>'
        yield from map(_line, placed.between)
    yield f'<g class="panel{" large" if size is LARGE else ""}" font-size="{n(size.label.size)}">'
    wide, high = f'width="{n(WIDTH - 2 * MARGIN)}"', f'height="{n(placed.bottom - placed.top)}"'
    yield f'<rect class="frame" x="{n(MARGIN)}" y="{n(placed.top)}" {wide} {high}/>'
    yield from map(_line, placed.texts)
    if placed.rows:
        yield from _axis(layout, placed)
    for row in placed.rows:
        yield from _row(layout, row, size)
    yield "</g>"


def _axis(layout: OffsetsLayout, placed: PlacedPanel) -> Iterator[str]:
    top = placed.axis_top
    yield _upright("grid", map(layout.x, range(layout.end + 1)), top + 4, placed.grid_bottom)
    for offset in range(layout.end):
        yield _text(layout.x(offset + 0.5), top, str(offset), "offset")
    yield _text(MARGIN + INSET, top, "offset", "faint")


def _row(layout: OffsetsLayout, row: PlacedRow, size: Size) -> Iterator[str]:
    yield from map(_line, row.texts)
    for placed in row.boxes:
        yield from _box(layout, placed, size)
    for mark in row.marks:
        x, last = n(mark.x), mark.top + size.line * (len(mark.lines) - 1) + size.line - 3
        yield f'<path class="mark" d="M{x},{n(row.boxes_bottom - 3)}V{n(last)}"/>'
        for number, line in enumerate(mark.lines):
            y = mark.top + size.line * number + size.line - 4
            yield _text(mark.x + 4, y, line, "value new" if mark.is_new else "value")


def _box(layout: OffsetsLayout, placed: PlacedBox, size: Size) -> Iterator[str]:
    box = placed.box
    wrong = " marked" if box.wrong else ""
    yield f'<g class="box {box.look}{wrong}"><title>{escape(placed.title)}</title>'
    yield _shape(placed.left, placed.top, placed.width, placed.height, box.look)
    if box.end > box.first + 1:
        bottom = placed.top + placed.height
        yield _upright("tick", map(layout.x, range(box.first + 1, box.end)), bottom - 5, bottom)
    y = placed.top + size.padding + size.line - 4
    for number, line in enumerate(placed.label):
        yield _text(placed.left + placed.width / 2, y + size.line * number, line, "label")
    y += size.line * (len(placed.label) - 1) + RECORD_LINE if placed.label else 0
    for x, lines in placed.records:
        for number, line in enumerate(lines):
            yield _text(x, y + RECORD_LINE * number, line, "record", RECORD.size)
    yield "</g>"


def _shape(left: float, top: float, width: float, height: float, look: Look) -> str:
    """The rectangle of a box, hatched if its look is."""
    size = f'width="{n(width)}" height="{n(height)}"'
    shape = f'<rect x="{n(left)}" y="{n(top)}" {size}/>'
    if look not in HATCHED:
        return shape
    lines = "".join(_slanted(left + 1, top + 1, width - 2, height - 2, HATCHED[look]))
    return f'{shape}<path class="hatch" d="{lines}"/>'


def _slanted(left: float, top: float, width: float, height: float, apart: float) -> Iterator[str]:
    """Lines from the lower left to the upper right, cut at the edges of a box."""
    reach = apart / 2
    while reach < width + height:
        x1, y1 = (left, top + reach) if reach <= height else (left + reach - height, top + height)
        x2, y2 = (left + reach, top) if reach <= width else (left + width, top + reach - width)
        yield f"M{n(x1)},{n(y1)}L{n(x2)},{n(y2)}"
        reach += apart


def _upright(classes: str, at: Iterable[float], top: float, bottom: float) -> str:
    """Upright lines from top to bottom, in one path: a report has many hundreds."""
    path = "".join(f"M{n(x)},{n(top)}V{n(bottom)}" for x in at)
    return f'<path class="{classes}" d="{path}"/>'


def _line(it: PlacedText) -> str:
    return _text(it.x, it.y, it.text, it.classes, it.font.size)


def _text(x: float, y: float, text: str, classes: str = "", size: float | None = None) -> str:
    where = f'x="{n(x)}" y="{n(y)}"'
    sized = f' font-size="{n(size)}"' if size else ""
    classed = f' class="{classes}"' if classes else ""
    return f"<text {where}{sized}{classed}>{escape(text)}</text>"
