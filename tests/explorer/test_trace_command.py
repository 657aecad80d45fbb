"""`tierproof trace`, and traces that `explore --out` writes in the formats that were asked for."""

import json
import re

import pytest

from tests.explorer import commands

DESIGN = "tests.toys.mutex:DESIGN"
LASSO = "first_comes_in.itf.json"


def tierproof(*words: object) -> tuple[int, str]:
    """The exit status of a command, and what it prints."""
    done = commands.tierproof(*map(str, words))
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What an exploration writes."""
    found = tmp_path_factory.mktemp("traces")
    formats = ("--trace-format", "itf", "--trace-format", "markdown", "--trace-format", "text")
    status, _ = tierproof("explore", DESIGN, "--scope", "breaking", "--out", found, *formats)
    assert status == 1
    return found


def test_only_the_formats_that_were_asked_for_are_written(folder):
    names = {path.name for path in folder.glob("first_comes_in.*")}
    assert names == {LASSO, "first_comes_in.md", "first_comes_in.txt"}


@pytest.mark.parametrize(("form", "ending"), [("markdown", ".md"), ("text", ".txt")])
def test_a_trace_that_is_read_back_is_printed_as_it_was_written(folder, form, ending):
    status, printed = tierproof("trace", DESIGN, folder / LASSO, "--format", form)
    written = folder.joinpath(LASSO.replace(".itf.json", ending)).read_text()
    assert status == 0
    assert printed.splitlines()[1:-1] == written.splitlines()[1:-1]
    assert "first_comes_in" in printed.splitlines()[0]


def test_itf_is_written_as_it_was_read(folder):
    for path in folder.glob("*.itf.json"):
        _, printed = tierproof("trace", DESIGN, path, "--format", "itf")
        assert json.loads(printed) == json.loads(path.read_text())


def test_the_scope_of_the_trace_is_its_own_unless_another_is_named(folder):
    assert tierproof("trace", DESIGN, folder / LASSO)[0] == 0
    status, printed = tierproof("trace", DESIGN, folder / LASSO, "--scope", "two")
    assert status == 2
    assert re.search(r"state 0: crashes is .*, whose domain is 0\.\.0", printed)


def test_what_is_no_json_is_bad_usage(tmp_path):
    tmp_path.joinpath("x.itf.json").write_text("{")
    status, printed = tierproof("trace", DESIGN, tmp_path / "x.itf.json")
    assert status == 2
    assert "cannot be read as JSON" in printed


def test_formats_without_a_folder_are_bad_usage():
    assert tierproof("explore", DESIGN, "--trace-format", "itf")[0] == 2


def test_brackets_without_end_are_bad_usage(tmp_path):
    for brackets in ("[", '{"states": ['):
        tmp_path.joinpath("x.itf.json").write_text(brackets * 100_000)
        status, printed = tierproof("trace", DESIGN, tmp_path / "x.itf.json")
        assert status == 2
        assert "nested too deeply" in " ".join(printed.split())
