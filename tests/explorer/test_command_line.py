"""The command line: what it prints, what machines read, and how it exits."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof

TWO_PHASE = "tests.toys.two_phase_commit:DESIGN"
JUGS = "tests.toys.jugs:DESIGN"


@pytest.fixture(scope="module")
def jugs() -> subprocess.CompletedProcess[str]:
    return tierproof("explore", JUGS, "--json")


def test_json_is_one_object_with_the_counts(jugs):
    found = json.loads(jugs.stdout)
    assert found["design"] == "jugs"
    assert found["scope"] == "three_and_five"
    assert found["engine"] == "memory"
    assert found["verdict"] == "VIOLATED"
    assert (found["distinct_states"], found["generated_states"]) == (16, 97)
    assert found["depth"] == 7
    assert found["seconds"] >= 0
    assert sum(found["actions"].values()) == 96


def test_json_gives_every_property_its_kind_verdict_and_trace(jugs):
    first, second = json.loads(jugs.stdout)["properties"]
    assert (first["name"], first["kind"]) == ("never_four", "invariant")
    assert (first["verdict"], first["trace_length"]) == ("VIOLATED", 6)
    assert first["trace"]["steps"][0]["action"] == "fill_big"
    assert (second["verdict"], second["trace_length"]) == ("HOLDS", None)


def test_a_violation_exits_with_1(jugs):
    assert jugs.returncode == 1


def test_everything_holding_exits_with_0_and_shows_scope_and_counts():
    done = tierproof("explore", TWO_PHASE, "--scope", "three")
    assert done.returncode == 0
    for words in ("HOLDS", "288 distinct", "1,146 generated", "depth 10", "resource_managers=3"):
        assert words in done.stdout


def test_a_violation_is_shown_as_numbered_steps():
    done = tierproof("explore", JUGS, "--property", "never_four")
    assert "after 6 steps" in done.stdout
    assert "fill_big" in done.stdout
    assert "0 → 5" in done.stdout
    assert "water_fits" not in done.stdout


def test_a_cut_search_exits_with_3():
    done = tierproof("explore", TWO_PHASE, "--scope", "eight", "--max-states", "5000", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["verdict"] == "INCOMPLETE"


def test_a_cut_search_says_of_no_action_that_it_is_never_enabled():
    told = tierproof("explore", TWO_PHASE, "--scope", "eight", "--max-states", "9").stdout
    assert "never" not in told
    assert re.search(r"^not taken until then: \d+ actions? and \d+ lifecycle edges?$", told, re.M)


def test_random_walks_exit_with_1_if_they_find_a_violation_else_with_3():
    walks = ("--engine", "simulate", "--walks", "300", "--seed", "7", "--json")
    done = tierproof("explore", JUGS, *walks)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["sample"]["seed"], found["sample"]["walks"]) == (7, 300)
    assert {entry["verdict"] for entry in found["properties"]} == {"VIOLATED", "INCOMPLETE"}
    assert tierproof("explore", TWO_PHASE, *walks).returncode == 3


def test_random_walks_say_how_to_take_them_again_and_that_they_are_a_sample():
    done = tierproof("explore", JUGS, "--engine", "simulate", "--walks", "300")
    (again,) = re.findall(r"--seed \d+ --walks 300 --depth 200", done.stdout)
    assert "nothing HOLDS on that ground" in done.stdout
    assert "perhaps not the fewest" in done.stdout
    repeated = tierproof("explore", JUGS, "--engine", "simulate", *again.split())
    assert trace_in(repeated.stdout) == trace_in(done.stdout)


def trace_in(text: str) -> list[str]:
    return re.findall(r"^ *\d+\. .*", text, re.MULTILINE)


def test_the_engine_that_was_taken_is_said():
    assert "engine memory" in tierproof("explore", TWO_PHASE, "--scope", "three").stdout


def test_an_ablated_guard_is_said_and_its_fence_found():
    done = tierproof("explore", TWO_PHASE, "--without", "is_init", "--json")
    found = json.loads(done.stdout)
    assert found["without"] == ["is_init"]
    assert found["verdict"] == "VIOLATED"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explore", "kip1626"), "did you mean kip1266"),
        (("explore", TWO_PHASE, "--scope", "tree"), "three"),
        (("explore", TWO_PHASE, "--set", "resource_managers=99"), "1 to 12"),
        (("explore", TWO_PHASE, "--set", "resource_managers"), "bound=value"),
        (("explore", TWO_PHASE, "--set", "resource_managers=many"), "whole number"),
        (("explore", TWO_PHASE, "--engine", "magic"), "magic"),
        (("explore", TWO_PHASE, "--max-states", "0"), "--max-states"),
        (("explore", TWO_PHASE, "--engine", "memory", "--master", "local[1]"), "--master"),
        (("explore", TWO_PHASE, "--seed", "7"), "--seed is for --engine simulate"),
        (("explore", TWO_PHASE, "--engine", "simulate", "--max-states", "9"), "for a search"),
        (("explore", TWO_PHASE, "--engine", "simulate", "--master", "local[1]"), "--master"),
        (("explore", TWO_PHASE, "--engine", "simulate", "--walks", "0"), "walks=0"),
        (("review", "--engine", "simulate"), "simulate"),
        (("explore", "json:dumps"), "not a Design"),
        (("explore", "nowhere.at_all:DESIGN"), "there is no module"),
        (("explore", TWO_PHASE, "--without", "no_such_guard"), "no_such_guard"),
        (("review", "--design", "kip95"), "kip950"),
        (("explor",), "explor"),
    ],
)
def test_bad_usage_exits_with_2_and_says_what_to_do(arguments, words):
    done = tierproof(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_result_traces_and_drawings_are_written_beside_each_other(tmp_path):
    tierproof("explore", JUGS, "--out", str(tmp_path / "found"))
    names = {path.name for path in (tmp_path / "found").iterdir()}
    assert {"result.json", "never_four.txt", "never_four.svg"} <= names


def test_help_has_examples_and_imports_nothing_heavy():
    done = tierproof("explore", "--help")
    assert done.returncode == 0
    assert "tierproof explore kip950 --scope smoke" in done.stdout
    assert "--engine simulate --seconds 30 --seed 7" in done.stdout
    heavy = "{'numba', 'pyspark', 'numpy'} & set(sys.modules)"
    check = f"import sys, tierproof.command_line.cli; print({heavy})"
    loaded = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert loaded.stdout.strip() == "set()"


def test_list_names_designs_and_scopes_for_people_and_machines():
    assert "kip950" in tierproof("list").stdout
    found = json.loads(tierproof("list", TWO_PHASE, "--json").stdout)
    assert found["scopes"]["nine"]["bounds"] == {"resource_managers": 9}
    assert "no_commit_beside_an_abort" in found["properties"]


def test_draw_writes_the_lifecycles(tmp_path):
    done = tierproof("draw", TWO_PHASE, "--out", str(tmp_path), "--format", "mermaid", "--json")
    files = json.loads(done.stdout)["files"]
    assert files
    assert any("PREPARED" in Path(name).read_text() for name in files)


def test_output_to_a_pipe_has_no_colour_codes():
    assert "\x1b[" not in tierproof("explore", TWO_PHASE, "--scope", "three").stdout


COURIER = "tests.toys.courier:DESIGN"


def test_diff_shows_what_a_variant_changes_to_people_threads_and_machines():
    asked = ("diff", COURIER, "--variant", "turn_back")
    assert "  - courier_falls\n" in tierproof(*asked).stdout
    assert "| added | `courier_turns_back` |" in tierproof(*asked, "--markdown").stdout
    found = json.loads(tierproof(*asked, "--json").stdout)
    assert [one["how"] for one in found["actions"]] == ["dropped", "added"]


def test_diff_of_one_design_alone_says_what_is_missing():
    done = tierproof("diff", COURIER)
    assert done.returncode == 2
    assert "name two designs, or a design and a --variant of it" in done.stderr


def test_variants_that_contradict_each_other_are_named():
    done = tierproof("explore", COURIER, "--variant", "take_all", "--variant", "lose_all")
    assert done.returncode == 2
    assert "'lose_all' and variant 'take_all' both replace 'customer_takes'" in done.stderr


def test_draw_marks_the_edges_that_a_scope_does_not_take(tmp_path):
    asked = ("draw", COURIER, "--format", "dot", "--out", str(tmp_path))
    assert tierproof(*asked, "--scope", "one").returncode == 0
    (chart,) = tmp_path.glob("*Way.gv")
    assert "courier_delivers" in chart.read_text()
    assert "dashed" not in chart.read_text()
    assert tierproof(*asked, "--scope", "one", "--variant", "lose_all").returncode == 0


def test_list_tells_fences_from_what_is_tested_in_passing():
    found = json.loads(tierproof("list", COURIER, "--json").stdout)
    assert found["fences"]["has_room"]["protects"] == ["shelf_is_not_overfull"]
    assert list(found["guards"]) == ["is_full", "is_out"]


def test_mail_prints_the_text_of_a_finding_and_names_one_that_is_near():
    done = tierproof("mail", "log_cleaner", "deleted_key_comes_back")
    assert done.returncode == 0
    assert "\nProposal: " in done.stdout
    assert "](" not in done.stdout
    found = json.loads(tierproof("mail", "log_cleaner", "deleted_key_comes_back", "--json").stdout)
    assert found["text"].startswith(found["title"].split()[0])
    near = tierproof("mail", "log_cleaner", "deleted_key_comes_bac")
    assert near.returncode == 2
    assert "did you mean deleted_key_comes_back?" in near.stderr
    assert "tierproof mail kip405 deleted_topic_leaks" in tierproof("mail", "--help").stdout


def test_an_option_of_one_value_is_refused_if_it_is_given_twice():
    done = tierproof("explore", TWO_PHASE, "--scope", "three", "--scope", "nine")
    assert done.returncode == 2
    assert "--scope is given 2 times: give it once" in done.stderr
    several = ["--property", "never_four", "--property", "never_four", "--json", "--json"]
    assert tierproof("explore", JUGS, *several).returncode == 1


def test_list_says_which_variants_of_its_base_a_design_lost_and_why():
    shown = tierproof("list", "tests.toys.courier:DERIVED").stdout
    assert "variants of its base that do not apply" in shown
    assert re.search(r"lose_all +variant 'lose_all' and variant 'derived' both replace", shown)
