"""A failed Spark job reports the error that its task raised."""

import subprocess
import sys
import traceback
from types import SimpleNamespace

import pytest

from tests.toys import two_phase_commit
from tierproof.model.language.errors import DesignError, NonDeterministic
from tierproof.spark_explorer import engines
from tierproof.spark_explorer.execution import LevelLost
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.spark import session
from tierproof.spark_explorer.spark.session import plain_errors


def said_by_spark(error: Exception) -> str:
    """The text of a failed job, as PySpark 4 gives it: the task's traceback, then the JVM's."""
    lines = "".join(traceback.format_exception(error))
    return f"Job aborted due to stage failure:\n{lines}\n\tat org.apache.spark.api.Runner.run()\n"


def test_without_its_packages_the_engine_says_what_to_install(monkeypatch):
    monkeypatch.setattr(engines, "find_spec", lambda name: None if name == "pyspark" else name)
    question = Question(design="tests.toys.two_phase_commit:DESIGN")
    with pytest.raises(engines.NotInstalled, match="needs pyspark: pip install"):
        engines.execution_for(question, "spark")
    engines.execution_for(question, "memory")


def test_the_error_of_a_design_is_raised_again_without_the_tracebacks():
    error = NonDeterministic("broker_fails gave two states")
    with pytest.raises(DesignError, match="broker_fails gave two states") as raised, plain_errors():
        raise RuntimeError(said_by_spark(error))
    assert "org.apache" not in str(raised.value)


def test_any_other_failure_is_told_in_a_sentence():
    with pytest.raises(LevelLost, match="a Spark job failed") as raised, plain_errors():
        raise RuntimeError(said_by_spark(KeyError("lost")))
    assert "\n" not in str(raised.value)


class LosingLevelFive(MemoryExecution):
    """Its level 5 is lost before anything of it is known, as a job's is when the JVM ends."""

    def advance(self, level, *, in_order=False):
        if level == 5:
            raise LevelLost("Spark's Java virtual machine has ended")
        yield from super().advance(level, in_order=in_order)


def test_a_lost_level_leaves_the_counts_of_the_levels_before_it():
    scope = two_phase_commit.DESIGN.scope("five")
    whole = explore(two_phase_commit.DESIGN, scope, MemoryExecution)
    lost = explore(two_phase_commit.DESIGN, scope, LosingLevelFive)
    assert (lost.cut, lost.depth) == ("Spark's Java virtual machine has ended", 5)
    assert lost.frontier_sizes == whole.frontier_sizes[:6]
    assert lost.distinct_states == sum(whole.frontier_sizes[:6])
    assert Verdict.HOLDS not in {entry.verdict for entry in lost.properties}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("x: java.io.IOException: No space left on device\n", "the disk is full"),
        ("Job aborted\nTraceback\nMemoryError: no memory is left\n", "no more memory"),
        ("Python worker exited unexpectedly (crashed)\n", "Spark's Python workers have ended"),
        ("", "no reason given"),
    ],
)
def test_a_lost_level_says_why(said, told):
    with pytest.raises(LevelLost, match=told), plain_errors():
        raise RuntimeError(said)


def test_a_jvm_that_has_ended_is_told_and_forgotten(monkeypatch):
    from pyspark import SparkContext

    ended = subprocess.Popen([sys.executable, "-c", ""])
    monkeypatch.setattr(SparkContext, "_gateway", SimpleNamespace(proc=ended))
    with pytest.raises(LevelLost, match="virtual machine has ended"), plain_errors():
        raise ConnectionRefusedError("[Errno 111] Connection refused")
    assert SparkContext._gateway is None


def test_a_start_that_fails_leaves_no_virtual_machine_and_no_other_process_ended():
    machine = [sys.executable, "-c", "import time; time.sleep(600)", "pyspark-shell"]
    other = [sys.executable, "-c", "input()"]
    started = []

    def start() -> None:
        with session._whole_start():
            started.append(subprocess.Popen(machine))
            started.append(subprocess.Popen(other, stdin=subprocess.PIPE))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start()
    assert started[0].wait(60) == -9
    started[1].communicate(b"\n", 60)
    assert started[1].returncode == 0
