"""`explore` in a test: verdicts that are as expected pass, all others fail and say why."""

import pytest

pytest_plugins = ["pytester"]

BROKEN = "nobody_passes_a_locked_door"
AS_IS = f'expected={{"{BROKEN}": "VIOLATED"}}'


def one(call: str) -> str:
    """A test of a single call."""
    return f"def test_room(explore):\n    {call}\n"


def test_a_design_whose_properties_hold_passes_and_gives_its_counts(run):
    call = "assert explore(DESIGN, variants=REPAIR).distinct_states == 4"
    run(one(call)).assert_outcomes(passed=1)


@pytest.mark.parametrize("design", ["DESIGN", '"model:DESIGN"'])
def test_a_violation_fails_and_shows_each_step_with_what_it_changed(run, design):
    found = run(one(f"explore({design})"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            "room, in scope one (people=1): not as expected",
            f"  {BROKEN}: VIOLATED, expected HOLDS",
            "4 distinct states, * generated, depth *, on memory",
            f"VIOLATED {BROKEN} after 2 steps, the fewest: Nobody enters *",
            "1. janitor: janitor_locks()",
            "       is_locked: False → True",
            "2. person: person_enters()",
            "       inside: 0 → 1",
            f"{BROKEN} is broken by step 2:",
            "    not before.is_locked or after.inside <= before.inside is false",
            "      not before.is_locked is false (is_locked True)",
            "      after.inside <= before.inside is false (inside 0 -> 1)",
        ]
    )
    assert "exploring.py" not in found.stdout.str()


def test_an_expected_violation_passes(run):
    run(one(f"explore(DESIGN, {AS_IS})")).assert_outcomes(passed=1)


def test_an_expected_violation_that_does_not_come_fails_too(run):
    found = run(one(f"explore(DESIGN, variants=[REPAIR], {AS_IS})"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [f"  {BROKEN}: HOLDS, expected VIOLATED: no behaviour in this scope violates it"]
    )


def test_a_search_that_was_cut_fails_whatever_it_found(run):
    repaired = 'explore(DESIGN, variants="repair_try_the_door", max_states=2'
    found = run(one(f"{repaired})"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            "  room_holds_everybody: INCOMPLETE, expected HOLDS",
            "The search was cut: the limit of 2*",
        ]
    )
    run(one(f"{repaired}, {AS_IS})")).assert_outcomes(failed=1)
    run(one(f"{repaired}, properties=[])")).assert_outcomes(failed=1)


def test_a_search_that_was_cut_passes_where_the_test_asks_for_it(run):
    repaired = 'explore(DESIGN, variants="repair_try_the_door", max_states=2'
    run(one(f"{repaired}, allow_incomplete=True)")).assert_outcomes(passed=1)
    named = f'"room_holds_everybody": "INCOMPLETE", "{BROKEN}": "INCOMPLETE"'
    run(one(f"{repaired}, expected={{{named}}})")).assert_outcomes(passed=1)
    wanted = 'expected={"room_holds_everybody": "HOLDS"}'
    run(one(f"{repaired}, allow_incomplete=True, {wanted})")).assert_outcomes(failed=1)


def test_a_violation_counts_in_a_search_that_was_cut(run):
    found = run(one("explore(DESIGN, max_states=3, allow_incomplete=True)"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines([f"  {BROKEN}: VIOLATED, expected HOLDS"])


def test_only_the_named_properties_are_judged(run):
    run(one('explore(DESIGN, properties="room_holds_everybody")')).assert_outcomes(passed=1)
    run(one("explore(DESIGN, properties=[room_holds_everybody])")).assert_outcomes(passed=1)
    run(one(f'explore(DESIGN, properties="{BROKEN}")')).assert_outcomes(failed=1)


def test_a_guard_can_be_left_out(run):
    call = 'explore(DESIGN, variants=REPAIR, without="door_is_open")'
    found = run(one(call))
    found.stdout.fnmatch_lines(["room, repair_try_the_door, without door_is_open, in scope one*"])
    assert f"{BROKEN}: VIOLATED" in found.stdout.str()


def test_a_witness_is_judged_both_ways_where_it_is_named(run):
    free = '"door_is_opened_again": "VIOLATED"'
    for word, outcome in (("REACHED", "passed"), ("NOT REACHED", "failed")):
        call = f'explore(MORE, scope="four", expected={{{free}, "somebody_is_inside": "{word}"}})'
        run(one(call)).assert_outcomes(**{outcome: 1})


def test_what_tested_nothing_is_warned_of(run):
    found = run(one('explore(MORE, expected={"door_is_opened_again": "VIOLATED"})'))
    found.assert_outcomes(passed=1, warnings=1)
    found.stdout.fnmatch_lines(["*crowds_are_small HOLDS vacuously in room_and_more in scope one*"])


def test_a_scope_is_named_or_given(run):
    for scope in ('"four"', "Hall(people=4)", "Hall(people=3)"):
        found = run(one(f"explore(DESIGN, scope={scope})"))
        assert "(people=3)" in found.stdout.str() or "scope four (people=4)" in found.stdout.str()


def test_the_options_choose_scope_and_engine_of_tests_that_name_none(run):
    found = run(one("explore(DESIGN)"), "--tierproof-scope", "four")
    found.stdout.fnmatch_lines(["room, in scope four (people=4): not as expected"])
    found = run(one('explore(DESIGN, scope="one")'), "--tierproof-scope", "four")
    found.stdout.fnmatch_lines(["room, in scope one (people=1): not as expected"])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('explore(DESIGN, scope="five")', "*UnknownName: unknown scope 'five': *"),
        ('explore(DESIGN, variants="repair_the_door")', "*did you mean repair_try_the_door?"),
        ('explore(DESIGN, expected={"room_holds": "HOLDS"})', "*mean room_holds_everybody*"),
        ('explore(DESIGN, expected={"room_holds_everybody": "OK"})', "*'OK': write HOLDS, *"),
        ("explore()", "*name a design: explore(DESIGN)*"),
        ('explore("model:ROOM")', "*unknown design in model 'ROOM'*"),
    ],
)
def test_what_does_not_exist_fails_in_a_sentence(run, call, told):
    found = run(one(call))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines([told])
    found.stdout.fnmatch_lines([f"> *{call}"])  # the line of the test
    assert "During handling" not in found.stdout.str()


def test_a_fault_of_the_design_fails_in_a_sentence(run):
    faulty = "DESIGN.without('somebody_is_outside')"
    found = run(one(f"explore({faulty})"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*NoFence: 'somebody_is_outside' limits the scope*"])


@pytest.mark.parametrize("design", ["DESIGN", '"model:DESIGN"'])
def test_an_edit_in_a_file_of_the_project_is_a_variant(run, pytester, design):
    edit = "from model import door_is_open, person_enters\nfrom tierproof import Edit\n"
    edit += "TRY = Edit(fence={person_enters: door_is_open})\n"
    pytester.makepyfile(edits=edit)
    call = f'assert explore({design}, variants="edits.py:TRY").distinct_states == 4'
    run(one(call)).assert_outcomes(passed=1)
