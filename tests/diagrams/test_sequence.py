"""Traces as sequence diagrams: our own SVG, and Mermaid."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import pytest

from tests.diagrams.samples import ODD, claim, crash, disagreement, step, trace, violated, witness
from tierproof.diagrams import draw_trace
from tierproof.diagrams.layout import BODY, HEAD, SequenceLayout, change_lines
from tierproof.diagrams.mermaid import sequence_as_mermaid
from tierproof.diagrams.metrics import Font, wrap
from tierproof.diagrams.records import Change
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import gathered, of_brokers, sequence_of


def svg_of(record, shown=None):
    return sequence_as_svg(sequence_of(record, shown))


def words_of(svg):
    texts = re.findall(r"<text[^>]*>(.*?)</text>", svg)
    return unescape(" ".join(re.sub(r"<[^>]*>", "", text) for text in texts))


@pytest.mark.parametrize("steps", [0, 1, 12])
def test_a_trace_of_n_steps_draws_n_numbered_arrows(steps):
    svg = svg_of(trace(*[step()] * steps), violated())
    assert svg.count('<path class="arrow"') == steps
    numbers = re.findall(r'class="number">(\d+)<', svg)
    assert numbers == [str(n) for n in range(1, steps + 1)]


def test_mermaid_numbers_the_same_steps():
    text = sequence_as_mermaid(sequence_of(trace(step(), crash(), step()), violated()))
    assert re.findall(r">>p\d: (\d+)\.|--\)p\d: (\d+)\.", text) == [("1", ""), ("", "2"), ("3", "")]


def test_the_participants_of_a_role_stand_together_and_the_environment_last():
    acts = [crash(), step(actor="broker 10"), step(actor="controller", to="broker 2")]
    lives = sequence_of(trace(*acts)).lifelines
    names = ["broker 1", "broker 2", "broker 10", "remote store", "controller", "environment"]
    assert [life.name for life in lives] == names
    assert [life.is_environment for life in lives] == [False] * 5 + [True]


def test_a_broker_that_crashes_is_still_a_broker():
    fault = crash() | {"actor": "broker 1", "to": ""}
    (life,) = sequence_of(trace(fault)).lifelines
    assert not life.is_environment


def test_a_step_of_the_environment_is_marked_by_word_and_by_class():
    assert "environment: " in words_of(svg_of(trace(crash())))
    assert 'class="step outside"' in svg_of(trace(crash()))
    assert 'class="step outside"' not in svg_of(trace(step()))


def test_every_step_says_who_acts():
    own = crash() | {"actor": "broker 1", "to": ""}
    words = words_of(svg_of(trace(step(), own)))
    assert "broker 1: Copy a rolled segment." in words
    assert "broker 1 (environment): " in words


def test_the_changes_stand_beside_the_step():
    assert "broker[1].log_start_offset 0 → 2" in words_of(svg_of(trace(step())))


def test_what_no_broker_has_can_be_left_out():
    kept = {**trace(step(), crash()), "bookkeeping": ["crashes"]}
    copy, crashed = sequence_of(of_brokers(kept)).messages
    assert [one.path for one in copy.changes] == ["broker[1].log_start_offset"]
    assert crashed.changes == ()


def test_the_end_says_what_is_broken_and_where():
    words = words_of(svg_of(disagreement(), violated()))
    assert "VIOLATED: no_commit_beside_an_abort, broken by step 3" in words
    assert "No manager has committed while another has aborted." in words


def test_an_initial_state_can_be_the_violation():
    assert "broken in the initial state" in words_of(svg_of(trace(), violated()))


def test_a_witness_is_reached_and_not_broken():
    words = words_of(svg_of(trace(step()), witness()))
    assert "REACHED: everybody_committed, reached by step 1" in words


def test_equal_elements_of_an_array_are_gathered():
    fields = {"a[0].x": 1, "a[0].y": 2, "a[1].x": 1, "a[1].y": 3, "b": "NONE"}
    assert gathered(fields) == [("a[*].x", "1"), ("a[0].y", "2"), ("a[1].y", "3"), ("b", "NONE")]


def test_the_first_state_is_told_but_for_the_values_with_which_fields_are_declared():
    words = words_of(svg_of(trace(step()), violated()))
    assert "crashes=1, leader[0]=0" in words
    assert "log" not in words.split("Initially")[1].split("crashes")[0]
    assert "leader[1]" not in words


def test_odd_text_is_escaped():
    act = step(statement=ODD, actor=ODD, action=ODD, changes={ODD: [ODD, ODD]})
    record, shown = trace(act), violated(name=ODD, statement=ODD, source=ODD)
    ElementTree.fromstring(svg_of(record, shown))
    assert "<b>" not in svg_of(record, shown)
    assert "; #1" not in sequence_as_mermaid(sequence_of(record, shown))


@pytest.mark.parametrize("words", ["a", "short words only", "x" * 90, "broker[1]." * 20, ODD * 5])
def test_wrapping_keeps_every_character_and_the_width(words):
    font = Font(13)
    lines = wrap(words, font, 120)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert all(font.width(line) <= 120 for line in lines)


def test_no_text_leaves_its_column():
    long = "a_very_long_name_" * 6
    act = step(action=long, statement="word " * 60, actor=long, changes={long: [long, long]})
    layout = SequenceLayout(sequence_of(trace(act, crash()), violated(statement=long)))
    for head in layout.heads.values():
        assert max(map(HEAD.width, head)) <= layout.life_gap - 16
    for row in layout.rows:
        for lines, left, right in (
            (row.step, layout.step_x, layout.change_x),
            (row.changes, layout.change_x, layout.width),
        ):
            mono = Font(12.5, is_monospace=True)
            for line in lines:
                text = "".join(span for span, _ in line)
                font = mono if "mono" in line[-1][1] else BODY
                assert left + font.width(text) <= right + 1


def test_rows_do_not_overlap():
    layout = SequenceLayout(sequence_of(trace(*[step(), crash()] * 4), claim()))
    for above, below in zip(layout.rows, layout.rows[1:], strict=False):
        assert above.top + above.height <= below.top
        assert 18 * max(len(above.step), len(above.changes)) < above.height
    assert layout.rows[-1].top + layout.rows[-1].height < layout.height


def test_a_change_that_does_not_fit_one_line_is_broken_before_its_values():
    change = Change("segment[0].state", "COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED")
    assert len(change_lines(change, 600)) == 1
    assert len(change_lines(change, 340)) == 2
    assert len(change_lines(change, 200)) == 3


def test_a_trace_is_drawn_as_svg_and_mermaid_under_a_safe_name(tmp_path):
    paths = draw_trace(disagreement(), tmp_path / "new", "../a b", violated())
    assert [path.name for path in paths] == ["a-b.svg", "a-b.mmd"]
    again = draw_trace(disagreement(), tmp_path / "again", "../a b", violated())
    assert [p.read_bytes() for p in paths] == [p.read_bytes() for p in again]


def test_a_standalone_drawing_needs_nothing_else():
    svg = svg_of(disagreement(), violated())
    assert "prefers-color-scheme: dark" in svg
    assert not re.search(r"(href|src|url\(|@import)", svg)
