"""A trace as Markdown: steps, changes, the diagram, and where it repeats."""

from tests.diagrams.samples import disagreement, violated
from tierproof import diagrams


def test_it_says_what_is_violated_and_what_each_step_changed():
    lines = diagrams.trace_as_markdown(disagreement(), violated()).splitlines()
    text = diagrams.trace_as_text(disagreement(), violated()).splitlines()
    assert lines[0].replace("*", "").replace("`", "") == text[0]
    changes = [line.strip() for line in text if "→" in line]
    assert changes
    assert [line.strip("- `") for line in lines if line.strip().startswith("- `")] == changes


def test_every_step_is_an_entry_of_the_list():
    trace = disagreement()
    lines = diagrams.trace_as_markdown(trace).splitlines()
    for number, step in enumerate(trace["steps"], start=1):
        (entry,) = [line for line in lines if line.startswith(f"{number}. ")]
        assert f"`{step['action']}(" in entry


def test_the_diagram_stands_in_a_fence_that_is_closed():
    found = diagrams.trace_as_markdown(disagreement(), violated())
    inside = found.partition("```mermaid\n")[2].partition("```")[0]
    assert inside == diagrams.trace_as_mermaid(disagreement(), violated())


def test_a_trace_that_repeats_says_from_where():
    found = diagrams.trace_as_markdown({**disagreement(), "cycle_start": 1})
    last = len(disagreement()["steps"])
    assert f"\nFrom here on steps 2 to {last} repeat for ever:\n\n2. " in found
