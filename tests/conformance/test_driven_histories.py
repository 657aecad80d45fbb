"""Histories of actions on a topic of one or two brokers: what the model lets be seen."""

from __future__ import annotations

import pytest

from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.fitting import within
from tierproof.conformance.brokers.histories import Done, Model, model_of
from tierproof.conformance.brokers.observations import Observation
from tierproof.conformance.brokers.quiescence import OutOfScope

ONE = {"records": 4, "restarts": 2}
THREE = {"records": 3, "restarts": 1}
TWO = {"records": 2, "restarts": 1, "brokers": 2, "elections": 1}


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(ONE)


@pytest.fixture(scope="module")
def pair() -> Model:
    return model_of(TWO)


def after(model: Model, *actions: str) -> list[Observation]:
    """What may be seen after the last of the actions."""
    answer = model.beginning()
    for action in actions:
        name, _, number = action.partition(" ")
        answer = model.after(answer.states, Done(name, int(number or 0)))
    return answer.observations


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
        *("kill 0", "restart 0", "produce 1"),
    ]


def test_another_broker_leads_while_one_stops(pair):
    for stop in ("kill 0", "restart 0"):
        [seen] = after(pair, "produce 2", stop)
        assert (seen.leader, seen.in_sync) == (1, (0, 1))
        assert seen.files == seen.follower_files == (0, 1)


def test_a_leader_that_is_elected_again_changes_nothing(pair):
    [before] = after(pair, "produce 2")
    assert after(pair, "produce 2", "elect 0") == [before]
    [seen] = after(pair, "produce 2", "elect 1")
    assert (seen.leader, seen.readable) == (1, (0, 1))


def test_a_follower_keeps_a_log_start_that_its_leader_forgets_in_a_crash(pair):
    [seen] = after(pair, "produce 2", "delete_records 1", "kill 0")
    assert (seen.leader, seen.earliest, seen.readable) == (1, 1, (1,))


def test_a_release_is_a_variant_from_one_release_on_or_up_to_one():
    [since] = variants_of("4.4.0")
    assert variants_of("5.0.0") == variants_of("4.4.0")
    assert variants_of("4.3.2") == ()
    [before] = variants_of("4.3.1")
    assert variants_of("3.9.2") == variants_of("4.3.1")
    assert since != before


def test_a_read_only_topic_forgets_what_is_tiered_in_a_restart_before_kafka_20732():
    """Nothing copies, and the expiration task does not look how far the remote tier reaches."""
    found = {
        release: [
            seen.latest_tiered
            for seen in after(
                model_of(THREE, *variants_of(release)), "produce 2", "read_only", "restart"
            )
        ]
        for release in ("4.3.1", "4.4.0")
    }
    assert found == {"4.3.1": [-1], "4.4.0": [0]}
