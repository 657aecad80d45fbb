"""What was explored: one self-contained HTML page, and its summary in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tierproof.diagrams.ablated import AblationMatrix
from tierproof.diagrams.ablation import ablation_as_svg
from tierproof.diagrams.compared import SideBySide
from tierproof.diagrams.dot import chart_as_dot, dot_as_svg, is_dot_installed, overview_as_dot
from tierproof.diagrams.extract import charts_of, overview_of
from tierproof.diagrams.mermaid import chart_as_mermaid, overview_as_mermaid
from tierproof.diagrams.palette import ABLATION_CSS, CHART_CSS, variables
from tierproof.diagrams.records import Chart
from tierproof.diagrams.records import Sequence as Drawn
from tierproof.diagrams.runs import Run
from tierproof.diagrams.side_by_side import NEEDED
from tierproof.diagrams.table import (
    as_markdown,
    design_name,
    duration,
    ledger_word,
    summary_table,
    verdict_table,
)
from tierproof.diagrams.text import calls_as_lines, sequence_lines
from tierproof.diagrams.verdicts import Ledger, run_of
from tierproof.model.language import Design

STYLE = files("tierproof.diagrams").joinpath("templates/page.css").read_text(encoding="utf-8")
"""How a page looks."""

NO_DOT = "Graphviz's dot is not installed here, so this drawing is given as Mermaid text."


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing in the report: SVG, or text where SVG cannot be made.

    `as_in` names the design whose section has the same drawing.
    """

    title: str
    caption: str
    svg: Markup | None
    text: str
    as_in: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """The part of the report on one design."""

    name: str
    title: str
    document: str
    charts: tuple[Figure, ...]
    overview: Figure | None
    runs: tuple[Run, ...]


def write_report(
    results: Sequence[Mapping[str, Any]],
    designs: Mapping[str, Design],
    folder: Path,
    expectations: Ledger | None = None,
    facts: Mapping[str, str] | None = None,
    comparisons: Sequence[SideBySide] = (),
    ablations: Sequence[AblationMatrix] = (),
) -> Path:
    """Write `evidence.html` and `evidence.md` below `folder`; returns the path of the page.

    `results` are records of searches, `designs` maps their names to designs, `expectations` is
    the ledger (see `verdicts.py`), `facts` are further lines for the head of the page,
    `comparisons` are designs side by side. `ablations` say what each fence of a design is for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sections = _sections(results, designs, expectations)
    runs = [run for section in sections for run in section.runs]
    (folder / "evidence.md").write_text(_as_markdown(runs), encoding="utf-8")
    template = environment().get_template("evidence.html.j2")
    page = template.render(
        facts=dict(facts or {}),
        headline=headline(runs, has_ledger=expectations is not None),
        runs=runs,
        sections=sections,
        style=Markup(_style()),
        has_ledger=expectations is not None,
        comparisons=comparisons,
        ablations=[(one, Markup(ablation_as_svg(one, is_standalone=False))) for one in ablations],
        needed=NEEDED,
    )
    path = folder / "evidence.html"
    path.write_text(page, encoding="utf-8")
    return path


def headline(runs: Sequence[Run], *, has_ledger: bool) -> str:
    """The review in one sentence."""
    if not runs:
        return "Nothing was explored."
    count = f"{len(runs)} exploration{'' if len(runs) == 1 else 's'}"
    if not has_ledger:
        verdicts = [run.verdict for run in runs]
        told = [f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts)]
        return f"{count}: {', '.join(told)}."
    differing = sum(bool(run.differences) for run in runs)
    unknown = sum(run.differences is None for run in runs)
    if not differing and not unknown:
        return f"{count}: every verdict is the one that the ledger expects."
    found = [(differing, "not as the ledger expects"), (unknown, "not in the ledger")]
    return f"{count}: {', '.join(f'{number} {what}' for number, what in found if number)}."


def _as_markdown(runs: Sequence[Run]) -> str:
    """The summary and the verdicts of every run, as Markdown to paste."""
    parts = [as_markdown(summary_table(runs))]
    for run in runs:
        parts.append(f"### {design_name(run)}, scope {run.scope}\n")
        parts.append(as_markdown(verdict_table(run)))
    return "\n".join(parts)


def _sections(
    results: Sequence[Mapping[str, Any]], designs: Mapping[str, Design], ledger: Ledger | None
) -> list[Section]:
    names = dict.fromkeys(result["design"] for result in results)
    drawn: dict[str, str] = {}
    return [
        _each_once(section, drawn)
        for name in names
        for section in [
            _section(name, [r for r in results if r["design"] == name], designs.get(name), ledger)
        ]
    ]


def _each_once(section: Section, drawn: dict[str, str]) -> Section:
    """A section without the drawings of the sections before; `drawn` says which has what."""

    def once(figure: Figure) -> Figure:
        owner = drawn.setdefault(f"{figure.title} {figure.svg or figure.text}", section.name)
        return figure if owner == section.name else replace(figure, svg=None, text="", as_in=owner)

    overview = once(section.overview) if section.overview else None
    return replace(section, charts=tuple(map(once, section.charts)), overview=overview)


def _section(
    name: str, results: list[Mapping[str, Any]], design: Design | None, ledger: Ledger | None
) -> Section:
    plain = [r for r in results if not r["variants"] and not r["without"]]
    return Section(
        name=name,
        title=design.title if design else name,
        document=design.document if design else "",
        charts=tuple(_chart(c) for c in charts_of(design, plain or results)) if design else (),
        overview=_overview(design) if design else None,
        runs=tuple(run_of(result, design, ledger) for result in results),
    )


def _chart(chart: Chart) -> Figure:
    untaken = [f"{edge.source} → {edge.target}" for edge in chart.never_taken]
    told = [f"Obeyed by {', '.join(chart.fields)}.", chart.source and f"Source: {chart.source}."]
    if untaken:
        told.append(f"Never taken in any scope: {', '.join(untaken)}.")
    caption = " ".join(filter(None, told))
    return _figure(chart.name, caption, chart_as_dot(chart), chart_as_mermaid(chart))


def _overview(design: Design) -> Figure:
    overview = overview_of(design)
    caption = "Who acts, and which fields of the state the actions assign to."
    title = "Who acts on what"
    return _figure(title, caption, overview_as_dot(overview), overview_as_mermaid(overview))


def _figure(title: str, caption: str, dot: str, mermaid: str) -> Figure:
    svg = Markup(dot_as_svg(dot, title, is_standalone=False)) if is_dot_installed() else None
    return Figure(title=title, caption=caption, svg=svg, text=mermaid)


def environment() -> Environment:
    """The templates of our pages, with what they call."""
    made = Environment(
        loader=PackageLoader("tierproof.diagrams"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "anchor": lambda name: re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-"),
        "breakable": _breakable,
        "design_name": design_name,
        "duration": duration,
        "ledger_word": ledger_word,
        "listed": _listed,
        "sequence_calls": _sequence_calls,
        "sequence_text": _sequence_text,
    }
    made.globals["no_dot"] = NO_DOT
    return made


def _style() -> str:
    return variables(":root") + STYLE + CHART_CSS + ABLATION_CSS


def _sequence_text(sequence: Drawn) -> str:
    return "\n".join(sequence_lines(sequence))


def _sequence_calls(sequence: Drawn) -> str:
    return "\n".join(calls_as_lines(sequence))


def _breakable(name: str) -> Markup:
    """A name with optional line breaks after its underscores."""
    return Markup("_<wbr>").join(name.split("_"))


def _listed(names: Iterable[str]) -> Markup:
    """Names as code, separated by commas."""
    return Markup(", ").join(Markup("<code>{}</code>").format(_breakable(name)) for name in names)
