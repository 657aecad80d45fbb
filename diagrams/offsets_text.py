"""States along the axis of offsets as a table of plain text, for a mail: a column for each panel.

It says what the drawing says, for a reader who has only the mail: what changes from panel to
panel, what consumers can read, who leads, what is remote, and what the text speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from textwrap import wrap

from tierproof.diagrams.offsets_plain import plain
from tierproof.diagrams.offsets_shown import LOCAL_SEGMENTS, Cells, Items, Key, shown
from tierproof.model.language.offset_picture import Box, Look, Mark, OffsetPicture, Row

WIDTH = 72
"""The characters of a line: a table is quoted twice in a mail of 80 columns."""
NAMES = 19
"""The most characters of the column of names."""
WIDEST = 15
"""A line with a longer word has no room in a column: it stands below the table."""
GAP = "  "
PRODUCER, ID = r"\bP\d\b", r"\bid (\d+) \((\d+(-\d+)?)\)"
STATE = r"\bstarted\b|\bfinished\b|without metadata"
"""Names of a producer, and of an id with the offsets of its segment; what names a state of one."""
FINISHED = "copy finished"
"""What is not said of a remote segment: it is so, where nothing else is said."""
SAME = "same"
"""A cell of several lines that says what the cell before it says."""


def offsets_as_text(
    panels: Sequence[tuple[str, OffsetPicture]], said: Iterable[str] = ()
) -> tuple[str, ...]:
    """The panels as lines of text: (caption, state) pairs, one column for each state.

    A line that is the same in all columns is left out unless a sentence of `said` names it.
    """
    pictures = plain([picture for _, picture in panels])
    cells = [
        (caption, dict(_cells(picture)))
        for (caption, _), picture in zip(panels, pictures, strict=True)
    ]
    captions, told = _different(cells)
    keys = shown(_in_order(told), told, tuple(said))
    wide = [key for key in keys if any(_is_wide(one.get(key, ())) for one in told)]
    rows = [(key, [one.get(key, ()) for one in told]) for key in keys if key not in wide]
    lines = [*_table(captions, rows)]
    for key in wide:
        cells_of_key = [one.get(key, ()) for one in told]
        first = _first(cells_of_key)
        lines += ["", ", ".join((_title(key), *first))]
        lines += _list(captions, [cell[len(first) :] for cell in cells_of_key])
    items = [item for one in told for key in keys for item in one.get(key, ())]
    return (*lines, *_explained([picture.reading for picture in pictures], items))


def _explained(readings: Iterable[str], items: Sequence[str]) -> Iterator[str]:
    """How to read the names of producers and the ids, where the table has some."""
    table = "\n".join(items)
    found = [one for one in dict.fromkeys(readings) if one and re.search(PRODUCER, table)]
    if ids := list(re.finditer(ID, table)):
        one = next((it for it in ids if it[3]), ids[0])
        has_plain = any(re.match(ID, it) and not re.search(STATE, it) for it in items)
        offsets = f"offset{'s' if one[3] else ''} {one[2]}"
        found.append(f"{one[0]}: the remote segment with id {one[1]} and {offsets}")
        if has_plain:
            found.append("an id without a state: COPY_SEGMENT_FINISHED")
    yield from ("", *found) if found else ()


def _different(panels: Sequence[tuple[str, Cells]]) -> tuple[list[str], list[Cells]]:
    """The captions and lines of the panels; neighbours that say the same share a column."""
    captions: list[str] = []
    told: list[Cells] = []
    for caption, cells in panels:
        if told and told[-1] == cells:
            captions[-1] += f", {caption[0].lower()}{caption[1:]}"
        else:
            captions.append(caption)
            told.append(cells)
    return captions, told


# -- what a panel says


def _cells(picture: OffsetPicture) -> Iterator[tuple[Key, Items]]:
    place = ""
    for row in picture.rows:
        place = place if row.is_detail else row.name
        yield from _row(row, place)


def _row(row: Row, place: str) -> Iterator[tuple[Key, Items]]:
    name = row.name.removesuffix(f" of {place}")
    head = (*filter(None, (row.alarm,)), *row.notes)
    said = (*_boxes(row.boxes), *_lines(row))
    if not row.marks:
        items = (*head, *_joined(said))
        yield Key(place, name, row.is_detail), items if items or row.is_detail else ("nothing",)
        return
    yield Key(place, name), (", ".join(head),)
    for mark in row.marks:
        yield Key(place, _name(mark), is_detail=True), (_value(mark),)
    segments = [one for one in said if not one.endswith("empty, active")] or [
        "active, empty" if said else "none"
    ]
    yield Key(place, LOCAL_SEGMENTS, is_detail=True), tuple(_joined(segments))


def _value(mark: Mark) -> str:
    return str(mark.offset) if mark.offset >= 0 else "none"


def _name(mark: Mark) -> str:
    return mark.label.removesuffix(f" {_value(mark)}")


def _joined(items: Iterable[str]) -> Iterator[str]:
    """Short items stand on one line as long as a column has room for them."""
    line = ""
    for item in items:
        if line and len(line) + len(item) + 2 > WIDEST:
            yield line
            line = ""
        line = f"{line}; {item}" if line else item
    if line:
        yield line


def _lines(row: Row) -> Iterator[str]:
    for line in row.text.splitlines():
        yield from line.split("; ") if row.is_detail else [line]


def _boxes(boxes: Sequence[Box]) -> Iterator[str]:
    """What each box says; neighbours with the same label are told together."""
    for label, alike in groupby(boxes, lambda box: "" if any(box.records) else box.label):
        same = list(alike)
        is_one = all(one.end == other.first for one, other in pairwise(same))
        if label and is_one:
            yield _said(_span(same[0].first, same[-1].end), label, same[0].look)
        else:
            yield from (_box(box) for box in same)


def _box(box: Box) -> str:
    records = "; ".join(_records(box))
    word = box.label
    if not word and box.look is not Look.PLAIN:
        meaning = box.meaning.partition(":")[0]
        word = meaning.removeprefix("local segment ").removesuffix(" segment")
    if not word.startswith("id ") or not records:
        return _said(records or _span(box.first, box.end), word, box.look)
    said = _said(_span(box.first, box.end), word, box.look)
    return f"{said}: {_without_offset(records, box)}"


def _without_offset(records: str, box: Box) -> str:
    """The records of a box that has its offsets already."""
    return records.removeprefix(f"{_span(box.first, box.end)} ")


def _said(where: str, word: str, look: Look) -> str:
    """An id comes first, other words come after the offsets."""
    if not word.startswith("id "):
        return f"{where} {word}".rstrip()
    id, _, state = word.removeprefix("id ").partition(" ")
    state = state.removeprefix(FINISHED).removeprefix(", ")
    span = "" if look is Look.BELIEVED else f" ({where})"
    return f"id {id}{span} {state}".rstrip()


def _records(box: Box) -> Iterator[str]:
    """The records of a box; one without words belongs to the one before."""
    if not any(box.records):
        return
    begins = [n for n, words in enumerate(box.records) if words or not n]
    for n, end in pairwise((*begins, len(box.records))):
        yield f"{_span(box.first + n, box.first + end)} {box.records[n]}".rstrip()


def _span(first: int, end: int) -> str:
    if end - first > 1:
        return f"{first}-{end - 1}"
    return str(first) if end > first else f"{first} empty,"


# -- the lines of all panels


def _in_order(told: Sequence[Cells]) -> list[Key]:
    """The lines of all panels: one that only a later panel has stands where it stands there."""
    keys: list[Key] = []
    for one in told:
        at = 0
        for key in one:
            if key not in keys:
                keys.insert(at, key)
            at = keys.index(key) + 1
    return keys


def _is_wide(items: Items) -> bool:
    return any(len(word) > WIDEST for item in items for word in item.split())


def _title(key: Key) -> str:
    return key.name if key.name == key.place else f"{key.place}, {key.name}"


# -- the table


def _table(captions: Sequence[str], rows: Sequence[tuple[Key, Sequence[Items]]]) -> Iterator[str]:
    named = [(f"{GAP if key.is_detail else ''}{key.name}", cells) for key, cells in rows]
    names = min(NAMES, max((len(name) for name, _ in named), default=0))
    room = (WIDTH - names) // len(captions) - len(GAP)
    table = [("", [_filled((caption,), room) for caption in captions])]
    table += [(name, _columns(cells, room)) for name, cells in named]
    widths = [
        max((len(part) for _, columns in table for part in columns[n]), default=0)
        for n in range(len(captions))
    ]
    for name, columns in table:
        yield from _lines_of(name, names, columns, widths)


def _filled(items: Items, room: int) -> list[str]:
    return [part for item in items for part in wrap(item, room, subsequent_indent=" ")]


def _columns(cells: Sequence[Items], room: int) -> list[list[str]]:
    """The lines of each cell; what several lines say is not said twice."""
    filled = [_filled(cell, room) for cell in cells]
    return [
        [SAME] if n and len(lines) > 1 and lines == filled[n - 1] else lines
        for n, lines in enumerate(filled)
    ]


def _lines_of(
    name: str, names: int, columns: Sequence[Sequence[str]], widths: Sequence[int]
) -> Iterator[str]:
    """A line of the table, as long as the longest of its cells."""
    margin = name[: len(name) - len(name.lstrip())]
    labels = wrap(name.strip(), names, initial_indent=margin, subsequent_indent=f"{margin} ")
    for label, *parts in zip_longest(labels or [""], *columns, fillvalue=""):
        placed = [part.ljust(width) for part, width in zip(parts, widths, strict=True)]
        yield GAP.join([label.ljust(names), *placed]).rstrip()


def _list(captions: Sequence[str], cells: Sequence[Items]) -> Iterator[str]:
    """What is too wide for a column, panel by panel: what a panel only adds is told alone."""
    before: Items = ()
    for caption, cell in zip(captions, cells, strict=True):
        if cell and cell == before:
            yield f"{GAP}{caption}: as before"
        elif len(cell) < 2:
            yield f"{GAP}{caption}: {''.join(cell) or 'none'}"
        else:
            is_longer = bool(before) and cell[: len(before)] == before
            yield f"{GAP}{caption}{', in addition' if is_longer else ''}:"
            for item in cell[len(before) :] if is_longer else cell:
                yield from wrap(item, WIDTH, initial_indent=GAP * 2, subsequent_indent=f"{GAP * 3}")
        before = cell


def _first(cells: Sequence[Items]) -> Items:
    """What all cells of a list begin with, where more follows: it belongs to the title."""
    heads = {cell[:1] for cell in cells}
    has_more = all(len(cell) > 1 for cell in cells)
    return next(iter(heads)) if len(heads) == 1 and has_more else ()
