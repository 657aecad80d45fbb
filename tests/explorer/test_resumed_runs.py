"""A kept run goes on after any death, on any engine, and says what one that lived says."""

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.dying import MOMENTS

TIMES = ("seconds", "set_up_seconds", "liveness_seconds")
SMALL = ("tests.toys.mutex:DESIGN", "--scope", "three")
DIALS = ("tests.toys.dials:DESIGN",)
LARGER = ("kip950", "--scope", "smoke")


def told(*command: str) -> dict[str, Any]:
    """What a command prints as JSON, but for times, the engine, and whether it was resumed."""
    found = json.loads(tierproof(*command, "--json").stdout)
    attempt = (*TIMES, "engine", "resumed", "shuffled")
    return {name: one for name, one in found.items() if name not in attempt}


def killed(moment: str, number: int, *command: str) -> int:
    """The exit status of a command that dies at a moment, if that comes."""
    words = [sys.executable, "-m", "tests.explorer.dying", moment, str(number), *command]
    return subprocess.run(words, capture_output=True, check=False).returncode


def killed_after(seconds: float, *command: str) -> int:
    """The exit status of a command that is killed after a time."""
    nowhere = subprocess.DEVNULL
    words = [sys.executable, "-m", "tierproof", *command]
    with subprocess.Popen(words, stdout=nowhere, stderr=nowhere) as one:
        time.sleep(seconds)
        one.kill()
    return one.returncode


@pytest.fixture(scope="module")
def alive() -> dict[str, Any]:
    """The result of a search that nobody killed."""
    return told("explore", *SMALL)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_and_resumed_says_what_one_that_lived_says(moment, tmp_path, alive):
    run = str(tmp_path / "run")
    deaths = 0
    for one, number in (("after a piece", 2), (moment, 1), (moment, 1)):
        has_begun = (tmp_path / "run" / "run.json").exists()
        command = ("resume", run) if has_begun else ("explore", *SMALL, "--run", run)
        deaths += killed(one, number, *command) == -signal.SIGKILL
    assert deaths > 1
    assert told("resume", run) == alive
    assert told("show", run) == alive
    assert not list((tmp_path / "run").rglob("*.tmp"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_ten_random_deaths_change_nothing(seed, tmp_path):
    """Deaths at any time, among them those of a real clock."""
    dice, run = random.Random(seed), tmp_path / "run"
    deaths = 0
    while deaths < 10:
        begins = ("resume", str(run)) if (run / "run.json").exists() else None
        command = begins or ("explore", *LARGER, "--run", str(run))
        if dice.random() < 0.5:
            moment = dice.choice(list(MOMENTS))
            status = killed(moment, dice.randrange(1, 6), *command)
        else:
            status = killed_after(dice.uniform(1.0, 4.0), *command)
        deaths += status == -signal.SIGKILL
        if status != -signal.SIGKILL:
            break  # it has come to its end
    assert told("resume", str(run)) == told("explore", *LARGER)


def test_a_run_says_how_often_it_was_resumed_and_from_which_level(tmp_path):
    run = str(tmp_path / "run")
    tierproof("explore", *LARGER, "--run", run, "--max-states", "3000")
    tierproof("resume", run, "--max-states", "9000")
    done = tierproof("resume", run)
    assert "resumed 2 times, the last time from level " in done.stdout
    assert json.loads(tierproof("show", run, "--json").stdout)["resumed"]["times"] == 2


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
    handle = os.open(run, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert "another process explores into" in refusal("resume", str(run))
    finally:
        os.close(handle)


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
