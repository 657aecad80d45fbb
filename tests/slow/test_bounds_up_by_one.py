"""What a closed scope says where one more event may happen is known.

No HOLDS may rest on a bound that was hit where one more shows another verdict: either the closed
design holds, too, with one more election, crash, deletion and so on, or the register says what
breaks then (`one_more.yaml`), and so do the pages. Scopes whose closed design is small are taken.
"""

from collections.abc import Iterator

import pytest

from tierproof.model.language import Design, DesignError
from tierproof.model.language.errors import ScopeError
from tierproof.register import evidence
from tierproof.register.isolation import closed, excused
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.search import explore

SMALL = 1_000
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


def budgets(design: Design, scope: str) -> Iterator[str]:
    """The bounds of the scope that say how often something happens, and may be larger by one."""
    sizes = design.scope(scope)
    spent = {act.budget for act in design.actions}
    for name, bound in type(sizes).bounds.items():
        if name in spent and dict(sizes)[name] < bound.high:
            yield name


def broken_with_one_more(design: Design, scope: str, bound: str) -> list[str]:
    """What the closed design violates then; skips a scope in which the design has no room."""
    changed = design.with_variants(*closed(design))
    sizes = changed.scope(scope)
    try:
        room = sizes.replace(**{bound: dict(sizes)[bound] + 1})
        found = explore(changed, room, MemoryExecution, max_states=MOST_STATES)
    except (ScopeError, DesignError) as error:
        pytest.skip(str(error))
    broken = {one.name for one in found.properties if one.verdict == "VIOLATED"} - excused(design)
    if found.cut and not broken:
        pytest.skip(f"{found.cut}: nothing broke until then")
    return sorted(broken)


TAKEN = [
    pytest.param(design, scope, bound, id=f"{design.name} {scope} {bound}")
    for design, scope in small_scopes()
    for bound in budgets(design, scope)
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "scope", "bound"), TAKEN)
def test_what_breaks_with_one_more_is_known(design: Design, scope: str, bound: str) -> None:
    known = evidence.with_one_more().get(design.name, {}).get(scope, {}).get(bound)
    assert broken_with_one_more(design, scope, bound) == (sorted(known.breaks) if known else [])
