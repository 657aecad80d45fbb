"""A closed scope holds, too, where one of its bounds is larger by one.

No HOLDS may rest on a bound that was hit where one more shows another verdict. Scopes whose closed
design is small are taken; what more room breaks is looked for there.
"""

from collections.abc import Iterator

import pytest

from tierproof.model.language import Design, DesignError
from tierproof.register.isolation import causes, closed
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.search import explore

SMALL = 500
"""Distinct states of a closed scope that is taken."""
MOST_STATES = 1_000_000


def small_scopes() -> Iterator[tuple[Design, str]]:
    for name in DESIGNS:
        design = Question(design=name).resolve()[0]
        explored = isolation_file.read(name)
        for scope in design.scopes:
            known = explored.get(key_of(scope, closed(design)))
            if known and known["distinct_states"] <= SMALL:
                yield design, scope


def larger(design: Design, scope: str) -> Iterator[str]:
    """The bounds of the scope that may be larger by one."""
    sizes = design.scope(scope)
    for name, bound in type(sizes).bounds.items():
        if dict(sizes)[name] < bound.high:
            yield name


TAKEN = [
    pytest.param(design, scope, bound, id=f"{design.name} {scope} {bound}")
    for design, scope in small_scopes()
    for bound in larger(design, scope)
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "scope", "bound"), TAKEN)
def test_the_closed_design_holds_with_one_more(design: Design, scope: str, bound: str) -> None:
    changed = design.with_variants(*closed(design))
    sizes = changed.scope(scope)
    try:
        room = sizes.replace(**{bound: dict(sizes)[bound] + 1})
        found = explore(changed, room, MemoryExecution, max_states=MOST_STATES)
    except DesignError as error:
        pytest.skip(str(error))  # bounds that do not go together
    excused = {claim for one in causes(design) if one.repair is None for claim in one.claims}
    broken = {one.name for one in found.properties if one.verdict == "VIOLATED"}
    assert broken <= excused
