"""The input of a case determines the model's answer."""

from pathlib import Path

import pytest

from tierproof.conformance.cases import row_for
from tierproof.conformance.files import content_of

FILE = Path(__file__).parents[2] / "conformance" / "recordings" / "cases.json"
CASES = {case["id"]: case for case in content_of(FILE)["cases"]}


def row_with(name, **changed):
    case = CASES[name]
    return row_for(name, case["type"], {**case, "input": {**case["input"], **changed}})


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("candidates-2", {"lso": 20}),
        ("retsize-3", {"valid_remote": 1_600}),
        ("retention-size-50-1", {"retention_bytes": 50_689}),
        ("retention-size-50-23", {"only_local_size": 1_536}),
        ("retention-time-50-23", {"retention_ms": 2}),
        ("retention-time-50-0", {"retention_ms": 0, "expired_first_n(max_ts=now-2)": 1}),
        ("retention-overlap", {"listed_order": [[0, 105], [0, 99]]}),
        ("retention-delete-fails", {"segments": [[0, 98]]}),
        ("retention-cancel-mid", {"segments": [[0, 99], [100, 198]]}),
        ("stop-partitions-delete", {"leader_segments": 6}),
        ("stop-partitions-delete", {"follower_segments": 2}),
        ("stop-partitions-delete", {"deleteRemote": False}),
        ("stop-partitions-no-delete", {"deleteRemote": True}),
        ("stop-partitions-no-delete", {"deleteLocal": False}),
    ],
)
def test_an_input_that_differs_is_answered_differently(name, changed):
    assert not row_with(name, **changed).agrees


def test_local_retention_follows_its_lines():
    case = CASES["local-copy-disabled"]
    lines = [*case["input"][:2], "deleteOldSegments", *case["input"][3:]]
    assert not row_for("changed", case["type"], {**case, "input": lines}).agrees
