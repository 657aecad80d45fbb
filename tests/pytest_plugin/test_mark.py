"""The mark `tierproof`: one test for each design, scope, property and variant."""

import pytest

pytest_plugins = ["pytester"]

EACH = """
@pytest.mark.tierproof({})
def test_room(explore):
    explore()
"""


def names(found: pytest.RunResult) -> list[str]:
    """The parameters of the tests that ran, as pytest shows them."""
    shown = [line for line in found.stdout.lines if "::test_room[" in line and "%" in line]
    return [line.partition("[")[2].partition("]")[0] for line in shown]


def test_every_combination_is_a_test_with_a_name(run):
    words = 'designs=[DESIGN], scopes=["one", "four"], variants=[(), REPAIR]'
    found = run(EACH.format(words), "-v")
    assert names(found) == [
        "room-one",
        "room-one-repair_try_the_door",
        "room-four",
        "room-four-repair_try_the_door",
    ]
    found.assert_outcomes(passed=2, failed=2)


def test_properties_are_judged_one_by_one(run):
    found = run(EACH.format("designs=[DESIGN], properties=DESIGN.properties"), "-v")
    assert names(found) == ["room-room_holds_everybody", "room-nobody_passes_a_locked_door"]
    found.assert_outcomes(passed=1, failed=1)


def test_a_call_may_say_the_rest(run):
    found = run(EACH.format("[DESIGN]").replace("explore()", "explore(variants=REPAIR)"))
    found.assert_outcomes(passed=1)


def test_drive_takes_its_cases_from_the_mark_too(run):
    words = "designs=[DESIGN], scopes=[Hall(people=4)], variants=[REPAIR]"
    source = EACH.format(words).replace("explore", "drive")
    run(source, "--tierproof-profile", "quick").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("designs=[DESIGN], scope=['one']", "*the mark tierproof has no 'scope'*"),
        ("designs=[]", "*the mark tierproof names no designs: nothing would be tested*"),
    ],
)
def test_a_mark_that_tests_nothing_is_an_error(run, words, told):
    found = run(EACH.format(words))
    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines([told])


def test_a_mark_on_a_test_that_explores_nothing_is_an_error(run):
    found = run("@pytest.mark.tierproof([DESIGN])\ndef test_room():\n    pass\n")
    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines(["*is for tests that use `explore` or `drive`*"])


def test_the_mark_is_known_where_marks_are_strict(run):
    words = "designs=[DESIGN], variants=[REPAIR]"
    run(EACH.format(words), "--strict-markers").assert_outcomes(passed=1)
