"""What a verdict rests on: the assumptions of a design and of its bases, and what they hide."""

import pytest

from tests.toys import lamp
from tierproof.model.language import Edit
from tierproof.register.assumptions import assumptions, designs_of, in_short, rests_on
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

HIDDEN = {
    "kip405": [
        "KAFKA-19858",
        "KIP-1235",
        "KAFKA-19425",
        "KAFKA-19426",
        "KAFKA-18991",
        "KIP-903",
        "KAFKA-18635",
        "KIP-966",
        "KAFKA-17020",
        "KAFKA-19996",
        "KAFKA-17375",
        "KAFKA-14616",
        "KAFKA-16234",
        "KAFKA-19975",
        "KAFKA-17995",
        "KAFKA-20091",
        "Aiven 820",
        "Aiven 596",
    ],
    "log_cleaner": ["KAFKA-19895", "KAFKA-9826"],
    "producer_state": ["KAFKA-19999"],
}
"""Design -> published bugs that it cannot show."""
ALL = {name: Question(design=name).resolve()[0] for name in DESIGNS}


def names(design):
    return [one.name for one in rests_on(design)]


def with_bases(design):
    return [design, *(with_bases(design.base) if design.base else [])]


@pytest.mark.parametrize("name", HIDDEN)
def test_each_published_bug_that_a_design_cannot_show_stands_at_an_assumption_of_it(name):
    told = {bug for one in rests_on(ALL[name]) for bug in one.hides}
    assert set(HIDDEN[name]) <= told


def test_every_assumption_is_one_of_a_design_that_there_is():
    known = {one.name for design in ALL.values() for one in with_bases(design)}
    assert {name for one in assumptions() for name in designs_of(one)} <= known


def test_every_design_rests_on_something():
    assert [name for name, design in ALL.items() if not rests_on(design)] == []


@pytest.mark.parametrize("name", ["kip950", "kip1272", "kip952_waits"])
def test_a_derived_design_rests_on_what_its_base_rests_on(name):
    assert set(names(ALL["kip405"])) < set(names(ALL[name]))


def test_a_design_of_a_user_that_is_derived_of_one_of_ours_rests_on_the_same():
    base = ALL["kip405"]
    dropped = Edit(drop=(base.environment[-1],))
    mine = base.derive(name="mine", title="Mine", change=dropped)
    assert names(mine) == names(base)


def test_a_variant_with_the_other_reading_lifts_the_assumption():
    design = ALL["kip1266"]
    changed = design.with_variants("text_epoch_at_copy")
    assert set(names(design)) - set(names(changed)) == {"C1"}


def test_a_design_of_a_user_rests_on_nothing_that_the_register_knows():
    assert rests_on(lamp.DESIGN) == ()


def test_a_design_of_a_user_says_itself_what_it_assumes_and_a_derived_one_inherits_it():
    words = {"L1": "Nobody takes the bulb out."}
    change = Edit(drop=(lamp.lamp_flickers,))
    mine = lamp.DESIGN.derive(name="mine", title="Mine", change=change, assumptions=words)
    then = mine.derive(name="then", title="Then", change=Edit(drop=(lamp.lamp_is_switched_off,)))
    for design in (mine, then):
        (one,) = rests_on(design)
        assert one.as_dict() == {"id": "L1", "says": words["L1"], "hides": []}


def test_an_id_that_a_design_of_a_user_uses_itself_is_its_own():
    words = {"B1": "Nobody takes the bulb out."}
    change = Edit(drop=(ALL["kip405"].environment[-1],))
    mine = ALL["kip405"].derive(name="mine", title="Mine", change=change, assumptions=words)
    assert sorted(names(mine)) == sorted(names(ALL["kip405"]))
    assert {one.name: one.choice for one in rests_on(mine)}["B1"] == words["B1"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("A1", "A1"),
        ("A1 A2", "A1, A2"),
        ("A1 A2 A3 A5", "A1 to A3, A5"),
        ("A1 A2 B3", "A1, A2, B3"),
        ("A1 mine B1 B2 B3", "A1, mine, B1 to B3"),
    ],
)
def test_ids_that_follow_each_other_are_told_by_the_first_and_the_last(given, told):
    assert in_short(given.split()) == told


def test_a_scope_that_has_a_fault_does_not_rest_on_its_absence():
    design = ALL["kip405_faults"]
    names = {
        scope: {one.name for one in rests_on(design, design.scope(scope))}
        for scope in ("smoke", "lost_metadata", "own_rolls")
    }
    assert {"K1", "K6"} <= names["smoke"]
    assert names["smoke"] - names["lost_metadata"] == {"K1"}
    assert names["smoke"] - names["own_rolls"] == {"K6"}


def test_what_lifts_an_assumption_is_a_bound_of_some_design():
    bounds = {
        name
        for design in ALL.values()
        for scope in design.scopes
        for name, _ in design.scope(scope)
    }
    assert {name for one in assumptions().values() for name in one.lifted_by} <= bounds
