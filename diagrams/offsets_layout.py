"""The layout of pictures of offsets: panels, rows, boxes in lanes, and labels that do not collide.

All panels share one axis, so that an offset stands at the same place in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tierproof.diagrams.metrics import Font, wrap
from tierproof.model.language.offset_picture import Box, Look, OffsetPicture, Row

LABEL = Font(11)
WIDTH, MARGIN, LINE = 900.0, 20.0, 14.0
NAMES, GUTTER, RESERVE = 160.0, 34.0, 130.0
"""The widths of the column of names, of the place for offset -1, and right of the last offset."""
WIDEST_CELL, WIDEST_MARK = 150.0, 300.0
ROW_GAP, DETAIL_SHIFT, LANE_GAP, EMPTY_WIDTH = 12.0, 5.0, 4.0, 9.0


@dataclass(frozen=True)
class PlacedBox:
    """A box with its place, and its texts as far as they fit."""

    box: Box
    left: float
    top: float
    width: float
    height: float
    label: str
    records: tuple[tuple[float, str], ...]

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
    """Values at one place of the axis: a line down to their labels."""

    x: float
    top: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PlacedRow:
    """A row with everything in it; `boxes_top` is where its first lane begins."""

    row: Row
    top: float
    bottom: float
    boxes_top: float
    notes: tuple[tuple[str, str], ...]
    text: tuple[str, ...]
    boxes: tuple[PlacedBox, ...]
    marks: tuple[PlacedMark, ...]


@dataclass(frozen=True)
class PlacedPanel:
    """A panel with its rows; `axis_top` is the line of the offsets' numbers."""

    caption: str
    top: float
    axis_top: float
    bottom: float
    rows: tuple[PlacedRow, ...]


class OffsetsLayout:
    """The geometry of all panels and of the legend, in pixels."""

    def __init__(self, panels: Sequence[tuple[str, OffsetPicture]]) -> None:
        self.end = max(picture.end for _, picture in panels)
        room = WIDTH - 2 * MARGIN - NAMES - GUTTER - RESERVE
        self.cell = min(WIDEST_CELL, room / self.end)
        found, top = [], 6.0
        for caption, picture in panels:
            found.append(self._panel(caption, picture, top))
            top = found[-1].bottom + ROW_GAP
        self.panels = tuple(found)
        self.legend = tuple(self._legend([picture for _, picture in panels], top))
        self.reading = tuple(dict.fromkeys(p.reading for _, p in panels if p.reading))
        self.reading_top = (self.legend[-1][1] if self.legend else top) + 26
        self.height = self.reading_top + LINE * len(self.reading)

    def x(self, offset: float) -> float:
        """Where an offset begins on the axis; what lies before 0 has a narrow place."""
        step = self.cell if offset >= 0 else GUTTER
        return MARGIN + NAMES + GUTTER + step * offset

    def _panel(self, caption: str, picture: OffsetPicture, top: float) -> PlacedPanel:
        rows: list[PlacedRow] = []
        at = top + 56
        for row in picture.rows:
            rows.append(self._row(row, at - DETAIL_SHIFT if row.is_detail else at))
            at = rows[-1].bottom + ROW_GAP
        return PlacedPanel(caption, top, top + 44, at - ROW_GAP / 2, tuple(rows))

    def _row(self, row: Row, top: float) -> PlacedRow:
        notes = tuple(
            (line, classes)
            for words, classes in ((row.alarm, "alarm"), *((note, "faint") for note in row.notes))
            if words
            for line in wrap(words, LABEL, NAMES)
        )
        room = WIDTH - MARGIN - self.x(0)
        text = tuple(line for words in row.text.splitlines() for line in wrap(words, LABEL, room))
        boxes = tuple(self._boxes(row.boxes, top))
        below = max((placed.top + placed.height for placed in boxes), default=top)
        marks = tuple(self._marks(row, below + 5))
        bottom = max(
            top + 16 + LINE * len(notes),
            top + 4 + LINE * len(text),
            below,
            *(mark.top + LINE * len(mark.lines) for mark in marks),
        )
        boxes_bottom = below if boxes else top
        return PlacedRow(row, top, bottom, boxes_bottom, notes, text, boxes, marks)

    # -- boxes

    def _boxes(self, boxes: Sequence[Box], top: float) -> Iterator[PlacedBox]:
        """The boxes in lanes: those of a lane do not overlap."""
        lanes: list[list[Box]] = []
        for box in boxes:
            free = [lane for lane in lanes if not any(_overlap(box, other) for other in lane)]
            if free:
                free[0].append(box)
            else:
                lanes.append([box])
        for lane in lanes:
            placed = [self._box(box, top) for box in lane]
            height = max(one.height for one in placed)
            yield from (replace(one, height=height) for one in placed)
            top += height + LANE_GAP

    def _box(self, box: Box, top: float) -> PlacedBox:
        gap = 2.0
        left, width = self.x(box.first) + gap, self.cell * (box.end - box.first) - 2 * gap
        if box.first == box.end:
            left, width = self.x(box.first) + gap, EMPTY_WIDTH
        label = _fitting(box.label, width - 4)
        records = tuple(
            (self.x(box.first + n + 0.5), words)
            for n, words in enumerate(box.records)
            if words and LABEL.width(words) <= self.cell - 4
        )
        lines = bool(label) + bool(records)
        return PlacedBox(box, left, top, width, 8 + LINE * max(lines, 1), label, records)

    # -- marks

    def _marks(self, row: Row, top: float) -> Iterator[PlacedMark]:
        """The labels, from right to left: each below those that it would run into."""
        at: dict[float, list[str]] = {}
        for mark in row.marks:
            at.setdefault(self.x(mark.offset + mark.is_on / 2), []).append(mark.label)
        placed: list[tuple[float, int]] = []
        for x in sorted(at, reverse=True):
            lines = _joined(at[x], min(WIDEST_MARK, WIDTH - 6 - x))
            right = x + 12 + max(LABEL.width(line) for line in lines)
            level = max((end for other, end in placed if other < right), default=0)
            placed.append((x, level + len(lines)))
            yield PlacedMark(x, top + LINE * level, lines)

    # -- legend

    def _legend(
        self, pictures: Sequence[OffsetPicture], top: float
    ) -> Iterator[tuple[float, float, Look, str]]:
        """(left, top, look, meaning) of what appears in the pictures, in order."""
        boxes = [box for picture in pictures for row in picture.rows for box in row.boxes]
        left, top = MARGIN, top + 10
        for meaning, look in {box.meaning: box.look for box in boxes}.items():
            width = 29 + LABEL.width(meaning) + 20
            if left > MARGIN and left + width > WIDTH - MARGIN + 20:
                left, top = MARGIN, top + 22
            yield left, top, look, meaning
            left += width


def _overlap(one: Box, other: Box) -> bool:
    """The boxes cannot stand side by side; an empty one stands at the beginning of its offset."""
    return one.first < max(other.end, other.first + 1) and other.first < max(one.end, one.first + 1)


def _fitting(words: str, width: float) -> str:
    """The words, without what follows a comma and then without last words if there is no room."""
    for separator in (", ", " "):
        while separator in words and LABEL.width(words) > width:
            words = words.rpartition(separator)[0]
    return words if LABEL.width(words) <= width else ""


def _joined(labels: Sequence[str], width: float) -> tuple[str, ...]:
    """The labels in lines, separated by commas; a label is never broken."""
    lines: list[str] = []
    for label in labels:
        joined = f"{lines[-1]}, {label}" if lines else label
        if lines and LABEL.width(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(label)
    return tuple(lines)
