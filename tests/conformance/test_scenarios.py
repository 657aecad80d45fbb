"""Scenarios: the stored traces that are played on released brokers. No broker runs here."""

import json
from pathlib import Path

import pytest

from tierproof.command_line import confirming
from tierproof.conformance.brokers.confirming import replicas
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.looking import spans
from tierproof.conformance.brokers.releases import RELEASES, Release, class_path
from tierproof.conformance.brokers.scenarios import NOT_EXPRESSIBLE, SCENARIOS
from tierproof.conformance.brokers.stages import CONTROLS, STAGES, in_order
from tierproof.conformance.brokers.symptoms import OTHER_SYMPTOMS, SYMPTOMS
from tierproof.conformance.brokers.table import as_markdown, in_words
from tierproof.model.language.errors import UnknownName
from tierproof.register import evidence, register_of, traces
from tierproof.spark_explorer.question import Question

BY_THEMSELVES = {
    *("broker_reads_metadata", "broker_learns_deletion", "broker_removes_segments"),
    *("broker_cancels_tasks_first", "metadata_refuses_stale_copy"),
    *("copy_task_finds_log_start", "copy_task_finds_highest_remote_offset"),
    *("copy_task_chooses_segment", "copy_records_progress", "expiration_task_plans_old_epochs"),
    *("follower_fetches", "follower_task_finds_highest_remote_offset"),
    *("removal_publishes_delete_started", "removal_goes_on_to_objects", "removal_ends"),
    *("removal_goes_on_to_metadata", "time_passes"),
    *("delete_retention_passes", "coordinator_sends_marker"),
}
"""Steps that brokers and clocks take by themselves, and that nothing shows."""


def trace_of(scenario):
    design, _ = Question(design=scenario.design).resolve()
    kept = traces.kept_of(design, scenario.finding)
    assert kept is not None
    return kept.trace(design), kept.claim


each_scenario = pytest.mark.parametrize(
    "scenario", [pytest.param(one, id=one.finding) for one in SCENARIOS]
)


@pytest.mark.parametrize("name", STAGES)
def test_every_finding_of_a_design_that_is_played_is_or_is_said_not_to_be_expressible(name):
    design, _ = Question(design=name).resolve()
    played = {one.finding for one in SCENARIOS if one.design == name}
    assert {one.name for one in register_of(design).findings} == played | set(
        NOT_EXPRESSIBLE.get(name, {})
    )
    assert not played & set(NOT_EXPRESSIBLE.get(name, {}))


@each_scenario
def test_every_step_is_an_action_or_one_that_brokers_take_by_themselves(scenario):
    trace, claim = trace_of(scenario)
    assert {step.action for step in trace.steps} <= set(
        STAGES[scenario.design].actions
    ) | BY_THEMSELVES
    assert claim in SYMPTOMS
    assert scenario.looks is None or scenario.looks in OTHER_SYMPTOMS


@each_scenario
def test_what_a_scenario_adds_refers_to_steps_of_its_trace(scenario):
    trace, _ = trace_of(scenario)
    numbers = range(1, len(trace) + 1)
    assert set(scenario.otherwise) <= set(numbers)
    assert {name or "nothing" for name in scenario.otherwise.values()} <= set(CONTROLS)
    for broker, (first, last) in scenario.still.items():
        assert broker < replicas(scenario, trace)
        assert first < last <= len(trace)
        assert all(trace.steps[n - 1].broker != broker for n in range(first, last))
    assert set(scenario.put_off) | set(scenario.put_off.values()) <= set(numbers)


@each_scenario
def test_a_control_differs_from_its_finding(scenario):
    assert scenario.otherwise
    assert scenario.control


def test_an_action_that_is_put_off_follows_the_step_that_it_waits_for():
    assert in_order(5, {2: 4}) == [1, 3, 4, 2, 5]


def test_a_finding_that_cannot_be_played_says_why():
    with pytest.raises(CannotRun, match="an order that no user can force"):
        confirming.chosen(["settings_change_amid_a_deletion"])
    with pytest.raises(UnknownName, match="deleted_copies_still_count"):
        confirming.chosen(["deleted_copies_still_counts"])


@pytest.mark.parametrize("version", RELEASES)
def test_a_broker_of_each_release_has_a_store_that_is_a_folder(version):
    jars = {(one.name, one.classifier) for one in Release(version).artifacts}
    assert ("kafka_2.13", "") in jars
    assert ("kafka-storage", "test-fixtures" if version >= "4.4" else "test") in jars


@pytest.mark.parametrize("version", ["3.8.1", "4", "latest"])
def test_a_release_that_cannot_be_run_is_refused(version):
    with pytest.raises(CannotRun, match=r"from 3\.9\.0 on"):
        Release(version)


def test_without_maven_one_sentence_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotRun, match="Maven"):
        class_path(Release("4.4.0"), tmp_path)


def test_offsets_are_told_in_spans():
    assert spans([]) == "nothing"
    assert spans([0, 1, 2, 4]) == "0..2, 4"
    assert spans([0, 0, 1]) == "0, 0..1"


def test_the_table_has_a_row_for_each_finding_and_a_column_for_each_release():
    common = {"design": "kip950", "finding": "disabled_to_read_only", "found": "", "why": ""}
    results = [
        {**common, "release": at, "is_control": False, "outcome": "CONFIRMED", "in_the_end": "-"}
        for at in ("3.9.2", "4.4.0")
    ]
    page = as_markdown(results, "2026-11-22")
    assert "| finding | 3.9.2 | 4.4.0 | control |" in page
    assert "| kip950/disabled_to_read_only | CONFIRMED | CONFIRMED | - |" in page


def test_the_page_of_what_is_kept_has_each_finding_that_was_played():
    kept = json.loads(evidence.BROKERS.read_text("utf-8"))
    page = as_markdown(kept["results"], kept["date"])
    assert all(f"{one['finding']}" in page for one in kept["results"])


def test_the_only_java_is_the_store():
    root = Path(__file__).parents[2]
    assert [path.name for path in (root / "conformance").rglob("*.java")] == ["GatedStorage.java"]


def test_a_finding_is_told_what_each_release_showed_or_why_it_is_not_played():
    played = [
        {"design": "kip405", "finding": "a_finding", "release": release, "outcome": outcome}
        | {"is_control": False}
        for release, outcome in (("3.9.2", "CONFIRMED"), ("4.3.1", "CONFIRMED"), ("4.4.0", "FIXED"))
    ]
    told = "seen on 3.9.2 and 4.3.1; no longer seen on 4.4.0"
    assert in_words(played, "kip405", "a_finding") == told
    assert in_words(played, "kip405", "another") == ""
    (name, why), *_ = NOT_EXPRESSIBLE["kip405"].items()
    assert in_words([], "kip405", name) == f"our test program did not try it: it {why}"
