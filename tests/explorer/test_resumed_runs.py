"""A kept run goes on after any death, on any engine, and says what one that lived says."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.commands import heeds_signals, tierproof
from tests.explorer.dying import PHASES, Dying, Moment
from tests.explorer.random_deaths import ENDED, OF_A_PROCESS, found_in, known, left_in, lives
from tierproof.command_line.exits import INCOMPLETE
from tierproof.diagrams import write_report
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.locking import lock
from tierproof.spark_explorer.native.seeking import Origins

SMALL = ("tests.toys.mutex:DESIGN", "--scope", "three")
JUGS = ("tests.toys.jugs:DESIGN",)
ENDLESS = ("tests.toys.endless:EFFECT",)
DIALS = ("tests.toys.dials:DESIGN",)
LARGER = ("kip950", "--scope", "smoke")


OFTEN = ("a piece is written", "a level is committed", "liveness is judged", "a file is removed")
"""The moments of a death that are tried by default."""


def some_or_slow(phase: str) -> Any:
    """A parameter that is tried in the slow suite alone, unless it is among the few."""
    return phase if phase in OFTEN else pytest.param(phase, marks=pytest.mark.slow)


def told(*command: str) -> dict[str, Any]:
    """What a command prints as JSON, but for times, the engine, and whether it was resumed."""
    found = json.loads(tierproof(*command, "--json").stdout)
    return {name: one for name, one in found.items() if name not in OF_A_PROCESS}


@pytest.fixture(scope="module")
def dying() -> Iterator[Dying]:
    """Runs commands that die."""
    with Dying() as one:
        yield one


@pytest.fixture(scope="module")
def alive() -> dict[str, Any]:
    """The result of a search that nobody killed."""
    return told("explore", *SMALL)


@pytest.mark.parametrize("phase", [some_or_slow(phase) for phase in PHASES])
def test_a_run_that_is_killed_and_resumed_says_what_one_that_lived_says(phase, dying, tmp_path):
    """Before a function is called, and as it returns; with a piece there that no commit names."""
    words, lived, run = JUGS if "trace" in phase else SMALL, tmp_path / "lived", tmp_path / "run"
    dying.command(["explore", *words, "--run", str(lived)])
    first = Moment("a piece is written", 2, is_after=True)
    deaths = [dying.command(["explore", *words, "--run", str(run)], first)]
    for is_after in (False, True):
        deaths.append(dying.command(["resume", str(run)], Moment(phase, 1, is_after)))
    is_there = phase not in ("what no commit names is swept", "a file is removed")
    assert [one.phase for one in deaths[:2]] == [first.phase, phase]
    assert all(one.is_one for one in (deaths if is_there else deaths[:2]))
    assert dying.command(["resume", str(run)]).status in ENDED
    assert found_in(run) == found_in(lived)
    assert left_in(run) == []


@pytest.mark.slow
def test_two_hundred_random_deaths_change_nothing(dying, tmp_path):
    """Of them, those that no function call decides are those of a real clock."""
    dice, died = random.Random(1), Counter[str]()
    for life in lives(dice, dying, tmp_path, 200):
        assert life.found == known(life, tmp_path), life.deaths
        assert life.left == []
        died.update(one.phase for one in life.deaths)
    assert set(died) >= set(PHASES) - {"a file is removed"}  # which takes a death just before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_amid_a_level_that_would_not_end_leaves_the_levels_before_it(number, tmp_path):
    run = tmp_path / "run"
    words = [sys.executable, "-m", "tierproof", "explore", *ENDLESS, "--run", str(run)]
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **piped, preexec_fn=heeds_signals) as process:
        while not (run / "level=0002" / "commit.json").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        printed = process.communicate()[0].decode()
    assert process.returncode == INCOMPLETE
    assert "The search was cut: interrupted" in printed
    assert printed.splitlines()[-1] == f"kept: tierproof resume {run}"
    assert KeptRun.open(str(run)).levels == 3
    assert not left_in(run)


def test_a_second_interrupt_ends_the_search_for_traces(tmp_path, monkeypatch):
    def interrupted(*_: object) -> Origins:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ancestry, "of", interrupted)
    run = str(tmp_path / "run")
    done = tierproof("explore", *JUGS, "--run", run)
    assert "The search was cut: interrupted while traces were rebuilt" in done.stdout
    monkeypatch.undo()
    assert told("resume", run) == told("explore", *JUGS)


def test_a_run_says_how_often_it_was_resumed_and_from_which_level(tmp_path):
    run = str(tmp_path / "run")
    tierproof("explore", *LARGER, "--run", run, "--max-states", "3000")
    tierproof("resume", run, "--max-states", "9000")
    done = tierproof("resume", run)
    assert "resumed 2 times, the last time from level " in done.stdout
    found = json.loads(tierproof("show", run, "--json").stdout)
    assert found["resumed"]["times"] == 2
    assert found["resumed"]["statement"] in done.stdout
    assert found["on_spark"] is None
    page = write_report([found], {}, tmp_path / "page").read_text("utf-8")
    assert f"This run was {found['resumed']['statement']}." in page
    traced = tierproof("trace", run, "TieringState_lifecycle", "--format", "itf")
    ours = json.loads(traced.stdout)["#meta"]["tierproof"]
    assert ours["resumed"] == found["resumed"]["statement"]
    (tmp_path / "trace.itf.json").write_text(traced.stdout)
    again = tierproof("trace", "kip950", str(tmp_path / "trace.itf.json"))
    assert (again.returncode, again.stderr) == (0, "")


def test_initial_states_that_a_limit_cut_off_are_no_level(tmp_path):
    """Else a resumed run would begin with some of them, or could not be resumed at all."""
    run = str(tmp_path / "run")
    assert tierproof("explore", *DIALS, "--run", run, "--max-states", "10").returncode == 3
    assert told("resume", run) == told("explore", *DIALS)


def test_what_had_no_room_to_be_judged_is_judged_by_resume(tmp_path, alive):
    run = tmp_path / "run"
    tierproof("explore", *SMALL, "--run", str(run))
    found = json.loads((run / "result.json").read_text())
    found["properties"][0] |= {"verdict": "INCOMPLETE", "trace": None}
    (run / "result.json").write_text(json.dumps(found))
    assert told("resume", str(run)) == alive
    assert told("show", str(run)) == alive


@pytest.mark.spark
@pytest.mark.parametrize("engines", [("memory", "spark"), ("spark", "memory")])
def test_a_run_of_one_engine_goes_on_with_another(engines, tmp_path):
    first, second = engines
    run, cut = str(tmp_path / "run"), ("--max-states", "400000")
    one = ("explore", "tests.toys.two_phase_commit:DESIGN", "--scope", "eight")
    tierproof(*one, "--run", run, "--engine", first, *cut)
    found = told("resume", run, "--engine", second)
    assert found == told(*one)


# -- what is refused, and never overwritten


@pytest.fixture
def run(tmp_path) -> Path:
    """A run that was cut."""
    folder = tmp_path / "runs" / "cut"
    done = tierproof("explore", *SMALL, "--run", str(folder), "--max-states", "5")
    assert done.returncode == 3
    return folder


def refusal(*command: str) -> str:
    done = tierproof(*command)
    assert done.returncode in (2, 4)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_a_second_exploration_into_a_run_is_refused(run):
    before = files_in(run)
    assert "tierproof resume" in refusal("explore", *SMALL, "--run", str(run))
    assert files_in(run) == before


def test_a_folder_with_something_else_in_it_is_no_run(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    assert "is not empty" in refusal("explore", *SMALL, "--run", str(tmp_path))
    assert "there is no run at" in refusal("resume", str(tmp_path))
    assert "there is no run in" in refusal("runs", str(tmp_path))


def test_a_run_of_another_text_of_the_design_is_refused_and_what_differs_is_named(run):
    manifest = run / "run.json"
    found = json.loads(manifest.read_text())
    (place,) = [n for n, part in enumerate(found["identity"]) if part[0] == "the scope"]
    found["identity"][place][1] = "0" * 16
    manifest.write_text(json.dumps(found))
    before = files_in(run)
    assert "the scope of 'mutex' is not what" in refusal("resume", str(run))
    assert "the scope of 'mutex' is not what" in refusal("show", str(run))
    assert files_in(run) == before


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "cannot be read"), ("[]", "format None"), ('{"format": 1}', "is damaged")],
)
def test_a_manifest_that_is_damaged_is_named(text, told, run):
    (run / "run.json").write_text(text)
    assert told in refusal("resume", str(run))


def test_a_piece_that_is_truncated_or_missing_is_named(run):
    (piece, *_) = sorted(run.glob("level=0001/part=*"))
    piece.write_bytes(piece.read_bytes()[:-40])
    done = tierproof("resume", str(run))
    assert (done.returncode, f"the run is damaged: {piece}" in done.stdout) == (3, True)
    piece.unlink()
    assert f"the run is damaged: {piece}" in tierproof("resume", str(run)).stdout


def test_a_level_that_is_missing_is_named(run):
    (run / "level=0000" / "commit.json").unlink()
    assert "has no level 0" in refusal("resume", str(run))


def test_two_processes_do_not_explore_into_one_run(run):
    handle = lock(run)
    try:
        assert "another process explores into" in refusal("resume", str(run))
    finally:
        os.close(handle)


def test_two_processes_do_not_begin_one_run(tmp_path):
    """The second finds the folder empty, as the first has not written its manifest yet."""
    handle = lock(tmp_path)
    try:
        assert "another process explores into" in refusal("explore", *SMALL, "--run", str(tmp_path))
    finally:
        os.close(handle)
    assert not list(tmp_path.iterdir())


def test_who_was_overtaken_on_a_store_without_locks_commits_nothing_more(run, monkeypatch):
    from tierproof.spark_explorer.kept.run import Run

    written = Run.write

    def overtaken(self, level, *given, **named):
        self.store.put("attempts/9999-another.json", b"{}")
        return written(self, level, *given, **named)

    monkeypatch.setattr(Run, "write", overtaken)
    before = sorted(run.glob("level=*/commit.json"))
    assert "another process has resumed" in tierproof("resume", str(run)).stdout
    assert sorted(run.glob("level=*/commit.json")) == before


def test_runs_are_listed_with_how_far_they_came(run):
    (found,) = json.loads(tierproof("runs", str(run.parent), "--json").stdout)
    assert (found["design"], found["scope"], found["verdict"]) == ("mutex", "three", "INCOMPLETE")
    assert found["is_whole"] is False
    assert "INCOMPLETE" in tierproof("runs", str(run.parent)).stdout


def test_the_trace_of_a_run_is_that_of_the_search(tmp_path):
    run = str(tmp_path / "run")
    tierproof("explore", *SMALL, "--run", run, "--out", str(tmp_path / "out"))
    shown = tierproof("trace", run, "lock_is_used")
    assert shown.stdout == (tmp_path / "out" / "lock_is_used.txt").read_text()
    assert "no trace to" in refused_words(
        tierproof("trace", run, "first_comes_in_if_taking_is_strongly_fair")
    )
    assert "--scope is for a trace in a file" in refused_words(
        tierproof("trace", run, "lock_is_used", "--scope", "three")
    )


def refused_words(done) -> str:
    assert done.returncode == 2
    return " ".join(done.stderr.split())
