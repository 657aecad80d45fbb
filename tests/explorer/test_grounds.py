"""A verdict names what it rests on, where it is read: on the terminal, in JSON, in a report."""

import json

from tests.explorer.commands import tierproof
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.runs import run

MINE = '''"""A lamp of somebody who says what he assumes."""
from tests.toys import lamp
from tierproof.model.language import Edit

WORDS = {"L1": "Nobody takes the bulb out.", "L2": "There is light."}
DESIGN = lamp.DESIGN.derive(
    name="mine", title="Mine", change=Edit(drop=(lamp.lamp_flickers,)), assumptions=WORDS
)
'''


def mine(folder):
    (folder / "with_words.py").write_text(MINE)
    return "with_words.py:DESIGN"


def test_a_result_names_the_assumptions_of_its_design_in_a_line(tmp_path):
    done = tierproof("explore", mine(tmp_path), "--out", "out", folder=tmp_path)
    assert "rests on assumptions L1, L2: tierproof assumptions with_words.py:DESIGN" in done.stdout
    written = json.loads((tmp_path / "out" / "result.json").read_text())
    assert [one["id"] for one in written["rests_on"]] == ["L1", "L2"]
    told = json.loads(tierproof("explore", mine(tmp_path), "--json", folder=tmp_path).stdout)
    assert told["rests_on"] == written["rests_on"]


def test_a_kept_result_names_them_too(tmp_path):
    run_here = str(tmp_path / "run")
    asked = ("explore", mine(tmp_path), "--run", run_here)
    assert tierproof(*asked, folder=tmp_path).returncode == 0
    done = tierproof("show", run_here, folder=tmp_path)
    assert "rests on assumptions L1, L2" in done.stdout


def test_a_design_that_says_nothing_of_it_has_no_such_line():
    done = tierproof("explore", "tests.toys.lamp:DESIGN")
    assert done.returncode == 0
    assert "rests on" not in done.stdout
    told = tierproof("assumptions", "tests.toys.lamp:DESIGN")
    assert "lamp says nothing of what it assumes: Design(assumptions=...)" in told.stdout


def test_the_command_tells_them_or_those_that_are_named(tmp_path):
    words = mine(tmp_path)
    done = tierproof("assumptions", words, folder=tmp_path)
    assert "here: Nobody takes the bulb out." in done.stdout
    told = json.loads(tierproof("assumptions", words, "L2", "--json", folder=tmp_path).stdout)
    assert [one["id"] for one in told["assumptions"]] == ["L2"]
    refused = tierproof("assumptions", words, "L3", folder=tmp_path)
    assert refused.returncode == 2
    assert "unknown assumption 'L3'" in refused.stderr


def test_budgets_of_which_the_scope_leaves_nothing_are_named():
    spared = run(Question(design="tests.toys.mutex:DESIGN"), engine="memory")
    spent = run(
        Question(design="tests.toys.mutex:DESIGN", bounds=(("crashes", 1),)), engine="memory"
    )
    assert (spared.zero_budgets, spent.zero_budgets) == (("crashes",), ())
    done = tierproof("explore", "tests.toys.mutex:DESIGN")
    assert "never happens here, as its budget is 0: crashes" in done.stdout


def test_a_report_has_the_assumptions_of_each_design(tmp_path):
    done = tierproof("review", "--design", mine(tmp_path), "--scope", "house", folder=tmp_path)
    assert "mine rests on assumptions L1, L2" in done.stdout
    page = (tmp_path / "build" / "review" / "evidence.html").read_text()
    assert "<b>L1</b> Nobody takes the bulb out." in page
    asked = ("review", "--design", mine(tmp_path), "--scope", "house", "--json")
    (told,) = json.loads(tierproof(*asked, folder=tmp_path).stdout)["results"]
    assert [one["id"] for one in told["rests_on"]] == ["L1", "L2"]
