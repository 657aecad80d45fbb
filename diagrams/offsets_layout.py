"""The layout of pictures of offsets: panels, rows, boxes in lanes, and labels that do not collide.

All panels share one axis, so that an offset stands at the same place in each; the panel of the
turning point has larger letters and boxes. The drawing is narrow, so that a phone can show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tierproof.diagrams.metrics import Font, wrap
from tierproof.diagrams.offsets_panels import ShownPanel, ShownRow
from tierproof.model.language.offset_picture import Box, Look, Row

WIDTH, MARGIN, INSET = 560.0, 12.0, 14.0
"""The width of the drawing, its margin, and that within a panel."""
GUTTER, RESERVE = 36.0, 122.0
"""The widths of the place for offset -1, and right of the last offset."""
WIDEST_CELL, NARROWEST_CELL, WIDEST_MARK = 170.0, 26.0, 300.0
ROW_GAP, DETAIL_SHIFT, LANE_GAP, EMPTY_WIDTH, PANEL_GAP = 11.0, 6.0, 4.0, 9.0, 16.0


@dataclass(frozen=True)
class Size:
    """The fonts of a panel, the height of a line, and the room in a box above and below."""

    label: Font
    name: Font
    caption: Font
    line: float
    padding: float


QUIET = Size(Font(11.5), Font(12, is_bold=True), Font(13, is_bold=True), 15.0, 3.0)
LARGE = Size(Font(14), Font(15, is_bold=True), Font(18, is_bold=True), 19.0, 7.0)
MOST_LINES = 3
"""The most lines of the label of a box."""
TITLE, TEXT = Font(18, is_bold=True), Font(12.5)
RECORD = Font(11.5)
TITLE_LINE, TEXT_LINE, RECORD_LINE = 24.0, 17.0, 15.0


@dataclass(frozen=True)
class PlacedText:
    """A line of text at its place."""

    x: float
    y: float
    text: str
    classes: str
    font: Font


@dataclass(frozen=True)
class PlacedBox:
    """A box with its place, its label in lines, and its records, wrapped to an offset."""

    box: Box
    left: float
    top: float
    width: float
    height: float
    label: tuple[str, ...]
    records: tuple[tuple[float, tuple[str, ...]], ...]

    @property
    def title(self) -> str:
        """What a pointer over the box shows."""
        last = self.box.end - 1
        where = f"offset {last}" if last == self.box.first else f"offsets {self.box.first}-{last}"
        where = where if last >= self.box.first else f"empty, at offset {self.box.first}"
        name = f"{self.box.label}: " if self.box.label else ""
        return f"{name}{self.box.meaning}, {where}"


@dataclass(frozen=True)
class PlacedMark:
    """Values at one place of the axis: a line down to their labels; `is_new` if one has changed."""

    x: float
    top: float
    lines: tuple[str, ...]
    is_new: bool


@dataclass(frozen=True)
class PlacedRow:
    """A row with everything in it; `boxes_bottom` is where the lines of its marks begin."""

    row: Row
    top: float
    bottom: float
    boxes_bottom: float
    texts: tuple[PlacedText, ...]
    boxes: tuple[PlacedBox, ...]
    marks: tuple[PlacedMark, ...]


@dataclass(frozen=True)
class PlacedPanel:
    """A panel with its rows; `axis_top` is the line of the offsets' numbers."""

    panel: ShownPanel
    size: Size
    top: float
    axis_top: float
    grid_bottom: float
    bottom: float
    between: tuple[PlacedText, ...]
    texts: tuple[PlacedText, ...]
    rows: tuple[PlacedRow, ...]


class OffsetsLayout:
    """The geometry of the title, all panels and the legend, in pixels."""

    def __init__(
        self,
        panels: Sequence[ShownPanel],
        end: int,
        title: str = "",
        explained: Sequence[str] = (),
    ) -> None:
        self.end = end
        room = WIDTH - 2 * (MARGIN + INSET) - GUTTER - RESERVE
        self.cell = min([WIDEST_CELL, room / end, *self._cells(panels)])
        heading = wrap(title, TITLE, WIDTH - 2 * MARGIN) if title else []
        self.title = self._lines(heading, MARGIN, 30.0, "title", TITLE, TITLE_LINE)
        found: list[PlacedPanel] = []
        top = 12.0 + TITLE_LINE * len(heading) + (10 if heading else 0)
        for panel in panels:
            found.append(self._panel(panel, top))
            top = found[-1].bottom + PANEL_GAP
        self.panels = tuple(found)
        self.legend = tuple(self._legend(top))
        top = self.legend[-1][1] + 34 if self.legend else top + 14
        room = WIDTH - 2 * MARGIN
        reading = [line for words in explained for line in wrap(words, QUIET.label, room)]
        self.reading = self._lines(reading, MARGIN, top, "faint", QUIET.label, QUIET.line)
        self.height = top + QUIET.line * len(reading)

    def x(self, offset: float) -> float:
        """Where an offset begins on the axis; what lies before 0 has a narrow place."""
        before = MARGIN + INSET + GUTTER
        return before + (self.cell * offset if offset > 0 else GUTTER * offset)

    @staticmethod
    def _lines(
        lines: Sequence[str], x: float, y: float, classes: str, font: Font, step: float
    ) -> tuple[PlacedText, ...]:
        return tuple(PlacedText(x, y + step * n, it, classes, font) for n, it in enumerate(lines))

    def _cells(self, panels: Sequence[ShownPanel]) -> Iterator[float]:
        """The widest cells with which the label of each mark ends within the drawing."""
        for panel in panels:
            font = replace((LARGE if panel.is_turning else QUIET).label, is_bold=True)
            for mark in (mark for row in panel.rows for mark in row.row.marks if mark.offset > 0):
                room = WIDTH - MARGIN - self.x(0) - 6 - font.width(mark.label)
                yield max(room / (mark.offset + mark.is_on / 2), NARROWEST_CELL)

    # -- panels

    def _panel(self, panel: ShownPanel, top: float) -> PlacedPanel:
        size = LARGE if panel.is_turning else QUIET
        left, room = MARGIN + INSET, WIDTH - 2 * (MARGIN + INSET)
        told = wrap(panel.between, TEXT, room - 22) if panel.between else []
        between = self._lines(told, left + 22, top + 6, "between", TEXT, TEXT_LINE)
        top += TEXT_LINE * len(told) + (8 if told else 0)
        heads = wrap(panel.caption, size.caption, room)
        step = size.caption.size + 5
        texts = self._lines(heads, left, top + step + 3, "caption", size.caption, step)
        axis_top = top + step * len(heads) + (8 + size.line if panel.rows else 0)
        rows: list[PlacedRow] = []
        at = axis_top + 8
        for row in panel.rows:
            rows.append(self._row(row, at - DETAIL_SHIFT if row.row.is_detail else at, size))
            at = rows[-1].bottom + ROW_GAP
        grid_bottom = at - ROW_GAP / 2
        if panel.unchanged:
            said = wrap(f"unchanged: {', '.join(panel.unchanged)}", size.label, room)
            texts += self._lines(said, left, at + size.line - 6, "faint", size.label, size.line)
            at += size.line * len(said)
        if panel.broken:
            bold = replace(size.label, is_bold=True)
            said = wrap(f"✗ broken: {panel.broken}", bold, room)
            texts += self._lines(said, left, at + size.line - 6, "wrong", bold, size.line)
            at += size.line * len(said) + 3
        return PlacedPanel(panel, size, top, axis_top, grid_bottom, at, between, texts, tuple(rows))

    def _row(self, shown: ShownRow, top: float, size: Size) -> PlacedRow:
        texts = tuple(self._texts(shown, top, size))
        at = (texts[-1].y if texts else top) + 7
        boxes = tuple(self._boxes(shown.row.boxes, at, size))
        below = max((placed.top + placed.height for placed in boxes), default=at - 4)
        marks = tuple(self._marks(shown, below + 5, size))
        bottom = max(below, *(one.top + size.line * len(one.lines) for one in marks), 0)
        return PlacedRow(shown.row, top, bottom, below, texts, boxes, marks)

    def _texts(self, shown: ShownRow, top: float, size: Size) -> Iterator[PlacedText]:
        """The name of the row with its notes beside it; then what is wrong, and its text."""
        row, left, y = shown.row, MARGIN + INSET, top + size.line - 3
        name = size.label if row.is_detail else size.name
        yield PlacedText(left, y, row.name, "faint" if row.is_detail else "name", name)
        beside = left + (name.width(row.name) + 10 if row.name else 0)
        for words, classes in ((row.alarm, "alarm"), (", ".join(row.notes), "faint")):
            font = replace(size.label, is_bold=classes == "alarm")
            for line in wrap(words, font, WIDTH - MARGIN - INSET - left) if words else ():
                if beside + font.width(line) > WIDTH - MARGIN - INSET:
                    beside, y = left, y + size.line
                yield PlacedText(beside, y, line, classes, font)
                beside += font.width(line) + 10
        font = replace(size.label, is_bold=True)
        room = WIDTH - MARGIN - INSET - self.x(0)
        wrong = [alarm.text(size is LARGE) for alarm in shown.alarms if alarm.is_harm]
        stale = [alarm.text(size is LARGE) for alarm in shown.alarms if not alarm.is_harm]
        is_beside = len(row.text) and beside + size.label.width(row.text) <= WIDTH - MARGIN - INSET
        if is_beside and "\n" not in row.text and not shown.alarms:
            yield PlacedText(beside, y, row.text, "faint", size.label)
            return
        for classes, one, parts in (
            ("wrong", font, wrong),
            ("doubt", font, stale),
            ("faint", size.label, row.text.splitlines()),
        ):
            for line in (line for words in parts for line in wrap(words, one, room)):
                y += size.line
                yield PlacedText(self.x(0), y, line, classes, one)

    # -- boxes

    def _boxes(self, boxes: Sequence[Box], top: float, size: Size) -> Iterator[PlacedBox]:
        """The boxes in lanes: those of a lane do not overlap."""
        lanes: list[list[Box]] = []
        for box in boxes:
            free = [lane for lane in lanes if not any(_overlap(box, other) for other in lane)]
            if free:
                free[0].append(box)
            else:
                lanes.append([box])
        for lane in lanes:
            placed = [self._box(box, top, size) for box in lane]
            height = max(one.height for one in placed)
            yield from (replace(one, height=height) for one in placed)
            top += height + LANE_GAP

    def _box(self, box: Box, top: float, size: Size) -> PlacedBox:
        gap = 2.0
        left, width = self.x(box.first) + gap, self.cell * (box.end - box.first) - 2 * gap
        if box.first == box.end:
            left, width = self.x(box.first) + gap, EMPTY_WIDTH
        font = replace(size.label, is_bold=bool(box.wrong))
        label = _fitting(box.label, font, width - 6) if box.label else ()
        records = tuple(
            (self.x(box.first + n + 0.5), tuple(wrap(words, RECORD, self.cell - 5)))
            for n, words in enumerate(box.records)
            if words
        )
        lines = max((len(lines) for _, lines in records), default=0)
        text = size.line * len(label) + RECORD_LINE * lines
        height = 2 * size.padding + max(text, size.line)
        return PlacedBox(box, left, top, width, height, label, records)

    # -- marks

    def _marks(self, shown: ShownRow, top: float, size: Size) -> Iterator[PlacedMark]:
        """The labels, from right to left: each below those that it would run into."""
        at: dict[float, list[str]] = {}
        for mark in shown.row.marks:
            at.setdefault(self.x(mark.offset + mark.is_on / 2), []).append(mark.label)
        placed: list[tuple[float, int]] = []
        for x in sorted(at, reverse=True):
            is_new = not shown.new.isdisjoint(at[x])
            font = replace(size.label, is_bold=is_new)
            lines = _joined(at[x], font, min(WIDEST_MARK, WIDTH - MARGIN - 8 - x))
            right = x + 12 + max(font.width(line) for line in lines)
            level = max((end for other, end in placed if other < right), default=0)
            placed.append((x, level + len(lines)))
            yield PlacedMark(x, top + size.line * level, lines, is_new)

    # -- legend

    def _legend(self, top: float) -> Iterator[tuple[float, float, Look, str]]:
        """(left, top, look, meaning) of what is drawn, in order."""
        rows = [row for panel in self.panels for row in panel.rows]
        looks = {one.box.meaning: one.box.look for row in rows for one in row.boxes}
        left, top = MARGIN, top + 4
        for meaning, look in looks.items():
            width = 29 + QUIET.label.width(meaning) + 18
            if left > MARGIN and left + width > WIDTH - MARGIN + 18:
                left, top = MARGIN, top + 22
            yield left, top, look, meaning
            left += width


def _overlap(one: Box, other: Box) -> bool:
    """The boxes cannot stand side by side; an empty one stands at the beginning of its offset."""
    return one.first < max(other.end, other.first + 1) and other.first < max(one.end, one.first + 1)


def _fitting(words: str, font: Font, width: float) -> tuple[str, ...]:
    """The words in lines, or on one line those before a comma, or the first, that have room."""
    lines = wrap(words, font, width)
    if len(lines) <= MOST_LINES and max(map(font.width, words.split())) <= width:
        return tuple(lines)
    for separator in (", ", " "):
        while separator in words and font.width(words) > width:
            words = words.rpartition(separator)[0]
    return (words,) if font.width(words) <= width else ()


def _joined(labels: Sequence[str], font: Font, width: float) -> tuple[str, ...]:
    """The labels in lines, separated by commas; a label is never broken."""
    lines: list[str] = []
    for label in labels:
        joined = f"{lines[-1]}, {label}" if lines else label
        if lines and font.width(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(label)
    return tuple(lines)
