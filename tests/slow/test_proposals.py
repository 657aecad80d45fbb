"""What a mail proposes keeps what its finding claims: alone, where the finding says so."""

import pytest

from tierproof.model.designs import DESIGNS
from tierproof.model.language import Design, Finding
from tierproof.model.language.isolation import proposed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

RESOLVED = [Question(design=name).resolve()[0] for name in DESIGNS]
PROPOSED = [
    pytest.param(design, one, id=f"{design.name} {one.name}")
    for design in RESOLVED
    for one in design.findings
    if one.stands_alone or one.proposal
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one"), PROPOSED)
def test_what_a_mail_proposes_keeps_what_its_finding_claims(design: Design, one: Finding) -> None:
    changed = design.with_variants(*proposed(design, one))
    result = explore(changed, changed.scope(one.scope or ""), MemoryExecution, only=one.claims)
    assert {entry.name for entry in result.properties} == set(one.claims)
    assert {str(entry.verdict) for entry in result.properties} == {"HOLDS"}
