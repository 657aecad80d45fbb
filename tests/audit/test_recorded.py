"""Topics that released brokers wrote: an audit finds what the scenario did, and nothing else."""

import json
import re
from pathlib import Path

import pytest

from tierproof.conformance.audit import Sources, audit
from tierproof.conformance.audit.asked import HOUR_MS

RECORDED = Path(__file__).parent / "recorded"
SCENARIOS = sorted(path.parent for path in RECORDED.glob("*/*/played.json"))

EXPECTED = {
    "deleted_topic": {"deletion_unfinished": 1},
    "failed_deletion": {"deletion_unfinished": 1},
    "hung_copy": {"copy_left": 1},
    "two_copies": {"overlap_is_over": 1},
    "zombie": {"late_copy": 1, "object_after_deletion": 5},
}
"""Scenario -> what its audit accuses. A control, which does the same without the cause, nothing."""


def audited(folder, into, **given):
    played = json.loads((folder / "played.json").read_text("utf-8"))
    sources = Sources(
        metadata=[folder],
        bucket=[str(folder / "listing.txt")],
        as_of_ms=played["recorded_ms"] + 2 * HOUR_MS,
        **given,
    )
    found, judgement = audit(sources, into / "audit")
    return found, judgement


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_audit_finds_what_a_scenario_did_and_nothing_else(folder, tmp_path):
    found, _ = audited(folder, tmp_path)
    counted = {one["name"]: one["count"] for one in found.classes()}
    assert counted == EXPECTED.get(folder.name, {})
    assert found.is_complete
    assert dict(found.not_judged) == {}


@pytest.mark.parametrize(
    ("name", "accused"), [("disabled_and_enabled", 1), ("disabled_and_enabled_control", 0)]
)
@pytest.mark.parametrize("release", sorted(path.name for path in RECORDED.iterdir()))
def test_what_neither_tier_has_is_found_if_the_log_starts_are_given(
    release, name, accused, tmp_path
):
    folder = RECORDED / release / name
    end = json.loads((folder / "played.json").read_text("utf-8"))["in_the_end"]
    starts = {
        word: {("tiered", 0): int(re.findall(rf"{word} (\d+)", end)[0])}
        for word in ("earliest", "earliest_local")
    }
    found, _ = audited(
        folder,
        tmp_path,
        log_starts=starts["earliest"],
        local_log_starts=starts["earliest_local"],
    )
    assert sum(one["count"] for one in found.classes() if one["severity"] == "loss") == accused
