"""The source of a design: what an edit names can be imported as told, and helpers have callers."""

from importlib import import_module
from typing import Any

import pytest

from tests.toys import lamp, mutex
from tierproof.model.language import Design, Edit
from tierproof.model.language.source_listing import source_of

LAMP = source_of(lamp.DESIGN)


def imported(path: str) -> Any:
    module, name = path.split(":")
    return getattr(import_module(module), name)


@pytest.mark.parametrize("design", [lamp.DESIGN, mutex.DESIGN], ids=lambda one: one.name)
@pytest.mark.parametrize("part", ["initial", "system", "environment", "properties", "witnesses"])
def test_each_slot_can_be_imported_as_told(design: Design, part: str):
    told = source_of(design)[part]
    assert [imported(one["import"]) for one in told.values()] == list(getattr(design, part))


def test_of_a_variant_the_slots_are_told_that_it_adds_and_those_as_they_were_written():
    moved = Edit(define={lamp.next_light: lamp.less_light}, add_system=(lamp.another_turn,))
    told = source_of(lamp.DESIGN.derive(name="moved", title="Moved", change=moved))
    assert imported(told["system"]["another_turn"]["import"]) is lamp.another_turn
    assert imported(told["system"]["lamp_is_turned"]["import"]) is lamp.lamp_is_turned


def test_a_guard_is_told_with_the_actions_that_it_guards():
    told = LAMP["guards"]["is_not_brightest"]
    assert imported(told["import"]) is lamp.is_not_brightest
    assert told["of"] == ["lamp_is_turned", "lamp_flickers"]


def test_a_helper_is_told_with_what_it_takes_and_who_calls_it():
    (told,) = LAMP["helpers"]
    assert imported(told["import"]) is lamp.next_light
    assert told["takes"] == ["state"]
    assert told["called_by"] == {"action": ["lamp_is_turned"]}


def test_each_field_is_told_with_its_domain_in_the_bounds_of_a_scope():
    assert imported(LAMP["state"]["import"]) is lamp.Lamp
    assert imported(LAMP["scope"]) is lamp.House
    (light,) = LAMP["state"]["fields"]
    assert (light["path"], light["domain"], light["kind"]) == (
        "light",
        "Range(0, brightest)",
        "protocol",
    )


def test_fields_of_elements_are_told_once_with_the_count_of_the_elements():
    told = {one["path"]: one for one in source_of(mutex.DESIGN)["state"]["fields"]}
    assert all("[" not in path or "]" in path for path in told)
    assert len(told) < len(mutex.DESIGN.layout(next(iter(mutex.DESIGN.scopes.values()))).leaves)
