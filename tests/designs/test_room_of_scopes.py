"""A scope that leaves a design no room for what it does is refused, with a sentence."""

import pytest

from tierproof.model.designs import kip405_producers, kip1272
from tierproof.model.language import Design, ScopeError


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
    assert scope.record_deletions == 1
