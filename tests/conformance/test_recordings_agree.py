"""The model reproduces the recorded behaviour of Kafka, row by row."""

from functools import cache
from pathlib import Path

import pytest

from tierproof.conformance import REPLAYERS, conform_file
from tierproof.conformance.cases import ASKED, REPLAYED
from tierproof.conformance.files import content_of

RECORDINGS = Path(__file__).parents[1] / "recordings"
CASES = content_of(RECORDINGS / "cases.json")["cases"]


@cache
def result_of(file):
    return conform_file(RECORDINGS / file)


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        ("cases.json", 118),
        ("within_leader_epochs.json.gz", 3_600),
        ("metadata_cache.jsonl.gz", 900),
        ("config_validation.json.gz", 5_200),
        ("copy_lag_validation.json.gz", 147),
        ("scenarios.json", 18),
        ("traces.jsonl.gz", 338),
        ("cleaner.jsonl.gz", 931),
        ("producer_state.jsonl.gz", 960),
    ],
)
def test_every_row_agrees(file, rows):
    found = result_of(file)
    assert found.first_disagreement is None
    assert (found.agreed, found.total) == (rows, rows)


def test_every_type_of_case_is_replayed():
    special = {"cache_sequence", "topic_config_handler"}
    assert {case["type"] for case in CASES} == {*REPLAYED, *ASKED, *special}


def test_the_recordings_of_the_project_are_of_every_kind():
    files = (path for path in RECORDINGS.iterdir() if path.is_file())
    assert {path.name for path in files} == set(REPLAYERS)
