"""`tierproof new` writes a design that explores, and never touches a file that is there."""

import ast
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tierproof.command_line import first_design, new_design
from tierproof.command_line.cli import app
from tierproof.model.language import Design
from tierproof.model.language.actions import GuardKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore


def new(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["new", "--yes", *map(str, arguments)])


@pytest.fixture
def design(tmp_path) -> Design:
    """The design in a file that the command wrote."""
    assert new(tmp_path / "written_by_new.py").exit_code == 0
    return Question(design="written_by_new:DESIGN", folder=str(tmp_path)).resolve()[0]


def test_the_design_is_named_after_its_file(design):
    assert design.name == "written_by_new"


@pytest.mark.parametrize("scope", ["default", "large"])
def test_every_property_holds_every_witness_is_reached_and_every_action_is_taken(design, scope):
    result = explore(design, design.scope(scope), MemoryExecution)
    assert [one.verdict for one in result.properties] == [Verdict.HOLDS]
    assert [one.reached for one in result.witnesses] == [True]
    assert result.never_taken == ()


def test_without_its_fence_the_property_is_violated(design):
    (fence,) = (one for one in design.guards.values() if one.kind is GuardKind.FENCE)
    result = explore(design.without(fence.name), design.scope(fence.scope), MemoryExecution)
    broken = {one.name for one in result.properties if one.verdict is Verdict.VIOLATED}
    assert broken == set(fence.protects)


def test_the_written_file_differs_from_its_template_by_the_name_alone(tmp_path):
    new(tmp_path / "tiering.py")
    template = Path(first_design.__file__).read_text(encoding="utf-8").splitlines()
    written = (tmp_path / "tiering.py").read_text(encoding="utf-8").splitlines()
    changed = [pair for pair in zip(template, written, strict=True) if pair[0] != pair[1]]
    assert changed == [('    name="first_design",', '    name="tiering",')]


def test_the_file_is_short_and_imports_nothing_but_the_language(tmp_path):
    new(tmp_path / "tiering.py")
    text = (tmp_path / "tiering.py").read_text(encoding="utf-8")
    imported = {one.module for one in ast.walk(ast.parse(text)) if isinstance(one, ast.ImportFrom)}
    assert imported == {"enum", "typing", "tierproof"}
    assert len(text.splitlines()) < 150


def test_the_command_names_the_next_ones(tmp_path):
    path = tmp_path / "designs" / "tiering.py"
    told = json.loads(new(path, "--json").stdout)
    explored, ablated = f"tierproof explore {path}:DESIGN", f"tierproof ablate {path}:DESIGN"
    assert told == {"file": str(path), "next": [explored, ablated]}
    again = tmp_path / "again.py"
    assert f"tierproof explore {again}:DESIGN" in new(again).stdout


def test_a_file_that_is_there_is_left_as_it_is(tmp_path):
    path = tmp_path / "tiering.py"
    path.write_text("mine")
    done = new(path)
    assert done.exit_code == 2
    assert "left as it is" in " ".join(done.output.split())
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tiering.txt", "does not end in .py"),
        ("my-design.py", "cannot import"),
        ("class.py", "cannot import"),
        ("json.py", "another name"),
        ("tierproof.py", "another name"),
    ],
)
def test_a_name_that_python_cannot_import_is_refused(tmp_path, name, said):
    done = new(tmp_path / name)
    assert done.exit_code == 2
    assert said in done.output.replace("│", "").replace("\n", " ")
    assert list(tmp_path.iterdir()) == []


def test_a_name_without_an_ending_gets_one(tmp_path):
    new(tmp_path / "tiering")
    assert [one.name for one in tmp_path.iterdir()] == ["tiering.py"]


# -- the file, named by its path


def test_the_commands_that_it_names_find_the_design(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = json.loads(new(Path("designs") / "by_path.py", "--json").stdout)
    for command in told["next"]:
        done = CliRunner().invoke(app, command.split()[1:])
        assert done.exit_code == 0, done.output
    assert "32 distinct states" in CliRunner().invoke(app, told["next"][0].split()[1:]).stdout


# -- where it writes


def asked(*words: str | Path, answer: str | None = None) -> Result:
    """The command without --yes; `answer` is given at a terminal, None: there is none."""
    runner = CliRunner()
    if answer is None:
        return runner.invoke(app, ["new", *map(str, words)])
    with pytest.MonkeyPatch.context() as terminal:
        terminal.setattr(new_design, "is_terminal", lambda: True)
        return runner.invoke(app, ["new", *map(str, words)], input=answer)


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """The current folder, in another one."""
    folder = tmp_path / "here"
    (folder / "below").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("path", ["tiering.py", "below/tiering.py", "./tiering"])
def test_in_the_current_folder_and_below_it_writes_without_asking(here, path):
    assert asked(path).exit_code == 0
    assert len(list(here.rglob("tiering.py"))) == 1


@pytest.mark.parametrize("path", ["../tiering.py", "not_yet/tiering.py"])
def test_in_another_folder_it_writes_only_what_was_agreed_to(here, path):
    for refused in (asked(path), asked(path, answer="n\n")):
        assert refused.exit_code == 2
    assert not list(here.parent.rglob("tiering.py"))
    assert asked(path, answer="y\n").exit_code == 0
    assert (here / path).exists()


def test_without_a_terminal_it_says_how_to_agree(here):
    told = " ".join(asked("../tiering.py").output.split())
    assert f"{here.parent} is not in the current folder: --yes writes tiering.py there" in told


@pytest.mark.parametrize("path", ["", ".", "..", "/"])
def test_a_path_without_a_name_is_bad_usage(here, path):
    assert asked(path).exit_code == 2
    assert not list(here.rglob("*.py"))
