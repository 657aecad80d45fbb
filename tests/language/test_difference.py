"""The difference of two designs is computed from both, slot by slot."""

import json
from dataclasses import replace

from tests.toys import courier
from tests.toys.courier import Way
from tierproof.diagrams import difference_as_markdown, difference_as_text
from tierproof.model.language import Edit
from tierproof.model.language.difference import difference

DERIVED = courier.DESIGN.derive(name="derived", title="Derived", change=courier.CHANGE)
FOUND = difference(courier.DESIGN, DERIVED)


def changes_by_name(changes):
    return {one.name: (one.how, one.edits) for one in changes}


def test_actions_are_dropped_and_edited_under_their_names():
    assert changes_by_name(FOUND.actions) == {
        "courier_falls": ("dropped", ()),
        "customer_takes": (
            "edited",
            ("does instead: Take every parcel.", "asks also `is_full_or_not`: Anything goes."),
        ),
    }
    assert FOUND.unchanged == 3


def test_properties_and_fences_are_compared_by_name():
    assert changes_by_name(FOUND.properties) == {"something_is_delivered": ("dropped", ())}
    assert FOUND.fences == ()
    lost = difference(courier.DESIGN, courier.DESIGN.with_variant("unfenced"))
    assert changes_by_name(lost.fences) == {"has_room": ("dropped", ())}


def test_a_variant_is_compared_with_its_design():
    found = difference(courier.DESIGN, courier.DESIGN.with_variant("turn_back"))
    assert (found.old, found.new) == ("courier", "courier with turn_back")
    assert changes_by_name(found.actions) == {
        "courier_falls": ("dropped", ()),
        "courier_turns_back": ("added", ()),
    }


def test_bookkeeping_shows_as_what_is_done_also():
    found = difference(courier.DESIGN, courier.DESIGN.with_history(courier.COUNTED))
    assert changes_by_name(found.actions) == {
        "courier_delivers": ("edited", ("does also: Ghost: one more.",)),
    }


def leave_in_any_case(state: courier.Hall, courier: courier.Courier) -> None:
    """Every courier goes."""
    state.way[courier] = Way.ON_THE_WAY


def test_another_choice_of_the_same_targets_is_told():
    (goes_back,) = (act for act in courier.DESIGN.system if act.name == "courier_goes_back")
    changed = replace(goes_back, last=(leave_in_any_case,))
    edit = Edit(drop=(goes_back,), add_system=(changed,))
    found = difference(courier.DESIGN, courier.DESIGN.derive(name="d", title="D", change=edit))
    assert changes_by_name(found.actions) == {
        "courier_goes_back": ("edited", ("chooses otherwise: AT_HOME or ON_THE_WAY",))
    }


def test_a_design_does_not_differ_from_itself():
    found = difference(courier.DESIGN, courier.DESIGN)
    assert (found.actions, found.fields, found.properties) == ((), (), ())
    assert found.unchanged == 5


def test_text_and_markdown_say_the_same():
    text, markdown = difference_as_text(FOUND), difference_as_markdown(FOUND)
    assert "Actions: 1 dropped, 1 edited\n  - courier_falls\n  ~ customer_takes: Take" in text
    assert "| edited | `customer_takes` | Take every parcel.<br>does instead: Take" in markdown
    assert "| dropped | `something_is_delivered` |" in markdown


def test_plain_values_are_json():
    found = json.loads(json.dumps(FOUND.as_dict()))
    assert [one["name"] for one in found["actions"]] == ["courier_falls", "customer_takes"]
    assert found["unchanged_actions"] == 3
