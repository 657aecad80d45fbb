"""A task that fails half way and is retried loses no state: its tables are rebuilt from the run."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.explorer.test_temporary_folders import descendants
from tierproof.spark_explorer.identity import Identity
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.kept.store import store_at
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints, partitions_of
from tierproof.spark_explorer.native.visited import insert_all
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.spark import host, tasks
from tierproof.spark_explorer.spark.table import MappedVisited, table_path, visited_up_to

PARTITIONS = 2


@pytest.fixture
def level(tmp_path) -> tasks.Level:
    question = Question(design="tests.toys.two_phase_commit:DESIGN", scope="three")
    kernel = Kernel(*question.resolve())
    identity = Identity.of(kernel)
    run = Run(str(tmp_path / "run"), kernel.words, identity.digest)
    initial = np.array([kernel.pack(state) for state in kernel.interpreter.initial_states()])
    found = fingerprints(initial)
    owners = partitions_of(found, PARTITIONS)
    run.commit(0, [run.write(0, [initial[owners == n]], n, PARTITIONS) for n in range(PARTITIONS)])
    return tasks.Level(question, identity, run, str(tmp_path / "tables"), PARTITIONS, 0)


def at(level: tasks.Level, number: int) -> tasks.Level:
    return replace(level, number=number)


def expanded(level: tasks.Level) -> list[pa.RecordBatch]:
    ids = pa.record_batch([list(range(PARTITIONS))], names=["id"])
    return list(tasks.expand(level, iter([ids])))


def sent_to(part: int, blocks: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return iter([block for block in blocks if block["part"][0].as_py() == part])


def absorbed(level: tasks.Level, blocks: list[pa.RecordBatch]) -> list[int]:
    """The new states of each partition, which are committed as the next level."""
    parts = [tasks.absorb_blocks(level, sent_to(part, blocks)) for part in range(PARTITIONS)]
    reports = [pickle.loads(row["report"][0].as_py()) for rows in parts for row in rows]
    level.run.commit(level.number + 1, [report.piece for report in reports])
    return [report.fresh for report in reports]


def explored(level: tasks.Level) -> int:
    """Distinct states of the whole exploration, level by level."""
    total, fresh, number = 1, 1, 0
    while fresh:
        blocks = expanded(at(level, number))
        fresh = sum(absorbed(at(level, number), blocks))
        total, number = total + fresh, number + 1
    return total


class Died(Exception):
    """The task died."""


def dies_after_the_first(blocks: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield next(blocks)
    raise Died


def test_levels_by_hand_give_the_published_count(level):
    assert explored(level) == 288


def test_an_attempt_that_dies_half_way_is_repeated_in_full(level):
    blocks = expanded(level)
    for part in range(PARTITIONS):
        with pytest.raises(Died):
            list(tasks.absorb_blocks(level, dies_after_the_first(sent_to(part, blocks))))
    assert sum(absorbed(level, blocks)) == 7


def test_an_attempt_that_is_repeated_after_it_succeeded_gives_the_same(level):
    blocks = expanded(level)
    assert absorbed(level, blocks) == absorbed(level, blocks)


def test_expanding_again_after_the_next_level_was_absorbed_drops_nothing(level):
    blocks = expanded(level)
    absorbed(level, blocks)
    repeated = expanded(level)
    assert [b.to_pydict() for b in repeated] == [b.to_pydict() for b in blocks]


def test_a_task_on_another_host_rebuilds_the_table(level, tmp_path):
    blocks = expanded(level)
    absorbed(level, blocks)
    elsewhere = tmp_path / "another_host"
    for part in range(PARTITIONS):
        with (
            visited_up_to(elsewhere, level.run, part, PARTITIONS, 1, 64) as there,
            visited_up_to(tmp_path / "tables", level.run, part, PARTITIONS, 1, 64) as here,
        ):
            assert occupied(there) == occupied(here)


def stated(*found: int) -> tuple[np.ndarray, np.ndarray]:
    """Packed states, and fingerprints for them."""
    numbers = np.array(found, np.uint64)
    return numbers[:, None], numbers


@pytest.mark.parametrize("bits", [64, 128])
def test_a_table_grows_in_place_and_keeps_its_states(tmp_path, bits):
    table = MappedVisited.create(tmp_path / "grows", 16, bits)
    table.count = insert_all(table.table, *stated(0, 3))
    table.reserve(10_000)
    assert table.capacity >= 10_000
    again = MappedVisited(tmp_path / "grows")
    assert (again.count, again.bits) == (2, bits)
    assert insert_all(again.table, *stated(0, 3, 4)) == 1


@pytest.mark.parametrize("bits", [64, 128])
def test_a_table_that_an_attempt_adds_to_is_no_filter(tmp_path, bits):
    """Else a repeated task would drop what its own first attempt has left there."""
    table = MappedVisited.create(tmp_path / "filter", 64, bits)
    both = stated(3, 4)
    insert_all(table.table, *stated(3))
    table.complete(0)
    seen_by_another = MappedVisited(tmp_path / "filter")
    assert seen_by_another.visited_to(0, *both).tolist() == [True, False]
    table.begin(1)
    insert_all(table.table, *both)
    assert not seen_by_another.visited_to(0, *both).any()
    table.reserve(1_000)
    table.complete(1)
    assert not seen_by_another.visited_to(0, *both).any()
    assert MappedVisited(tmp_path / "filter").visited_to(1, *both).all()


def test_tables_of_different_partitions_lie_apart(tmp_path):
    assert table_path(tmp_path, 1) != table_path(tmp_path, 11)


# -- one host that owns every state


@pytest.fixture
def alone(level) -> Iterator[tasks.Level]:
    """The first level, of a single partition."""
    yield replace(level, partitions=1, threads=2)
    host.release()


def advanced(level: tasks.Level) -> int:
    """New states of one level: as by a driver to whom the small ones after it are lost."""
    report = tasks.advance(level, 0)[0]
    assert report.piece is not None
    level.run.commit(level.number + 1, [report.piece])
    return report.fresh


def test_a_task_reports_the_small_levels_that_follow_one_by_one(alone):
    reports = tasks.advance(alone, 0)
    assert 1 + sum(report.fresh for report in reports) == 288
    for number, report in enumerate(reports, start=1):
        alone.run.commit(number, [report.piece])
        assert len(alone.run.states(number)) == report.fresh


def test_a_worker_that_is_new_or_elsewhere_goes_on_from_the_run(alone):
    total, fresh, number = 1, 1, 0
    while fresh:
        host.release()
        fresh = advanced(at(alone, number))
        total, number = total + fresh, number + 1
    assert total == 288


def test_a_level_that_fails_half_way_is_repeated_in_full_by_the_same_worker(alone, monkeypatch):
    whole = [report.fresh for report in tasks.advance(alone, 0)]
    host.release()

    def dies(*_: object) -> None:
        raise Died

    for number, fresh in enumerate(whole):
        with monkeypatch.context() as patch:
            patch.setattr(Run, "write", dies)  # its new states are in the table
            with pytest.raises(Died):
                tasks.advance(at(alone, number), 0)
        assert advanced(at(alone, number)) == fresh


def test_another_run_takes_the_place_of_one_in_a_worker(alone, tmp_path):
    first = advanced(alone)
    other = replace(alone.run, address=str(tmp_path / "other"))
    other.commit(0, [other.write(0, [alone.run.states(0)])])
    assert advanced(replace(alone, run=other)) == first


def workers() -> list[int]:
    """The Python workers of this process's Spark: the children of PySpark's daemon."""
    mine = [number for number in descendants(os.getpid()) if is_of_pyspark(number)]
    return [number for one in mine for number in descendants(one)]


def is_of_pyspark(process: int) -> bool:
    with suppress(OSError):
        return b"pyspark.daemon" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_workers_that_are_killed_amid_a_level_change_no_count(partitions, tmp_path):
    from pyspark import SparkContext

    from tierproof.spark_explorer.spark.execution import SparkExecution

    if SparkContext._active_spark_context is not None:  # another test's, perhaps without retries
        SparkContext._active_spark_context.stop()
    bounds = (("resource_managers", 7),)
    design = "tests.toys.two_phase_commit:DESIGN"
    question = Question(design=design, scope="eight", bounds=bounds)
    killed: list[int] = []

    def kill() -> None:
        while not list(tmp_path.glob("run/level=0007/*.parquet")):
            time.sleep(0.001)
        for worker in workers():
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)

    def keeping(kernel: Kernel) -> Attempt:
        return Attempt.begin(store_at(str(tmp_path / "run")), question, kernel, "spark")

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    result = explore(
        *question.resolve(),
        lambda kernel: SparkExecution(
            kernel, question, attempt=keeping(kernel), on_driver=100, partitions=partitions
        ),
    )
    known = explore(*question.resolve(), MemoryExecution)
    assert killed
    assert result.cut is None
    assert (result.frontier_sizes, result.generated_states) == (
        known.frontier_sizes,
        known.generated_states,
    )


@pytest.mark.spark
def test_jobs_are_named_by_design_scope_and_level():
    from tierproof.spark_explorer.spark.execution import SparkExecution

    question = Question(design="tests.toys.two_phase_commit:DESIGN", scope="three")
    made: list[SparkExecution] = []

    def execution(kernel: Kernel) -> SparkExecution:
        made.append(SparkExecution(kernel, question, on_driver=0, partitions=2))
        return made[0]

    depth = explore(*question.resolve(), execution).depth
    context = made[0].context
    jobs = context.statusTracker().getJobIdsForGroup(made[0].name_of_jobs)
    known = context._jsc.sc().statusStore()
    told = {known.job(job).description().get() for job in jobs}
    assert {f"two-phase-commit, three: level {level}" for level in range(1, depth + 1)} <= told


def occupied(table: MappedVisited) -> set[int]:
    return set(table.table.slots.tolist())
