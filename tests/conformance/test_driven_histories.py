"""Histories of deeds on one topic of one broker: what the model lets be seen, without brokers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tierproof.conformance.brokers.driven_design import fixes_of
from tierproof.conformance.brokers.histories import Done, Model, Sight, model_of, within
from tierproof.conformance.brokers.resting import OutOfScope

KEPT: dict[str, list[dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "recordings" / "driven").glob("*.json"))
}
"""Courses as a released broker went them: those that agree, and those that differ, by cause."""

COURSES = [
    pytest.param(name == "agreeing", kept, id=f"{name}-{number}")
    for name, several in KEPT.items()
    for number, kept in enumerate(several)
]


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(4, 2)


def after(model: Model, *deeds: str) -> list[Sight]:
    """What may be seen after the last of the deeds."""
    answer = model.beginning()
    for deed in deeds:
        name, _, number = deed.partition(" ")
        answer = model.after(answer.states, Done(name, int(number or 0)))
    return answer.sights


def test_all_but_the_active_segment_is_copied(model):
    [seen] = after(model, "produce 3")
    assert (seen.earliest, seen.latest_tiered, seen.objects) == (0, 1, (0, 1))
    assert seen.readable == (0, 1, 2)


def test_what_is_only_remote_is_readable(model):
    [seen] = after(model, "produce 3", "keep_little_locally")
    assert (seen.earliest_local, seen.files, seen.readable) == (2, (2,), (0, 1, 2))


def test_a_topic_that_is_tiered_again_keeps_its_latest_tiered_offset_without_objects(model):
    """The finding deleted_copies_still_count, as released brokers show it."""
    [seen] = after(model, "produce 3", "disable", "enable")
    assert (seen.latest_tiered, seen.objects) == (1, ())
    [then] = after(model, "produce 3", "disable", "enable", "keep_little_locally")
    assert (then.earliest, then.earliest_local, then.readable) == (0, 2, (2,))


def test_a_kill_forgets_a_log_start_that_an_orderly_stop_writes_down(model):
    assert {seen.earliest for seen in after(model, "produce 3", "delete_records 2", "restart")} == {
        2
    }
    assert {seen.earliest for seen in after(model, "produce 1", "delete_records 1", "kill")} == {0}


def test_disabling_without_delete_is_refused_and_changes_nothing(model):
    [before] = after(model, "produce 3")
    [seen] = after(model, "produce 3", "disable_without_delete")
    assert seen.is_refused
    assert (seen.earliest, seen.objects) == (before.earliest, before.objects)


def test_a_history_beyond_the_scope_is_said_to_be_so(model):
    with pytest.raises(OutOfScope, match="has_place_for_a_record"):
        after(model, "produce 5")
    with pytest.raises(OutOfScope, match="lone_leader_restarts"):
        after(model, "kill", "kill", "kill")


def test_a_history_is_fitted_to_its_scope_and_asks_for_nothing_twice(model):
    asked = ["produce 3", "enable", "disable_without_delete", "disable", "disable"]
    asked += ["delete_records 9", "delete_records 2", "retain_all", "kill", "restart", "kill"]
    asked += ["produce 9"]
    history = [
        Done(name, int(number or 0)) for name, _, number in (a.partition(" ") for a in asked)
    ]
    assert list(map(str, within(model.scope, history))) == [
        *("produce 3", "disable_without_delete", "disable", "delete_records 3"),
        *("kill", "restart", "produce 1"),
    ]


@pytest.mark.parametrize(("agrees", "kept"), COURSES)
def test_a_recorded_course_has_the_model_s_answers_and_its_outcome(agrees, kept):
    model = model_of(kept["records"], kept["restarts"], *kept["fixes"])
    states, differences = model.beginning().states, 0
    for turn in kept["turns"]:
        answer = model.after(states, Done(*turn["deed"]))
        assert {*answer.sights} == {Sight.of_dict(one) for one in turn["model"]}
        states = answer.seen(Sight.of_dict(turn["broker"]))
        differences += not states
    assert (differences == 0) == agrees


@pytest.mark.parametrize("kept", KEPT["single_record_counts_twice"])
def test_what_counts_a_record_twice_agrees_once_it_is_fixed(kept):
    """KAFKA-20977: 4.4.0 keeps what the design as written removes."""
    model = model_of(kept["records"], kept["restarts"], *fixes_of(kept["release"]))
    states = model.beginning().states
    for turn in kept["turns"]:
        answer = model.after(states, Done(*turn["deed"]))
        states = answer.seen(Sight.of_dict(turn["broker"]))
        assert states


def test_a_fix_is_in_the_releases_from_the_one_that_brought_it():
    assert fixes_of("4.3.1") == ()
    assert fixes_of("4.4.0") == fixes_of("5.0.0") != ()
