"""Pictures of states with fewer words: what is the same in all of them is not said of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tierproof.model.language.offset_picture import Box, Look, OffsetPicture

EPOCH, REMOTE = "epoch ", "remote, id "
"""How a record names its leader epoch, and how a committed offset names what serves it."""


def plain(pictures: Sequence[OffsetPicture]) -> list[OffsetPicture]:
    """The pictures without epochs if all records have the same, and without needless ids.

    The id that serves an offset is not needed where no picture has another one for it.
    """
    boxes = [box for picture in pictures for row in picture.rows for box in row.boxes]
    epochs = {words for box in boxes for words in box.records if words.startswith(EPOCH)}
    served: dict[int, set[str]] = {}
    for box in boxes:
        if box.label.startswith(REMOTE):
            served.setdefault(box.first, set()).add(box.label)

    def said(box: Box) -> Box:
        if box.look is Look.FAINT and len(served.get(box.first, ())) == 1:
            box = replace(box, label=box.label.partition(", id ")[0])
        if len(epochs) == 1:
            records = tuple("" if words in epochs else words for words in box.records)
            return replace(box, records=records)
        return replace(box, records=_once(box.records))

    return [_with(picture, said) for picture in pictures]


def _once(records: Sequence[str]) -> tuple[str, ...]:
    """An epoch is named by its first record alone."""
    before = ("", *records)
    return tuple(
        "" if words.startswith(EPOCH) and words == before[n] else words
        for n, words in enumerate(records)
    )


def _with(picture: OffsetPicture, said: Callable[[Box], Box]) -> OffsetPicture:
    rows = tuple(replace(row, boxes=tuple(map(said, row.boxes))) for row in picture.rows)
    return replace(picture, rows=rows)
