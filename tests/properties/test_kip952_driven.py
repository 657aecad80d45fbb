"""KIP-952, driven beyond what can be explored: three brokers, producers and old segments."""

import pytest

import tests.properties.test_kip405_producers_driven as producers
from tests.properties.walks import in_proportion, of_walks, steady
from tierproof.model.designs.kip952 import (
    CREATED_ON_READ,
    DESIGN,
    NOT_COPIED,
    REFUSING,
    REGENERATED,
    REGENERATED_YOUNG,
    WAITING,
)
from tierproof.model.language import Design
from tierproof.properties import check

LARGE = producers.LARGE.replace(
    sequences=4,
    leader_epochs=9,
    copied=0,
    local_start=0,
    old_end=3,
    requests=1,
    epoch_bumps=1,
    shrinks=1,
    restarts=2,
    shutdowns=1,
    lost_disks=1,
)
"""A client has one batch in flight, and no record is deleted."""


CLOSED = (
    DESIGN,
    *(pytest.param(one, marks=pytest.mark.slow) for one in (REGENERATED, REGENERATED_YOUNG)),
)
"""REGENERATED is driven with two requests in flight, too, and REGENERATED_YOUNG is it but once."""


@of_walks(2, 3)
@pytest.mark.parametrize("design", CLOSED, ids=lambda design: design.name)
def test_with_all_repairs_every_property_holds_at_large(design: Design, walks: int):
    repaired = design.with_variant("repair_all")
    driven = check(repaired, LARGE, settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 3)


@pytest.mark.slow
@of_walks(2, 3)
def test_so_it_does_where_tiering_is_refused_until_no_segment_is_old(walks: int):
    repaired = REFUSING.with_variant("repair_all")
    large = LARGE.replace(is_enabled_later=1)
    driven = check(repaired, large, settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 3)


@of_walks(2, 3)
def test_so_it_does_with_two_requests_in_flight(walks: int):
    repaired = REGENERATED.with_variant("repair_all")
    driven = check(repaired, LARGE.replace(requests=2), settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 3)


UNREPAIRED = [
    # A topic that was tiered before the upgrade is never asked whether it may be.
    pytest.param(REFUSING, "inputs_exist_before_copy_is_published", marks=pytest.mark.slow),
    pytest.param(NOT_COPIED, "every_object_has_its_snapshot", marks=pytest.mark.slow),
    (CREATED_ON_READ, "every_object_has_its_snapshot"),
    pytest.param(WAITING, "rolled_segments_are_copied", marks=pytest.mark.slow),
]
"""CREATED_ON_READ changes what copies and what reads; the others change what is copied."""


@of_walks(2, 3)
@pytest.mark.parametrize(
    ("design", "given_up"), UNREPAIRED, ids=lambda one: getattr(one, "name", one)
)
def test_with_all_repairs_nothing_breaks_but_what_the_alternative_gives_up(
    design: Design, given_up: str, walks: int
):
    repaired = design.with_variant("repair_all")
    driven = check(repaired, LARGE, expected_violations=(given_up,), settings=steady(walks))
    assert driven.distinct_states > in_proportion(100, walks, 3)
