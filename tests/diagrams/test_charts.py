"""Lifecycle charts and the overview, as DOT, Mermaid and SVG."""

from dataclasses import replace

import pytest

from tests.diagrams.samples import ODD, result, step, trace, violated
from tests.toys.two_phase_commit import DESIGN, RM_LIFE
from tierproof.diagrams import draw_design, is_dot_installed
from tierproof.diagrams.dot import chart_as_dot, dot_as_svg, overview_as_dot
from tierproof.diagrams.extract import cards_of, charts_of, overview_of
from tierproof.diagrams.mermaid import chart_as_mermaid, overview_as_mermaid
from tierproof.diagrams.records import Chart, ChartEdge

UNTAKEN = "RmState: WORKING -> ABORTED"


def rm_chart(*results):
    return charts_of(DESIGN, results)[0]


def test_there_is_a_chart_for_every_lifecycle_that_a_field_obeys():
    assert [(c.name, c.fields) for c in charts_of(DESIGN)] == [
        ("RmState", ("rm[·]",)),
        ("TmState", ("tm",)),
    ]


def test_a_chart_has_the_declared_values_edges_and_start():
    chart = rm_chart()
    assert chart.states == ("WORKING", "PREPARED", "COMMITTED", "ABORTED")
    assert chart.initial == "WORKING"
    drawn = {(e.trigger, e.source, e.target) for e in chart.edges}
    assert drawn == {(e.trigger, e.source.name, e.target.name) for e in RM_LIFE.edges}


@pytest.mark.parametrize("render", [chart_as_dot, chart_as_mermaid])
def test_every_declared_edge_appears(render):
    text, chart = render(rm_chart()), rm_chart()
    for edge in chart.edges:
        source, target = chart.states.index(edge.source), chart.states.index(edge.target)
        arrow = {chart_as_dot: "->", chart_as_mermaid: "-->"}[render]
        assert f"s{source} {arrow} s{target}" in text
        assert edge.trigger in text


@pytest.mark.parametrize("render", [chart_as_dot, chart_as_mermaid])
def test_an_edge_is_marked_that_no_search_took(render):
    taken, untaken = result(), result(untaken_edges=[UNTAKEN])
    assert "never taken" in render(rm_chart(untaken))
    assert "never taken" not in render(rm_chart(untaken, taken))
    assert "never taken" not in render(rm_chart())


def test_a_wide_chart_runs_from_top_to_bottom():
    states = tuple(f"DELETE_SEGMENT_STARTED_{n}" for n in range(6))
    chart = Chart(name="wide", states=states, initial=states[0], edges=())
    assert "rankdir=TB" in chart_as_dot(chart)
    assert "direction TB" in chart_as_mermaid(chart)
    assert "rankdir=LR" in chart_as_dot(rm_chart())


def test_an_undeclared_edge_is_marked_that_a_search_took():
    jump = step(
        action="rm_receives_commit",
        changes={"rm[0]": ["WORKING", "COMMITTED"], "tm": ["INIT", "ABORTED"]},
    )
    broken = violated(name="RmState_lifecycle", kind="lifecycle law", trace=trace(jump))
    chart = rm_chart(result(properties=[broken]))
    assert [(e.source, e.target) for e in chart.edges if not e.legal] == [("WORKING", "COMMITTED")]
    assert "NOT DECLARED" in chart_as_dot(chart)
    assert "NOT DECLARED" in chart_as_mermaid(chart)


def test_labels_are_escaped():
    edge = ChartEdge(trigger=ODD, source="A", target="B")
    chart = Chart(name=ODD, states=("A", "B"), initial="A", edges=(edge,))
    assert "; #1" not in chart_as_mermaid(chart)
    if is_dot_installed():
        assert "<b>" not in dot_as_svg(chart_as_dot(chart), ODD)


def card(design, name):
    return next(c for c in cards_of(design) if c.name == name)


def test_a_card_says_who_assigns_to_which_fields_under_which_guards():
    commits = card(DESIGN, "tm_commits")
    assert (commits.actor, commits.guards) == ("TM", ("is_init", "all_prepared"))
    assert commits.writes == ("tm", "commit_sent")


def test_a_card_leaves_out_an_ablated_guard():
    assert card(DESIGN.without("all_prepared"), "tm_commits").guards == ("is_init",)


def test_the_overview_gathers_the_actions_of_a_role():
    roles = [(r.name, len(r.actions)) for r in overview_of(DESIGN).roles]
    assert roles == [("TM", 3), ("RM", 4)]


def test_what_the_environment_does_to_an_actor_is_a_role_of_its_own():
    aborts = DESIGN.action("tm_aborts")
    system = tuple(act for act in DESIGN.system if act != aborts)
    split = replace(DESIGN, system=system, environment=(aborts,))
    assert "TM (environment)" in overview_as_dot(overview_of(split))
    assert "TM (environment)" in overview_as_mermaid(overview_of(split))


def test_the_overview_names_every_action_and_field():
    overview = overview_of(DESIGN)
    for text in (overview_as_dot(overview), overview_as_mermaid(overview)):
        for name in [act.name for act in DESIGN.actions] + [f.name for f in overview.fields]:
            assert name in text


def test_a_design_is_drawn_in_every_format(tmp_path, monkeypatch):
    monkeypatch.setattr("tierproof.diagrams.is_dot_installed", lambda: True)
    monkeypatch.setattr(
        "tierproof.diagrams.dot_as_svg", lambda source, title: f"<svg>{title}</svg>"
    )
    names = [path.name for path in draw_design(DESIGN, tmp_path / "new")]
    charts = ("RmState", "TmState", "overview")
    assert names == [f"two-phase-commit-{c}{s}" for c in charts for s in (".svg", ".mmd", ".gv")]


def test_a_design_is_drawn_as_text_where_dot_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr("tierproof.diagrams.is_dot_installed", lambda: False)
    assert {path.suffix for path in draw_design(DESIGN, tmp_path)} == {".mmd", ".gv"}


def test_an_unknown_format_is_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match=r"'png'.*svg, mermaid, dot"):
        draw_design(DESIGN, tmp_path, ("png",))


@pytest.mark.skipif(not is_dot_installed(), reason="needs the dot binary")
def test_an_svg_follows_the_scheme_of_its_reader_and_names_no_machine():
    svg = dot_as_svg(chart_as_dot(rm_chart(result(untaken_edges=[UNTAKEN]))), "RmState")
    assert "prefers-color-scheme: dark" in svg
    assert "<!--" not in svg
    assert ' id="' not in svg
    assert svg.count("never taken") == 1


def test_drawing_twice_gives_the_same_bytes(tmp_path):
    first = [path.read_bytes() for path in draw_design(DESIGN, tmp_path / "one")]
    assert first == [path.read_bytes() for path in draw_design(DESIGN, tmp_path / "two")]
