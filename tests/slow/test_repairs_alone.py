"""What a finding says of its changes: the repair and the proposal of its mail keep its claims."""

import pytest

from tierproof.model.designs import DESIGNS
from tierproof.model.language import Design, Finding
from tierproof.model.language.isolation import proposed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

RESOLVED = [Question(design=name).resolve()[0] for name in DESIGNS]
ALL = [(design, one) for design in RESOLVED for one in design.findings]
ALONE = [
    pytest.param(design, one, change, id=f"{design.name} {one.name} {change}")
    for design, one in ALL
    for change in (one.repair, one.proposal)
    if one.stands_alone and change
]
PROPOSED = [
    pytest.param(design, one, id=f"{design.name} {one.name}") for design, one in ALL if one.proposal
]


def is_kept(design: Design, one: Finding, *variants: str) -> bool:
    """With the variants every claim of the finding holds in its scope."""
    changed = design.with_variants(*variants)
    result = explore(changed, changed.scope(one.scope or ""), MemoryExecution, only=one.claims)
    assert {entry.name for entry in result.properties} == set(one.claims)
    return {str(entry.verdict) for entry in result.properties} == {"HOLDS"}


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one", "change"), ALONE)
def test_a_change_that_stands_alone_keeps_what_its_finding_claims(
    design: Design, one: Finding, change: str
) -> None:
    assert is_kept(design, one, *one.beside, change)


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one"), PROPOSED)
def test_the_proposal_of_a_mail_keeps_what_its_finding_claims(design: Design, one: Finding) -> None:
    assert is_kept(design, one, *proposed(design, one))
