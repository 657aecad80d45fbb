"""Recorded runs of one replica are runs of the explored design, step by step."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.tidiness.source_files import ROOT
from tierproof.conformance.files import content_of
from tierproof.conformance.traces import replay_scenarios, replay_traces, row_for

RECORDINGS = Path(ROOT) / "tests" / "recordings"
SCENARIOS: dict[str, Any] = content_of(RECORDINGS / "scenarios.json")["scenarios"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_agrees_after_every_step(name: str) -> None:
    row = row_for(name, SCENARIOS[name])
    assert row.agrees, f"{row.at}: Kafka {row.recorded}, the model {row.modelled}"


def test_all_scenarios_are_replayed() -> None:
    rows = list(replay_scenarios({"scenarios": SCENARIOS}))
    assert [row.name for row in rows] == list(SCENARIOS)
    assert all(row.agrees for row in rows)


def test_every_random_trace_agrees_after_every_step() -> None:
    rows = list(replay_traces(content_of(RECORDINGS / "traces.jsonl.gz")))
    assert len(rows) == 338
    assert [f"{row.name}, {row.at}" for row in rows if not row.agrees] == []


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
