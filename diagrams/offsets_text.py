"""States along the axis of offsets as a table of plain text, for a mail: a column for each panel.

It says what the drawing says: the values of each broker, and what is local, remote or a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, zip_longest
from textwrap import wrap

from tierproof.model.language.offset_picture import Box, Look, OffsetPicture, Row

WIDTH = 76
"""The characters of a line; mails are read in 80 columns."""
NAMES = 25
"""The most characters of the column of names."""
WIDEST = 15
"""A line with a longer word has no room in a column: it stands below the table."""
GAP = "  "
AGREES = "the metadata topic says"
"""How the text of a row ends that only repeats what another row shows."""
UP_TO_DATE = "up to date"
"""What is told of it instead."""

Key = tuple[str, str]
"""The broker, or other place, that a line belongs to, and the name of the line."""
Items = tuple[str, ...]
Cells = Mapping[Key, Items]


def offsets_as_text(panels: Sequence[tuple[str, OffsetPicture]]) -> tuple[str, ...]:
    """The panels as lines of text: (caption, state) pairs, one column for each state."""
    captions, told = _different(panels)
    keys = [key for key in _in_order(told) if _is_telling(key, told)]
    wide = [key for key in keys if any(_is_wide(one.get(key, ())) for one in told)]
    rows = [(key[1], [one.get(key, ()) for one in told]) for key in keys if key not in wide]
    lines = [*_table(captions, rows)]
    for key in wide:
        lines += ["", _title(key), *_list(captions, [one.get(key, ()) for one in told])]
    reading = dict.fromkeys(picture.reading for _, picture in panels if picture.reading)
    return (*lines, *(line for words in reading for line in ("", words)))


def _different(panels: Sequence[tuple[str, OffsetPicture]]) -> tuple[list[str], list[Cells]]:
    """The captions and lines of the panels; neighbours that say the same share a column."""
    captions: list[str] = []
    told: list[Cells] = []
    for caption, picture in panels:
        cells = dict(_cells(picture))
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
    margin = GAP if row.is_detail else ""
    name = row.name.removesuffix(f" of {place}")
    head = (*filter(None, (row.alarm,)), *row.notes)
    said = (*_boxes(row.boxes), *_lines(row))
    if not row.marks:
        yield (place, f"{margin}{name}"), (*head, *said)
        return
    yield (place, name), (", ".join(head),)
    for mark in row.marks:
        value = str(mark.offset)
        yield (place, f"{GAP}{mark.label.removesuffix(f' {value}')}"), (value,)
    yield (place, f"{GAP}local segments"), said or ("none",)


def _lines(row: Row) -> Iterator[str]:
    """The text of a row, in short where another row says it."""
    for line in row.text.splitlines():
        if line.endswith(AGREES):
            yield UP_TO_DATE
        else:
            yield from line.split("; ") if row.is_detail else [line]


def _boxes(boxes: Sequence[Box]) -> Iterator[str]:
    """What each box says; neighbours with the same label are told together."""
    for label, alike in groupby(boxes, lambda box: "" if any(box.records) else box.label):
        same = list(alike)
        is_one = all(one.end == other.first for one, other in pairwise(same))
        if label and is_one:
            yield _said(_span(same[0].first, same[-1].end), label)
        else:
            yield from map(_box, same)


def _box(box: Box) -> str:
    records = "; ".join(_records(box))
    word = box.label
    if not word and box.look is not Look.PLAIN:
        meaning = box.meaning.partition(":")[0]
        word = meaning.removeprefix("local segment ").removesuffix(" segment")
    return _said(records or _span(box.first, box.end), word)


def _said(where: str, word: str) -> str:
    """An id comes first, other words come after the offsets."""
    return f"{word}: {where}" if word.startswith("id ") else f"{where} {word}".rstrip()


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


def _is_telling(key: Key, told: Sequence[Cells]) -> bool:
    """A detail says something in some panel, and not what another line says."""
    said = {item for one in told for item in one.get(key, ())}
    return bool(said - {"", UP_TO_DATE, "none"}) or not key[1].startswith(GAP)


def _is_wide(items: Items) -> bool:
    return any(len(word) > WIDEST for item in items for word in item.split())


def _title(key: Key) -> str:
    place, name = key[0], key[1].strip()
    return name if name == place else f"{place}, {name}"


# -- the table


def _table(captions: Sequence[str], rows: Sequence[tuple[str, Sequence[Items]]]) -> Iterator[str]:
    names = min(NAMES, max(len(name) for name, _ in rows))
    room = (WIDTH - names) // len(captions) - len(GAP)
    yield from _wrapped("", [(caption,) for caption in captions], names, room)
    for name, cells in rows:
        yield from _wrapped(name, cells, names, room)


def _wrapped(name: str, cells: Sequence[Items], names: int, room: int) -> Iterator[str]:
    """A line of the table, as long as the longest of its cells."""
    margin = name[: len(name) - len(name.lstrip())]
    labels = wrap(name.strip(), names, initial_indent=margin, subsequent_indent=f"{margin} ")
    columns = [
        [part for item in cell for part in wrap(item, room, subsequent_indent=" ")]
        for cell in cells
    ]
    for label, *parts in zip_longest(labels or [""], *columns, fillvalue=""):
        line = [label.ljust(names), *(part.ljust(room) for part in parts)]
        yield GAP.join(line).rstrip()


def _list(captions: Sequence[str], cells: Sequence[Items]) -> Iterator[str]:
    """What is too wide for a column, panel by panel."""
    before: Items | None = None
    for caption, cell in zip(captions, cells, strict=True):
        if cell == before:
            yield f"{GAP}{caption}: as before"
            continue
        yield f"{GAP}{caption}:"
        for item in cell or ("-",):
            yield from wrap(item, WIDTH, initial_indent=GAP * 2, subsequent_indent=f"{GAP * 2} ")
        before = cell
