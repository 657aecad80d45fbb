"""What each panel of a drawing of offsets shows: what is wrong, what is new, what can be left out.

One panel is the turning point and shows everything. The others are quiet: a row that says what the
panel before said is only named, and so is a detail that never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tierproof.model.language.offset_picture import Box, Look, OffsetPicture, Row

Panel = tuple[str, OffsetPicture]
"""A caption and the state below it."""
Named = int | tuple[int, int]
"""A segment: its id, or the offsets of one that has none, from the first to before the end."""
Place = tuple[str, str]
"""A row: the broker, or other place, that it belongs to, and its name."""

ID = re.compile(r"\bid (\d+)\b")
"""How the words of a picture name the id of a segment."""


@dataclass(frozen=True)
class Alarm:
    """What is wrong in a row: the word for it, where, and what the boxes mean.

    It `is_harm` unless it is only what a broker believes.
    """

    word: str
    where: str
    meaning: str
    is_harm: bool

    def text(self, is_whole: bool) -> str:
        """The alarm in words; the meaning is left out unless it `is_whole`."""
        meaning = self.meaning.removeprefix(f"{self.word}: ")
        said = f"{'✗ ' if self.is_harm else ''}{self.word}: {self.where}"
        return f"{said} ({meaning})" if is_whole and meaning != self.word else said


@dataclass(frozen=True)
class ShownRow:
    """A row with what is wrong in it, and the labels of its marks that the panel before lacks."""

    row: Row
    alarms: tuple[Alarm, ...]
    new: frozenset[str]


@dataclass(frozen=True)
class ShownPanel:
    """A panel; `between` is what happened since the one before, `unchanged` whose rows stay.

    `broken` is what the state breaks, in words.
    """

    caption: str
    between: str
    is_turning: bool
    rows: tuple[ShownRow, ...]
    unchanged: tuple[str, ...]
    broken: str = ""


def shown_panels(
    panels: Sequence[Panel],
    between: Sequence[str] = (),
    names: Mapping[Named, str] | None = None,
    turning: int | None = None,
    broken: str = "",
) -> tuple[ShownPanel, ...]:
    """The panels as they are drawn. Raises ValueError for what would be drawn nowhere."""
    if between and len(between) != len(panels) - 1:
        raise ValueError(f"give a text between each two of {len(panels)} panels, not {between!r}")
    if turning is not None and turning not in range(len(panels)):
        raise ValueError(f"no panel {turning} to draw large: there are {len(panels)}, from 0")
    if unknown := set(names or ()) - named_in(panels):
        raise ValueError(f"no picture shows {sorted(map(str, unknown))}: give them no letters")
    named = [_with_letters(picture, names or {}) for _, picture in panels]
    rows = [dict(_placed(picture)) for picture in named]
    large = turning_point(panels) if turning is None else turning
    return tuple(
        ShownPanel(
            caption=caption,
            between=between[n - 1] if n and between else "",
            is_turning=n == large,
            rows=tuple(_shown(rows, n, kept)),
            broken=broken if n == len(panels) - 1 else "",
            unchanged=tuple(
                name for place, name in rows[n] if n and place == name and (place, name) not in kept
            ),
        )
        for n, (caption, _) in enumerate(panels)
        for kept in [_kept(rows, n, large)]
    )


def turning_point(panels: Sequence[Panel]) -> int:
    """The first panel with something wrong that none before it has; else the last but one.

    What a broker believes wrongly is no harm by itself.
    """
    before: set[tuple[Place, str]] = set()
    for n, (_, picture) in enumerate(panels):
        found = {
            (place, alarm.word)
            for place, row in _placed(picture)
            for alarm in _alarms(row)
            if alarm.is_harm
        }
        if n and found - before:
            return n
        before |= found
    return max(len(panels) - 2, 0)


def named_in(panels: Iterable[Panel]) -> set[Named]:
    """The segments that the panels show: ids, and the offsets of boxes without an id."""
    rows = [row for _, picture in panels for row in picture.rows]
    texts = [text for row in rows for text in (*_words(row), *(box.label for box in row.boxes))]
    ids: set[Named] = {int(found) for text in texts for found in ID.findall(text)}
    return ids | {(box.first, box.end) for row in rows for box in row.boxes if not box.label}


def title_of(name: Named) -> str:
    """A segment without its letter, in words."""
    return f"segment with id {name}" if isinstance(name, int) else f"segment of {span(*name)}"


def span(first: int, end: int) -> str:
    """Offsets in words."""
    if end <= first:
        return f"offset {first}, empty"
    return f"offset {first}" if end == first + 1 else f"offsets {first}-{end - 1}"


# -- letters


def _words(row: Row) -> tuple[str, ...]:
    return (*row.notes, row.alarm, row.text, *row.wrong)


def _with_letters(picture: OffsetPicture, names: Mapping[Named, str]) -> OffsetPicture:
    """The picture with letters in place of ids, and in the boxes that have no label."""

    def said(text: str) -> str:
        return ID.sub(lambda found: names.get(int(found[1]), found[0]), text)

    def box_of(box: Box) -> Box:
        label = said(box.label) if box.label else names.get((box.first, box.end), "")
        return replace(box, label=label)

    rows = tuple(
        replace(
            row,
            notes=tuple(map(said, row.notes)),
            alarm=said(row.alarm),
            text=said(row.text),
            wrong=tuple(map(said, row.wrong)),
            boxes=tuple(map(box_of, row.boxes)),
        )
        for row in picture.rows
    )
    return replace(picture, rows=rows)


# -- what is new, and what is wrong


def _placed(picture: OffsetPicture) -> Iterator[tuple[Place, Row]]:
    place = ""
    for row in picture.rows:
        place = place if row.is_detail else row.name
        yield (place, row.name), row


def _kept(rows: Sequence[Mapping[Place, Row]], n: int, large: int) -> set[Place]:
    """The rows that panel `n` draws."""
    if n == large:
        return set(rows[n])
    before = rows[n - 1] if n else {}
    new = {place for place, row in rows[n].items() if row != before.get(place)}
    still = {
        place for place, row in rows[n].items() if row.is_detail and row == rows[large].get(place)
    }
    kept = new - still
    return kept | {(place, place) for place, _ in kept if (place, place) in rows[n]}


def _shown(rows: Sequence[Mapping[Place, Row]], n: int, kept: set[Place]) -> Iterator[ShownRow]:
    for place, row in rows[n].items():
        if place not in kept:
            continue
        labels = frozenset(mark.label for mark in row.marks)
        before = rows[n - 1].get(place) if n else row
        old = {mark.label for mark in before.marks} if before else set()
        yield ShownRow(row, tuple(_alarms(row)), labels - old)


def _alarms(row: Row) -> Iterator[Alarm]:
    """What is wrong in the row, the same of several boxes together."""
    for said in row.wrong:
        word, _, where = said.partition(": ")
        yield Alarm(word, where, word, is_harm=True)
    found: dict[tuple[str, str], list[Box]] = {}
    for box in row.boxes:
        if box.wrong:
            found.setdefault((box.wrong, box.meaning), []).append(box)
    for (word, meaning), boxes in found.items():
        is_harm = any(box.look is not Look.BELIEVED for box in boxes)
        yield Alarm(word, _where(boxes), meaning, is_harm)


def _where(boxes: Sequence[Box]) -> str:
    """The offsets of the boxes; neighbours are told together."""
    parts: list[tuple[int, int]] = []
    for box in sorted(boxes, key=lambda box: box.first):
        first, end = parts[-1] if parts else (0, -1)
        if parts and box.first <= end:
            parts[-1] = (first, max(end, box.end))
        else:
            parts.append((box.first, box.end))
    return " and ".join(span(*part) for part in parts)
