"""Random steps by a seed, and shortest ways: bounded, and honest about it."""

import pytest

from tests.serve.asking import COMMIT, COUNTER, MUTEX, TANK, client_of, seen


@pytest.fixture(scope="module")
def client():
    return client_of()


# -- random steps


def test_the_same_seed_takes_the_same_steps(client):
    one, same, other = (
        seen(client, MUTEX, steps="12", seed=seed)["position"]["path"] for seed in ("7", "7", "8")
    )
    assert len(one) == 12
    assert one == same != other


def test_random_steps_go_on_from_the_path_and_end_where_nothing_can_be_done(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~lock_breaks"
    told = seen(client, MUTEX, scope="breaking", path=path, steps="5")
    assert told["note"] == "0 random steps, by seed 0: then nothing more can be done"
    told = seen(client, TANK, path="left_seam_drips", steps="2", seed="1")
    assert told["position"]["path"][0] == "left_seam_drips"
    assert len(told["trail"]) == 3


# -- shortest ways


@pytest.mark.parametrize(
    ("design", "wanted", "steps"),
    [
        (TANK, "level == 1", 1),
        (TANK, "is_dry and level == 1", 3),
        (TANK, "not tank_has_water", 2),
        (TANK, "tank_has_water", 2),
        (TANK, "tank_is_filled", 0),
        (TANK, "level == scope.litres", 0),
        (COMMIT, "any(r == RmState.COMMITTED for r in rm)", 8),
        (COMMIT, "rm[1] == RmState.ABORTED", 1),
        (MUTEX, "stage[0] == INSIDE and stage[1] == WAITING", 3),
        (COUNTER, "counts_by_one", 1),
        (COUNTER, "Phase_lifecycle", 3),
    ],
)
def test_a_shortest_way_is_found_to_a_condition_a_witness_or_a_violation(
    client, design, wanted, steps
):
    told = seen(client, design, reach=wanted)
    assert told["search"]["is_found"]
    assert len(told["trail"]) == steps


def test_a_way_goes_on_from_where_the_path_is(client):
    told = seen(client, TANK, path="left_seam_drips", reach="level == 2")
    assert told["position"]["path"] == ["left_seam_drips", "rain_fills"]


def test_that_there_is_no_way_is_said_only_if_every_state_was_looked_at(client):
    told = seen(client, TANK, reach="level > 2")
    assert told["search"] == {
        "wanted": "level > 2",
        "is_found": False,
        "states": 5,
        "depth": 5,
        "cut": "",
    }
    assert "no way leads from here" in told["note"]
    assert told["trail"] == []


def test_a_search_that_is_cut_by_its_states_says_so(client):
    told = seen(
        client, COMMIT, scope="five", reach="all(r == RmState.COMMITTED for r in rm)", states="50"
    )
    assert not told["search"]["is_found"]
    assert told["search"]["cut"] == "its limit of 50 states"
    assert "INCOMPLETE, there may be a longer way" in told["note"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"reach": "level", "states": "0"}, "at most"),
        ({"reach": "level", "seconds": "100000"}, "at most"),
        ({"seed": "1"}, "seed is for steps, and would do nothing here"),
        ({"states": "1"}, "states is for reach, and would do nothing here"),
        ({"reach": "level", "steps": "1"}, "choose one of steps"),
        ({"steps": "501"}, "a path has at most 500 steps"),
    ],
)
def test_bounds_that_bound_nothing_are_refused(client, given, says):
    answer = client.get("walk.json", params={"design": TANK, **given})
    assert answer.status_code == 400
    assert says in answer.json()["error"]


# -- what is no expression


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("levle == 1", "did you mean level"),
        ("level ==", "is no expression"),
        ("level == 1\nimport os", "is no expression"),
        ("__import__('os').system('true')", "calls __import__"),
        ("open('a')", "calls 'open'"),
        ("(lambda: 1)()", "is not in the modelling language"),
        ("(level := 1)", "is not in the modelling language"),
        ("any(level == 1 for level in ())", "cannot be asked"),
        ("level.__class__", "only records have fields"),
        ("state.copy_for('x')", "copy_for"),
        ("f'{level}'", "is not in the modelling language"),
        ("[x for x in ()]", "is not in the modelling language"),
        ("tank_has_water.function", "tank_has_water"),
        ("-" * 990 + "1", "is no expression"),
        ("1 + " * 400 + "1", "at most 1000 characters"),
    ],
)
def test_what_the_modelling_language_has_no_word_for_is_refused(client, words, says):
    answer = client.get("walk.json", params={"design": TANK, "reach": words})
    assert answer.status_code == 400
    assert says in answer.json()["error"]


def test_a_member_of_several_enums_is_asked_for_by_its_enum(client):
    answer = client.get("walk.json", params={"design": COMMIT, "reach": "rm[0] == ABORTED"})
    assert "write RmState.ABORTED or TmState.ABORTED" in answer.json()["error"]


def test_a_liveness_property_is_violated_by_no_state(client):
    answer = client.get("walk.json", params={"design": MUTEX, "reach": "first_comes_in"})
    assert "no state violates it" in answer.json()["error"]
