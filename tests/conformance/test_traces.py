"""A recorded run of one replica that differs from the explored design is told: step and field.

That the recorded ones do not differ is in `test_recordings_agree`.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.tidiness.source_files import ROOT
from tierproof.conformance.files import content_of
from tierproof.conformance.traces import row_for

RECORDINGS = Path(ROOT) / "conformance" / "recordings"
SCENARIOS: dict[str, Any] = content_of(RECORDINGS / "scenarios.json")["scenarios"]


@pytest.mark.parametrize(
    "field",
    ["lso", "llso", "hw", "hro", "copy_task", "now", "local", "objs", "rlmm", "epochs"],
)
def test_a_recording_that_differs_in_one_field_does_not_agree(field: str) -> None:
    steps = copy.deepcopy(SCENARIOS["basic-offload-fetch"])
    steps[4]["state"][field] = [[7, 7]]
    row = row_for("changed", steps)
    assert not row.agrees
    assert row.at == "operation 5: clean"
    assert list(row.modelled) == [field]


def test_what_the_design_does_not_allow_is_a_disagreement() -> None:
    steps = copy.deepcopy(SCENARIOS["basic-offload-fetch"])
    steps[1]["op"] = "produce 40"
    row = row_for("changed", steps)
    assert "leader_appends_record" in row.modelled["result"]
