"""A design is closed and its findings are isolated: by exploring, once, and keeping the result."""

import json
import re
from dataclasses import replace

import pytest

from tests.explorer.commands import tierproof
from tests.register import giving
from tests.toys import leaky_tank, three_locks
from tierproof.model.language import initial
from tierproof.register import ledger, register_of
from tierproof.register.isolation import closed, explorations
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import Explored
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.results import PropertyResult, Verdict
from tierproof.spark_explorer.search import explore

TANK = leaky_tank.DESIGN
WORDS = "tests.toys.leaky_tank:DESIGN"
AS_WRITTEN = {
    "small": {"properties": {"tank_has_water": "VIOLATED"}, "distinct_states": 3},
    "storm": {
        "properties": {"tank_has_water": "VIOLATED", "tank_is_closed": "VIOLATED"},
        "distinct_states": 6,
    },
}


@pytest.fixture(autouse=True)
def known_as_written(monkeypatch):
    monkeypatch.setattr(ledger, "read", lambda: {"leaky_tank": AS_WRITTEN})


@pytest.fixture
def run(tmp_path):
    def isolate(*scopes, findings=(), **given):
        told: list[Explored] = []
        of = explorations.Isolating(TANK, WORDS, folder=tmp_path, tell=told.append, **given)
        of.run(scopes, findings, watched=False)
        return told, explorations.known(TANK, tmp_path)

    return isolate


def test_what_breaks_without_one_repair_is_the_cause_that_it_mends(run):
    _, known = run()
    assert known.accounts["small"] == {"tank_has_water": ["left_seam_leaks", "right_seam_leaks"]}
    assert known.accounts["storm"]["tank_is_closed"][-1] == "storm_opens_the_tank"
    assert known.open == {}
    assert known.is_sound


def test_what_has_no_repair_stays_violated_in_the_closed_design(run):
    _, known = run()
    assert known.scopes["small"]["violated"] == {}
    assert known.scopes["storm"]["violated"] == {"tank_is_closed": 1}


def test_nothing_is_sound_before_it_is_explored(tmp_path):
    known = explorations.known(TANK, tmp_path)
    assert known.cut == {"small": "not explored", "storm": "not explored"}
    assert known.silent == ["left_seam_leaks", "right_seam_leaks", "storm_opens_the_tank"]
    assert known.unaccounted["small"] == ["tank_has_water"]
    assert not known.is_sound


def test_an_exploration_is_made_once(run):
    first, _ = run()
    again, known = run()
    assert len(first) > 0
    assert again == []
    assert known.is_sound


def test_a_changed_design_is_explored_again(run, tmp_path):
    run("small")
    path = tmp_path / "leaky_tank.json"
    path.write_text(re.sub('"identity": "[^"]*"', '"identity": "another"', path.read_text()))
    again, _ = run("small")
    assert {one["scope"] for one in again} == {"small"}


def test_what_a_design_broke_before_it_changed_accounts_for_nothing(run, tmp_path):
    run("small")
    stale = {"identity": "another", "violated": {"tank_has_water": 1}}
    of_closed = [
        {**one, **stale}
        for one in isolation_file.read("leaky_tank", tmp_path).values()
        if set(one["variants"]) == set(closed(TANK))
    ]
    isolation_file.write("leaky_tank", closed(TANK), of_closed, tmp_path)
    assert run("small")[1].accounts == run("small")[1].accounts
    assert run("small")[1].open == {}


def test_what_is_explored_while_stale_results_are_forgotten_stays(tmp_path, monkeypatch):
    of = explorations.Isolating(TANK, WORDS, folder=tmp_path)
    key, fresh = ("small", frozenset({"repair_seal_left"})), {"scope": "small"}
    of.explored[key] = {"scope": "small"}

    def explored_meanwhile(stale):
        of.explored[key] = fresh
        return False

    monkeypatch.setattr(of, "_is_fresh", explored_meanwhile)
    of._forget_stale("small")
    assert of.explored == {key: fresh}


def test_one_finding_is_explored_alone(run):
    told, _ = run(findings=("left_seam_leaks",))
    assert [one["variants"] for one in told] == [
        ["repair_seal_right"],
        ["repair_seal_left", "repair_seal_right"],
    ]


def test_what_mails_propose_is_explored_together(tmp_path, monkeypatch):
    left, *others = register_of(TANK).findings
    lid = replace(TANK.variants[0], name="proposal_catch_drips")
    changed = replace(TANK, variants=(*TANK.variants, lid))
    giving.give(monkeypatch, TANK, findings=(replace(left, proposed=lid.name), *others))
    together = {lid.name, "repair_seal_right"}
    of = explorations.Isolating(changed, WORDS, folder=tmp_path)
    asked = []

    def note(scope, variants, watching, until=()):
        asked.append((scope, set(variants)))

    monkeypatch.setattr(of, "_explore", note)
    of.run((), (), watched=False, with_proposals=True)
    assert sorted(asked) == [("small", together), ("storm", together)]
    asked.clear()
    of.run(("small",), (), watched=False, with_proposals=True)
    assert asked == [("small", together)]


def test_proposals_that_are_the_repairs_hold_where_the_closed_design_does(run):
    _, known = run("small")
    assert known.do_proposals_hold
    _, known = run("storm")
    assert known.proposed == known.scopes
    assert not known.do_proposals_hold


def test_a_closed_design_that_was_cut_is_not_closed(run):
    _, known = run(max_states=1)
    assert "the limit of 1 states" in known.cut["storm"]
    assert not known.is_sound


def test_a_claim_that_holds_and_a_violation_that_is_not_claimed_are_told(run, tmp_path):
    run()
    lines = [
        {**one, "violated": {"tank_is_closed": 1}}
        if one["variants"] == ["repair_seal_right"]
        else one
        for one in isolation_file.read("leaky_tank", tmp_path).values()
    ]
    isolation_file.write("leaky_tank", closed(TANK), lines, tmp_path)
    known = explorations.known(TANK, tmp_path)
    assert known.unlike == {"left_seam_leaks": ["tank_has_water", "tank_is_closed"]}


@pytest.fixture
def isolate_locks(tmp_path, monkeypatch):
    broken = [one.name for one in three_locks.DESIGN.properties]
    entry = {"properties": dict.fromkeys(broken, "VIOLATED"), "distinct_states": 5}
    monkeypatch.setattr(ledger, "read", lambda: {"three_locks": {"house": entry}})

    def isolate():
        told: list[Explored] = []
        words = "tests.toys.three_locks:DESIGN"
        of = explorations.Isolating(three_locks.DESIGN, words, folder=tmp_path, tell=told.append)
        of.run((), (), watched=False)
        return told, explorations.known(three_locks.DESIGN, tmp_path)

    return isolate


def test_what_takes_several_causes_is_accounted_for_by_them_and_by_no_other(isolate_locks):
    _, known = isolate_locks()
    assert known.accounts["house"] == {
        "upper_lock_holds": ["upper_lock_is_picked"],
        "lower_lock_holds": ["lower_lock_rusts"],
        "chain_holds": ["cat_meets_chain"],
        "bell_rings": ["bell_is_drowned"],
        "door_is_shut": ["upper_lock_is_picked with lower_lock_rusts with cat_meets_chain"],
    }
    assert known.is_sound


def test_what_several_causes_break_is_kept_and_not_explored_again(isolate_locks):
    first, _ = isolate_locks()
    again, known = isolate_locks()
    assert len(first) > 0
    assert again == []
    assert known.is_sound


# -- what it stands on


def test_a_search_ends_as_soon_as_all_that_is_asked_for_is_violated():
    scope = TANK.scope("storm")
    found = explore(TANK, scope, MemoryExecution, until=("tank_is_closed",))
    assert found.cut == "all that was asked for is violated"
    assert {one.name: str(one.verdict) for one in found.properties} == {
        "tank_has_water": "INCOMPLETE",
        "tank_is_closed": "VIOLATED",
    }
    whole = explore(TANK, scope, MemoryExecution, until=("tank_is_closed", "tank_has_water"))
    assert {one.name for one in whole.properties if one.trace} == {
        *("tank_is_closed", "tank_has_water"),
    }


def test_the_identity_of_what_is_explored_changes_with_design_and_scope():
    small, storm = TANK.scope("small"), TANK.scope("storm")
    kernels = [
        Kernel(TANK, small),
        Kernel(TANK, storm),
        Kernel(TANK.with_variants("repair_seal_left"), small),
        Kernel(TANK.with_only("tank_has_water"), small),
    ]
    assert len({kernel.identity for kernel in kernels}) == 4
    assert Kernel(TANK, small).identity == kernels[0].identity


@initial
def one_litre(state: leaky_tank.Tank) -> None:
    """The tank is nearly empty, and closed."""
    state.level = 1
    state.has_lid = True


def test_it_changes_with_the_initial_states():
    """Else what is kept of a design would count as explored after a change of its beginning."""
    begun = replace(TANK, initial=(one_litre,))
    small = TANK.scope("small")
    assert Kernel(begun, small).identity != Kernel(TANK, small).identity


def test_the_file_gives_back_what_it_was_given(tmp_path):
    counts = dict.fromkeys(("distinct_states", "generated_states", "depth"), 1)
    lines = [{"scope": "small", "variants": ["b", "a"], "identity": "0", **counts, "violated": {}}]
    isolation_file.write("toy", ["b"], lines, tmp_path)
    assert isolation_file.read("toy", tmp_path) == {("small", frozenset("ab")): lines[0]}
    assert isolation_file.read("another", tmp_path) == {}


# -- the command


def test_people_see_what_breaks_without_each_repair_and_machines_read_it(tmp_path):
    kept = ("--folder", str(tmp_path))
    done = tierproof("isolate", WORDS, *kept)
    assert "small with repair_seal_left: 5 states: tank_has_water (2)" in done.stdout
    assert "leaky_tank is" in done.stdout
    again = tierproof("isolate", WORDS, *kept, "--kept", "--json")
    found = json.loads(again.stdout)
    assert found["scopes"]["storm"]["violated"] == {"tank_is_closed": 1}
    assert (done.returncode, again.returncode) == (0, 0)


def test_what_is_not_explored_yet_is_not_sound(tmp_path):
    done = tierproof("isolate", WORDS, "--folder", str(tmp_path), "--kept")
    assert "not explored" in done.stdout
    assert done.returncode == 1


def test_a_mistyped_finding_or_scope_is_bad_usage():
    done = tierproof("isolate", WORDS, "--finding", "left_seam_leak")
    assert done.returncode == 2
    assert "left_seam_leaks" in done.stderr
    assert tierproof("isolate", WORDS, "--scope", "smal").returncode == 2


def test_a_finding_is_explored_alone_with_its_trace():
    done = tierproof("explore", WORDS, "--finding", "left_seam_leaks")
    assert done.returncode == 1
    assert "left_seam_drips" in done.stdout
    assert "right_seam_drips" not in done.stdout.split("never enabled")[0]


# -- what was not explored to the end


@pytest.fixture
def ended(monkeypatch):
    """Every exploration ends as a search that was changed like this."""

    def end(**changed):
        made = runs.run_beside

        def run_beside(*given, **options):
            return replace(made(*given, **options), **changed)

        monkeypatch.setattr(runs, "run_beside", run_beside)

    return end


def test_an_interrupted_exploration_is_no_answer_and_is_not_kept(run, ended, tmp_path):
    ended(cut=INTERRUPTED)
    _, known = run("small")
    assert known.scopes == {}
    assert isolation_file.read("leaky_tank", tmp_path) == {}


def test_a_scope_whose_liveness_was_not_judged_is_not_closed(run, ended):
    unjudged = PropertyResult(
        name="tank_is_refilled",
        kind="liveness",
        statement="",
        verdict=Verdict.INCOMPLETE,
        reason="no memory was left",
    )
    ended(properties=(unjudged,))
    _, known = run("small")
    assert known.cut["small"] == "not judged: tank_is_refilled"
    assert not isolation_file.holds(known.scopes["small"], ["tank_is_refilled"])
    assert isolation_file.holds(known.scopes["small"], ["tank_has_water"])


def test_a_property_that_was_not_asked_for_is_not_said_to_hold():
    asked = {"violated": {}, "asked": ["tank_has_water"]}
    assert not isolation_file.holds(asked, ["tank_is_closed"])
    assert isolation_file.unfinished(asked) == "not every property was asked for"
