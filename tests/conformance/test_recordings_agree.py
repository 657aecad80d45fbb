"""The model does what the recorded Kafka did, row by row."""

from functools import cache
from pathlib import Path

import pytest

from conformance import REPLAYERS, conform_file
from conformance.cases import REPLAYED, row_for
from conformance.files import content_of
from conformance.rows import NOT_REPLAYED

RECORDINGS = Path(__file__).parents[1] / "recordings"
CASES = content_of(RECORDINGS / "cases.json")["cases"]

LATER = {"integration", "stop_partitions"}
"""Types of cases that nothing replays yet, with the reason in the answer."""


@cache
def result_of(file):
    return conform_file(RECORDINGS / file)


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        ("within_leader_epochs.json.gz", 3_600),
        ("metadata_cache.jsonl.gz", 900),
        ("config_validation.json.gz", 5_200),
        ("scenarios.json", 18),
        ("traces.jsonl.gz", 338),
    ],
)
def test_every_row_agrees(file, rows):
    found = result_of(file)
    assert found.first_disagreement is None
    assert (found.agreed, found.total) == (rows, rows)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_agrees_or_is_named_as_not_replayed(case):
    row = row_for(case["id"], case["type"], case)
    if case["type"] in LATER:
        assert row.modelled.startswith(f"{NOT_REPLAYED}: ")
    else:
        assert row.modelled == row.recorded
    assert row.agrees == (case["type"] not in LATER)


def test_every_type_of_case_is_replayed_or_named():
    special = {"cache_sequence", "topic_config_handler", "unified_log_local_retention"}
    assert {case["type"] for case in CASES} == {*REPLAYED, *special, *LATER}


def test_the_recordings_of_the_project_are_of_every_kind():
    assert {path.name for path in RECORDINGS.iterdir()} == set(REPLAYERS)
