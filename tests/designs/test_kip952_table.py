"""The tables of docs/kips/kip-952.md, alternative by property, say what the designs do.

Rows of a design as it stands are compared with the ledger; rows with variants are explored in
the scope `zombies`, or another cheap one, and all of them in `tests/slow/test_kip952_table.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import pytest

from tests.designs.kip952_page import (
    LATE_RETRY,
    NEVER,
    Cell,
    cells_of,
    fewest,
    scopes_of,
    tables_of,
    told,
)
from tests.designs.stored_traces import DESIGNS
from tierproof.register import ledger
from tierproof.register.isolation import causes, isolated
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore

SHIPPED = "### As Kafka ships"
REPAIRED = "### With `repair_followers_keep_the_snapshot`"
CELLS = [*cells_of(SHIPPED), *cells_of(REPAIRED)]
PLAIN = [cell for cell in CELLS if not cell.variants]
VARIED = sorted({(cell.design, cell.variants) for cell in CELLS if cell.variants})
LEDGER = ledger.read()
CHEAP = 20_000
"""So many distinct states are explored in a second."""


@cache
def explored(design: str, variants: tuple[str, ...], scope: str) -> Result:
    """A design with variants, explored in one of its scopes."""
    subject = DESIGNS[design].with_variants(*variants)
    return explore(subject, subject.scope(scope), MemoryExecution, scope_name=scope)


def in_ledger(design: str, scope: str, name: str) -> list[str]:
    """What the ledger says of a property, as cells do: one entry if it is violated, or none."""
    entry = LEDGER[design][scope]
    if entry["properties"].get(name) != "VIOLATED" or (name, scope) == LATE_RETRY:
        return []
    return [str(entry["steps"].get(name, NEVER))]


def test_every_design_of_the_kip_has_its_row_and_every_property_its_column():
    families = {name for name in DESIGNS if name.startswith("kip952")} | {"kip405_producers"}
    assert {cell.design for cell in PLAIN} == families
    named = {cell.property for cell in CELLS}
    known = {entry.name for name in families for entry in DESIGNS[name].properties}
    assert known - named == {
        "acknowledged_batches_are_committed",
        "committed_sequences_have_no_gap",
    }
    repaired = {cell.design for cell in cells_of(REPAIRED)}
    assert repaired == families - {"kip952_without_snapshots"}


@pytest.mark.parametrize("cell", PLAIN, ids=lambda cell: f"{cell.design}-{cell.property}")
def test_a_cell_of_a_design_as_it_stands_is_what_the_ledger_has(cell: Cell):
    said = [
        one
        for scope in scopes_of(DESIGNS[cell.design])
        for one in in_ledger(cell.design, scope, cell.property)
    ]
    assert cell.steps == fewest(said)


@pytest.mark.parametrize(("design", "variants"), VARIED)
def test_a_cell_with_variants_is_no_more_than_a_cheap_scope_shows(
    design: str, variants: tuple[str, ...]
):
    scope = "zombies" if "zombies" in DESIGNS[design].scopes else "retention"
    shown = {entry.name: told(entry) for entry in explored(design, variants, scope).properties}
    for cell in CELLS:
        if (cell.design, cell.variants) == (design, variants):
            steps = shown.get(cell.property)
            assert cell.steps == fewest([one for one in (cell.steps, steps) if one is not None])


def causes_of(family: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Finding and property, wherever a design of the family is isolated and breaks the property."""
    for name in family:
        explored_of = isolation_file.read(name)
        for finding, scope in product(causes(DESIGNS[name]), DESIGNS[name].scopes):
            one = explored_of.get(key_of(scope, isolated(DESIGNS[name], finding)), {})
            yield from ((finding.name, claim) for claim in one.get("violated", {}))


BROKEN = set(causes_of({cell.design for cell in CELLS}))


@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if cell.finding], ids=lambda cell: f"{cell.finding}"
)
def test_a_cell_links_to_a_finding_that_breaks_its_property_isolated(cell: Cell):
    assert ((cell.finding or "").partition("/")[2], cell.property) in BROKEN


def test_what_is_left_out_beside_the_tables_is_as_the_page_says():
    name, scope = LATE_RETRY
    steps = {
        LEDGER[cell.design][scope]["steps"][name] for cell in PLAIN if scope in LEDGER[cell.design]
    }
    assert steps == {4}
    assert LEDGER["kip405_producers"]["default"]["steps"][name] == 11
    gaps = {
        (design, scope): entry["steps"]["committed_sequences_have_no_gap"]
        for design in {cell.design for cell in PLAIN}
        for scope, entry in LEDGER[design].items()
        if "committed_sequences_have_no_gap" in entry["steps"]
    }
    assert gaps == {("kip405_producers", "requests"): 3}


def counts() -> dict[str, tuple[str, str, str, str]]:
    """Scope -> the counts and verdicts that the page has of the design that regenerates."""
    (table,) = tables_of("## The counts in which it holds")
    return {
        row[0].strip("`"): (row[2].replace(",", ""), row[3], row[4].replace(",", ""), row[5])
        for row in table[1:]
    }


@pytest.mark.parametrize("scope", counts())
def test_the_counts_as_kafka_ships_are_those_of_the_ledger(scope: str):
    entry = LEDGER["kip952_regenerates"][scope]
    violated = sum(1 for verdict in entry["properties"].values() if verdict == "VIOLATED")
    verdict = f"VIOLATED ({violated})" if violated else "HOLDS"
    assert counts()[scope][:2] == (str(entry["distinct_states"]), verdict)


@pytest.mark.parametrize(
    "scope", [scope for scope, count in counts().items() if int(count[2]) < CHEAP]
)
def test_regenerated_and_with_all_repairs_every_property_holds(scope: str):
    result = explored("kip952_regenerates", ("repair_all",), scope)
    assert counts()[scope][2:] == (str(result.distinct_states), str(result.verdict))
    assert {entry.verdict.name for entry in result.properties} == {"HOLDS"}


def test_the_counts_are_of_all_scopes():
    assert set(counts()) == set(DESIGNS["kip952_regenerates"].scopes)
