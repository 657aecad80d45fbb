"""Two runs into one folder: the second says so."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.explorer.commands import as_a_process, tierproof
from tests.explorer.test_command_line import JUGS
from tierproof.command_line import writing

HOLDER = """
import sys, time
from pathlib import Path
from tierproof.command_line import writing
writing.claim(Path(sys.argv[1]))
print("claimed", flush=True)
time.sleep(600)
"""


@contextmanager
def another_run(folder: Path) -> Iterator[None]:
    """A run that is to write its result to a folder."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "claimed\n"
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("command", [("explore", JUGS), ("ablate", JUGS), ("review",)])
def test_a_folder_of_a_run_that_has_not_ended_is_refused_before_the_search(command, tmp_path):
    with another_run(tmp_path / "out"):
        done = tierproof(*command, "--out", str(tmp_path / "out"))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"tierproof: another run of tierproof is to write its result to {tmp_path / 'out'}: "
            "name another folder, or wait for its end\n"
        )


def test_a_run_that_was_killed_keeps_nobody_out(tmp_path):
    with another_run(tmp_path):
        pass
    writing.claim(tmp_path)
    writing.claim(tmp_path)  # nor does a process keep itself out


def test_a_run_that_writes_nothing_leaves_no_folder(tmp_path):
    done = as_a_process("explore", "tests.toys.jugs:NOTHING", "--out", str(tmp_path / "a" / "b"))
    assert done.returncode == 2
    assert not list(tmp_path.iterdir())


def test_a_result_that_replaces_an_earlier_one_says_so_and_names_what_is_left_of_it(tmp_path):
    first = tierproof("explore", JUGS, "--out", str(tmp_path))
    assert first.stdout.splitlines()[-1] == f"written to {tmp_path}"
    (tmp_path / "of_another_design.txt").write_text("a trace")
    (tmp_path / "notes.md").write_text("of nobody's business")
    again = tierproof("explore", JUGS, "--out", str(tmp_path))
    assert again.stdout.splitlines()[-1] == (
        f"written to {tmp_path}, in place of an earlier result; "
        "not of this run: of_another_design.txt"
    )


def test_a_result_is_written_also_if_nobody_reads_what_is_printed(tmp_path):
    command = [sys.executable, "-m", "tierproof", "explore", JUGS, "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert (tmp_path / "result.json").exists()
