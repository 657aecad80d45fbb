"""Histories as released brokers went through them, replayed through the model without brokers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.histories import Done, model_of
from tierproof.conformance.brokers.sights import Sight

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "recordings" / "driven"
KEPT: dict[str, list[dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
"""The courses: a file for each run, and one for each difference, under the name of its cause."""

AT_ONCE = {1: 4, 2: 1}
"""Brokers -> so many courses of a run are replayed at once; the rest of them is slow."""

COURSES = [
    pytest.param(
        kept,
        id=f"{name}-{number}",
        marks=[pytest.mark.slow] if number >= AT_ONCE[kept["bounds"].get("brokers", 1)] else [],
    )
    for name, several in KEPT.items()
    for number, kept in enumerate(several)
]


def differences(kept: dict[str, Any], variants: tuple[str, ...]) -> list[tuple[list[Sight], Sight]]:
    """What the model lets be seen and what was seen, where the one is not among the other."""
    model = model_of(kept["bounds"], *variants)
    states, found = model.beginning().states, []
    for turn in kept["turns"]:
        answer, seen = model.after(states, Done(*turn["deed"])), Sight.of_dict(turn["broker"])
        states = answer.seen(seen)
        if not states:
            found.append((answer.sights, seen))
            break
    return found


@pytest.mark.parametrize("kept", COURSES)
def test_a_course_has_the_outcome_that_was_recorded(kept):
    found = differences(kept, tuple(kept["variants"]))
    if kept["outcome"] == "agrees":
        assert not found
    else:
        told = [Sight.of_dict(one) for one in kept["turns"][-1]["model"]]
        [(sights, seen)] = found
        assert {*sights} == {*told}
        assert seen == Sight.of_dict(kept["turns"][-1]["broker"])


@pytest.mark.parametrize("kept", KEPT["single_record_counts_twice"])
def test_what_counts_a_record_twice_agrees_with_the_model_of_its_own_release(kept):
    """KAFKA-20977: 4.4.0 keeps what the design as written, and 4.3.1, remove."""
    assert differences(kept, tuple(kept["variants"]))
    assert not differences(kept, variants_of(kept["release"]))
