"""The committed scores do not fall: mutants that something killed are killed today."""

from dataclasses import replace

import pytest

from tierproof.model.language.errors import TierproofError
from tierproof.register import mutation
from tierproof.register.mutation import FOLDER, scores_in, scores_of, text_of
from tierproof.spark_explorer.mutation.fates import Outcome
from tierproof.spark_explorer.mutation.testing import MutationRun, Score

FILES = sorted(FOLDER.glob("*.json"))
MOST = 3
"""Mutants of a design that are judged again by default."""
BY_DEFAULT = [path for path in FILES if path.stem == "producer_state"]
"""The design that compiles fastest; the slow test judges all mutants of all designs."""


def test_some_design_has_scores():
    assert BY_DEFAULT


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_as_it_is_written(path):
    scores = scores_in(path)
    assert text_of(scores) == path.read_text("utf-8")
    for module, score in scores.modules.items():
        assert score.killed == len(scores.killed.get(module, ()))
    assert sum(score.survived for score in scores.modules.values()) == len(scores.survivors)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_mutants_are_those_of_the_design(path):
    """More than half of what was killed is still a mutant, or the file has to be made anew."""
    scores = scores_in(path)
    request = scores.request()
    keys = {one.key for one in request.population(request.design())}
    killed = {key for found in scores.killed.values() for key in found}
    assert len(killed & keys) > len(killed) / 2, f"tierproof mutate {path.stem} --update-scores"


@pytest.mark.parametrize("path", BY_DEFAULT, ids=lambda path: path.stem)
def test_what_was_killed_is_killed(path):
    scores = scores_in(path)
    request = replace(scores.request(), seconds=600.0)  # the engine may have to be compiled first
    design = request.design()
    killed = {key for found in scores.killed.values() for key in found}
    mutants = [one for one in request.population(design) if one.key in killed]
    judge = request.judge(design)
    try:
        for mutant in mutants[:: max(1, len(mutants) // MOST)][:MOST]:
            assert judge.fate(mutant).outcome is Outcome.KILLED, mutant.diff
    finally:
        judge.close()


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_score_falls(path):
    scores = scores_in(path)
    testing = MutationRun.begun(scores.request())
    for _ in testing.run():
        pass
    fallen = {
        module: (before.percent, testing.scores.get(module, Score()).percent)
        for module, before in scores.modules.items()
        if before.percent and (testing.scores.get(module, Score()).percent or 0) < before.percent
    }
    assert fallen == {}


def test_a_garbled_file_is_refused_by_name(tmp_path):
    path = tmp_path / "kip1.json"
    path.write_text('{"scopes": ["smoke"]}', "utf-8")
    with pytest.raises(TierproofError, match=r"kip1\.json cannot be read"):
        mutation.scores_in(path)


def test_scores_are_read_as_they_were_written(tmp_path):
    from tests.mutation.test_command import MUTEX
    from tierproof.spark_explorer.mutation.fates import Fate
    from tierproof.spark_explorer.mutation.request import Request
    from tierproof.spark_explorer.question import Question

    testing = MutationRun.begun(Request(question=Question(design=MUTEX), only=("is_idle",)))
    outcomes = [Outcome.KILLED, Outcome.SURVIVED, Outcome.EQUIVALENT]
    testing.fates = {n: Fate(outcome=outcomes[n % 3]) for n in range(len(testing.mutants))}
    scores = scores_of(testing, recordings=False)
    path = tmp_path / "mutex.json"
    path.write_text(text_of(scores), "utf-8")
    assert scores_in(path) == scores
