"""A failure ends with a test: pasted as it is, it fails until the design is mended."""

import pytest

pytest_plugins = ["pytester"]

FAILING = "def test_room(explore):\n    explore({})\n"


def pasted(found: pytest.RunResult) -> str:
    """The test at the end of a failure."""
    lines = found.stdout.lines
    start = next(n for n, line in enumerate(lines) if line.startswith("def test_"))
    end = next(n for n, line in enumerate(lines) if n > start and line == "    )")
    return "\n".join(lines[start : end + 1]) + "\n"


@pytest.mark.parametrize(
    "asked", ["DESIGN", "DESIGN, scope=Hall(people=2)", 'DESIGN, scope="four"', '"model:DESIGN"']
)
def test_it_fails_by_the_same_steps(run, asked):
    found = run(pasted(run(FAILING.format(asked))))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            "*: the steps violate nobody_passes_a_locked_door again",
            "2. person: person_enters()",
            "       inside: 0 → 1",
        ]
    )


def test_it_passes_once_the_design_refuses_a_step(run):
    source = pasted(run(FAILING.format("DESIGN")))
    mended = source.replace("scope='one',", "scope='one', variants=REPAIR,")
    assert mended != source
    run(mended).assert_outcomes(passed=1)


def test_it_asks_the_same_variants_and_guards(run):
    call = 'DESIGN, variants=REPAIR, without="door_is_open"'
    source = pasted(run(FAILING.format(call)))
    assert "variants=('repair_try_the_door',)" in source
    assert "without=('door_is_open',)" in source
    run(source).assert_outcomes(failed=1)
    run(source.replace("without=('door_is_open',),", "")).assert_outcomes(passed=1)


def test_a_lasso_is_replayed_as_a_lasso(run):
    source = pasted(run(FAILING.format("MORE")))
    assert "'door_is_opened_again'" in source
    assert "cycle_start=" in source
    run(source).assert_outcomes(failed=1)


def test_an_action_that_is_gone_fails_and_is_named(run):
    source = pasted(run(FAILING.format("DESIGN"))).replace("janitor_locks", "janitor_bolts")
    found = run(source)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*unknown action 'janitor_bolts': did you mean janitor_locks*"])


def test_what_hypothesis_finds_is_shown_and_pasted_alike(run):
    driven = 'def test_room(drive):\n    drive(DESIGN, scope="four", settings=FEW)\n'
    few = "from tierproof.properties import PROFILES\nFEW = PROFILES['ci']\n"
    found = run(few + driven)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            "room, driven in people=4: nobody_passes_a_locked_door is VIOLATED",
            "VIOLATED nobody_passes_a_locked_door after 2 steps, perhaps not the fewest: *",
            "       is_locked: False → True",
        ]
    )
    assert "another exception" not in found.stdout.str()
    run(pasted(found)).assert_outcomes(failed=1)


def test_a_test_that_calls_check_itself_is_shown_alike(run):
    found = run(
        "from tierproof.properties import check\n"
        "def test_room():\n    check(DESIGN, Hall(people=4), settings='ci')\n"
    )
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["As a test, to paste; it fails until the design is mended:"])


def test_the_same_steps_in_another_scope_are_another_test(run):
    tests = [pasted(run(FAILING.format(asked))) for asked in ("DESIGN", 'DESIGN, scope="four"')]
    assert tests[0].partition("(")[0] != tests[1].partition("(")[0]
    run("\n\n".join(tests)).assert_outcomes(failed=2)
