"""Drawings, generated from the same objects that are explored, and the report of a review.

Extraction gives plain records (`records.py`, `runs.py`); renderers turn them into DOT, Mermaid,
SVG, Markdown, text or HTML. The same input gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tierproof.diagrams.ablated import AblationCell, AblationMatrix, AblationRow
from tierproof.diagrams.ablation import READING, ablation_as_markdown, ablation_as_svg
from tierproof.diagrams.asked_steps import what_if_lines, why_not_lines
from tierproof.diagrams.audit_page import audit_as_page, bytes_in_words, moment
from tierproof.diagrams.compared import Cell, SideBySide
from tierproof.diagrams.differences import difference_as_markdown, difference_as_text
from tierproof.diagrams.dot import chart_as_dot, dot_as_svg, is_dot_installed, overview_as_dot
from tierproof.diagrams.explanations import explanation_lines
from tierproof.diagrams.extract import charts_of, overview_of
from tierproof.diagrams.mermaid import chart_as_mermaid, overview_as_mermaid, sequence_as_mermaid
from tierproof.diagrams.nearness import nearest_lines
from tierproof.diagrams.offsets import offsets_as_svg
from tierproof.diagrams.quotient import MOST_DRAWN, quotient_as_dot, quotient_as_graphml
from tierproof.diagrams.report import write_report
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import sequence_of
from tierproof.diagrams.side_by_side import cell_word, comparison_as_markdown
from tierproof.diagrams.size_page import size_as_page
from tierproof.diagrams.text import counted, trace_as_text
from tierproof.diagrams.trace_markdown import trace_as_markdown
from tierproof.diagrams.verdicts import run_name
from tierproof.model.language import Design

__all__ = [
    "MOST_DRAWN",
    "READING",
    "AblationCell",
    "AblationMatrix",
    "AblationRow",
    "Cell",
    "SideBySide",
    "ablation_as_markdown",
    "ablation_as_svg",
    "audit_as_page",
    "bytes_in_words",
    "cell_word",
    "comparison_as_markdown",
    "counted",
    "difference_as_markdown",
    "difference_as_text",
    "draw_design",
    "draw_trace",
    "explanation_lines",
    "is_dot_installed",
    "moment",
    "nearest_lines",
    "offsets_as_svg",
    "quotient_as_dot",
    "quotient_as_graphml",
    "run_name",
    "size_as_page",
    "trace_as_markdown",
    "trace_as_mermaid",
    "trace_as_svg",
    "trace_as_text",
    "what_if_lines",
    "why_not_lines",
    "write_report",
]

FORMATS = ("svg", "mermaid", "dot")
_SUFFIXES = {"svg": ".svg", "mermaid": ".mmd", "dot": ".gv"}


def draw_design(
    design: Design,
    folder: Path,
    formats: tuple[str, ...] = FORMATS,
    results: Iterable[Mapping[str, Any]] = (),
) -> list[Path]:
    """Draw a design's lifecycles and its overview; returns the files written.

    `results` are records of searches: edges that none of them took are marked. SVG needs
    Graphviz's `dot` and is left out without it (see `is_dot_installed`).
    """
    unknown = set(formats) - set(FORMATS)
    if unknown:
        raise ValueError(f"no drawing format {min(unknown)!r}: choose of {', '.join(FORMATS)}")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, dot, mermaid in _drawings(design, results):
        made = {"dot": dot, "mermaid": mermaid}
        if "svg" in formats and is_dot_installed():
            made["svg"] = dot_as_svg(dot, name)
        for form in (form for form in formats if form in made):
            path = folder / f"{_file_name(design.name)}-{_file_name(name)}{_SUFFIXES[form]}"
            path.write_text(made[form], encoding="utf-8")
            written.append(path)
    return written


def draw_trace(
    trace: Mapping[str, Any],
    folder: Path,
    name: str,
    shown: Mapping[str, Any] | None = None,
    formats: Iterable[str] = ("svg", "mermaid"),
) -> list[Path]:
    """Draw a trace's record as SVG and Mermaid; `shown` records its property or witness."""
    renderers = {"svg": (".svg", trace_as_svg), "mermaid": (".mmd", trace_as_mermaid)}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for suffix, render in map(renderers.__getitem__, formats):
        path = folder / f"{_file_name(name)}{suffix}"
        path.write_text(render(trace, shown), encoding="utf-8")
        written.append(path)
    return written


def trace_as_svg(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> str:
    """A trace's record as a sequence diagram in SVG."""
    return sequence_as_svg(sequence_of(trace, shown))


def trace_as_mermaid(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> str:
    """A trace's record as a sequence diagram in Mermaid."""
    return sequence_as_mermaid(sequence_of(trace, shown))


def _drawings(
    design: Design, results: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, str, str]]:
    """(name, DOT, Mermaid) of every chart."""
    for chart in charts_of(design, results):
        yield chart.name, chart_as_dot(chart), chart_as_mermaid(chart)
    overview = overview_of(design)
    yield "overview", overview_as_dot(overview), overview_as_mermaid(overview)


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "unnamed"
