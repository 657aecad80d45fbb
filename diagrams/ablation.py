"""The ablation matrix as Markdown, and as a self-contained SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from tierproof.diagrams.ablated import (
    HOLDS,
    INCOMPLETE,
    AblationCell,
    AblationMatrix,
    AblationRow,
)
from tierproof.diagrams.metrics import Font
from tierproof.diagrams.palette import ABLATION_CSS, variables
from tierproof.diagrams.table import Table, as_markdown

READING = (
    "✗ n: violated without the part, in n steps, the fewest; in bold, the part says that it "
    "protects this. (✗ n): violated with the part, too. ✓: holds without it. …: not known."
)

_TEXT, _NAME, _HEAD = Font(12), Font(12, is_monospace=True), Font(12, is_monospace=True)
_CELL, _LINE, _MARGIN, _GAP = 46.0, 26.0, 14.0, 16.0
_LOOKS = (
    ("broken named", "✗ n", "named by the part, and violated without it in n steps"),
    ("broken", "✗ n", "violated, too"),
    ("before", "(✗ n)", "violated with it, too"),
)
"""How a cell looks, its sign, and what it says."""
_SLOPE = 0.72
"""The height, and the reach to the right, of a column's name, as parts of its length."""


def ablation_as_markdown(it: AblationMatrix) -> str:
    """The matrix, what stands behind its words, and each shortest trace, in Markdown."""
    columns = it.columns
    numbers = tuple(str(number) for number in range(1, len(columns) + 1))
    table = Table(
        ("left out", "scope", "answer", *numbers),
        tuple(
            (f"`{row.name}`", row.where, row.word, *(_cell(row.cell(name)) for name in columns))
            for row in it.rows
        ),
    )
    legend = "".join(
        f"{number}. `{name}`: {it.statements[name]}\n" for number, name in enumerate(columns, 1)
    )
    head = (f"# {it.title}\n", f"{it.headline}\n", as_markdown(table), f"{READING}\n", legend)
    return "\n".join([*head, *_traces(it)])


def _cell(cell: AblationCell | None) -> str:
    if cell is None:
        return "…"
    return f"**{cell.sign}**" if cell.is_broken and cell.is_protected else cell.sign


def _traces(it: AblationMatrix) -> Iterator[str]:
    for row in it.rows:
        yield f"## Without `{row.name}`\n"
        yield f"{row.statement}\n" if row.statement else f"A {row.kind}.\n"
        if row.stays:
            yield f"It stays: {row.stays}\n"
        if row.fault or row.cut:
            yield f"{row.fault or row.cut}\n"
        for cell in row.broken:
            yield f"`{cell.name}` is violated after {_steps(cell)}:\n"
            yield "```"
            yield from (f"{number:>2}. {word}" for number, word in enumerate(cell.words, 1))
            yield "```\n"


def _steps(cell: AblationCell) -> str:
    return "1 step" if cell.steps == 1 else f"{cell.steps} steps"


def ablation_as_svg(it: AblationMatrix, *, is_standalone: bool = True) -> str:
    """The matrix as an SVG element; a standalone one has its own style, and tells each cell."""
    columns = it.columns
    left = _MARGIN + max((_NAME.width(row.name) for row in it.rows), default=0) + _GAP
    scopes = max((_TEXT.width(row.where) for row in it.rows), default=0) + _GAP
    grid = left + scopes
    longest = max((_HEAD.width(name) for name in columns), default=0)
    top = _MARGIN + longest * _SLOPE + 10
    words = grid + _CELL * len(columns) + _GAP
    width = max(words + Font(12, is_bold=True).width("violated with it, too"), 560) + _MARGIN
    width = max(width, grid + _CELL * len(columns) + longest * _SLOPE + _MARGIN)
    width = max(width, sum(49 + _TEXT.width(one) + _GAP for *_, one in _LOOKS) + 2 * _MARGIN)
    height = top + _LINE * len(it.rows) + 70
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    style = f"<style>{variables('.tp-ablation')}{ABLATION_CSS}</style>" if is_standalone else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-ablation" role="img" '
        f'aria-label="{escape(it.headline)}" {size} font-size="12">',
        style,
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
    ]
    for number, name in enumerate(columns):
        x, y = grid + _CELL * (number + 0.5), top - 8
        parts.append(
            f'<text class="mono" transform="translate({x:.1f},{y:.1f}) rotate(-45)">'
            f"<title>{escape(it.statements[name])}</title>{escape(name)}</text>"
        )
    for number, row in enumerate(it.rows):
        parts += _row(row, columns, (left, grid, words), top + _LINE * number)
    parts += _legend(top + _LINE * len(it.rows) + 26)
    drawn = "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"
    drawn = drawn.replace('.0"', '"')
    return drawn if is_standalone else re.sub("<title>.*?</title>", "", drawn)


def _row(
    row: AblationRow, columns: tuple[str, ...], at: tuple[float, float, float], top: float
) -> Iterator[str]:
    left, grid, words = at
    base = top + 17
    yield f'<path class="rule" d="M{_MARGIN:.0f},{top:.1f}H{words:.1f}"/>'
    yield (
        f'<text class="mono" x="{_MARGIN:.0f}" y="{base:.1f}">'
        f"<title>{escape(row.statement)}</title>{escape(row.name)}</text>"
    )
    yield f'<text class="faint" x="{left:.1f}" y="{base:.1f}">{escape(row.where)}</text>'
    for number, name in enumerate(columns):
        cell = row.cell(name)
        if cell is not None and cell.verdict != INCOMPLETE:
            yield _drawn(cell, row.name, grid + _CELL * number, top)
    answer = "good" if row.is_needed else "open" if row.word == INCOMPLETE else "faint"
    yield f'<text class="{answer} bold" x="{words:.1f}" y="{base:.1f}">{row.word}</text>'


def _drawn(cell: AblationCell, part: str, x: float, top: float) -> str:
    """A cell: a box where a violation is, or should be; what is not known stays blank."""
    text = (
        f'<text x="{x + _CELL / 2:.1f}" y="{top + 17:.1f}" text-anchor="middle">{cell.sign}</text>'
    )
    look = _look(cell)
    if look == "holds":
        return f'<g class="holds">{text}</g>'
    told = f"{part}, {cell.name}: {_told(cell)}"
    return (
        f'<g class="{look}"><title>{escape(told)}</title><rect x="{x + 2:.1f}" y="{top + 3:.1f}" '
        f'width="{_CELL - 4:.0f}" height="{_LINE - 5:.0f}" rx="4"/>{text}</g>'
    )


def _look(cell: AblationCell) -> str:
    if cell.verdict == HOLDS:
        return "holds missed" if cell.is_protected else "holds"
    if not cell.is_broken:
        return "before"
    return "broken named" if cell.is_protected else "broken"


def _told(cell: AblationCell) -> str:
    if cell.verdict == HOLDS:
        return "holds without it"
    words = "violated without it" if cell.is_broken else "not seen to hold with it"
    return f"{words}, after {_steps(cell)}"


def _legend(top: float) -> Iterator[str]:
    x = _MARGIN
    for look, sign, meaning in _LOOKS:
        yield (
            f'<g class="{look}"><rect x="{x:.1f}" y="{top - 14:.1f}" width="42" height="19" '
            f'rx="4"/><text x="{x + 21:.1f}" y="{top:.1f}" text-anchor="middle">{sign}</text></g>'
        )
        yield f'<text class="faint" x="{x + 49:.1f}" y="{top:.1f}">{meaning}</text>'
        x += 49 + _TEXT.width(meaning) + _GAP
    words = "✓ holds without it; blank: not known"
    yield f'<text class="faint" x="{_MARGIN:.0f}" y="{top + 24:.1f}">{words}</text>'
