"""What a search has found is reported, whatever happens to it afterwards."""

import errno
import logging
import os
import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.toys import courier, jugs, mutex
from tierproof.spark_explorer import liveness, search
from tierproof.spark_explorer.execution import LevelLost
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.progress import Phase, Progress
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.spark import session
from tierproof.spark_explorer.spark.execution import SparkExecution, one_thread

WORDS = np.array([[1, 2], [3, 4]], np.uint64)
FOUND, LABELS = np.array([5, 6], np.uint64), np.array([7, 8], np.uint32)


def verdicts(result: Result) -> dict[str, Verdict]:
    return {entry.name: entry.verdict for entry in result.properties}


# -- a search whose traces, or whose liveness, cannot be had


class Forgetful(MemoryExecution):
    """It finds everything, and then its levels cannot be read."""

    def origins(self, wanted):
        raise LevelLost("the run is damaged")


class Interrupted(MemoryExecution):
    """Ctrl-C comes as its levels are read for traces."""

    def origins(self, wanted):
        raise KeyboardInterrupt


class Stateless(MemoryExecution):
    """Its states cannot be read for liveness."""

    def states(self):
        raise LevelLost("the run is damaged")


class Stopped(MemoryExecution):
    """Ctrl-C comes as its states are read for liveness."""

    def states(self):
        raise KeyboardInterrupt


class Unclosed(MemoryExecution):
    """Ctrl-C comes as its files are removed."""

    def close(self):
        super().close()
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("execution", "reason"),
    [
        (Forgetful, "a trace is lost: the run is damaged"),
        (Interrupted, "interrupted while traces were rebuilt"),
    ],
)
def test_a_violation_is_told_without_its_trace_where_that_is_lost(execution, reason):
    design = jugs.DESIGN
    result = explore(design, design.scope("three_and_five"), execution)
    assert verdicts(result) == {
        "never_four": Verdict.VIOLATED,
        "water_fits": Verdict.INCOMPLETE,
    }
    assert result.cut == reason
    assert result.properties[0].trace is None
    assert result.distinct_states == 16


@pytest.mark.parametrize(
    ("execution", "reason"), [(Stateless, "the run is damaged"), (Stopped, "interrupted")]
)
def test_liveness_whose_states_cannot_be_read_is_incomplete_and_the_rest_is_told(execution, reason):
    design = mutex.DESIGN
    result = explore(design, design.scope("two"), execution)
    usual = explore(design, design.scope("two"), MemoryExecution)
    assert result.distinct_states == usual.distinct_states
    for entry, other in zip(result.properties, usual.properties, strict=True):
        if entry.kind == "liveness":
            assert (entry.verdict, entry.reason) == (Verdict.INCOMPLETE, reason)
        else:
            assert entry.verdict is other.verdict
    assert "liveness" in {entry.kind for entry in result.properties}


def test_ctrl_c_as_liveness_begins_leaves_what_the_search_has_found():
    def press(progress: Progress) -> None:
        if progress.phase is Phase.LIVENESS:
            raise KeyboardInterrupt

    result = explore(mutex.DESIGN, mutex.DESIGN.scope("two"), MemoryExecution, watch=press)
    assert result.distinct_states > 1
    assert result.cut is None
    assert {entry.reason for entry in result.properties if entry.kind == "liveness"} == {
        "interrupted"
    }


def test_a_trace_that_is_lost_leaves_no_liveness_that_holds(monkeypatch):
    judged = {
        entry.name: liveness.Judgement(verdict=Verdict.HOLDS)
        for entry in mutex.DESIGN.properties
        if entry.kind == "liveness"
    }
    monkeypatch.setattr(liveness, "judge", lambda *given: judged)
    monkeypatch.setattr(search.Search, "rebuild", lambda self, only: self._cut_late("lost"))
    result = explore(mutex.DESIGN, mutex.DESIGN.scope("two"), MemoryExecution)
    assert Verdict.HOLDS not in verdicts(result).values()


def test_ctrl_c_while_files_are_removed_leaves_the_result():
    result = explore(courier.DESIGN, courier.DESIGN.scope("one"), Unclosed)
    assert result.cut is None


# -- the run of an exploration on Spark


@pytest.fixture
def run(tmp_path) -> Run:
    """A run with one level of one partition."""
    made = Run(str(tmp_path), 2, "")
    made.commit(0, [made.write(0, [WORDS])])
    return made


def piece_of(run: Run) -> Path:
    (piece,) = run.pieces(0)
    return Path(run.address) / "level=0000" / piece.name


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(content: bytes) -> bytes:
    return b""


def with_another_state(content: bytes) -> bytes:
    return content.replace(WORDS.tobytes(), (WORDS + np.uint64(1)).tobytes())


def test_a_level_is_read_as_it_was_written(run):
    assert (run.states(0) == WORDS).all()


@pytest.mark.parametrize("damage", [truncated, emptied, with_another_state])
def test_a_damaged_level_is_named_and_never_read_as_it_is(damage, run):
    path = piece_of(run)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(LevelLost, match=rf"the run is damaged: {path} cannot be read: "):
        run.states(0)


def test_a_level_that_is_missing_is_no_empty_one(run):
    """Else its states would not be expanded, and what they lead to would HOLD."""
    piece_of(run).unlink()
    with pytest.raises(LevelLost, match="the run is damaged"):
        run.states(0)


def test_a_full_disk_under_the_run_cuts_the_search_and_says_so(run, monkeypatch):
    def fails(*given: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", fails)
    with pytest.raises(LevelLost, match="the disk is full that holds the run"):
        run.write(1, [WORDS])


def test_a_partition_without_new_states_is_read_as_empty(run):
    run.commit(1, [run.write(1, [WORDS[:0]])])
    assert run.states(1).shape == (0, 2)


# -- the connection to Spark's JVM


MAIN = threading.get_ident()


class Jvm(SparkExecution):
    """An execution without a JVM, to call one beside."""

    def __init__(self) -> None:
        self.caller = one_thread()
        self.cancelled = threading.Event()
        self.title, self.name_of_jobs = "a design", "these jobs"
        self.context = SimpleNamespace(
            cancelJobGroup=lambda name: self.cancelled.set(), setJobGroup=lambda *_: None
        )


@pytest.fixture
def heeds_ctrl_c():
    """A run of the tests in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_amid_a_call_of_the_jvm_waits_for_its_end_and_reaches_it_not(heeds_ctrl_c):
    jvm, ended = Jvm(), []

    def work() -> list[int]:
        signal.pthread_kill(MAIN, signal.SIGINT)
        assert jvm.cancelled.wait(60)
        ended.append(threading.current_thread() is threading.main_thread())
        return []

    with pytest.raises(KeyboardInterrupt):
        jvm._beside("a level", work)
    assert ended == [False]


def test_what_py4j_logs_of_an_interrupt_is_not_shown(monkeypatch, caplog):
    monkeypatch.setattr(logging.getLogger(), "filters", [session._is_not_of_py4j])
    for path, is_shown in (("/lib/py4j/java_gateway.py", False), ("/lib/others.py", True)):
        record = logging.LogRecord("root", logging.ERROR, path, 1, "amid a command", None, None)
        logging.getLogger().handle(record)
        assert (record in caplog.records) == is_shown
