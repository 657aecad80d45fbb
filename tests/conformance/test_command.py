"""`tierproof conform`: what it prints, and how it exits."""

import json
import shutil
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"


def conform(*arguments):
    return tierproof("conform", *map(str, arguments))


@pytest.fixture
def lineages(tmp_path):
    """A folder with one file, which agrees."""
    shutil.copy(RECORDINGS / "within_leader_epochs.json.gz", tmp_path)
    return tmp_path


def test_all_rows_agreeing_exits_with_0(lineages):
    done = conform(lineages)
    assert done.returncode == 0
    assert "3,600" in done.stdout
    assert "AGREES" in done.stdout


def test_json_is_one_object_with_the_files(lineages):
    done = conform(lineages, "--json")
    assert json.loads(done.stdout) == {
        "files": [
            {
                "file": "within_leader_epochs.json.gz",
                "agreed": 3600,
                "total": 3600,
                "first_disagreement": None,
                "unread": [],
            }
        ]
    }


def test_a_row_that_does_not_agree_exits_with_1_and_is_shown_in_full(tmp_path):
    case = {"id": "new", "type": "unheard_of", "input": {"a": [1, 2]}, "expect": "[red]5[/red]"}
    (tmp_path / "cases.json").write_text(json.dumps({"cases": [case]}))
    done = conform(tmp_path)
    assert done.returncode == 1
    for words in ("DISAGREES", "new", '{"a": [1, 2]}', "[red]5[/red]", "not replayed yet"):
        assert words in done.stdout


def test_a_missing_folder_is_bad_usage(tmp_path):
    done = tierproof("conform", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "there is no folder" in done.stderr
