"""The wheel holds the package and nothing else, and checks designs of other projects."""

import json
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.packaging import rooms, tickets
from tests.packaging.conftest import ROOT, run

ROOMS = {path.name for path in (ROOT / "src" / "tierproof").iterdir() if path.is_symlink()}


@pytest.fixture(scope="module")
def python(wheel) -> Path:
    """A fresh environment that holds the wheel, and finds the dependencies in ours."""
    home = wheel.parent / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home, folder=wheel.parent)
    found = home / "bin" / "python"
    install = ("-m", "pip", "--python", found, "install", "--no-deps", "--no-index", "-q", wheel)
    run(sys.executable, *install, folder=wheel.parent)
    (packages,) = home.glob("lib/python*/site-packages")
    # A folder that a .pth file names is searched, but its own .pth files are not read: the
    # editable tierproof of this checkout stays out of sight.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return found


@pytest.fixture
def project(tmp_path) -> Path:
    return written(tickets.FILES, tmp_path)


def written(files: dict[str, str], folder: Path) -> Path:
    """A folder with these files in it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


def test_the_wheel_holds_every_room_and_what_lies_beside_the_modules(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if not name.partition("/")[0].endswith(".dist-info")}
    assert {name.split("/")[0] for name in packed} == {"tierproof"}
    rooms = {f"{room}/{path}" for room in ROOMS for path in tracked_below(room)}
    expected = {f"tierproof/{name}" for name in {*rooms, *tracked_below("src/tierproof")}}
    assert packed == expected - {f"tierproof/{room}" for room in ROOMS}


def tracked_below(folder: str) -> list[str]:
    """The tracked files below a folder, as seen from it."""
    return run("git", "ls-files", folder=ROOT / folder).splitlines()


@pytest.mark.slow
def test_the_installed_package_is_not_this_checkout(python, project):
    file = run(python, "-c", "import tierproof; print(tierproof.__file__)", folder=project)
    assert Path(file.strip()).is_relative_to(python.parents[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "engine"),
    [
        (("tierproof",), "memory"),
        (("python", "-m", "tierproof"), "memory"),
        pytest.param(("tierproof",), "spark", marks=pytest.mark.spark),
    ],
)
def test_a_design_of_another_project_is_explored(python, project, command, engine):
    program = (python.parent / command[0], *command[1:])
    asked = ("explore", "model:DESIGN", "--engine", engine, "--json")
    found = json.loads(run(*program, *asked, folder=project))
    assert (found["engine"], found["verdict"], found["cut"]) == (engine, "VIOLATED", None)
    assert (found["distinct_states"], found["generated_states"]) == (60_000, 60_000)
    assert found["depth"] == 2
    (broken,) = found["properties"]
    assert (broken["name"], broken["trace_length"]) == ("filed_tickets_have_no_sevens", 2)
    assert broken["trace"]["initial"]["number"] == 17_777
    assert [one["reached"] for one in found["witnesses"]] == [True]
    importers = set((project / "imported_by").read_text().splitlines())
    assert len(importers) > 1 if engine == "spark" else len(importers) == 1


@pytest.mark.slow
def test_the_ledger_and_the_templates_are_installed_too(python, project):
    listed = json.loads(run(python.parent / "tierproof", "list", "--json", folder=project))
    assert {"VIOLATED"} <= {one["scopes"]["smoke"]["verdict"] for one in listed}


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_pytest_finds_the_plugin_in_a_project_that_has_a_model_and_tests(python, tmp_path, workers):
    project = written(rooms.FILES, tmp_path)
    found = run(python, "-m", "pytest", "-n", workers, folder=project)
    assert "1 failed, 4 passed" in found
    assert "room, in scope one (people=1): not as expected" in found
    assert "2. person: person_enters()" in found
    pasted = found[found.index("def test_nobody_passes") :].partition("\n====")[0]
    project.joinpath("tests", "test_pasted.py").write_text(pasted)
    again = run(python, "-m", "pytest", "tests/test_pasted.py", folder=project)
    assert "the steps violate nobody_passes_a_locked_door again" in again


ASKED = {
    "list": ("list", "--json"),
    "design": ("list", "kip1272", "--json"),
    "mail": ("mail", "kip1272", "both_versions_count"),
    "review of a KIP": ("mail", "kip1266"),
    "finding": ("explore", "kip405", "--finding", "single_record_counts_twice", "--json"),
    "isolation": ("isolate", "kip952", "--kept", "--json"),
    "recordings": ("conform", "--json"),
}
TIMES = re.compile(r'"\w*(?:seconds|memory|threads)\w*": [\d.e-]+,?')


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_installed_package_answers_as_the_checkout(python, tmp_path, asked):
    """It has the register and the recordings with it, in a folder without a checkout."""
    installed = run(python, "-m", "tierproof", *asked, folder=tmp_path)
    here = run(sys.executable, "-m", "tierproof", *asked, folder=tmp_path)
    assert TIMES.sub("", installed) == TIMES.sub("", here)
    assert installed


@pytest.mark.slow
def test_the_installed_package_writes_the_pages_of_a_review(python, tmp_path):
    asked = ("review", "--scope", "smoke", "--design", "kip952")
    run(python, "-m", "tierproof", *asked, "--out", "installed", folder=tmp_path)
    run(sys.executable, "-m", "tierproof", *asked, "--out", "here", folder=tmp_path)
    for name in ("index.html", "kip-952.html"):
        installed = (tmp_path / "installed" / name).read_text("utf-8")
        assert installed == (tmp_path / "here" / name).read_text("utf-8")
