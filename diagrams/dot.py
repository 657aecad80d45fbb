"""Charts as DOT text, and as SVG if Graphviz's `dot` is installed.

Every label gets the room that the widest common font needs, so that the drawing does not
depend on the fonts of the machine that renders it.
"""

from __future__ import annotations

import html
import re
import shutil

import graphviz

from tierproof.diagrams.metrics import Font
from tierproof.diagrams.palette import CHART_CSS, LIGHT, variables
from tierproof.diagrams.records import Chart, ChartEdge, Overview, Role

_NAME, _SMALL = Font(13, is_bold=True), Font(12)
_PAGE = 900
"""The greatest width of a chart, in points."""
_FACE = "Helvetica,Arial,sans-serif"
TWO_DECIMALS = re.compile(r"-?\d+\.\d\d\b")
"""A length as Graphviz writes it, in points."""


def is_dot_installed() -> bool:
    """True if Graphviz's `dot`, which renders DOT text as SVG, is found."""
    return shutil.which("dot") is not None


def chart_as_dot(chart: Chart) -> str:
    """A lifecycle as DOT text."""
    graph = _graph(chart.name, rankdir=direction(chart), nodesep="0.35", ranksep="0.35")
    number = {state: f"s{n}" for n, state in enumerate(chart.states)}
    graph.node("start", label="", shape="circle", width="0.14", **_classed("start", LIGHT["ink"]))
    for state in chart.states:
        graph.node(number[state], **_box(state, _NAME.width(state)), style="rounded")
    graph.edge("start", number[chart.initial])
    for edge in chart.edges:
        label = "\n".join(_roomy(line) for line in edge_lines(edge))
        graph.edge(number[edge.source], number[edge.target], label=label, **_edge_looks(edge))
    return str(graph.source)


def direction(chart: Chart) -> str:
    """Left to right (LR), or top to bottom (TB) if LR might be wider than a page."""
    labels = [_SMALL.width(line) for edge in chart.edges for line in edge_lines(edge)]
    step = max(labels, default=0) + 60
    return "LR" if sum(_NAME.width(s) + step for s in chart.states) - step < _PAGE else "TB"


def overview_as_dot(overview: Overview) -> str:
    """The overview as DOT text: a box per role with its actions, arrows to its fields."""
    graph = _graph(overview.name, rankdir="LR", nodesep="0.16", ranksep="1.8")
    width = max((_NAME.width(field.name) for field in overview.fields), default=0)
    for number, role in enumerate(overview.roles):
        looks = _classed("outside", LIGHT["fault"]) if role.is_environment else {}
        label = _cells([(role_title(role), _NAME), *((a.name, _SMALL) for a in role.actions)])
        graph.node(f"r{number}", label=label, shape="box", style="rounded", **looks)
        for place, field in enumerate(overview.fields):
            if field.name in role.writes:
                graph.edge(f"r{number}:e", f"f{place}:w", **looks)
    for place, field in enumerate(overview.fields):
        label = field.name if field.kind == "protocol" else f"{field.name}\n({field.kind})"
        looks = _box(label, width) | _classed("field", LIGHT["faint"])
        graph.node(f"f{place}", **looks)
    return str(graph.source)


def role_title(role: Role) -> str:
    """The name of a role, marked if its actions belong to the environment."""
    is_marked = role.is_environment and role.name != "environment"
    return f"{role.name} (environment)" if is_marked else role.name


def dot_as_svg(source: str, title: str, *, is_standalone: bool = True) -> str:
    """DOT text as an SVG element that follows the reader's light or dark scheme."""
    drawn = graphviz.Source(source).pipe(format="svg", encoding="utf-8")
    svg = drawn[drawn.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r' id="[^"]*"', "", svg).replace('class="graph"', 'class="graph paper"')
    if not is_standalone:
        # The page and its style sheet say all this of every chart at once.
        svg = re.sub(r' (?:font-family|fill|stroke|xmlns(?::xlink)?)="[^"]*"', "", svg)
    svg = re.sub(r"<[^>]*>", lambda tag: TWO_DECIMALS.sub(_one_decimal, tag[0]), svg)
    svg = re.sub(r">\n+<", "><", svg).replace("scale(1 1) rotate(0) ", "")
    # The style sheet says this.
    svg = re.sub(r' text-anchor="middle"| font-size="1[23]\.?0*"', "", svg)
    svg = re.sub(r"(<text[^>]*>)[ \u00a0]*(.*?)[ \u00a0]*(?=</text>)", r"\1\2", svg)
    style = f"<style>{variables('.tp-chart')}{CHART_CSS}</style>\n" if is_standalone else ""
    name = html.escape(title)
    opening = f'<svg class="tp-chart" role="img" aria-label="{name}"'
    return re.sub(r"<svg([^>]*)>", rf"{opening}\1>\n{style}", svg, count=1).strip() + "\n"


def _one_decimal(number: re.Match[str]) -> str:
    """The length to a tenth of a point, which no screen shows: a report holds many charts."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def edge_lines(edge: ChartEdge) -> list[str]:
    """The label of an edge: its trigger, and whether it is untaken or undeclared."""
    if not edge.legal:
        return [edge.trigger, "NOT DECLARED"]
    return [edge.trigger, "never taken"] if edge.taken is False else [edge.trigger]


def _graph(name: str, **attributes: str) -> graphviz.Digraph:
    graph = graphviz.Digraph(name)
    graph.attr("graph", bgcolor="white", pad="0.15", fontname=_FACE, fontsize="13", **attributes)
    graph.attr("node", fontname=_FACE, fontsize="13", color=LIGHT["accent"])
    graph.attr("edge", fontname=_FACE, fontsize="12", color=LIGHT["faint"], arrowsize="0.7")
    return graph


def _edge_looks(edge: ChartEdge) -> dict[str, str]:
    if not edge.legal:
        return _classed("illegal", LIGHT["bad"]) | {"style": "bold"}
    if edge.taken is False:
        return _classed("untaken", LIGHT["open"]) | {"style": "dashed"}
    return {}


def _classed(name: str, colour: str) -> dict[str, str]:
    return {"class": name, "color": colour}


def _box(label: str, width: float) -> dict[str, str]:
    """A box with room for a text of this width in points (72 per inch)."""
    return {
        "label": "\\n".join(map(graphviz.escape, label.split("\n"))),
        "shape": "box",
        "width": f"{(width + 22) / 72:.2f}",
        "height": "0.42",
    }


def _roomy(label: str) -> str:
    """The label of an edge, with room for a wider font than `dot` measures with."""
    space = "\u00a0" * (2 + len(label) // 8)
    return f"{space}{graphviz.escape(label)}{space}"


def _cells(lines: list[tuple[str, Font]]) -> str:
    """An HTML-like label of left-aligned lines, as wide as its widest line can become."""
    width = round(max(font.width(text) for text, font in lines))
    rows = "".join(
        f'<TR><TD ALIGN="LEFT" WIDTH="{width}"><FONT POINT-SIZE="{round(font.size)}">'
        f"{_styled(text, font)}</FONT></TD></TR>"
        for text, font in lines
    )
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{rows}</TABLE>>'


def _styled(text: str, font: Font) -> str:
    return f"<B>{html.escape(text)}</B>" if font.is_bold else html.escape(text)
