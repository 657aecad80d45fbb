"""A scope that leaves a design no room is refused; what breaks with one more event is explained."""

import pytest

from tierproof.model.designs import kip405_producers, kip1272
from tierproof.model.language import Design, ScopeError
from tierproof.register import evidence
from tierproof.spark_explorer.question import Question


@pytest.mark.parametrize(
    ("design", "scope", "bounds", "words"),
    [
        (kip1272.DESIGN, "smoke", {"offsets": 3}, "history=0 has 2 records, not offsets - appends"),
        (kip1272.DESIGN, "smoke", {"appends": 1}, "history=0 has 2 records, not offsets - appends"),
        (kip1272.DESIGN, "deleted", {"topic_keys": 1}, "has 2 keys, more than topic_keys=1"),
        (kip1272.DESIGN, "smoke", {"copied": 3}, "copied=3 is more than the 2 records"),
        (kip1272.DESIGN, "smoke", {"cleaned": 3}, "cleaned=3 is above copied=2"),
        (kip1272.DESIGN, "smoke", {"local_start": 3}, "local_start=3 is above copied=2"),
        (kip1272.DESIGN, "skipped", {"record_deletions": 1}, "as many planned_deletions, not 2"),
        (kip405_producers.DESIGN, "followers", {"offsets": 4}, "they take more sequences"),
        (kip405_producers.DESIGN, "followers", {"copied": 2}, "copied=2 needs as many records"),
        (kip405_producers.DESIGN, "followers", {"local_start": 2}, "local_start=2 is above"),
    ],
)
def test_bounds_without_room_are_refused(
    design: Design, scope: str, bounds: dict[str, int], words: str
) -> None:
    with pytest.raises(ScopeError, match=words):
        design.scope(scope).replace(**bounds)


def test_a_user_may_delete_records_where_a_run_may_delete_every_segment() -> None:
    scope = kip1272.DESIGN.scope("skipped").replace(planned_deletions=6, record_deletions=1)
    assert dict(scope)["record_deletions"] == 1


BROKEN = [
    pytest.param(design, scope, bound, told, id=f"{design} {scope} {bound}")
    for design, scopes in evidence.with_one_more().items()
    for scope, bounds in scopes.items()
    for bound, told in bounds.items()
]


@pytest.mark.parametrize(("name", "scope", "bound", "told"), BROKEN)
def test_what_breaks_with_one_more_event_is_told_of_what_the_design_has(
    name: str, scope: str, bound: str, told: evidence.WithOneMore
) -> None:
    design = Question(design=name).resolve()[0]
    assert bound in dict(design.scope(scope))
    assert told.because
    assert set(told.breaks) <= {one.name for one in design.properties}
