"""Kept searches: what was searched is not searched again, and says the same."""

import json
import re
import threading
from pathlib import Path

import pytest

from tests.pytest_plugin.projects import MODEL
from tierproof.spark_explorer.engines import execution_for
from tierproof.spark_explorer.kept.keeping import Keeping
from tierproof.spark_explorer.kept.reusing import Use, Wanted, answered
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore

pytest_plugins = ["pytester"]

TWICE = """
def test_once(explore):
    assert explore(DESIGN, variants=REPAIR).distinct_states == 4

def test_again(explore):
    assert explore("model:DESIGN", variants="repair_try_the_door").distinct_states == 4
"""
FAILS = "def test_room(explore):\n    explore(MORE, scope='four')\n"
RUNS = ("--tierproof-runs", "kept")


def report(found: pytest.RunResult) -> str:
    """What pytest has printed, but for its times and for how many searches were made."""
    told = re.sub(r" in \d+\.\d+s", "", found.stdout.str())
    return "\n".join(line for line in told.splitlines() if "kept searches" not in line)


def uses(found: pytest.RunResult) -> str:
    """The line that says how many searches were made."""
    return next(line for line in found.outlines if "kept searches" in line).partition(": ")[2]


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


# -- a folder of runs


def test_what_is_asked_twice_is_searched_once(run):
    found = run(TWICE, *RUNS)
    found.assert_outcomes(passed=2)
    assert uses(found) == "kept searches: 1 reused, 1 made"
    assert uses(run(TWICE, *RUNS)) == "kept searches: 2 reused, 0 made"


def test_nothing_is_kept_and_nothing_said_where_nobody_asks_for_it(run, pytester):
    assert "kept searches" not in run(TWICE).stdout.str()
    assert not list(pytester.path.rglob("run.json"))


def test_a_failure_reads_the_same_from_a_kept_run(run):
    plain, fresh, reused = run(FAILS), run(FAILS, *RUNS), run(FAILS, *RUNS)
    assert uses(reused) == "kept searches: 1 reused, 0 made"
    assert report(plain) == report(fresh) == report(reused)
    assert "As a test, to paste" in report(plain)


def test_a_search_that_a_limit_cut_is_kept_under_its_limit(run):
    cut = "def test_room(explore):\n    explore(MORE, scope='four', max_states=NUMBER)\n"
    plain, fresh, reused = (run(cut.replace("NUMBER", "3"), *more) for more in ((), RUNS, RUNS))
    assert uses(reused) == "kept searches: 1 reused, 0 made"
    assert report(plain) == report(fresh) == report(reused)
    assert uses(run(cut.replace("NUMBER", "4"), *RUNS)) == "kept searches: 0 reused, 1 made"


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("state.inside += 1", "state.inside += 2"),
        ("    is_locked: bool", "    is_locked: bool\n    is_lit: bool"),
        ('"""The room is empty and open."""', "state.is_locked = True"),
        ("state.inside <= scope.people", "state.inside < scope.people"),
        ('"four": Hall(people=4)', '"four": Hall(people=3)'),
    ],
)
def test_another_text_of_the_design_is_another_search(run, pytester, line, other):
    run(FAILS, *RUNS)
    assert MODEL.count(line) == 1
    pytester.makepyfile(model=MODEL.replace(line, other))
    again = run(FAILS, *RUNS)
    assert uses(again) == "kept searches: 0 reused, 1 made"
    assert report(again) == report(run(FAILS))


def test_other_words_for_the_same_design_need_no_search_and_are_what_is_said(run, pytester):
    run(FAILS, *RUNS)
    pytester.makepyfile(model=MODEL.replace("A locked door is unlocked", "Any door is unlocked"))
    again = run(FAILS, *RUNS)
    assert uses(again) == "kept searches: 1 reused, 0 made"
    assert "Any door is unlocked" in report(again)


def test_the_file_of_pytest_may_name_the_folder_from_where_it_stands(run, pytester):
    pytester.makeini("[pytest]\npythonpath = .\ntierproof_runs = build/kept\n")
    assert uses(run(TWICE)) == "kept searches: 1 reused, 1 made"
    assert len(names(pytester.path / "build" / "kept")) == 1
    assert "kept searches" not in run(TWICE, "-o", "tierproof_runs=").stdout.str()


@pytest.mark.parametrize("address", ["", "s3://bucket/runs"])
def test_a_folder_where_processes_cannot_wait_for_each_other_is_refused(run, address):
    found = run(TWICE, f"--tierproof-runs={address}")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines(["ERROR: --tierproof-runs takes a folder of this machine, *"])


def test_a_kept_result_that_is_damaged_is_named(run, pytester):
    run(TWICE, *RUNS)
    (kept,) = pytester.path.glob("kept/*/result.json")
    kept.write_text(kept.read_text()[:100])
    found = run(TWICE, *RUNS)
    found.assert_outcomes(failed=2)
    found.stdout.fnmatch_lines(["NotKept: the result in *kept/room-one-* cannot be read: *"])


# -- one run, named


def one(call: str) -> str:
    return f"def test_room(explore):\n    explore(DESIGN, variants=REPAIR, {call})\n"


def test_a_run_that_is_named_is_kept_and_reused(run, pytester):
    assert uses(run(one("run='here/mine'"))) == "kept searches: 0 reused, 1 made"
    assert uses(run(one("run='here/mine'"))) == "kept searches: 1 reused, 0 made"
    assert uses(run(one("run='here/mine'"), *RUNS)) == "kept searches: 1 reused, 0 made"
    assert names(pytester.path / "here") == ["mine"]


def test_a_run_that_was_cut_is_resumed(run):
    run(one("max_states=2, allow_incomplete=True, run='mine'")).assert_outcomes(passed=1)
    found = run(one("run='mine'"))
    found.assert_outcomes(passed=1)
    assert uses(found) == "kept searches: 0 reused, 0 made, 1 resumed"
    assert uses(run(one("run='mine'"))) == "kept searches: 1 reused, 0 made"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("variants=()", "the variants of *mine: repair_try_the_door, and not none: *"),
        ("scope='four'", "the scope of 'room' is not what *mine was explored with: *"),
        ("properties='room_holds_everybody'", "the properties of *mine: all, and not room_holds*"),
        ("max_states=2", "*mine has come to its end with 4 states, above the limit of 2 states: *"),
        ("engine='spark'", "*mine was explored on memory, and not on spark: *"),
        ("run=''", "run= takes a folder, *"),
    ],
)
def test_a_run_of_another_search_is_refused_in_a_sentence(run, call, told):
    run(one("run='mine'"))
    given = {"variants": "REPAIR", "run": "'mine'"} | dict([call.split("=", 1)])
    words = ", ".join(f"{name}={value}" for name, value in given.items())
    found = run(f"def test_room(explore):\n    explore(DESIGN, {words})\n")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines([f"*: {told}"])


def test_initial_states_that_are_not_those_of_the_run_are_refused(run, pytester):
    run(one("run='mine'"))
    other = MODEL.replace('"""The room is empty and open."""', "state.is_locked = True")
    pytester.makepyfile(model=other)
    found = run(one("run='mine'"))
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["Unlike: the initial states are not those that *"])


def test_the_result_of_another_tierproof_is_refused(run, pytester):
    run(one("run='mine'"))
    manifest = pytester.path / "mine" / "run.json"
    found = json.loads(manifest.read_text())
    found["software"] = [["tierproof", "0.0.1 (01234567)"]]
    manifest.write_text(json.dumps(found))
    again = run(one("run='mine'"))
    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(["*: the version of *: tierproof 0.0.1 (01234567), and not *"])


# -- at the same time


def test_who_asks_while_another_searches_waits_and_reuses(tmp_path):
    question = Question(design="tests.toys.mutex:DESIGN", scope="three")
    design, scope = question.resolve()
    is_searching, may_end = threading.Event(), threading.Event()
    found: list[tuple[Result, Use]] = []

    def searched(keeping: Keeping) -> Result:
        def keep(result: Result) -> Result:
            is_searching.set()
            assert may_end.wait(60)
            return keeping.keep(result)

        execution = execution_for(question, "memory", keeping=keeping)
        return explore(design, scope, execution, scope_name="three", keep=keep)

    def ask() -> None:
        wanted = Wanted(question=question, design=design, scope=scope, engine=None, max_states=None)
        found.append(answered(wanted, str(tmp_path / "run"), searched, "memory"))

    first, second = threading.Thread(target=ask), threading.Thread(target=ask)
    first.start()
    assert is_searching.wait(60)
    second.start()
    may_end.set()
    for thread in (first, second):
        thread.join(60)
    assert [use for _, use in found] == [Use.SEARCHED, Use.REUSED]
    assert found[0][0] == found[1][0]


@pytest.mark.slow
def test_workers_in_parallel_search_once(run, pytester):
    many = """
@pytest.mark.parametrize("number", range(6))
def test_room(explore, number):
    explore(MORE, scope="four", expected={"door_is_opened_again": "VIOLATED"})
"""
    run("")
    pytester.path.joinpath("test_room.py").write_text(f"import pytest\nfrom model import *\n{many}")
    found = pytester.runpytest_subprocess(*RUNS, "-n", "2")
    found.assert_outcomes(passed=6)
    assert uses(found) == "kept searches: 5 reused, 1 made"
