"""What is seen from a position: the state, what can and cannot be done and why, what is broken."""

import pytest

from tests.serve.asking import COMMIT, COUNTER, MUTEX, TANK, client_of, seen, steps_of, word_of
from tierproof.serve import choices, settings, sights
from tierproof.serve.application import Served
from tierproof.serve.settings import Offered

TWICE = "left_seam_drips~left_seam_drips"


@pytest.fixture(scope="module")
def client():
    return client_of()


# -- the path


def test_a_walk_begins_in_the_initial_state(client):
    told = seen(client, TANK)
    assert told["trail"] == []
    assert steps_of(told["enabled"]) == ["left_seam_drips()", "right_seam_drips()"]
    assert told["position"]["back"] is None


def test_a_step_is_taken_by_its_link_and_taken_back(client):
    first = seen(client, TANK)
    link = first["enabled"][0]["steps"][0]["link"].replace("walk?", "walk.json?")
    after = client.get(link).json()
    assert [one["step"] for one in after["trail"]] == ["left_seam_drips()"]
    assert after["trail"][0]["changes"] == {"level": [2, 1]}
    back = client.get(after["position"]["back"].replace("walk?", "walk.json?")).json()
    assert back == first


def test_a_path_that_is_not_possible_stops_there_and_says_why(client):
    told = seen(client, TANK, path=f"{TWICE}~left_seam_drips~rain_fills")
    halt = told["halt"]
    assert (halt["number"], halt["guard"]) == (3, "has_water")
    assert halt["why"] == "has_water is false: There is something to lose."
    assert halt["guards"][0]["why"]["parts"][0]["text"] == "state.level > 0"
    assert halt["guards"][0]["made_false_by"] == 2
    assert halt["rest"] == ["left_seam_drips", "rain_fills"]
    assert told["position"]["path"] == TWICE.split("~")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("left_seam_drops", "unknown action 'left_seam_drops'"),
        ("left_seam_drips.1", "takes no parameter"),
        ("storm_takes_lid", "the budget storms is spent"),
    ],
)
def test_a_step_that_does_not_exist_stops_the_path_too(client, path, why):
    told = seen(client, TANK, path=path)
    assert why in told["halt"]["why"]
    assert "edits" not in told["halt"]["why"]


def test_the_same_path_in_a_design_with_edits_stops_where_it_is_no_longer_possible(client):
    path = "right_seam_drips~left_seam_drips"
    told = seen(client, TANK, path=path, variant="repair_seal_left")
    assert told["halt"]["number"] == 2
    assert "the design with these edits has no such step" in told["halt"]["why"]
    assert told["design"]["chosen_variants"] == ["repair_seal_left"]
    assert seen(client, TANK, path=path)["halt"] is None


def test_a_guard_that_is_left_out_lets_a_step_be_taken(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~worker_takes_lock.0~worker_takes_lock.1"
    assert seen(client, MUTEX, path=path)["halt"]["guard"] == "lock_is_free"
    assert seen(client, MUTEX, path=path, without="lock_is_free")["halt"] is None


# -- the state


def test_fields_are_gathered_by_who_they_belong_to(client):
    told = seen(client, COMMIT)
    assert told["state"][0]["owner"] == "RM 0"
    assert [one["path"] for one in told["state"][0]["fields"]] == ["rm[0]"]
    budget = seen(client, TANK)["state"][-1]
    assert budget["owner"] == "what the environment may still do"


def test_what_the_last_step_changed_is_marked(client):
    told = seen(client, TANK, path="left_seam_drips")
    fields = {one["path"]: one for group in told["state"] for one in group["fields"]}
    assert (fields["level"]["before"], fields["level"]["value"]) == (2, 1)
    assert [path for path, one in fields.items() if one["is_changed"]] == ["level"]


# -- what cannot be done


def test_a_disabled_step_says_which_part_of_its_guard_is_false(client):
    (rain,) = [one for one in seen(client, TANK)["disabled"] if one["actor"] == "rain"]
    (refused,) = rain["steps"]
    assert (refused["guard"], refused["kind"]) == ("has_room", "limit")
    told = seen(client, MUTEX, path="worker_wants_lock.0~worker_takes_lock.0~worker_wants_lock.1")
    (worker,) = [
        one
        for group in told["disabled"]
        if group["actor"] == "worker 1"
        for one in group["steps"]
        if one["action"] == "worker_takes_lock"
    ]
    assert worker["guard"] == "lock_is_free"
    assert worker["why"]["truth"] is False
    assert worker["why"]["parts"]


@pytest.mark.parametrize("design", [COMMIT, MUTEX])
def test_what_is_said_of_disabled_steps_was_found_for_each_of_them(design):
    client = client_of(Served(Offered(design)))
    told = seen(client, design)
    entries = [one for group in told["disabled"] for one in group["steps"] if one["why"]]
    assert entries
    for entry in entries:
        for step in entry["steps"]:
            alone = seen(client, design, why=step["word"])["why_not"]
            of_guard = {one["guard"]: one["why"] for one in alone["guards"]}
            assert of_guard[entry["guard"]] == entry["why"]


def test_after_many_explanations_steps_are_listed_apart_without_one(client, monkeypatch):
    whole = seen(client, COMMIT)["disabled"]
    monkeypatch.setattr(choices, "MOST_EXPLAINED", 1)
    cut = seen(client, COMMIT)["disabled"]
    assert sorted(words_of_disabled(cut)) == sorted(words_of_disabled(whole))
    explained = [one for group in cut for one in group["steps"] if one["why"]]
    bindings = {str(one["why"]["bindings"]) for one in explained}
    assert len(bindings) == 1


def words_of_disabled(told):
    return [it["word"] for group in told for one in group["steps"] for it in one["steps"]]


def test_a_spent_budget_disables_a_step(client):
    (storm,) = [one for one in seen(client, TANK)["disabled"] if one["actor"] == "storm"]
    assert storm["steps"][0]["kind"] == "budget"
    assert storm["steps"][0]["says"] == "the budget storms is spent"


def test_why_not_says_which_step_of_the_path_ended_it(client):
    told = seen(client, TANK, path="left_seam_drips~rain_fills", why="rain_fills")["why_not"]
    assert not told["is_enabled"]
    assert told["guards"][0]["guard"] == "has_room"
    assert told["guards"][0]["made_false_by"] == 2
    assert told["enabled_in"] == [1]


def test_why_not_of_a_step_that_can_be_taken_says_so(client):
    told = seen(client, TANK, why="left_seam_drips()")["why_not"]
    assert told["is_enabled"]
    assert told["guards"] == []


# -- properties


def test_a_violated_property_comes_first_with_its_false_parts(client):
    told = seen(client, TANK, path=TWICE)
    first = told["properties"][0]
    assert (first["name"], first["word"]) == ("tank_has_water", "violated")
    assert first["why"]["parts"][0]["fields"] == {"is_dry": "True"}


def test_a_premise_that_is_false_is_not_called_held(client):
    assert word_of(seen(client, COUNTER), "nothing_above_a_thousand") == "premise false"


def test_a_step_property_is_asked_of_the_last_step(client):
    assert word_of(seen(client, COUNTER), "counts_by_one") == "not asked"
    told = seen(client, COUNTER, path="counter_counts")
    assert word_of(told, "counts_by_one") == "held"
    told = seen(client, COUNTER, path="counter_jumps")
    assert word_of(told, "counts_by_one") == "violated"


def test_a_law_of_a_lifecycle_is_asked_of_the_last_step(client):
    told = seen(client, COUNTER, path="counter_counts~counter_counts~counter_counts~counter_falls")
    assert [one["name"] for one in told["properties"] if one["word"] == "violated"] == [
        "Phase_lifecycle"
    ]


def test_a_state_without_a_step_violates_that_there_is_one(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~lock_breaks"
    told = seen(client, MUTEX, scope="breaking", path=path)
    assert told["enabled"] == []
    assert word_of(told, "deadlock_free") == "violated"


def test_a_witness_is_reached_or_not(client):
    assert word_of(seen(client, TANK), "tank_is_filled") == "reached"
    told = seen(client, TANK, path="left_seam_drips")
    assert word_of(told, "tank_is_filled") == "not reached"


STARVING = "worker_wants_lock.0~worker_wants_lock.1~worker_takes_lock.1~worker_frees_lock.1"


def test_liveness_is_awaited_on_a_path_and_violated_by_one_that_repeats_for_ever(client):
    assert word_of(seen(client, MUTEX, path=STARVING), "first_comes_in") == "goal awaited"
    told = seen(client, MUTEX, path=STARVING, cycle="1")
    assert word_of(told, "first_comes_in") == "violated"
    assert word_of(told, "first_comes_in_if_taking_is_strongly_fair") == "held"
    assert told["position"]["cycle"] == 1
    why = next(one["why"] for one in told["properties"] if one["name"] == "first_comes_in")
    assert why["value"] == "never on the cycle"


def test_a_cycle_to_another_state_is_refused(client):
    answer = client.get("walk.json", params={"design": MUTEX, "path": STARVING, "cycle": "0"})
    assert answer.status_code == 400
    assert "does not lead back to its state 0" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "cycle"), [("left_seam_drips", "0"), ("left_seam_drips", "7"), ("", "1")]
)
def test_a_cycle_that_does_not_close_is_refused_in_a_design_without_liveness(client, path, cycle):
    answer = client.get("walk", params={"design": TANK, "path": path, "cycle": cycle})
    assert answer.status_code == 400
    assert f"cycle={cycle}: the path does not lead back to its state {cycle}" in answer.text


# -- branches


def test_branches_are_compared_in_steps_state_and_what_they_violate(client):
    told = seen(client, TANK, path="left_seam_drips~rain_fills", beside=TWICE)
    (branch,) = told["beside"]
    assert branch["shared_steps"] == 1
    assert (branch["steps_here"], branch["steps"]) == (["rain_fills()"], ["left_seam_drips()"])
    assert branch["differences"] == [
        {"path": "level", "here": 2, "there": 0},
        {"path": "is_dry", "here": False, "there": True},
    ]
    assert branch["violated_only_there"] == ["tank_has_water"]


def test_another_branch_is_gone_to_with_this_one_beside_it(client):
    told = seen(client, TANK, path="left_seam_drips", beside=TWICE)
    other = client.get(told["beside"][0]["link"].replace("walk?", "walk.json?")).json()
    assert len(other["trail"]) == 2
    assert other["beside"][0]["path"] == ["left_seam_drips"]


def test_the_start_is_not_kept_beside_a_branch_that_is_gone_to(client):
    told = seen(client, TANK, beside=TWICE)
    assert "beside" not in told["beside"][0]["link"]


def test_branches_to_the_same_state_are_seen_to_be_so(client):
    told = seen(client, TANK, path="left_seam_drips", beside="right_seam_drips")
    assert told["beside"][0]["is_same_state"]


# -- other beginnings, faults, many steps


def test_a_walk_begins_in_any_initial_state():
    design = "tests.toys.dials:DESIGN"
    client = client_of(Served(Offered(design)))
    first, other = seen(client, design), seen(client, design, start="3")
    assert first["design"]["initial_candidates"] > 1
    assert first["state"] != other["state"]
    assert "Begin there" in client.get("walk", params={"design": design}).text
    answer = client.get("walk.json", params={"design": design, "start": "100000"})
    assert "there is no initial state 100000" in answer.json()["error"]


def test_a_step_into_a_fault_of_the_design_stops_the_path_and_says_which():
    design = "tests.toys.overflowing:DESIGN"
    client = client_of(Served(Offered(design)))
    told = seen(client, design, path="~".join(["waiter_pours.0"] * 6))
    assert told["halt"]["number"] == 6
    assert "it ends in a fault of the design" in told["halt"]["why"]
    assert "whose domain is 0..5" in told["halt"]["why"]
    assert client.get("walk", params={"design": design}).status_code == 200


def test_of_very_many_steps_only_the_first_are_looked_through(client, monkeypatch):
    monkeypatch.setattr(settings, "MOST_LISTED", 2)
    monkeypatch.setattr(sights, "MOST_LISTED", 2)
    other = client_of()
    told = seen(other, MUTEX)
    assert told["not_listed"] == 5
    assert steps_of(told["enabled"]) == steps_of(seen(client, MUTEX)["enabled"])
    taken = seen(other, MUTEX, path="worker_wants_lock.1")
    assert [one["step"] for one in taken["trail"]] == ["worker_wants_lock(worker=1)"]
