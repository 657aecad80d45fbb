"""An infinite trace shows from which step on its steps repeat."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from tests.diagrams.samples import claim, result, step, trace
from tierproof.diagrams import trace_as_text
from tierproof.diagrams.mermaid import sequence_as_mermaid
from tierproof.diagrams.report import write_report
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import sequence_of
from tierproof.register.traces import Broken

NEVER = "nothing more need ever happen"


def lasso(steps: int, start: int) -> dict[str, Any]:
    """The record of a trace whose steps repeat after the first `start`."""
    return trace(*[step()] * steps) | {"cycle_start": start}


def starved(steps: int = 4, start: int = 1) -> dict[str, Any]:
    """The record of a liveness property that such a trace violates."""
    return claim(
        name="segment_is_expired",
        kind="liveness",
        verdict="VIOLATED",
        occurrences=3,
        fairness="weakly fair: every system action",
        limited_states=12,
        trace_length=steps,
        trace=lasso(steps, start),
    )


@pytest.mark.parametrize(
    ("steps", "start", "told"),
    [
        (4, 1, "steps 2 to 4 repeat for ever"),
        (4, 0, "steps 1 to 4 repeat for ever"),
        (3, 2, "step 3 repeats for ever"),
        (3, 3, NEVER),
        (0, 0, NEVER),
    ],
)
def test_every_form_says_what_happens_for_ever(steps, start, told):
    shown = starved(steps, start)
    sequence = sequence_of(shown["trace"], shown)
    assert f"From here on {told}" in trace_as_text(shown["trace"], shown)
    assert f"From here on {told}." in sequence_as_svg(sequence)
    if steps:
        assert told in sequence_as_mermaid(sequence)


def test_the_text_marks_the_first_step_that_repeats():
    lines = trace_as_text(lasso(4, 2), starved(4, 2)).splitlines()
    assert lines[0].startswith("VIOLATED segment_is_expired after 2 steps, by a cycle of 2: ")
    marked = lines.index("From here on steps 3 to 4 repeat for ever:")
    assert lines[marked + 1].startswith("3. broker 1")
    assert lines[-1] == "segment_is_expired is broken because steps 3 to 4 repeat for ever."


def test_a_trace_at_rest_says_so_after_its_last_step():
    lines = trace_as_text(lasso(2, 2), starved(2, 2)).splitlines()
    assert "after 2 steps, at rest" in lines[0]
    assert lines.index(f"From here on {NEVER}.") > lines.index(
        next(line for line in lines if line.startswith("2. "))
    )


def test_the_drawing_leads_an_arrow_back_from_the_last_step():
    svg = sequence_as_svg(sequence_of(lasso(4, 1), starved()))
    (back,) = re.findall(r'class="cycle" d="M[\d.]+,([\d.]+)H[\d.]+V([\d.]+)h', svg)
    rules = [float(y) for y in re.findall(r'class="rule" d="M[\d.]+,([\d.]+)H', svg)]
    last, first = map(float, back)
    assert rules[0] < first < rules[1]
    assert last > rules[3]
    ElementTree.fromstring(svg)


@pytest.mark.parametrize("record", [lasso(2, 2), trace(step())])
def test_nothing_leads_back_where_nothing_repeats(record):
    assert 'class="cycle"' not in sequence_as_svg(sequence_of(record))
    assert "loop" not in sequence_as_mermaid(sequence_of(record))


def test_mermaid_puts_the_steps_that_repeat_into_a_loop():
    text = sequence_as_mermaid(sequence_of(lasso(4, 1), starved()))
    before, _, rest = text.partition("    loop for ever\n")
    inside, _, after = rest.partition("    end\n")
    assert [part.count(">>p") for part in (before, inside, after)] == [1, 3, 0]


def test_the_report_says_what_is_fair_and_what_the_scope_hides(tmp_path):
    found = result(verdict="VIOLATED", properties=[starved()])
    page = write_report([found], {}, tmp_path).read_text()
    assert "weakly fair: every system action" in page
    assert "12 states not judged" in page
    assert "12 states not judged" in (tmp_path / "evidence.md").read_text()


def test_the_report_says_why_liveness_is_incomplete(tmp_path):
    unjudged = claim(kind="liveness", verdict="INCOMPLETE", reason="no memory was left")
    page = write_report([result(properties=[unjudged])], {}, tmp_path).read_text()
    assert "no memory was left" in page


@pytest.mark.parametrize(("start", "length"), [(1, "1 and a cycle of 3"), (4, "4"), (None, "4")])
def test_a_finding_tells_the_way_and_the_cycle(start, length):
    assert Broken(steps=4, cycle_start=start).length == length
