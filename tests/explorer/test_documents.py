"""Every command of the tutorial and of the how-to pages runs, and prints what the page shows.

A page is a session in one folder, from top to bottom. In a block of `console` a line that begins
with `$` is a command, and the lines below it are what it prints, in this order; `...` stands for
anything. The block below `replaces: name` replaces what `tiering.py` has under that name,
and the block below `file: name` is that file. A block below `not run` says why it is not run.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line.console import WIDE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"(?:<!-- (.*?) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VIOLATED_IS_FINE = (0, 1)
USUAL = ("$ tierproof ", "$ pytest ")
PAGES = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
ON_A_CLUSTER = DOCS / "how-to" / "spark.md"
"""The page whose commands `tests/packaging/test_cluster.py` runs."""
STARTS = {
    ON_A_CLUSTER: ("$ tierproof ", "$ pip ", "$ spark-class ", "$ spark-submit "),
}
"""How the blocks of a page begin, other than with `tierproof` and `pytest`."""


def blocks_of(page: Path) -> Iterator[tuple[str, str, str]]:
    """What stands above a block, its language, and its text."""
    yield from BLOCK.findall(page.read_text("utf-8"))


def commands_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block, to the line where its quotes end, and the lines that it shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        ends = (end for end in range(1, len(lines)) if is_whole("\n".join(lines[:end])))
        end = next(ends, len(lines))
        yield "\n".join(lines[:end]), lines[end:]


def is_whole(command: str) -> bool:
    """Whether no quote of a command is still open."""
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def replaced(source: str, name: str, text: str) -> str:
    """A module with another definition under a name."""
    for node in ast.parse(source).body:
        named = [getattr(node, "name", "")]
        named += [one.id for one in getattr(node, "targets", []) if isinstance(one, ast.Name)]
        if name in named:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            lines = source.splitlines(keepends=True)
            return "".join([*lines[: first - 1], text, *lines[node.end_lineno :]])
    raise AssertionError(f"{name} is not there")


def printed(command: str, folder: Path) -> str:
    """What a command prints, as wide as into a pipe; it exits as a verdict does."""
    program, *arguments = shlex.split(command)
    if program == "tierproof":
        done = tierproof(*arguments, folder=folder, COLUMNS=str(WIDE))
    else:
        done = subprocess.run(
            [sys.executable, "-m", program, *arguments],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode in (*VIOLATED_IS_FINE, *([3] if "simulate" in command else [])), (
        f"{command}: {done.stderr}"
    )
    return done.stdout


def not_shown(output: str, shown: list[str]) -> list[str]:
    """The lines of a page that the output does not have, in their order."""
    lines = iter([" ".join(line.split()) for line in output.splitlines()])
    missing = []
    for line in filter(None, (" ".join(line.split()) for line in shown)):
        pattern = re.compile(".*".join(map(re.escape, line.split("..."))) + "$")
        if line != "..." and not any(pattern.match(one) for one in lines):
            missing.append(line)
            break
    return missing


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            id=page.stem,
            marks=[pytest.mark.slow] if "how" in str(page) else [],
        )
        for page in PAGES
        if page != ON_A_CLUSTER
    ],
)
def test_every_command_of_a_page_prints_what_the_page_shows(page, tmp_path):
    shutil.copytree(ROOT / "conformance" / "recordings", tmp_path / "conformance" / "recordings")
    shutil.copytree(ROOT / "tests" / "audit" / "recorded", tmp_path / "recorded")
    ran = 0
    for above, language, text in blocks_of(page):
        if above.startswith("not run: "):
            continue
        if above.startswith("replaces: "):
            file = tmp_path / "tiering.py"
            source = file.read_text("utf-8")
            file.write_text(replaced(source, above.removeprefix("replaces: "), text), "utf-8")
        if above.startswith("file: "):
            (tmp_path / above.removeprefix("file: ")).write_text(text, "utf-8")
        if language == "console":
            for command, shown in commands_in(text):
                assert not_shown(printed(command, tmp_path), shown) == [], command
                ran += 1
    assert ran


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_a_page_is_run_or_says_why_not(page):
    for above, language, text in blocks_of(page):
        assert language in ("console", "python")
        assert language == "console" or above.startswith(("replaces: ", "file: "))
        assert language == "python" or text.startswith(STARTS.get(page, USUAL))
        assert not above.startswith("not run") or len(above) > len("not run: ")


# -- the rules themselves


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        (["HOLDS 3 states", "depth 2"], []),
        (["HOLDS ... states"], []),
        (["...", "depth 2"], []),
        (["HOLDS 4 states"], ["HOLDS 4 states"]),
        (["depth 2", "HOLDS 3 states"], ["HOLDS 3 states"]),
        (["HOLDS 3"], ["HOLDS 3"]),
    ],
)
def test_what_a_page_shows_is_looked_for_in_order_and_line_by_line(shown, missing):
    assert not_shown("one\nHOLDS   3 states\n  depth 2\n", shown) == missing


def test_a_command_goes_on_until_its_quotes_end():
    text = '$ tierproof query RUN "SELECT 1\n    FROM states"\nstates\n$ tierproof list\n...\n'
    assert list(commands_in(text)) == [
        ('tierproof query RUN "SELECT 1\n    FROM states"', ["states"]),
        ("tierproof list", ["..."]),
    ]


def test_a_block_replaces_a_definition_with_its_decorators():
    source = "A = 1\n\n@mark\ndef b():\n    pass\n\nC = 2\n"
    assert replaced(source, "b", "B = 3\n") == "A = 1\n\nB = 3\n\nC = 2\n"
    assert replaced(source, "C", "C = 3\n").endswith("C = 3\n")
    with pytest.raises(AssertionError):
        replaced(source, "d", "")
