"""The model reproduces the recorded behaviour of Kafka, row by row."""

import gzip
from pathlib import Path

import pytest

from tierproof.conformance import REPLAYERS, conform_file
from tierproof.conformance.cases import ASKED, REPLAYED
from tierproof.conformance.files import content_of

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
CASES = content_of(RECORDINGS / "cases.json")["cases"]


ROWS = {
    "cases.json": 118,
    "within_leader_epochs.json.gz": 3_600,
    "metadata_cache.jsonl.gz": 900,
    "config_validation.json.gz": 5_200,
    "copy_lag_validation.json.gz": 147,
    "scenarios.json": 18,
    "traces.jsonl.gz": 338,
    "cleaner.jsonl.gz": 931,
    "producer_state.jsonl.gz": 960,
}
LONG = [file for file in ROWS if file.endswith(".jsonl.gz")]
EVERY = 5
"""Of a long recording every fifth row is replayed by default, and all of them by the slow tests."""


@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=pytest.mark.slow if file in LONG else ()) for file in ROWS]
)
def test_every_row_agrees(file):
    found = conform_file(RECORDINGS / file)
    assert found.first_disagreement is None
    assert (found.agreed, found.total) == (ROWS[file], ROWS[file])


@pytest.mark.parametrize("file", LONG)
def test_every_fifth_row_of_a_long_recording_agrees(file, tmp_path):
    lines = gzip.decompress((RECORDINGS / file).read_bytes()).splitlines()
    assert len(lines) == ROWS[file]
    (tmp_path / file).write_bytes(gzip.compress(b"\n".join(lines[::EVERY])))
    found = conform_file(tmp_path / file)
    assert found.first_disagreement is None
    assert found.agreed == found.total == len(lines[::EVERY])


def test_every_type_of_case_is_replayed():
    special = {"cache_sequence", "topic_config_handler"}
    assert {case["type"] for case in CASES} == {*REPLAYED, *ASKED, *special}


def test_the_recordings_of_the_project_are_of_every_kind():
    files = (path for path in RECORDINGS.iterdir() if path.is_file())
    assert {path.name for path in files} == set(REPLAYERS)
