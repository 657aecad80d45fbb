"""`tierproof mutate`: statuses, what is kept, what is refused, and a user's own design."""

import json
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof

ROOT = Path(__file__).parents[2]
MUTEX = str(ROOT / "tests/toys/mutex.py")
SHELF = str(ROOT / "tests/mutation/samples.py")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a run on two functions, and what the run printed."""
    folder = tmp_path_factory.mktemp("mutants")
    found = tierproof(
        "mutate", MUTEX, "--only", "lock_is_free", "--only", "is_idle", "--out", str(folder),
        "--jobs", "1",
    )  # fmt: skip
    return folder, found


def test_a_survivor_is_shown_as_a_diff_with_the_way_to_it(kept):
    _, found = kept
    assert found.returncode == 1
    told = found.stdout.splitlines()
    at = told.index("+        if False:")
    assert told[at - 1] == "-        if stage == Stage.INSIDE:"
    assert told[at + 1] == "survived in two (9 states)"
    assert told[at + 6].strip() == "only the mutant has worker_takes_lock(worker=1)"


def test_a_score_is_told_for_each_module(kept):
    _, found = kept
    (line,) = [line for line in found.stdout.splitlines() if line.startswith("all ")]
    assert line.split() == ["all", "80", "%", "8", "2"]


def test_a_second_run_judges_nothing_again(kept):
    folder, first = kept
    (file,) = folder.iterdir()
    before = file.read_bytes()
    again = tierproof(
        "mutate", MUTEX, "--only", "lock_is_free", "--only", "is_idle", "--out", str(folder)
    )
    assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    assert "10 of them known" in again.stderr
    assert file.read_bytes() == before


def test_a_line_that_was_not_written_to_its_end_is_judged_again(kept, tmp_path):
    folder, _ = kept
    (file,) = folder.iterdir()
    (tmp_path / file.name).write_bytes(file.read_bytes()[:-40])
    again = tierproof(
        "mutate", MUTEX, "--only", "lock_is_free", "--only", "is_idle", "--out", str(tmp_path),
        "--jobs", "1", "--json",
    )  # fmt: skip
    assert json.loads(again.stdout)["score"]["killed"] == 8
    third = tierproof(
        "mutate", MUTEX, "--only", "lock_is_free", "--only", "is_idle", "--out", str(tmp_path)
    )
    assert "10 of them known" in third.stderr


def test_a_garbled_file_is_refused_by_name(kept, tmp_path):
    folder, _ = kept
    (file,) = folder.iterdir()
    (tmp_path / file.name).write_text("{}\n", "utf-8")
    found = tierproof("mutate", MUTEX, "--out", str(tmp_path))
    assert found.returncode == 4
    assert f"line 1 of {tmp_path / file.name} is no fate of a mutant" in found.stderr


def test_no_survivor_is_status_0(kept):
    folder, _ = kept
    found = tierproof("mutate", MUTEX, "--only", "is_idle", "--out", str(folder))
    assert found.returncode == 0


def test_a_mutant_that_was_cut_is_incomplete_and_no_survivor(monkeypatch, tmp_path):
    from tierproof.spark_explorer.mutation import testing
    from tierproof.spark_explorer.mutation.fates import Fate, Outcome

    def cut(request, numbers, processes):
        for number in numbers:
            yield number, Fate(outcome=Outcome.INCOMPLETE, why="it took more than 1 seconds")

    monkeypatch.setattr(testing, "judged", cut)
    found = tierproof("mutate", MUTEX, "--only", "is_inside", "--out", str(tmp_path))
    assert found.returncode == 3
    assert "it took more than 1 seconds" in found.stdout


def test_an_interrupt_keeps_what_is_known(monkeypatch, tmp_path):
    from tierproof.spark_explorer.mutation import testing
    from tierproof.spark_explorer.mutation.fates import Fate, Outcome

    def interrupted(request, numbers, processes):
        yield numbers[0], Fate(outcome=Outcome.KILLED, by="error")
        raise KeyboardInterrupt

    monkeypatch.setattr(testing, "judged", interrupted)
    found = tierproof("mutate", MUTEX, "--only", "is_inside", "--out", str(tmp_path))
    assert found.returncode == 3
    assert "INCOMPLETE: 2 of 3 mutants were not judged" in found.stdout
    (file,) = tmp_path.iterdir()
    assert len(file.read_text("utf-8").splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seed", "3"], "--seed is for --sample, and would do nothing here"),
        (["--only", "is_idel"], "is_idle"),
        (["--scope", "tow"], "two"),
    ],
)
def test_what_would_do_nothing_is_refused(arguments, words, tmp_path):
    found = tierproof("mutate", MUTEX, *arguments, "--out", str(tmp_path))
    assert found.returncode == 2
    assert words in found.stderr


def test_a_sample_is_the_same_for_the_same_seed():
    from tierproof.spark_explorer.mutation.request import Request
    from tierproof.spark_explorer.question import Question

    def sampled(seed):
        request = Request(question=Question(design=MUTEX), sample=9, seed=seed)
        return [one.key for one in request.mutants(request.design())]

    assert sampled(4) == sampled(4) != sampled(5)
    assert len(sampled(4)) == 9


def test_a_module_of_the_user_named_as_one_of_pythons_keeps_no_process_from_starting(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong module')")
    (tmp_path / "mine.py").write_text(Path(MUTEX).read_text("utf-8"))
    found = tierproof(
        "mutate", "mine.py:DESIGN", "--only", "is_idle", "--out", "kept", folder=tmp_path
    )
    assert found.returncode == 0, found.stderr
