"""With 128 bits a search visits the states, and finds the counterexamples, that it does with 64."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.explorer.commands import tierproof
from tests.toys import mutex
from tierproof.model.language.errors import Misused
from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.reusing import AskedOtherwise, Wanted
from tierproof.spark_explorer.kept.store import store_at
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.graph import Connector
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.numbering import Collision
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.runs import run
from tierproof.spark_explorer.spark.execution import SparkExecution

SCOPE = "alone_failures"
KAFKA = Question(design="kip950", scope=SCOPE)
WIDE = replace(KAFKA, fingerprint_bits=128)


def told(result: Result) -> dict[str, object]:
    """What a result says of the design, without what its search took."""
    shown = result.as_dict()
    effort = ("seconds", "set_up_seconds", "liveness_seconds", "collision_probability", "engine")
    return {name: value for name, value in shown.items() if name not in effort}


@pytest.fixture(scope="module")
def narrow() -> Result:
    return run(KAFKA, engine="memory", watched=False)


def test_counts_verdicts_and_traces_are_those_of_64_bits(narrow):
    wide = run(WIDE, engine="memory", watched=False)
    assert told(wide) == told(narrow)
    assert 0 < wide.collision_probability < narrow.collision_probability * 1e-15


@pytest.mark.slow
def test_partitions_of_spark_have_them_too(narrow):
    from tierproof.spark_explorer.search import explore

    design, scope = WIDE.resolve()

    def execution(kernel: Kernel) -> SparkExecution:
        return SparkExecution(kernel, WIDE, master="local[2]", on_driver=300, partitions=2)

    wide = explore(design, scope, execution, scope_name=SCOPE, fingerprint_bits=128)
    assert wide.distinct_states == narrow.distinct_states
    assert wide.collision_probability < narrow.collision_probability * 1e-15


def test_a_run_that_is_resumed_keeps_its_fingerprints(narrow, tmp_path):
    at = str(tmp_path / "run")
    asked = ["explore", KAFKA.design, "--scope", SCOPE, "--fingerprint", "128"]
    cut = json.loads(tierproof(*asked, "--max-states", "1000", "--run", at, "--json").stdout)
    assert cut["distinct_states"] < narrow.distinct_states
    question = json.loads(Path(at, "run.json").read_text())["question"]
    assert question["fingerprint_bits"] == 128
    resumed = json.loads(tierproof("resume", at, "--json").stdout)
    assert resumed["distinct_states"] == narrow.distinct_states
    assert resumed["collision_probability"] < narrow.collision_probability * 1e-15


def test_a_run_with_other_fingerprints_is_neither_reused_nor_gone_on_with(tmp_path):
    """A state that 64 bits hid would be missing from a run that says 128."""
    at = str(tmp_path / "run")
    tierproof("explore", "kip950", "--scope", SCOPE, "--max-states", "500", "--run", at)
    design, scope = WIDE.resolve()
    wanted = Wanted(question=WIDE, design=design, scope=scope, engine=None, max_states=None)
    with pytest.raises(AskedOtherwise, match="64, and not 128"):
        wanted.check(KeptRun.open(at))
    with pytest.raises(Unlike, match="other fingerprints"):
        Attempt.resume(store_at(at), Kernel(design, scope, fingerprint_bits=128), "memory")


def test_the_execution_has_a_table_of_16_bytes_a_slot():
    design, scope = WIDE.resolve()
    kernel = Kernel(design, scope, fingerprint_bits=128)
    execution = MemoryExecution(kernel, 1)
    assert execution.visited.nbytes == 16 * execution.visited.capacity
    execution.close()


def test_liveness_is_not_judged_where_64_bits_stand_for_two_states():
    """Its edges lead to a state by 64 bits of it."""
    kernel = Kernel(mutex.DESIGN, mutex.DESIGN.scope("three"))
    state = np.zeros((1, kernel.words), np.uint64)
    connector = Connector(kernel, [state, state], np.zeros(kernel.steps.count, np.bool_))
    with pytest.raises(Collision):
        connector.graph(1)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (replace(KAFKA, fingerprint_bits=96), "64 or 128 bits, and not 96"),
        (
            Question(design="tests.toys.mutex:DESIGN", fingerprint_bits=128),
            "would do nothing: a state of 'mutex' fits 64 bits",
        ),
    ],
)
def test_what_would_do_nothing_is_refused(asked, told):
    with pytest.raises(Misused, match=told):
        asked.resolve()


def test_walks_have_no_use_for_them():
    asked = ["explore", KAFKA.design, "--engine", "simulate", "--seconds", "1"]
    ended = tierproof(*asked, "--fingerprint", "128")
    assert ended.returncode == 2
    assert "--fingerprint is for a search" in ended.stderr
