"""States along the axis of offsets: what the record says is drawn, and no two labels collide."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import pytest

from tierproof.diagrams import offsets_as_svg
from tierproof.diagrams.offsets_layout import INSET, LARGE, MARGIN, WIDTH, OffsetsLayout
from tierproof.diagrams.offsets_panels import shown_panels
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


def layout_of(*pictures, turning=None):
    panels = [("", picture) for picture in pictures]
    end = max(picture.end for picture in pictures)
    return OffsetsLayout(shown_panels(panels, turning=turning), end)


def words_of(svg):
    return [unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]


def test_every_name_note_label_and_value_is_drawn():
    words = " ".join(words_of(offsets_as_svg([("Before", PICTURE)])))
    for row in PICTURE.rows:
        for shown in (row.name, *row.notes, row.alarm, *row.text.splitlines()):
            assert shown in words
        for one in row.boxes:
            assert all(word in words for word in one.label.split())
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
    meanings = {meaning for *_, meaning in layout_of(PICTURE).legend}
    assert meanings == {"local segment", "active segment", "copy finished", "an orphan"}
    assert [meaning for *_, meaning in layout_of(LONG).legend] == ["local segment"]


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
    (panel,) = layout_of(PICTURE).panels
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
    (panel,) = layout_of(OffsetPicture(end=end, rows=(row,))).panels
    placed, step, label = panel.rows[0].marks, LARGE.line, LARGE.label
    areas = [
        (one.x + 4, one.top + step * n, one.x + 4 + label.width(line), one.top + step * (n + 1) - 1)
        for one in placed
        for n, line in enumerate(one.lines)
    ]
    assert sum(line.count(",") + 1 for one in placed for line in one.lines) == len(marks)
    for n, (left, top, right, bottom) in enumerate(areas):
        assert right <= WIDTH
        for other in areas[n + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
        for one in placed:
            is_crossed = left < one.x < right and one.top + step * (len(one.lines) - 1) >= top
            assert not is_crossed


def test_a_label_wider_than_its_box_is_wrapped():
    label = "id 3 object without metadata"
    picture = OffsetPicture(end=2, rows=(Row(name="", boxes=(box(0, 1, label=label),)),))
    (panel,) = layout_of(picture).panels
    (placed,) = panel.rows[0].boxes
    assert len(placed.label) > 1
    assert " ".join(placed.label) == label
    assert placed.height >= LARGE.line * len(placed.label)
    assert all(LARGE.label.width(line) <= placed.width for line in placed.label)


@pytest.mark.parametrize("label", ["id 10 finished, no object", "id 3 deleting, cleaned, mixed"])
def test_a_label_without_room_loses_whole_parts(label):
    picture = OffsetPicture(end=12, rows=(Row(name="", boxes=(box(0, 1, label=label),)),))
    (panel,) = layout_of(picture).panels
    (shown,) = panel.rows[0].boxes[0].label
    assert label.startswith(shown)
    assert shown.split(" ")[0] == "id"
    assert "," not in shown


def test_notes_are_wrapped_within_the_panel():
    long = "a note that is much longer than the panel, " * 4
    row = Row(name="broker 0", notes=(long.strip(", "),))
    (panel,) = layout_of(OffsetPicture(end=1, rows=(row,))).panels
    name, *lines = panel.rows[0].texts
    assert name.text == "broker 0"
    assert " ".join(line.text for line in lines) == long.strip(", ")
    assert all(it.x + it.font.width(it.text) <= WIDTH - MARGIN - INSET for it in lines)


# -- what a reader sees who has only the drawing


LOST = box(0, 1, "lost: no log and no object has it", Look.MISSING, label="gone", wrong="lost")
READERS = Row(name="consumers can read", boxes=(LOST, box(1, 2, "served", Look.FAINT)))
FINE = Row(name="consumers can read", boxes=(box(0, 2, "served", Look.FAINT),))
STILL = Row(name="remote tier", boxes=(box(0, 1, "copy finished", Look.DONE, label="id 0 done"),))


def logs(start):
    return Row(name="broker 0", boxes=(box(0, 2),), marks=(mark("log start", start),))


STORY = [
    ("At first", OffsetPicture(end=2, rows=(FINE, logs(0), STILL))),
    ("After step 4", OffsetPicture(end=2, rows=(READERS, logs(1), STILL))),
    ("In the end", OffsetPicture(end=2, rows=(READERS, logs(2), STILL))),
]


def sizes(svg):
    """Caption -> the size of its letters."""
    found = re.findall(r'font-size="([\d.]+)" class="caption">([^<]*)<', svg)
    return {caption: float(size) for size, caption in found}


def test_the_title_stands_in_words_above_the_panels_and_is_wrapped():
    title = "The log start of the new leader is in no log and in no object any more, and consumers"
    svg = offsets_as_svg(STORY, title=title)
    lines = re.findall(r'class="title">([^<]*)<', svg)
    assert len(lines) > 1
    assert " ".join(lines) == title


def test_what_happened_stands_between_the_panels():
    told = ("steps 1-4: the expiration task moves the log start to 1", "step 5: and to 2")
    words = words_of(offsets_as_svg(STORY, between=told))
    at = [
        next(n for n, line in enumerate(words) if line.startswith(begun))
        for begun in ("At first", "steps 1-4", "After step 4", "step 5", "In the end")
    ]
    assert at == sorted(at)


def test_the_first_panel_with_something_wrong_is_larger_than_the_others():
    found = sizes(offsets_as_svg(STORY))
    assert found["After step 4"] > found["At first"] == found["In the end"]
    assert layout_of(*(it for _, it in STORY)).panels[1].rows[0].boxes[0].height > 20


def test_the_caller_says_which_panel_is_large():
    found = sizes(offsets_as_svg(STORY, turning=2))
    assert found["In the end"] > found["At first"] == found["After step 4"]


def test_what_is_wrong_has_a_word_and_its_offsets():
    words = " ".join(words_of(offsets_as_svg(STORY)))
    assert "✗ lost: offset 0 (no log and no object has it)" in words
    assert "✗" not in " ".join(words_of(offsets_as_svg(STORY[:1])))


def test_what_is_wrong_in_no_single_box_is_told_in_its_row():
    row = Row(name="keys", text="key 0", wrong=("stale: id 0 is read for key 0",))
    svg = offsets_as_svg([("", OffsetPicture(end=1, rows=(row,)))], names={0: "A"})
    assert "✗ stale: A is read for key 0" in words_of(svg)


def test_what_a_broker_believes_wrongly_is_told_without_the_sign_of_harm():
    believed = box(0, 1, "behind", Look.BELIEVED, label="id 0", wrong="stale")
    picture = OffsetPicture(end=1, rows=(Row(name="cache", boxes=(believed,)),))
    words = words_of(offsets_as_svg([("", picture)]))
    assert "stale: offset 0 (behind)" in words


@pytest.mark.parametrize(
    ("boxes", "where"),
    [
        ([(0, 1), (1, 2)], "offsets 0-1"),
        ([(0, 1), (2, 3)], "offset 0 and offset 2"),
        ([(0, 2), (0, 2)], "offsets 0-1"),
    ],
)
def test_boxes_that_are_wrong_in_the_same_way_are_told_once(boxes, where):
    row = Row(
        name="", boxes=tuple(box(a, b, "twice", Look.DOUBLE, wrong="twice") for a, b in boxes)
    )
    words = words_of(offsets_as_svg([("", OffsetPicture(end=3, rows=(row,)))]))
    assert [line for line in words if line.startswith("✗")] == [f"✗ twice: {where}"]


def test_the_last_panel_says_what_is_broken_where_the_caller_does():
    broken = "Every committed offset is readable at the leader."
    svg = offsets_as_svg(STORY, broken=broken)
    assert f"✗ broken: {broken}" in words_of(svg)[words_of(svg).index("In the end") :]
    assert words_of(svg).count(f"✗ broken: {broken}") == 1


def test_a_box_that_is_wrong_is_hatched_for_readers_who_see_no_colour():
    assert 'class="hatch"' in offsets_as_svg(STORY)
    assert 'class="hatch"' not in offsets_as_svg(STORY[:1])


def test_a_quiet_panel_names_the_rows_that_are_as_before():
    last = layout_of(*(it for _, it in STORY)).panels[-1]
    assert [row.row.name for row in last.rows] == ["broker 0"]
    assert [it.text for it in last.texts if it.classes == "faint"] == [
        "unchanged: consumers can read, remote tier"
    ]


def test_the_large_panel_shows_every_row():
    panel = layout_of(*(it for _, it in STORY)).panels[1]
    assert [row.row.name for row in panel.rows] == ["consumers can read", "broker 0", "remote tier"]


def test_values_that_differ_from_the_panel_before_are_bold():
    svg = offsets_as_svg(STORY)
    assert re.findall(r'class="value new">([^<]*)<', svg) == ["log start 1", "log start 2"]
    assert "Bold values differ from the panel before." in words_of(svg)
    assert "Bold values differ from the panel before." not in words_of(offsets_as_svg(STORY[:1]))


def test_segments_have_the_letters_of_the_text():
    words = words_of(offsets_as_svg(STORY, names={0: "A", (0, 2): "B"}))
    assert "A done" in words
    assert "B" in words
    assert not any("id 0 done" in line for line in words)
    assert "A: segment with id 0; B: segment of offsets 0-1" in words


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"names": {7: "A"}}, "'7'"),
        ({"between": ("only one",)}, "only one"),
        ({"turning": 3}, "no panel 3"),
    ],
)
def test_what_fits_no_panel_is_refused(given, refused):
    with pytest.raises(ValueError, match=refused):
        offsets_as_svg(STORY, **given)


def test_a_reader_without_sight_gets_the_title_and_what_is_wrong():
    svg = offsets_as_svg(STORY, title="Lost & found", between=("step 1", "step 2"))
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title") == "Lost & found"
    described = root.findtext(f"{name}desc") or ""
    assert "step 1. After step 4: consumers can read: lost, offset 0" in described
    assert root.attrib["role"] == "img"


def test_letters_can_be_read_on_a_phone():
    svg = offsets_as_svg(STORY)
    width = float(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
    drawn = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert min(drawn) * 400 / width >= 8


def test_a_long_value_at_the_end_of_the_axis_stays_within_the_drawing():
    row = Row(name="", boxes=(box(0, 5),), marks=(mark("a value with a long name, indeed", 5),))
    (panel,) = layout_of(OffsetPicture(end=5, rows=(row,))).panels
    (placed,) = panel.rows[0].marks
    assert placed.x + 4 + LARGE.label.width(placed.lines[0]) <= WIDTH
