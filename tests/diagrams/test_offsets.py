"""States along the axis of offsets: what the record says is drawn, and no two labels collide."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import pytest

from tierproof.diagrams import offsets_as_svg
from tierproof.diagrams.metrics import wrap
from tierproof.diagrams.offsets_layout import LABEL, WIDTH, OffsetsLayout
from tierproof.diagrams.palette import DARK, LIGHT, OFFSETS_CSS
from tierproof.model.language.offset_picture import Box, Look, Mark, OffsetPicture, Row


def box(first, end, meaning="local segment", look=Look.PLAIN, **given):
    return Box(first=first, end=end, look=look, meaning=meaning, **given)


def mark(name, offset, *, is_on=False):
    return Mark(offset=offset, label=f"{name} {offset}", is_on=is_on)


LOG = Row(
    name="broker 0",
    notes=("leader, epoch 1",),
    boxes=(box(0, 2, records=("epoch 0", "epoch 1")), box(2, 2, "active segment", Look.ACTIVE)),
    marks=(
        mark("log start", 0),
        mark("local log start", 0),
        mark("highest remote", 0, is_on=True),
        mark("high watermark", 1),
        mark("log end", 2),
    ),
)
REMOTE = Row(
    name="remote tier",
    boxes=(
        box(0, 1, "copy finished", Look.DONE, label="id 0 copy finished"),
        box(0, 2, "an orphan", Look.STRAY, label="id 1 object without metadata"),
    ),
)
ZOMBIE = Row(name="broker <1>", alarm="old leader (epoch 0)", text="no replica\nat all")
PICTURE = OffsetPicture(end=2, rows=(LOG, REMOTE, ZOMBIE), reading="how to read")
LONG = OffsetPicture(end=9, rows=(Row(name="log", boxes=(box(0, 9),)),))


def words_of(svg):
    return [unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]


def test_every_name_note_label_and_value_is_drawn():
    words = " ".join(words_of(offsets_as_svg([("Before", PICTURE)])))
    for row in PICTURE.rows:
        for shown in (row.name, *row.notes, row.alarm, *row.text.splitlines()):
            assert shown in words
        for one in row.boxes:
            assert one.label in words
            assert all(record in words for record in one.records)
        assert all(one.label in words for one in row.marks)
    assert "Before" in words
    assert "how to read" in words


def test_a_drawing_is_well_formed_with_any_names():
    ElementTree.fromstring(offsets_as_svg([("<Before> & after", PICTURE)]))


def test_the_same_pictures_give_the_same_bytes():
    panels = [("Before", PICTURE), ("After", LONG)]
    assert offsets_as_svg(panels) == offsets_as_svg(list(panels))


def test_the_legend_says_what_appears_and_nothing_else():
    meanings = {meaning for *_, meaning in OffsetsLayout([("Before", PICTURE)]).legend}
    assert meanings == {"local segment", "active segment", "copy finished", "an orphan"}
    assert [meaning for *_, meaning in OffsetsLayout([("", LONG)]).legend] == ["local segment"]


def test_every_look_has_a_style_of_its_own():
    styles = {look: re.findall(rf"\.{look} rect \{{[^}}]*\}}", OFFSETS_CSS) for look in Look}
    assert [look for look, found in styles.items() if not found] == [Look.PLAIN]


def test_colours_are_those_of_the_two_schemes():
    svg = offsets_as_svg([("Before", PICTURE)])
    used = set(re.findall(r"var\(--([a-z-]+)\)", svg))
    assert used <= set(LIGHT) & set(DARK)
    assert not re.search(r'(fill|stroke)="#', svg)
    assert "url(" not in svg


def test_an_offset_stands_at_the_same_place_in_every_panel():
    svg = offsets_as_svg([("Before", PICTURE), ("After", LONG)])
    places = re.findall(r'<text x="([\d.]+)" [^>]*class="offset">(\d)</text>', svg)
    assert len(places) == 18
    assert len({x for x, offset in places if offset == "1"}) == 1


def test_boxes_of_a_lane_do_not_overlap():
    (panel,) = OffsetsLayout([("Before", PICTURE)]).panels
    first, second = panel.rows[1].boxes
    assert first.top + first.height <= second.top


@pytest.mark.parametrize("end", [1, 2, 5, 9])
def test_labels_of_values_collide_with_no_label_and_no_line(end):
    names = ("log start", "local log start", "high watermark", "log end")
    values = [(n * 7) % (end + 1) for n in range(len(names))]
    marks = (
        *(mark(name, value) for name, value in zip(names, values, strict=True)),
        mark("highest remote", -1, is_on=True),
    )
    row = Row(name="broker 0", boxes=(box(0, end),), marks=marks)
    (panel,) = OffsetsLayout([("", OffsetPicture(end=end, rows=(row,)))]).panels
    placed = panel.rows[0].marks
    areas = [
        (one.x + 4, one.top + 14 * n, one.x + 4 + LABEL.width(line), one.top + 14 * n + 13)
        for one in placed
        for n, line in enumerate(one.lines)
    ]
    assert sum(line.count(",") + 1 for one in placed for line in one.lines) == len(marks)
    for n, (left, top, right, bottom) in enumerate(areas):
        assert right <= WIDTH
        for other in areas[n + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
        for one in placed:
            is_crossed = left < one.x < right and one.top + 14 * (len(one.lines) - 1) >= top
            assert not is_crossed


@pytest.mark.parametrize("label", ["id 10 finished, no object", "id 3 deleting, cleaned, mixed"])
def test_a_label_without_room_loses_whole_parts(label):
    picture = OffsetPicture(end=12, rows=(Row(name="", boxes=(box(0, 1, label=label),)),))
    (panel,) = OffsetsLayout([("", picture)]).panels
    shown = panel.rows[0].boxes[0].label
    assert label.startswith(shown)
    assert shown.split(" ")[0] == "id"
    assert "," not in shown


def test_notes_are_wrapped_into_the_column_of_names():
    long = "a note that is much longer than the column of names on the left"
    (panel,) = OffsetsLayout(
        [("", OffsetPicture(end=1, rows=(Row(name="", notes=(long,)),)))]
    ).panels
    lines = [line for line, _ in panel.rows[0].notes]
    assert " ".join(lines) == long
    assert lines == wrap(long, LABEL, 160)
