"""The wheel of this checkout, which several modules here install or send."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints that is run in a folder, with nothing of this checkout on its path."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=inherited,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr  # 1: a property is violated
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from the tracked files as they are now."""
    folder = tmp_path_factory.mktemp("wheel")
    tracked = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    for name in filter(None, tracked):
        copy, file = folder / "checkout" / name, ROOT / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            copy.symlink_to(file.readlink())
        elif file.exists():
            copy.write_bytes(file.read_bytes())
    build = ("-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", folder)
    run(sys.executable, *build, folder / "checkout", folder=folder)
    (made,) = folder.glob("*.whl")
    return made
