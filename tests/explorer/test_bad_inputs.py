"""Bad input ends in a sentence and the status of bad usage, or of a fault: never in a traceback,
silently, or as if it were right.

A slice of the generated ones runs here, 2,000 are slow; others, at length, by

    BAD_INPUTS=5000-9000 .venv/bin/python -m pytest tests/explorer/test_bad_inputs.py
"""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.explorer.attempts import RAISED, Attempt, run
from tests.explorer.bad_inputs import GOOD, KINDS, attempt, good_files
from tierproof.command_line.exits import HOLDS, VIOLATED

SEEDS, MORE_SEEDS = range(80), range(80, 2_000)
CHOSEN = os.environ.get("BAD_INPUTS", "")


def complaints(seeds: Iterable[int], folder: Path) -> list[str]:
    """What did not end as it should."""
    told = []
    for seed in seeds:
        tried, here = attempt(seed), folder / str(seed)
        here.mkdir()
        ended = run(tried, here)
        if why := tried.complaint(ended):
            shown = [word[:80] for word in tried.words]
            files = {name: content[:300] for name, content in tried.files.items()}
            told.append(f"seed {seed}, {why}: {shown} {files}\n{ended.stderr[-600:]}")
    return told


def test_what_is_altered_is_right_unaltered(tmp_path):
    """Else all of it would be refused, and for another reason."""
    for one in GOOD:
        ended = run(Attempt(one.kind, one.words, good_files()), tmp_path)
        assert ended.returncode in (HOLDS, VIOLATED), (one.words, ended.stderr)


def test_every_kind_of_bad_input_is_drawn():
    drawn = Counter(attempt(seed).kind for seed in range(500))
    assert len(drawn) >= len(KINDS)
    assert min(drawn.values()) > 3


def test_a_seed_gives_the_same_input_again():
    assert attempt(7) == attempt(7)


def test_some_bad_inputs_end_in_a_sentence(tmp_path):
    assert not complaints(SEEDS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("start", MORE_SEEDS[::120])
def test_many_bad_inputs_end_in_a_sentence(start, tmp_path):
    assert not complaints(range(start, min(start + 120, MORE_SEEDS.stop)), tmp_path)


@pytest.mark.skipif(not CHOSEN, reason="BAD_INPUTS names no seeds")
def test_the_chosen_bad_inputs_end_in_a_sentence(tmp_path):
    first, _, end = CHOSEN.partition("-")
    assert not complaints(range(int(first), int(end)), tmp_path)


@pytest.mark.parametrize(
    ("status", "output", "errors", "why"),
    [
        (RAISED, "", "ValueError", "a traceback"),
        (4, "", "this is a fault of tierproof itself", "a traceback"),
        (4, "", "", "silent"),
        (0, "HOLDS", "", "silent"),
        (0, "HOLDS", "a warning", "ignored: exit status 0"),
        (1, "VIOLATED", "", "ignored: exit status 1"),
        (2, "", "unknown scope", ""),
    ],
)
def test_what_counts_as_a_bad_end(status, output, errors, why):
    ended = CompletedProcess(("explore",), status, output, errors)
    assert Attempt("value", ("explore",)).complaint(ended) == why
