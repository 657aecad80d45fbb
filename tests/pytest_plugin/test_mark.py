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


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ("tierproof([DESIGN], scope='one')", "the mark tierproof has no 'scope'"),
        ("tierproof([DESIGN], 'one')", "the mark tierproof takes the designs"),
        ("tierproof([3])", "the mark tierproof has 3 among its designs"),
        ("tierproof([DESIGN], scopes=[3])", "the mark tierproof has a scope 3"),
        ("tierprof([DESIGN])", "there is no mark 'tierprof': write @pytest.mark.tierproof"),
    ],
)
def test_a_misspelt_mark_names_the_test_and_lets_the_others_run(run, mark, told):
    found = run(
        f"""
        @pytest.mark.{mark}
        def test_room(explore):
            explore(DESIGN)

        def test_another():
            pass
        """.replace("\n        ", "\n")
    )
    found.assert_outcomes(passed=1, errors=1)
    found.stdout.fnmatch_lines([f"*test_room.py::test_room: {told}*"])


def test_a_design_and_its_ablation_are_told_apart_in_words(run):
    words = "[DESIGN, DESIGN.without('door_is_open'), DESIGN.with_variants(REPAIR.name)]"
    assert names(run(EACH.format(words), "-v")) == [
        "room",
        "room-without-door_is_open",
        "room-repair_try_the_door",
    ]


@pytest.mark.parametrize("fixture", ["explore", "drive", "replay"])
def test_a_test_that_asks_for_a_search_and_never_calls_it_is_warned_of(run, fixture):
    found = run(f"def test_room({fixture}):\n    pass\n")
    found.assert_outcomes(passed=1, warnings=1)
    found.stdout.fnmatch_lines([f"*test_room asks for `{fixture}` and never calls it: nothing *"])


def test_a_test_that_is_skipped_or_fails_before_its_search_is_not_warned_of(run):
    found = run(
        "def test_room(explore):\n    pytest.skip()\ndef test_door(explore):\n    assert False\n"
    )
    found.assert_outcomes(skipped=1, failed=1, warnings=0)


def test_a_mark_on_a_test_that_explores_nothing_is_an_error(run):
    found = run("@pytest.mark.tierproof([DESIGN])\ndef test_room():\n    pass\n")
    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines(["*is for tests that use `explore` or `drive`*"])


def test_the_mark_is_known_where_marks_are_strict(run):
    words = "designs=[DESIGN], variants=[REPAIR]"
    run(EACH.format(words), "--strict-markers").assert_outcomes(passed=1)
