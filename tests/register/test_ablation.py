"""What can be left out of a design, and what it is left out of."""

import pytest

from tests.toys import leaky_tank, three_locks
from tests.toys.two_phase_commit import DESIGN as TWO_PHASE
from tierproof.model.language import Design, UnknownName, Variant, fence
from tierproof.register.ablation import PartKind, guards_of, parts_of

DOOR = three_locks.DESIGN
TANK = leaky_tank.DESIGN


@fence(protects="door_is_shut", scope="house")
def is_watched(state: three_locks.Door) -> bool:
    """Somebody sees the thief."""
    return state.is_rusted


@fence(stays="It would be odd without.")
def is_heard(state: three_locks.Door) -> bool:
    """The neighbours hear it."""
    return state.is_picked


WATCH = Variant(
    name="repair_watch", because="It is seen.", fence={three_locks.thief_picks_lock: is_watched}
)
LISTEN = Variant(
    name="repair_listen", because="It is heard.", fence={three_locks.wind_opens: is_heard}
)
BOTH = Variant(name="repair_both", because="Seen and heard.", parts=(WATCH, LISTEN))
STRONGER = Variant(
    name="repair_iron",
    because="Iron.",
    parts=(WATCH,),
    fence={three_locks.thief_picks_lock: is_heard},
)


def door(*variants: Variant) -> Design:
    """The door with further variants."""
    return DOOR.derive(
        name="door",
        title="A door",
        change=Variant(name="as_it_is", because=""),
        variants=(*DOOR.variants, *variants),
    )


def names(design: Design, *variants: str, **options: object) -> list[str]:
    return [one.name for one in parts_of(design, variants, **options)]  # type: ignore[arg-type]


def test_a_design_without_fences_has_nothing_to_leave_out_but_its_guards():
    assert names(DOOR) == []
    found = parts_of(DOOR, with_guards=True)
    assert [one.name for one in found] == [
        *("is_not_picked", "is_not_rusted", "is_chained", "is_loud", "has_no_lock"),
    ]
    assert {one.kind for one in found} == {PartKind.GUARD}


def test_limits_and_edges_are_never_left_out():
    kept = {
        name for name, one in TWO_PHASE.guards.items() if one.kind not in ("condition", "fence")
    }
    assert kept.isdisjoint(names(TWO_PHASE, with_guards=True))


def test_a_fence_that_a_variant_adds_is_left_out_of_the_design_with_that_variant():
    (part,) = parts_of(door(WATCH))
    assert (part.name, part.kind, part.variant) == ("is_watched", "fence", "repair_watch")
    assert (part.protects, part.scope) == (("door_is_shut",), "house")
    ((before, after),) = part.settings
    assert before.resolved.chosen_variants == ("repair_watch",)
    assert after.resolved.chosen_variants == ("repair_watch",)
    assert before.resolved.dropped_guards == set()
    assert after.resolved.dropped_guards == {"is_watched"}


def test_a_fence_beside_a_stronger_one_is_also_left_out_of_its_part_alone():
    part = next(one for one in parts_of(door(STRONGER)) if one.name == "is_watched")
    assert [before.title for before, _ in part.settings] == [
        "repair_iron",
        "a part of repair_iron",
    ]
    alone, _ = part.settings[1]
    assert [one.name for one in alone.resolved.action("thief_picks_lock").guards] == [
        "is_not_picked",
        "is_watched",
    ]


def test_each_part_of_a_repair_is_left_out_of_the_whole():
    found = {one.name: one for one in parts_of(door(WATCH, LISTEN, BOTH), ["repair_both"])}
    assert list(found) == ["is_watched", "is_heard", "repair_watch", "repair_listen"]
    ((whole, less),) = found["repair_watch"].settings
    assert set(whole.resolved.guards) - set(less.resolved.guards) == {"is_watched"}
    assert "is_heard" in less.resolved.guards


def test_of_several_repairs_each_is_left_out():
    found = {one.name: one for one in parts_of(TANK, ["repair_seal_left", "repair_seal_right"])}
    repairs = [one for one in found.values() if one.kind is PartKind.REPAIR]
    assert [one.name for one in repairs] == ["repair_seal_left", "repair_seal_right"]
    ((_, less),) = found["repair_seal_left"].settings
    assert less.resolved.chosen_variants == ("repair_seal_right",)


def test_a_guard_that_is_known_elsewhere_is_left_to_it():
    changed = door(WATCH)
    assert names(changed, known=guards_of(changed)) == []
    assert names(changed, known={"is_not_picked"}, with_guards=True)[0] == "is_not_rusted"


def test_parts_are_named_and_a_mistyped_name_is_told():
    assert names(door(WATCH), only=["is_watched"]) == ["is_watched"]
    with pytest.raises(UnknownName, match="is_watched"):
        parts_of(door(WATCH), only=["is_watchd"])


def test_an_ordinary_guard_is_left_out_where_it_is_named():
    assert names(DOOR, only=["is_chained"]) == ["is_chained"]
