"""A process that is killed leaves folders; the next run on Spark removes them, and no others."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.explorer.test_command_line import JUGS, TWO_PHASE
from tierproof.spark_explorer import folders

HOLDER = """
import time
from tierproof.spark_explorer import folders
print(folders.make(folders.temporary()), flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch) -> Path:
    """A folder for temporary files of this test's own, also for the processes that it starts."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folders, "SHARED", tmp_path / "none")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@contextmanager
def holder() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that holds a folder, and the folder."""
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_the_folder_of_a_killed_process_is_removed_with_all_that_is_in_it():
    with holder() as (process, folder):
        (folder / "blockmgr-1").mkdir()
        (folder / "blockmgr-1" / "shuffle").write_text("rows")
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert folders.sweep() == [folder]
    assert not folder.exists()


def test_the_folder_of_a_live_process_stays():
    with holder() as (_, folder):
        assert folders.sweep() == []
        assert folder.exists()


def test_folders_of_this_process_stay_until_they_are_removed(temporary):
    made = folders.make(temporary)
    assert folders.sweep() == []
    folders.remove(made)
    assert not list(temporary.iterdir())


def test_a_folder_of_a_process_that_died_before_it_had_named_it_is_removed(temporary):
    left = temporary / f"{folders.MAKING}left"
    left.mkdir()
    assert folders.sweep() == []  # somebody may be about to name it
    os.utime(left, (0, 0))
    assert folders.sweep() == [left]


def test_a_folder_without_a_lock_may_be_anybodys_and_stays(temporary):
    (temporary / "tierproof-run-older").mkdir()
    (temporary / "notes").mkdir()
    assert folders.sweep() == []
    assert len(list(temporary.iterdir())) == 2


def test_the_folder_of_another_user_stays(temporary, monkeypatch):
    os.close(folders._HELD.pop(folders.make(temporary)))
    monkeypatch.setattr(os, "getuid", lambda: -1)
    assert folders.sweep() == []


def test_a_link_is_not_followed(temporary):
    made = folders.make(temporary)
    os.close(folders._HELD.pop(made))
    real = made.rename(temporary / "elsewhere")
    (temporary / "tierproof-run-link").symlink_to(real)
    assert folders.sweep() == []
    assert real.exists()


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    children: list[int] = []
    for one in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            children += map(int, one.read_text().split())
    return children + [number for child in children for number in descendants(child)]


def has_blocks(temporary: Path) -> bool:
    """Whether Spark has begun to use its folder."""
    return any(temporary.glob("tierproof-run-*/blockmgr*"))


@pytest.mark.slow
@pytest.mark.spark
def test_a_run_on_spark_that_is_killed_leaves_what_the_next_one_removes(temporary):
    explore = [sys.executable, "-m", "tierproof", "explore"]
    long = [*explore, TWO_PHASE, "--set", "resource_managers=9", "--engine", "spark"]
    with subprocess.Popen(long, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if has_blocks(temporary))
        for one in [process.pid, *descendants(process.pid)]:
            os.kill(one, signal.SIGKILL)
    assert has_blocks(temporary)
    subprocess.run([*explore, JUGS, "--engine", "spark"], capture_output=True, check=False)
    assert not list(temporary.glob("tierproof-*"))
    assert not [one for one in temporary.iterdir() if one.name.startswith(("spark-", "blockmgr"))]
