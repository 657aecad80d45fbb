"""The sequence of a finding as its story tells it: a drawing that can be read alone."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from itertools import pairwise

import pytest

from tests.diagrams.samples import ODD, crash, step, trace, violated
from tierproof.diagrams.metrics import Font
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import overview, sequence_of
from tierproof.diagrams.story_layout import MARGIN, StoryLayout

TOLD = {1: "The leader copies offset 0.", 3: "The leader crashes.", 4: "It has lost the log start."}
STEPS = (
    step(statement="Publish COPY_SEGMENT_STARTED.", changes={}),
    step(statement="Apply the next record.", changes={"cache": ["ABSENT", "COPY_SEGMENT_STARTED"]}),
    crash(),
    step(statement="Take the log start from the checkpoint."),
)


def story(*steps, told=TOLD, turning=None, **given):
    record = trace(*(steps or STEPS))
    return overview(sequence_of(record, violated()), told, turning, **given)


def drawn(*steps, **given):
    return sequence_as_svg(story(*steps, **given))


def texts(svg, classes=""):
    found = re.findall(r'<text [^>]*class="([^"]*)">([^<]*)</text>', svg)
    return [unescape(text) for name, text in found if classes in name.split() or not classes]


def numbers(svg):
    return [int(number) for number in texts(svg, "number")]


def long_story(turning, *, told=None, **given):
    """Twenty steps, with a sentence for each five."""
    sentences = {n: f"From {n} on." for n in (1, 6, 11, 16)} if told is None else told
    return story(*[step()] * 20, told=sentences, turning=turning, **given)


def test_the_title_stands_in_words_above_the_lifelines():
    title = "After an election the log start of the new leader is below all that any tier still has"
    svg = drawn(title=title)
    assert len(texts(svg, "title")) > 1
    assert " ".join(texts(svg, "title")) == title


def test_without_a_title_the_broken_property_is_said_in_words():
    title = " ".join(texts(drawn(), "title"))
    assert title == "No manager has committed while another has aborted."


def test_every_arrow_has_a_label_that_says_what_its_action_does():
    svg = drawn()
    assert len(re.findall('<circle class="badge"[^>]*r="10.5"', svg)) == 4
    assert texts(svg, "label") == [
        "Publish COPY_SEGMENT_STARTED",
        "Apply the next record",
        "Copy a rolled segment",
        "Take the log start from the checkpoint",
    ]


def test_an_arrow_says_which_record_it_carries_and_which_offset_it_moves():
    assert texts(drawn(), "value") == ["COPY_SEGMENT_STARTED", "log start offset 0 → 2"]


def test_values_that_only_we_keep_are_not_on_an_arrow():
    noted = trace(STEPS[3]) | {"bookkeeping": ["broker[1].log_start_offset"]}
    svg = sequence_as_svg(overview(sequence_of(noted, violated()), {}))
    assert texts(svg, "value") == []


def test_the_caller_labels_an_arrow():
    svg = drawn(labels={2: "reads COPY_SEGMENT_STARTED of segment A"})
    assert "reads COPY_SEGMENT_STARTED of segment A" in texts(svg, "label")
    assert "Apply the next record" not in texts(svg, "label")


def test_a_sentence_stands_above_its_steps():
    svg = drawn()
    assert texts(svg, "said") == list(TOLD.values())
    words = texts(svg)
    assert words.index(TOLD[3]) < words.index("Copy a rolled segment") < words.index(TOLD[4])


def test_the_turning_step_is_marked_and_large():
    svg = drawn(turning=3)
    assert svg.count('<g class="step moment outside"') == 1
    assert len(re.findall('class="turn"', svg)) == 1
    radii = dict(re.findall(r'r="([\d.]+)"/>\n<text [^>]*class="number">(\d)<', svg))
    assert {number: float(radius) for radius, number in radii.items()} == {"3": 14.0, "4": 10.5}
    sizes = [float(n) for n in re.findall(r'font-size="([\d.]+)" class="(?:bold )?said"', svg)]
    assert sizes[1] > sizes[0] == sizes[2]
    assert 'class="turn"' not in drawn()


def test_steps_long_before_the_turning_point_are_one_quiet_text():
    svg = sequence_as_svg(long_story(17))
    assert numbers(svg) == list(range(11, 21))
    assert texts(svg, "prepare") == ["Steps 1 to 10 prepare: From 1 on. From 6 on."]


def test_a_short_story_is_drawn_whole():
    svg = drawn(turning=4)
    assert numbers(svg) == [1, 2, 3, 4]
    assert texts(svg, "prepare") == []


def test_the_caller_says_which_steps_prepare():
    svg = sequence_as_svg(long_story(17, prepared=15))
    assert numbers(svg) == list(range(16, 21))
    assert numbers(sequence_as_svg(long_story(17, prepared=0))) == list(range(1, 21))


def test_the_caller_says_in_a_line_what_prepares():
    svg = sequence_as_svg(long_story(17, preparation="The leader copies offsets 0 to 9."))
    assert texts(svg, "prepare") == ["Steps 1 to 10 prepare: The leader copies offsets 0 to 9."]


def test_steps_that_repeat_for_ever_do_not_prepare():
    record = trace(*[step()] * 20) | {"cycle_start": 7}
    told = {1: "Once.", 6: "Twice.", 11: "Again.", 16: "At last."}
    svg = sequence_as_svg(overview(sequence_of(record, violated()), told, 17))
    assert numbers(svg)[0] == 6
    assert "From here on steps 8 to 20 repeat for ever." in texts(svg)
    assert 'class="cycle"' in svg


def test_a_trace_at_rest_says_so_after_its_last_step():
    record = trace(step(), step()) | {"cycle_start": 2}
    svg = sequence_as_svg(overview(sequence_of(record, violated()), {1: "One copy."}, 1))
    assert "From here on nothing more need ever happen." in texts(svg)
    assert 'class="cycle"' not in svg


def test_who_takes_part_in_no_drawn_step_has_no_lifeline():
    early = [step(actor="operator", to="controller")] * 9
    told = {1: "An operator works.", 10: "The leader copies."}
    names = [life.name for life in story(*early, step(), told=told, turning=10).lifelines]
    assert names == ["broker 1", "remote store"]


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"labels": {9: "no such step"}}, "no step 9"),
        ({"prepared": 1}, "ends with step 1"),
        ({"prepared": 4}, "ends with step 4"),
        ({"preparation": "The leader copies."}, "no step only prepares"),
    ],
)
def test_what_fits_no_step_is_refused(given, refused):
    with pytest.raises(ValueError, match=refused):
        story(**given)


def test_the_state_is_not_told():
    words = " ".join(texts(drawn()))
    assert not any(word in words for word in ("Initially", "log_start_offset", "broker=1"))


def test_the_end_says_what_is_broken_in_words_before_its_name():
    svg = drawn()
    assert "Broken by step 4:" in texts(svg, "VIOLATED")
    assert "No manager has committed while another has aborted." in texts(svg)
    assert "no_commit_beside_an_abort · invariant · TCConsistent" in texts(svg, "faint")


def test_no_text_leaves_the_drawing_and_no_step_runs_into_the_next():
    long = step(statement="word " * 40, actor="a transaction coordinator", to="broker 1")
    layout = StoryLayout(story(step(), long, crash(), told={1: "sentence " * 40}, turning=2))
    steps = [one for passage in layout.passages for one in passage.steps]
    for one in steps:
        font = Font(14.5, is_bold=True) if one.is_turning else Font(12)
        assert one.left >= MARGIN
        assert all(one.left + font.width(line) <= layout.width - MARGIN for line in one.label)
        assert one.top < one.y < one.bottom
    assert all(a.bottom <= b.top for a, b in pairwise(steps))


def test_letters_can_be_read_on_a_phone():
    svg = sequence_as_svg(long_story(17))
    width = float(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
    assert min(map(float, re.findall(r'font-size="([\d.]+)"', svg))) * 400 / width >= 7.3


def test_the_legend_says_how_the_steps_of_this_story_are_drawn_and_nothing_else():
    only = texts(drawn(step(), told={1: "The leader copies."}), "key")
    assert only == ["a step of the design"]
    system, outside, turning = texts(drawn(turning=3), "key")
    assert (system, outside.partition(":")[0]) == (only[0], "a step of the environment")
    assert turning == "the turning point: after this step the harm is done"


def test_a_reader_without_sight_gets_the_title_and_the_story():
    svg = drawn(title=ODD, turning=3)
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title") == ODD
    assert " ".join(TOLD.values()) in (root.findtext(f"{name}desc") or "")
    assert root.attrib["role"] == "img"


def test_the_drawing_needs_nothing_else():
    svg = drawn(turning=3)
    assert "prefers-color-scheme: dark" in svg
    assert not re.search(r"(href|src|url\(|@import)", svg)
