"""Every cell of the tables of docs/kips/kip-952.md that has variants, explored in every scope."""

from __future__ import annotations

import pytest

from tests.designs.kip952_page import LATE_RETRY, fewest, scopes_of, told
from tests.designs.stored_traces import DESIGNS
from tests.designs.test_kip952_table import CELLS, OF_SHIPPED, VARIED, counts, explored
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore


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
def test_regenerated_and_with_the_three_repairs_every_property_holds_with_followers_too():
    result = explored("kip952_regenerates", OF_SHIPPED, "followers")
    assert counts()["followers"][2:] == (str(result.distinct_states), str(result.verdict))
    reached = {entry.name for entry in result.witnesses if entry.reached}
    assert "follower_begins_after_a_snapshot" in reached


@pytest.mark.slow
def test_with_two_old_segments_the_replay_of_local_segments_forgets_a_producer():
    design = DESIGNS["kip952_regenerates"].with_variants(*OF_SHIPPED)
    scope = design.scope("restart").replace(old_end=2, producers=3, offsets=4)
    result = explore(design, scope, MemoryExecution)
    shown = {entry.name: told(entry) for entry in result.properties}
    assert result.distinct_states == 113_072
    assert shown["each_batch_is_committed_once"] == "17"
