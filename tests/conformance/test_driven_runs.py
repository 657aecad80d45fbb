"""Histories as released brokers went through them, replayed through the model without brokers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.histories import Done, model_of
from tierproof.conformance.brokers.observations import Observation

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance" / "recordings" / "driven"
KEPT: dict[str, list[dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
"""Driven histories: a file for each run, and one for each difference, by the name of its cause."""

PAGE = ROOT / "docs" / "driven.md"
ON_PURPOSE = [name for name in KEPT if name.startswith("release_without")]
AT_ONCE = {1: 4, 2: 1}
"""Brokers -> so many histories of a run are replayed at once; the rest of them is slow."""

HISTORIES = [
    pytest.param(
        kept,
        id=f"{name}-{number}",
        marks=[pytest.mark.slow] if number >= AT_ONCE[kept["bounds"].get("brokers", 1)] else [],
    )
    for name, several in KEPT.items()
    for number, kept in enumerate(several)
]


def differences(
    kept: dict[str, Any], variants: tuple[str, ...]
) -> list[tuple[list[Observation], Observation]]:
    """What the model lets be seen and what was seen, where the one is not among the other."""
    model = model_of(kept["bounds"], *variants)
    states, found = model.beginning().states, []
    for turn in kept["turns"]:
        answer, seen = model.after(states, Done(*turn["deed"])), Observation.of_dict(turn["broker"])
        states = answer.seen(seen)
        if not states:
            found.append((answer.observations, seen))
            break
    return found


@pytest.mark.parametrize("kept", HISTORIES)
def test_a_run_has_the_outcome_that_was_recorded(kept):
    found = differences(kept, tuple(kept["variants"]))
    if kept["outcome"] == "agrees":
        assert not found
    else:
        told = [Observation.of_dict(one) for one in kept["turns"][-1]["model"]]
        [(observations, seen)] = found
        assert {*observations} == {*told}
        assert seen == Observation.of_dict(kept["turns"][-1]["broker"])


@pytest.mark.parametrize("name", ["single_record_counts_twice", *sorted(ON_PURPOSE)])
def test_what_differs_from_another_variant_agrees_with_that_of_its_own_release(name):
    """KAFKA-20977 and KAFKA-20732: each release is held against a model of another one."""
    for kept in KEPT[name]:
        assert differences(kept, tuple(kept["variants"]))
        assert not differences(kept, variants_of(kept["release"]))


def test_the_shortest_history_that_tells_4_3_1_from_4_4_0_is_kept():
    [kept] = KEPT["release_without_kafka_20977"]
    assert [turn["deed"] for turn in kept["turns"]] == [["produce", 2], ["retain", 2]]
    assert tuple(kept["variants"]) == variants_of("4.4.0")


def test_all_runs_agree_and_the_page_has_their_figures():
    rows = [row.split("|")[1:-1] for row in PAGE.read_text("utf-8").splitlines() if "`run_" in row]
    told = {name.strip(" `"): (int(several), int(actions)) for name, _, _, several, actions in rows}
    runs = {name: several for name, several in KEPT.items() if name.startswith("run_")}
    assert {kept["outcome"] for several in runs.values() for kept in several} == {"agrees"}
    assert told == {
        name: (len(several), sum(len(kept["turns"]) for kept in several))
        for name, several in runs.items()
    }
