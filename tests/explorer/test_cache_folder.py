"""What is in the cache folder is executed: only a folder that nobody else can write to is used."""

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from tierproof.command_line import exits
from tierproof.spark_explorer.compiler import storage
from tierproof.spark_explorer.compiler.storage import NotKept, read_sealed, write_sealed


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files of this test's own."""
    path = tmp_path / "temporary"
    path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    return path


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """The folder that TIERPROOF_CACHE names; there is none yet."""
    path = tmp_path / "chosen"
    monkeypatch.setenv("TIERPROOF_CACHE", str(path))
    return path


def found() -> Path:
    """The cache folder of a process that begins now."""
    return storage.folder.__wrapped__()


def opened(path: Path) -> None:
    """Let everybody write to a folder."""
    path.mkdir()
    path.chmod(0o777)


def linked(path: Path) -> None:
    """Let a folder be a link to one that is right."""
    elsewhere = path.with_name(f"{path.name}-elsewhere")
    elsewhere.mkdir(mode=0o700)
    path.symlink_to(elsewhere)


def test_a_new_cache_folder_is_its_users_alone(chosen, temporary):
    assert found() == chosen
    assert chosen.stat().st_mode & 0o777 == 0o700


def test_a_cache_folder_may_be_readable_by_all(chosen, temporary):
    chosen.mkdir(mode=0o755)
    assert found() == chosen


@pytest.mark.parametrize("planted", [opened, linked])
def test_a_cache_folder_that_others_can_write_to_is_not_used_and_named(planted, chosen, temporary):
    planted(chosen)
    with pytest.warns(NotKept, match=rf"{chosen} is not used for compiled code: .* name "):
        path = found()
    assert path == temporary / f"tierproof-{os.getuid()}"
    assert path.stat().st_mode & 0o777 == 0o700


def test_a_cache_folder_of_another_user_is_not_used(chosen, temporary, monkeypatch):
    chosen.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: chosen.stat().st_uid + 1)
    with pytest.warns(NotKept, match="belongs to another user"):
        path = found()
    assert path.name.startswith("tierproof-cache-")  # nor is one that seems to be another user's


@pytest.mark.parametrize("planted", [opened, linked, Path.touch])
def test_a_temporary_folder_that_somebody_has_planted_is_not_used(planted, tmp_path):
    """The process has no other: it makes one of its own, and removes it when it ends."""
    (tmp_path / "no-folder").touch()
    planted(tmp_path / f"tierproof-{os.getuid()}")
    words = "from tierproof.spark_explorer.compiler.storage import folder; print(folder())"
    done = subprocess.run(
        [sys.executable, "-c", f"{words}; assert folder().stat().st_mode & 0o777 == 0o700"],
        env={
            **os.environ,
            "TMPDIR": str(tmp_path),
            "TIERPROOF_CACHE": str(tmp_path / "no-folder" / "below"),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    made = Path(done.stdout.strip())
    assert made.parent == tmp_path
    assert made.name.startswith("tierproof-cache-")
    assert not made.exists()


def test_a_cache_folder_on_a_full_disk_is_as_one_that_cannot_be_written(
    chosen, temporary, monkeypatch
):
    full = shutil.disk_usage(temporary)._replace(free=storage.ROOM - 1)
    usage = shutil.disk_usage
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full if path == chosen else usage(path))
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotKept)
        assert found() == temporary / f"tierproof-{os.getuid()}"


def test_a_sealed_file_under_another_name_is_no_file(tmp_path):
    write_sealed(tmp_path / "a.o", b"code")
    assert read_sealed(tmp_path / "a.o") == b"code"
    (tmp_path / "a.o").rename(tmp_path / "b.o")
    assert read_sealed(tmp_path / "b.o") is None


def test_a_command_says_in_a_sentence_that_a_cache_folder_is_not_used(capsys, monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    exits.say_warnings()
    with warnings.catch_warnings():
        warnings.simplefilter("always", NotKept)
        warnings.warn(NotKept("/here is not used"), stacklevel=1)
    assert capsys.readouterr().err == "tierproof: /here is not used\n"
