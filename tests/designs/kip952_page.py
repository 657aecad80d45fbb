"""The tables of docs/kips/kip-952.md: the design of a row, the property of a column, the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.designs.stored_traces import DESIGNS
from tierproof.model.language import Design
from tierproof.spark_explorer.results import PropertyResult, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "kips" / "kip-952.md"
LEFT_OUT = {"kip405_producers": {"truncation", "default", "deep"}}
"""Scopes that the page leaves out."""
LATE_RETRY = ("each_batch_is_committed_once", "expiry")
"""What the page says of this property in this scope it says beside the tables."""
NEVER = "never"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What the page says of a property of a design with variants; `steps` is None if it holds."""

    design: str
    variants: tuple[str, ...]
    property: str
    steps: str | None
    finding: str | None


def lines_of(heading: str) -> list[str]:
    """The lines from a heading to the next one."""
    _, found, rest = PAGE.read_text("utf-8").partition(f"\n{heading}\n")
    assert found, f"no heading {heading}"
    return re.split(r"^#", rest, maxsplit=1, flags=re.MULTILINE)[0].splitlines()


def tables_of(heading: str) -> Iterator[list[list[str]]]:
    """The tables below a heading, each a list of rows of cells, the header first."""
    table: list[list[str]] = []
    for line in [*lines_of(heading), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not re.fullmatch(r"[-:]+", cells[-1]):
                table.append(cells)
        elif table:
            yield table
            table = []


def links() -> dict[str, str]:
    """Reference -> design and name of a finding."""
    pattern = r"^\[([\w-]+)\]: \.\./findings/(\w+/\w+)\.md$"
    return dict(re.findall(pattern, PAGE.read_text("utf-8"), re.MULTILINE))


def cells_of(heading: str) -> Iterator[Cell]:
    """The cells of the table below a heading, which names the variants that all rows have."""
    rows, columns = tables_of("## The table")
    variants_of = {row[0]: (row[1].strip("`"), row[2].strip("`")) for row in rows[1:]}
    property_of = {row[0]: row[1].strip("`") for row in columns[1:]}
    beside = tuple(re.findall(r"`(\w+)`", heading))
    (table,) = tables_of(heading)
    for label, *said in table[1:]:
        design, variant = variants_of[label]
        variants = (*filter(None, [variant]), *beside)
        for column, cell in zip(table[0][1:], said, strict=True):
            yield cell_of(design, variants, property_of[column], cell)


def cell_of(design: str, variants: tuple[str, ...], name: str, text: str) -> Cell:
    """A cell: HOLDS, or steps or *never*, perhaps with a finding; a dash: it is not asked."""
    if text in ("HOLDS", "(HOLDS)"):
        return Cell(design=design, variants=variants, property=name, steps=None, finding=None)
    if text == "–":
        assert name not in {entry.name for entry in DESIGNS[design].properties}
        return Cell(design=design, variants=variants, property=name, steps=None, finding=None)
    match = re.fullmatch(r"\[?(\d+|never)(?:\]\[([\w-]+)\])?", text)
    assert match, f"not a cell: {text}"
    finding = links()[match[2]] if match[2] else None
    return Cell(design=design, variants=variants, property=name, steps=match[1], finding=finding)


def scopes_of(design: Design) -> list[str]:
    """The scopes of a design that the page speaks of."""
    return [name for name in design.scopes if name not in LEFT_OUT.get(design.name, set())]


def told(entry: PropertyResult) -> str | None:
    """A result in the words of a cell."""
    if entry.verdict is not Verdict.VIOLATED:
        return None
    assert entry.trace is not None
    return NEVER if entry.trace.cycle_start is not None else str(len(entry.trace))


def fewest(said: list[str]) -> str | None:
    """The cell of what several scopes say: the fewest steps, *never*, or nothing."""
    numbers = [int(one) for one in said if one != NEVER]
    return str(min(numbers)) if numbers else NEVER if said else None
