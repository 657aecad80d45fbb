"""The repairs of the three designs that disable in stages, all at once."""

import pytest

from tierproof.model.designs.kip950_early import KRAFT, ZOOKEEPER
from tierproof.model.designs.kip950_zookeeper import DESIGN as APPENDIX
from tierproof.model.language import Design
from tierproof.register.isolation import closed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

EACH = pytest.mark.parametrize("design", [KRAFT, ZOOKEEPER, APPENDIX], ids=lambda one: one.name)


def repairs(design: Design) -> list[str]:
    return [one.name for one in design.variants if one.name.startswith("repair_")]


@EACH
def test_repairs_compose_under_one_name_or_under_all_of_theirs(design: Design) -> None:
    together = design.with_variant("repair_all")
    apart = design.with_variants(*(name for name in repairs(design) if name != "repair_all"))
    fence = {
        "metadata_refuses_stale_copy",
        "metadata_refuses_expiration",
        "metadata_refuses_removal",
    }
    names = {act.name for act in together.actions}
    assert {act.name for act in apart.actions} == names | fence


@pytest.mark.parametrize(
    "design",
    [
        KRAFT,
        APPENDIX,
        # Its repairs are those of KRAFT, and its requests those of the appendix.
        pytest.param(ZOOKEEPER, marks=pytest.mark.slow),
    ],
    ids=lambda one: one.name,
)
def test_every_repair_at_once_leaves_the_equation_that_the_text_has_wrong(design: Design) -> None:
    assert broken(design, *closed(design)) == {"remote_log_ends_one_past_the_local_start"}
    assert broken(design, *closed(design), "repair_scenario_3_asks_for_continuity") == set()


def broken(design: Design, *variants: str) -> set[str]:
    repaired = design.with_variants(*variants)
    result = explore(repaired, repaired.scope("smoke"), MemoryExecution)
    return {one.name for one in result.properties if one.verdict is Verdict.VIOLATED}
