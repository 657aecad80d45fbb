"""`tierproof query`: what it prints and writes, what it refuses, and that it changes nothing."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Annotated

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line.exits import BAD_USAGE, FAULT, HOLDS
from tierproof.model.language import Design, Range, Scope, State, action, initial, invariant
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.tables.opening import opened
from tierproof.spark_explorer.tables.tabulating import FAULT as FAILS

TOY = "tests.toys.two_phase_commit:DESIGN"


class Awkward(State):
    """Fields whose names are taken, or differ by their letters' case alone."""

    id: Annotated[int, Range(0, 3)]
    Level: bool
    level: bool


@initial
def nothing(state: Awkward) -> None:
    """All zero."""


@action(stutters=True)
def it_counts(state: Awkward) -> None:
    """One more, which is one too many after 3."""
    state.id = state.id + 1


@invariant()
def divides_by_what_is_left(state: Awkward) -> bool:
    """Fails in the last state."""
    return 6 // (2 - state.id) >= 0 or state.id == 3


AWKWARD = Design(
    name="awkward",
    title="Taken names, and a fault",
    state=Awkward,
    initial=(nothing,),
    system=(it_counts,),
    properties=(divides_by_what_is_left,),
    scopes={"only": Scope()},
)


def explored(folder: Path, *words: str) -> str:
    tierproof("explore", *words, "--run", str(folder))
    return str(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("runs") / "commit"
    kept = explored(folder, TOY, "--scope", "three")
    assert tierproof("query", kept, "--steps", "SELECT 1").returncode == HOLDS
    return kept


@pytest.fixture(scope="module")
def ablated(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("runs") / "ablated"
    return explored(folder, TOY, "--scope", "three", "--without", "is_init")


# -- answers


def test_rows_are_a_table_that_says_how_many_it_leaves_out(run):
    sql = "SELECT level, states FROM levels ORDER BY level"
    found = tierproof("query", run, sql, "--rows", "2")
    assert found.returncode == HOLDS
    lines = [" ".join(line.split()) for line in found.stdout.splitlines()]
    assert lines[:3] == ["level states", "0 1", "1 7"]
    assert lines[3] == (
        "11 rows, of which 9 are not shown: --rows shows more, --out FILE writes all"
    )
    assert found.stderr == ""


def test_without_sql_the_tables_and_their_columns_are_told(run):
    found = tierproof("query", run, "--json")
    rows = json.loads(found.stdout)["rows"]
    tables = {row["table_name"] for row in rows}
    assert tables == {"states", "steps", "levels", "verdicts"}
    columns = [row["column_name"] for row in rows if row["table_name"] == "states"]
    assert columns[:3] == ["level", "id", "rm"]
    assert columns[-2:] == ["violates", "reaches"]


def test_json_has_names_types_and_all_rows(run):
    found = json.loads(tierproof("query", run, "FROM states ORDER BY id", "--json").stdout)
    assert len(found["rows"]) == 288
    kinds = {column["name"]: column["type"] for column in found["columns"]}
    assert kinds["rm"] == "VARCHAR[]"
    assert kinds["commit_sent"] == "BOOLEAN"
    assert {row["tm"] for row in found["rows"]} == {"INIT", "COMMITTED", "ABORTED"}


def test_csv_is_printed(run):
    printed = tierproof("query", run, "SELECT level, tm FROM states LIMIT 1", "--csv").stdout
    assert list(csv.reader(io.StringIO(printed))) == [["level", "tm"], ["0", "INIT"]]


@pytest.mark.parametrize("ending", ["parquet", "csv", "json"])
def test_all_rows_are_written_to_a_file(run, ending, tmp_path):
    path = tmp_path / "below" / f"states.{ending}"
    found = tierproof("query", run, "SELECT id, rm FROM states", "--out", str(path))
    assert found.stdout == f"288 rows written to {path}\n"
    if ending == "parquet":
        assert pq.read_table(path).num_rows == 288
    elif ending == "csv":
        assert len(path.read_text().splitlines()) == 289
    else:
        assert len(json.loads(path.read_text())["rows"]) == 288


def test_shortest_way_between_two_predicates(run):
    sql = """
    WITH RECURSIVE way(id, steps) USING KEY (id) AS (
        SELECT id, 0 FROM states WHERE tm = 'INIT' AND list_contains(rm, 'PREPARED')
      UNION
        SELECT s.target, way.steps + 1 FROM way JOIN steps s ON s.source = way.id
        WHERE s.is_inside AND NOT EXISTS (FROM recurring.way r WHERE r.id = s.target))
    SELECT min(steps) AS steps FROM way JOIN states USING (id)
    WHERE list_contains(reaches, 'everybody_committed')
    """
    found = json.loads(tierproof("query", run, sql, "--json").stdout)
    assert found["rows"] == [{"steps": 4}]  # all are prepared: the decision, and three messages


def test_two_runs_are_compared_by_name(run, ablated):
    sql = "SELECT count(*) AS more FROM wild.states ANTI JOIN main.states USING (id)"
    found = tierproof("query", run, "--with", f"wild={ablated}", sql, "--json")
    (row,) = json.loads(found.stdout)["rows"]
    both = json.loads(tierproof("show", ablated, "--json").stdout)
    assert row["more"] == both["distinct_states"] - 288 > 0
    assert found.stderr == ""


def test_ids_of_runs_with_other_fields_are_said_to_be_no_match(run, tmp_path):
    other = explored(tmp_path / "five", TOY, "--scope", "five")
    found = tierproof("query", run, "--with", f"five={other}", "SELECT 1")
    assert "states of five have other fields, bounds or symmetry" in found.stderr


# -- tables


def test_tables_are_written_once_and_need_no_design_afterwards(run, monkeypatch):
    monkeypatch.setattr(KeptRun, "kernel", lambda self: pytest.fail("the design was imported"))
    with opened(KeptRun.open(run), steps=True) as database:
        assert database.count("FROM states") == 288


def test_other_programs_read_the_same_tables(run):
    found = duckdb.sql(f"SELECT count(*) FROM '{run}/tables/states/*.parquet'").fetchall()
    assert found == [(288,)]


def test_tables_of_a_run_that_is_resumed_grow(tmp_path):
    kept = explored(tmp_path / "cut", TOY, "--scope", "three", "--max-states", "40")
    before = _count(kept, "states", "--steps")
    assert 0 < before < 288
    tierproof("resume", kept)
    assert _count(kept, "states") == _count(kept, "(SELECT DISTINCT id FROM states)") == 288
    refused = tierproof("query", kept, "FROM steps")
    assert "add --steps" in refused.stderr
    assert _count(kept, "steps", "--steps") == 1145


def _count(run: str, table: str, *options: str) -> int:
    found = tierproof("query", run, *options, f"SELECT count(*) AS n FROM {table}", "--json")
    (row,) = json.loads(found.stdout)["rows"]
    return int(row["n"])


def test_a_folder_that_cannot_be_written_to_is_asked_all_the_same(run, monkeypatch, tmp_path):
    kept = explored(tmp_path / "kept", TOY, "--scope", "three")
    monkeypatch.setattr("tierproof.spark_explorer.tables.opening._may_be_written", lambda _: False)
    found = tierproof("query", kept, "--steps", "SELECT count(*) AS n FROM steps")
    assert "1145" in found.stdout
    assert "tables are made for this query alone" in found.stderr
    assert not (tmp_path / "kept" / "tables").exists()


def test_names_that_are_taken_end_otherwise_and_a_fault_is_told(tmp_path):
    kept = explored(tmp_path / "kept", "tests.explorer.test_queries:AWKWARD")
    sql = "SELECT id_, violates FROM states ORDER BY level"
    rows = json.loads(tierproof("query", kept, sql, "--json").stdout)["rows"]
    assert [row["id_"] for row in rows] == [0, 1, 2]
    assert [row["violates"] for row in rows] == [[], [], [FAILS]]
    columns = json.loads(tierproof("query", kept, "DESCRIBE states", "--json").stdout)["rows"]
    names = [row["column_name"] for row in columns]
    assert names == ["level", "id", "id_", "Level_", "level__", "violates", "reaches"]


# -- quotients


def test_a_quotient_is_drawn_and_written_as_data(run, tmp_path):
    dot, graphml = tmp_path / "q.gv", tmp_path / "q.graphml"
    found = tierproof(
        "query", run, "--quotient", "tm, commit_sent", "--dot", str(dot), "--graphml", str(graphml)
    )
    assert found.returncode == HOLDS
    assert f"3 places and 2 ways between them written to {dot}" in found.stdout
    text = dot.read_text()
    assert "tm = INIT" in text
    assert "[label=tm_commits" in text
    nodes = xml.fromstring(graphml.read_text()).findall(".//{*}node")
    assert len(nodes) == 3


def test_the_states_and_steps_of_a_quotient_add_up(run):
    found = json.loads(tierproof("query", run, "--quotient", "rm[1], tm", "--json").stdout)
    assert sum(place["states"] for place in found["places"]) == 288
    between = sum(sum(way["actions"].values()) for way in found["ways"])
    assert between + found["inner_steps"] == 1145
    assert found["places"][0]["level"] == 0


# -- what is refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["SELEC 1"], "DuckDB refuses the query: syntax error"),
        (["SELECT nobody FROM states"], 'column "nobody" not found'),
        (["SELECT 1; SELECT 2"], "asks one SELECT"),
        (["DROP VIEW states"], "never changed"),
        (["COPY (SELECT 1) TO 'x.csv'"], "never changed"),
        (["EXPLAIN ANALYZE COPY (SELECT 1) TO 'x.csv'"], "never changed"),
        (["SET enable_external_access = true"], "never changed"),
        (["ATTACH 'x.db'"], "never changed"),
        (["SELECT * FROM read_text('/etc/hostname')"], "Cannot access file"),
        (["SELECT 1", "--with", "steps"], "NAME=RUN"),
        (["SELECT 1", "--with", "main=x"], "taken"),
        (["SELECT 1", "--dot", "x.gv"], "--dot is for --quotient"),
        (["SELECT 1", "--quotient", "tm", "--json"], "not both"),
        (["--quotient", "tm"], "--dot FILE, --graphml FILE or --json"),
        (["--quotient", "tm) ; DROP VIEW states; --", "--json"], "DuckDB refuses the query"),
        (["--quotient", "nobody", "--json"], 'column "nobody" not found'),
        (["SELECT 1", "--out", "x.txt"], ".parquet, .csv, .json"),
        (["SELECT 1", "--csv", "--json"], "choose one"),
        (["SELECT 1", "--json", "--rows", "3"], "--rows is for a terminal"),
    ],
)
def test_what_would_change_a_run_or_do_nothing_is_refused(run, words, said, tmp_path):
    before = {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()}
    found = tierproof("query", run, *words, folder=tmp_path)
    assert found.returncode == BAD_USAGE
    assert said in " ".join(found.stderr.split())
    assert found.stdout == ""
    assert list(tmp_path.iterdir()) == []
    after = {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()}
    assert after == before


def test_a_run_without_steps_says_what_writes_them(ablated):
    found = tierproof("query", ablated, "SELECT count(*) FROM steps")
    assert found.returncode == BAD_USAGE
    assert found.stderr.splitlines()[-1] == (
        "tierproof: the run has no table of steps yet: add --steps, which writes it once"
    )


def test_without_duckdb_the_extra_is_named(run, monkeypatch):
    monkeypatch.setattr(
        "tierproof.spark_explorer.engines.find_spec", lambda name: None if name == "duckdb" else 1
    )
    found = tierproof("query", run, "SELECT 1")
    assert found.returncode == FAULT
    assert "SQL on a run needs duckdb: pip install 'tierproof[runs]'" in found.stderr


def test_a_run_that_died_before_its_first_level_says_what_goes_on_with_it(tmp_path):
    kept = explored(tmp_path / "kept", TOY, "--scope", "three")
    for commit in Path(kept).rglob("commit.json"):
        commit.unlink()
    found = tierproof("query", kept, "SELECT 1")
    assert found.returncode == BAD_USAGE
    assert found.stderr == f"tierproof: {kept} has no states yet: tierproof resume {kept}\n"


def test_a_folder_without_a_run_is_said_to_be_one(tmp_path):
    found = tierproof("query", str(tmp_path), "SELECT 1")
    assert found.returncode == BAD_USAGE
    assert f"there is no run at {tmp_path}" in found.stderr
