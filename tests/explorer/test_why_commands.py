"""`tierproof why`, `what-if` and `nearest`, and what explore says of why a property is violated."""

import json

import pytest

from tests.explorer.commands import tierproof

SHELVES = "tests.language.shelves:DESIGN"
STEP = "shelf_fills(shelf=1)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What an exploration writes."""
    found = tmp_path_factory.mktemp("shelves")
    done = tierproof("explore", SHELVES, "--out", str(found), "--trace-format", "itf")
    assert done.returncode == 1
    return found


@pytest.fixture
def trace(folder):
    return str(folder / "no_board_is_full.itf.json")


def test_explore_says_which_parts_of_a_property_are_false():
    done = tierproof("explore", SHELVES, "--property", "no_board_is_full")
    told = (
        "no_board_is_full is broken by step 2:\n"
        "    board=board 0: not board.is_full is false (board 0: is_full True)\n"
    )
    assert told in done.stdout


def test_json_has_the_parts(folder):
    claims = json.loads((folder / "result.json").read_text())["properties"]
    why = {one["name"]: one["why"] for one in claims}
    assert why["no_board_is_full"]["truth"] is False
    assert why["first_is_full"]["value"] == "never on the cycle"
    assert why["bounds_are_in_order"] is None


def test_itf_has_them_at_its_last_state(trace):
    with open(trace) as file:
        states = json.load(file)["states"]
    assert states[-1]["#meta"]["why"]["text"] == "no_board_is_full"
    assert "why" not in states[0]["#meta"]


def test_why_names_the_guard_the_values_and_the_steps(trace):
    done = tierproof("why", SHELVES, trace, "shelf_fills(shelf=0)")
    assert done.returncode == 0
    assert done.stdout == (
        "shelf_fills(shelf=0) is not enabled in the state after step 2, as\n"
        "    is_free is false: There is room on the shelf.\n"
        "      not state.board[shelf].is_full is false (board 0: is_full True)\n"
        "      It was true from the beginning; step 2, shelf_fills(shelf=0), made it false.\n"
        "On this trace it is enabled in state 1.\n"
    )


def test_why_in_json(trace):
    done = tierproof("why", SHELVES, trace, STEP, "--at", "0", "--json")
    found = json.loads(done.stdout)
    assert (found["step"], found["state"], found["is_enabled"]) == (STEP, 0, False)
    assert found["enabled_in"] == [1, 2]
    assert [one["guard"] for one in found["guards"]] == ["is_light"]


def test_why_of_a_step_that_is_enabled(trace):
    done = tierproof("why", SHELVES, trace, STEP)
    assert done.stdout.startswith(f"{STEP} is enabled in the state after step 2.\n")


def test_why_of_a_kept_run(tmp_path):
    run = str(tmp_path / "run")
    tierproof("explore", SHELVES, "--run", run)
    done = tierproof("why", run, "no_board_is_full", "light_breaks()")
    assert done.stdout.startswith("light_breaks() is enabled in the state after step 2.")
    refused = tierproof("why", run, "no_board_is_full", "light_breaks()", "--scope", "three")
    assert refused.returncode == 2
    assert "a run has its own" in refused.stderr


def test_why_of_a_finding():
    done = tierproof("why", "kip405", "deleted_topic_leaks", "copy_deletes_object(segment=0)")
    assert done.returncode == 0
    assert "segment_attempt_is_DELETE_STARTED is false" in done.stdout
    assert "(segment 0: attempt IDLE)" in done.stdout
    refused = tierproof("why", "kip405", "deleted_topic_leeks", "user_deletes_topic()")
    assert refused.returncode == 2
    assert "did you mean deleted_topic_leaks" in refused.stderr


def test_what_if_goes_on_until_a_step_is_refused_and_says_why(trace):
    done = tierproof("what-if", SHELVES, trace, "light_breaks()", "--at", "1")
    assert done.returncode == 0
    assert done.stdout == (
        "light_breaks() in place of step 1:\n"
        "    1. light_breaks()  (the other step)\n"
        "It stops at step 2 (step 2 of the trace): shelf_fills(shelf=0) is not enabled, as\n"
        "    is_light is false\n"
        "      state.light == Light.ON is false (light BROKEN)\n"
        "deadlock_free is violated by step 1.\n"
        "no_board_is_full is not violated; the trace as it was violates it by step 2.\n"
        "no_board_fills is not violated; the trace as it was violates it by step 2.\n"
    )


def test_what_if_in_json_has_the_trace_that_was_taken(trace):
    done = tierproof("what-if", SHELVES, trace, STEP, "--at", "2", "--insert", "--json")
    found = json.loads(done.stdout)
    assert found["taken"] == ["light_goes_on()", STEP, "shelf_fills(shelf=0)"]
    assert found["stop"] is None
    assert found["broken"]["no_board_is_full"] == 2
    assert [one["action"] for one in found["trace"]["steps"]][1] == "shelf_fills"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["why", "shelf_fils(shelf=1)"], "did you mean shelf_fills"),
        (["why", "shelf_fills(shelf=7)"], "none of 0..2"),
        (["why", STEP, "--at", "9"], "states 0 to 2"),
        (["why", STEP, "--json", "--why", "full"], "would do nothing"),
        (["what-if", STEP, "--at", "0"], "steps 1 to 2"),
        (["what-if", "shelf_fills()", "--at", "1"], "shelf (0..2)"),
    ],
)
def test_what_would_be_guessed_or_ignored_is_refused(words, told, trace):
    command, step, *options = words
    done = tierproof(command, SHELVES, trace, step, *options)
    assert done.returncode == 2
    assert told in done.stderr


def test_a_file_that_is_not_there_is_named():
    done = tierproof("why", SHELVES, "not/there.itf.json", STEP)
    assert done.returncode == 2
    assert "not/there.itf.json" in done.stderr


def test_nearest_counts_the_conditions_of_what_is_not_reached():
    asked = ("nearest", "kip950", "delete_dangles", "--scope", "alone", "--steps", "60")
    told = tierproof(*asked).stdout
    assert told.startswith("delete_dangles is true in none of ")
    assert "dangling != 0" in told
    record = json.loads(tierproof(*asked, "--json").stdout)
    assert record["conditions"]["is_quiet(state)"] <= record["states"]
    assert not record["nearest"]["truth"]


def test_nearest_says_so_if_walks_reach_it():
    done = tierproof("nearest", "tests.toys.jugs:DESIGN", "both_full")
    assert done.stdout.startswith("both_full is true in some of ")


def test_nearest_refuses_a_property_without_a_premise():
    done = tierproof("nearest", SHELVES, "no_board_is_full")
    assert done.returncode == 2
    assert "no premise" in done.stderr
