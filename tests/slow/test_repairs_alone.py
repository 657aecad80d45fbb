"""Repairs of which a finding says that they need no other: alone they keep what it claims."""

import pytest

from tierproof.model.designs import DESIGNS
from tierproof.model.language import Design, Finding
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

RESOLVED = [Question(design=name).resolve()[0] for name in DESIGNS]
ALONE = [(design, one) for design in RESOLVED for one in design.findings if one.stands_alone]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "one"), ALONE, ids=[f"{design.name} {one.name}" for design, one in ALONE]
)
def test_a_repair_that_stands_alone_keeps_what_its_finding_claims(
    design: Design, one: Finding
) -> None:
    repaired = design.with_variants(*one.beside, one.repair or "")
    result = explore(repaired, repaired.scope(one.scope or ""), MemoryExecution, only=one.claims)
    assert {entry.name for entry in result.properties} == set(one.claims)
    assert {str(entry.verdict) for entry in result.properties} == {"HOLDS"}
