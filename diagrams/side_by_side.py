"""Designs side by side as text: short cells for a terminal, and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from tierproof.diagrams.compared import (
    HOLDS,
    INCOMPLETE,
    NOT_STATED,
    VIOLATED,
    Cell,
    Column,
    Shortest,
    SideBySide,
)
from tierproof.diagrams.table import Table, as_markdown

NEEDED = "A property stays violated until every guard that it is listed under is there."

SIGNS = {HOLDS: "✓", VIOLATED: "✗", INCOMPLETE: "…", NOT_STATED: "–"}


def cell_word(cell: Cell) -> str:
    """A short cell: its sign, then steps and scope, or the number of scopes in which it holds."""
    sign = SIGNS[cell.verdict]
    if cell.verdict == NOT_STATED:
        return sign
    if cell.verdict == VIOLATED:
        one = cell.shortest
        return f"{sign} {one.steps} {one.scope}" if one else sign
    if cell.verdict == INCOMPLETE:
        return f"{sign} {'cut' if cell.cut else 'not explored'}"
    vacuous = " (vacuous)" if set(cell.held) <= set(cell.vacuous) else ""
    return f"{sign} {len(cell.held)} scope{'' if len(cell.held) == 1 else 's'}{vacuous}"


def comparison_as_markdown(it: SideBySide) -> str:
    """The whole comparison: verdicts, violations each guard would prevent, counterexamples."""
    columns = tuple(column.design for column in it.columns)
    sources = "".join(f"- `{one.design}` ({one.title}): {one.source}\n" for one in it.columns)
    verdicts = Table(
        ("property", *columns),
        tuple((f"`{row.name}`", *map(_told, row.cells, it.columns)) for row in it.rows),
    )
    guards = Table(
        ("guard", *columns),
        tuple((row.guard, *(_listed(names) for names in row.prevents)) for row in it.guards),
    )
    return "\n".join(
        [
            f"# {it.title}\n",
            f"{it.introduction}\n",
            sources,
            as_markdown(verdicts),
            "## What each guard would prevent\n",
            f"{NEEDED}\n",
            as_markdown(guards),
            "## The shortest counterexamples known\n",
            *_counterexamples(it),
        ]
    )


def _told(cell: Cell, column: Column) -> str:
    """A cell in full, on one line."""
    sign = SIGNS[cell.verdict]
    if cell.verdict == NOT_STATED:
        return f"{sign} not stated"
    told = []
    if cell.verdict == VIOLATED:
        where = column.told(cell.violated)
        told.append(f"VIOLATED in {where}; {_how_soon(cell)}")
        told.append(
            f"prevented by {', or '.join(cell.guards)}" if cell.guards else "no guard known"
        )
    elif cell.held:
        told.append(f"HOLDS in {column.told(cell.held)}")
    elif not cell.cut:
        told.append("not explored yet")
    if cell.vacuous:
        told.append(f"vacuous in {column.told(cell.vacuous)}")
    if cell.cut:
        told.append(f"INCOMPLETE in {column.told(cell.cut)}")
    return f"{sign} {'; '.join(told)}"


def _how_soon(cell: Cell) -> str:
    if cell.shortest is None:
        return "how soon is not on record"
    return f"{cell.shortest.length} in {cell.shortest.scope}"


def _listed(names: tuple[str, ...]) -> str:
    return (
        f"{len(names)}: {', '.join(f'`{name}`' for name in names)}" if names else SIGNS[NOT_STATED]
    )


def _counterexamples(it: SideBySide) -> Iterator[str]:
    for row in it.rows:
        for column, cell in zip(it.columns, row.cells, strict=True):
            if cell.shortest:
                where = f"{cell.shortest.length} in `{cell.shortest.scope}`"
                yield f"### `{row.name}` in `{column.design}`: {where}\n"
                yield from _steps(cell.shortest)


def _steps(shortest: Shortest) -> Iterator[str]:
    if not shortest.words:
        yield f"Its steps: `{shortest.command}`\n"
        return
    yield "```"
    for number, word in enumerate(shortest.words):
        if number == shortest.cycle_start:
            yield "from here on for ever:"
        yield f"{number + 1:>2}. {word}"
    yield "```\n"
