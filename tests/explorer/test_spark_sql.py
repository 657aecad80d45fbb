"""Spark SQL on a run gives the answers that DuckDB gives, and reads nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line.exits import BAD_USAGE, HOLDS
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.store import WITH_FOLDERS
from tierproof.spark_explorer.spark import sql as spark_sql
from tierproof.spark_explorer.spark.sql import SparkDatabase
from tierproof.spark_explorer.tables.database import BadSQL, Database
from tierproof.spark_explorer.tables.opening import opened, opened_in

pytestmark = pytest.mark.spark

COMMIT = "tests.toys.two_phase_commit:DESIGN"
PACK = "tests.toys.pack:PACK"
QUESTIONS = [
    "SELECT level, count(*) AS states FROM states GROUP BY level ORDER BY level",
    "SELECT CAST(id AS VARCHAR(30)) AS id, tm, abort_sent, rm, reaches FROM states ORDER BY id",
    "SELECT rm, tm_prepared, count(*) AS n FROM states GROUP BY rm, tm_prepared ORDER BY n, rm, 2",
    "SELECT action, parameters.rm AS rm, count(*) AS n FROM steps GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT count(*) AS n FROM steps JOIN states ON target = id WHERE is_inside",
    "SELECT level, states, steps FROM levels ORDER BY level",
    "SELECT property, kind, verdict, occurrences, trace_length FROM verdicts ORDER BY property",
]


def explored(folder: Path, *words: str) -> str:
    tierproof("explore", *words, "--run", str(folder))
    assert tierproof("query", str(folder), "--steps", "SELECT 1").returncode == HOLDS
    return str(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("runs")
    explored(folder / "other", COMMIT, "--scope", "three", "--without", "is_init")
    return explored(folder / "commit", COMMIT, "--scope", "three")


def runs_of(run: str) -> tuple[KeptRun, dict[str, KeptRun]]:
    return KeptRun.open(run), {"other": KeptRun.open(str(Path(run).parent / "other"))}


@pytest.fixture(scope="module")
def duck(run) -> Iterator[Database]:
    with opened(*runs_of(run)) as database:
        yield database


PYARROW = pytest.param("reads it through PyArrow", marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=["reads Parquet itself", PYARROW])
def spark(run, request) -> Iterator[SparkDatabase]:
    """The run in a folder, and as tasks read it from an object store."""
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "reads it through PyArrow":
            patched.setattr(spark_sql, "WITH_FOLDERS", ())
        with opened_in(lambda: SparkDatabase("local[2]"), *runs_of(run)) as database:
            yield database


@pytest.mark.parametrize("sql", QUESTIONS)
def test_the_answers_of_both_engines_are_equal(sql, spark, duck):
    found = list(spark.records(sql))
    assert found
    assert found == list(duck.records(sql))


def test_tables_of_another_run_have_its_name_before_theirs(spark, duck):
    sql = "SELECT count(*) AS n FROM {} AS other LEFT ANTI JOIN states ON other.id = states.id"
    (found,) = spark.records(sql.format("other_states"))
    assert found["n"] > 0
    assert [found] == list(duck.records(sql.format("other.states").replace("LEFT ANTI", "ANTI")))


@pytest.mark.parametrize(
    "sql",
    [
        "DROP VIEW states",
        "CREATE TABLE mine AS SELECT 1 AS one",
        "SELECT * FROM parquet.`/tmp`",
        "SELECT nobody FROM states",
        "SELECT 1; SELECT 2",
    ],
)
def test_what_is_no_question_to_the_run_is_refused_in_a_sentence(sql, spark):
    with pytest.raises(BadSQL, match="Spark refuses the query: "):
        spark.columns(sql)


def test_bags_and_sets_are_read_from_an_object_store_as_from_a_folder(tmp_path, monkeypatch):
    kept, sql = explored(tmp_path / "pack", PACK, "--scope", "two"), "SELECT * FROM states"
    found = []
    for folders in (WITH_FOLDERS, ()):
        monkeypatch.setattr(spark_sql, "WITH_FOLDERS", folders)
        with opened_in(lambda: SparkDatabase("local[2]"), KeptRun.open(kept)) as database:
            found.append((database.columns(sql), sorted(map(repr, database.records(sql)))))
    assert found[0] == found[1]
    assert found[0][1]


def test_the_command_asks_spark(run, tmp_path):
    asked = ("query", run, "--engine", "spark", "--master", "local[2]")
    assert "array<string>" in tierproof(*asked).stdout
    rows = tmp_path / "rows.csv"
    done = tierproof(*asked, "SELECT sum(states) AS states FROM levels", "--out", str(rows))
    assert (done.returncode, rows.read_text()) == (HOLDS, "states\n288\n")
    done = tierproof(*asked, "SELECT nobody FROM states", "--json")
    assert done.returncode == BAD_USAGE
    assert "Spark refuses the query: " in (done.stderr or json.dumps(done.stdout))


@pytest.mark.parametrize(
    "words",
    [
        ("--master", "local[1]"),
        ("--engine", "spark", "--quotient", "tm", "--dot", "graph.gv"),
        ("--engine", "spark", "SELECT 1", "--out", "rows.parquet"),
    ],
)
def test_options_that_would_do_nothing_are_refused(words, run):
    assert tierproof("query", run, *words).returncode == BAD_USAGE
