"""What becomes of mutants whose fate is known beforehand."""

import pytest

from tests.mutation import samples
from tests.toys import mutex, two_phase_commit
from tierproof.model.language.mutation import mutants_of, places_of
from tierproof.spark_explorer.mutation.fates import Fate, Outcome
from tierproof.spark_explorer.mutation.judging import Judge


def judge_of(design, *scopes, **options):
    return Judge(design, [(name, design.scope(name)) for name in scopes], 60, **options)


@pytest.fixture(scope="module")
def commit():
    judge = judge_of(two_phase_commit.DESIGN, "three")
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def two_workers():
    judge = judge_of(mutex.DESIGN, "two")
    yield judge
    judge.close()


def mutant_of(design, function, after, guard=""):
    """The one mutant of a function that writes this line, or drops this guard."""
    (found,) = [
        mutant
        for place in places_of(design)
        if place.name == function and place.guard == guard
        for mutant in mutants_of(place)
        if guard or after in [line.strip() for line in mutant.after]
    ]
    return found


def fate_of(judge, function, after, guard=""):
    return judge.fate(mutant_of(judge.design, function, after, guard))


def test_a_law_of_a_lifecycle_kills_a_commit_that_not_all_have_voted_for(commit):
    found = fate_of(commit, "tm_commits", "", guard="all_prepared")
    assert (found.outcome, found.by, found.steps) == (Outcome.KILLED, "lifecycle law", 2)


def test_a_witness_that_is_no_longer_reached_kills(commit):
    found = fate_of(commit, "tm_commits", "state.commit_sent = False")
    assert (found.by, found.names) == ("witness", ("everybody_committed",))


def test_a_step_that_changes_nothing_kills(commit):
    found = fate_of(commit, "rm_chooses_to_abort", "pass")
    assert (found.outcome, found.by, found.names) == (Outcome.KILLED, "error", ("NothingChanged",))
    assert "rm_chooses_to_abort" in found.why


def test_an_abort_that_nobody_is_told_survives_and_is_told_with_the_shortest_way(commit):
    found = fate_of(commit, "tm_aborts", "state.abort_sent = False")
    assert found.outcome is Outcome.SURVIVED
    assert found.way == ()
    (line,) = found.differs
    assert line.startswith("tm_aborts() leads elsewhere: abort_sent is")


def test_mutual_exclusion_that_nothing_claims_is_a_survivor(two_workers):
    found = fate_of(two_workers, "lock_is_free", "if False:")
    assert found.outcome is Outcome.SURVIVED
    assert len(found.way) == 3
    assert [line.split("(")[0] for line in found.differs] == [
        "only the mutant has worker_takes_lock"
    ]


def test_a_deadlock_and_a_lasso_kill(two_workers):
    turned = fate_of(two_workers, "is_idle", "return state.stage[worker] != Stage.IDLE")
    assert (turned.by, turned.names) == ("deadlock", ("deadlock_free",))
    waiting = fate_of(two_workers, "is_inside", "return state.stage[worker] == Stage.WAITING")
    assert waiting.by == "liveness"


def test_a_premise_that_no_state_fulfils_any_more_kills(two_workers):
    found = fate_of(two_workers, "worker_wants_lock", "state.stage[worker] = Stage.INSIDE")
    assert found.by == "premise"


def test_what_no_step_runs_in_the_scope_is_not_covered(two_workers):
    found = fate_of(two_workers, "lock_breaks", "pass")
    assert (found.outcome, found.scope) == (Outcome.NOT_COVERED, "two")


def test_the_same_graph_is_equivalent():
    judge = judge_of(samples.DESIGN, "two")
    found = fate_of(judge, "painted", "return max(state.count + 1, 0)")
    assert found.outcome is Outcome.EQUIVALENT
    judge.close()


def test_a_larger_scope_covers_more():
    judge = judge_of(mutex.DESIGN, "two", "breaking")
    found = fate_of(judge, "lock_breaks", "pass")
    assert (found.outcome, found.scope, found.by) == (Outcome.KILLED, "breaking", "error")
    judge.close()


def test_a_graph_that_is_far_larger_is_incomplete(monkeypatch):
    monkeypatch.setattr("tierproof.spark_explorer.mutation.judging.ROOM", 1)
    monkeypatch.setattr("tierproof.spark_explorer.mutation.judging.GROWTH", 1)
    judge = judge_of(mutex.DESIGN, "two")
    found = fate_of(judge, "lock_is_free", "if False:")
    assert found.outcome is Outcome.INCOMPLETE
    assert found.why == "its graph differs, and is not judged beyond 8 states"
    judge.close()


def test_what_a_check_beside_the_search_notices_is_killed_by_a_recording(two_workers):
    judge = judge_of(mutex.DESIGN, "two", notices=lambda mutant: "row 7")
    found = fate_of(judge, "lock_is_free", "if False:")
    assert (found.outcome, found.by, found.names) == (Outcome.KILLED, "recording", ("row 7",))
    killed = fate_of(judge, "is_idle", "return state.stage[worker] != Stage.IDLE")
    assert killed.by == "deadlock"
    judge.close()


def test_a_fate_is_read_as_it_was_written(commit):
    found = fate_of(commit, "tm_aborts", "state.abort_sent = False")
    assert Fate.of(found.as_dict()) == found
