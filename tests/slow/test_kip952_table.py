"""Every cell of the tables of docs/kips/kip-952.md that has variants, explored in every scope."""

from __future__ import annotations

import pytest

from tests.designs.kip952_page import LATE_RETRY, fewest, scopes_of, told
from tests.designs.stored_traces import DESIGNS
from tests.designs.test_kip952_table import CELLS, VARIED, counts, explored


@pytest.mark.slow
@pytest.mark.parametrize(("design", "variants"), VARIED)
def test_a_cell_with_variants_is_the_fewest_steps_of_all_scopes(
    design: str, variants: tuple[str, ...]
):
    said: dict[str, list[str]] = {}
    for scope in scopes_of(DESIGNS[design]):
        for entry in explored(design, variants, scope).properties:
            steps = told(entry)
            if steps is not None and (entry.name, scope) != LATE_RETRY:
                said.setdefault(entry.name, []).append(steps)
    for cell in CELLS:
        if (cell.design, cell.variants) == (design, variants):
            assert cell.steps == fewest(said.get(cell.property, []))


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["followers", "default"])
def test_regenerated_and_with_all_repairs_every_property_holds_with_followers_too(scope: str):
    result = explored("kip952_regenerates", ("repair_all",), scope)
    assert counts()[scope][2:] == (str(result.distinct_states), str(result.verdict))


@pytest.mark.slow
def test_a_follower_begins_after_a_snapshot_with_all_repairs():
    result = explored("kip952_regenerates", ("repair_all",), "followers")
    reached = {entry.name for entry in result.witnesses if entry.reached}
    assert "follower_begins_after_a_snapshot" in reached
