"""`tierproof query`: SQL on the graph of a kept run, and pictures of its quotients."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TextIO, cast

import typer

from tierproof.command_line.exits import HOLDS, complain, print_json, silent
from tierproof.command_line.options import AsJson, ChosenRun, Master, refuse_idle

if TYPE_CHECKING:
    from tierproof.spark_explorer.spark.sql import SparkDatabase
    from tierproof.spark_explorer.tables.database import Database

    Answering = Database | SparkDatabase

SHOWN = 40
"""Rows that a terminal shows unless more are asked for."""
EVERY_ROW = 10_000
"""Columns of tables that are shown at most."""
AUDIT = "audit.json"
"""The file of a folder that an audit has kept, and no run."""
SUFFIXES = (".parquet", ".csv", ".json")


class SqlEngine(StrEnum):
    """What answers SQL."""

    DUCKDB = "duckdb"
    SPARK = "spark"


Sql = Annotated[
    str | None, typer.Argument(help='SQL, "SELECT ...". Default: the tables and their columns.')
]
Others = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="NAME=RUN", help="Have another run's tables too. Repeatable."),
]
WithSteps = Annotated[
    bool, typer.Option("--steps", help="Write the table `steps` first, unless it is there.")
]
Fields = Annotated[
    str | None,
    typer.Option(
        "--quotient",
        metavar="FIELDS",
        help="In place of SQL: the graph of the states that agree on these fields. Needs steps.",
    ),
]
DotFile = Annotated[
    Path | None, typer.Option("--dot", dir_okay=False, help="Write the quotient as DOT.")
]
GraphmlFile = Annotated[
    Path | None, typer.Option("--graphml", dir_okay=False, help="Write the quotient as GraphML.")
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")]
OutFile = Annotated[
    Path | None,
    typer.Option("--out", dir_okay=False, help="Write all rows: a .parquet, .csv or .json file."),
]
ChosenSql = Annotated[
    SqlEngine,
    typer.Option("--engine", help="spark: Spark SQL, for what does not fit this machine."),
]
Rows = Annotated[int | None, typer.Option("--rows", min=1, help=f"Rows to show. Default: {SHOWN}.")]


def query(
    run: ChosenRun,
    sql: Sql = None,
    others: Others = None,
    steps: WithSteps = False,
    fields: Fields = None,
    dot: DotFile = None,
    graphml: GraphmlFile = None,
    rows: Rows = None,
    out: OutFile = None,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    engine: ChosenSql = SqlEngine.DUCKDB,
    master: Master = None,
) -> None:
    """Ask the graph of a kept run in SQL (DuckDB, or Spark SQL). Questions are read-only.

    Tables: states (level, id, every field, violates, reaches), steps (level, source, target,
    action, parameters, step, is_inside, violates, reaches), levels and verdicts. They are written
    beside the run once. SQL counts from 1: broker[1] is the design's broker[0].

    Exit status: 0 answered, 2 bad usage or bad SQL, 3 interrupted, 4 a fault.

    Examples:

    tierproof query build/runs/kip950

    tierproof query build/runs/kip950 "SELECT level, count(*) FROM states GROUP BY ALL ORDER BY ALL"

    tierproof query build/runs/kip950 --steps "SELECT action, count(*) FROM steps GROUP BY ALL"

    tierproof query build/runs/new --with old=build/runs/old "FROM states ANTI JOIN old.states
    USING (id)" --out new.parquet

    tierproof query build/runs/kip950 --steps --quotient elected_leader,tiering --dot graph.gv
    """
    from tierproof.command_line import writing

    shown = Shown(rows, out, as_csv, as_json)
    _check(sql, fields, dot, graphml, shown)
    _check_engine(engine, master, fields, out)
    writing.check(*(path.parent for path in (out, dot, graphml) if path is not None))
    tell = silent if as_json or as_csv else complain
    asking = Asking(run, engine, master)
    with _opened(asking, others or [], steps, tell) as database:
        if fields is None:
            _answer(database, sql, shown)
        else:
            _show_quotient(cast("Database", database), fields, dot, graphml, as_json)
    raise typer.Exit(HOLDS)


class Asking(NamedTuple):
    """Which run is asked, by what; Spark, on a master."""

    run: str
    engine: SqlEngine
    master: str | None


class Shown(NamedTuple):
    """How an answer is shown: so many rows in the terminal, to a file, as CSV or as JSON."""

    rows: int | None
    out: Path | None
    as_csv: bool
    as_json: bool


@contextmanager
def _opened(
    asking: Asking, others: list[str], steps: bool, tell: Callable[[str], None]
) -> Iterator[Answering]:
    """The tables of a run, and of those that are given by name; or those of an audit."""
    if (Path(asking.run) / AUDIT).is_file():
        with _opened_audit(asking, others, steps) as database:
            yield database
        return
    from tierproof.spark_explorer.kept.opening import KeptRun
    from tierproof.spark_explorer.tables.database import Database, named_runs
    from tierproof.spark_explorer.tables.opening import opened_in

    named = {name: KeptRun.open(address) for name, address in named_runs(others).items()}
    make: Callable[[], Any] = Database
    if asking.engine is SqlEngine.SPARK:
        from tierproof.spark_explorer.spark.sql import SparkDatabase

        make = partial(SparkDatabase, asking.master)
    with opened_in(make, KeptRun.open(asking.run), named, steps=steps, tell=tell) as database:
        yield database


@contextmanager
def _opened_audit(asking: Asking, others: list[str], steps: bool) -> Iterator[Database]:
    """The tables that `tierproof audit --out` has kept. Raises BadParameter for what is a run's."""
    from contextlib import closing

    from tierproof.conformance.audit import tables_in
    from tierproof.spark_explorer.tables.database import Database

    refuse_idle("a run, not for an audit", steps=steps, **{"with": others})
    if asking.engine is not SqlEngine.DUCKDB:
        raise typer.BadParameter("the tables of an audit are for --engine duckdb")
    with closing(Database()) as database:
        database.add_tables(tables_in(Path(asking.run)))
        database.close_to_others()
        yield database


def _check_engine(
    engine: SqlEngine, master: str | None, fields: str | None, out: Path | None
) -> None:
    """Raise NotInstalled for packages that are missing, BadParameter for what would do nothing."""
    from tierproof.spark_explorer import engines

    packages = {SqlEngine.DUCKDB: engines.OF_QUERIES, SqlEngine.SPARK: engines.OF_QUERIES_ON_SPARK}
    extra = {SqlEngine.DUCKDB: "runs", SqlEngine.SPARK: "runs,spark"}
    engines.check_installed("SQL on a run", extra[engine], packages[engine])
    if engine is not SqlEngine.SPARK:
        refuse_idle("--engine spark", master=master)
    elif fields is not None:
        raise typer.BadParameter("--quotient is for --engine duckdb")
    elif out is not None and out.suffix == ".parquet":
        raise typer.BadParameter("--engine spark writes .csv and .json: name such a file in --out")


def _check(
    sql: str | None, fields: str | None, dot: Path | None, graphml: Path | None, shown: Shown
) -> None:
    """Raise BadParameter for options that would do nothing, or that contradict each other."""
    rows, out, as_csv, as_json = shown
    if fields is None:
        refuse_idle("--quotient", dot=dot, graphml=graphml)
    else:
        refuse_idle("SQL, not for --quotient", rows=rows, out=out, csv=as_csv)
        if sql is not None:
            raise typer.BadParameter("give SQL or --quotient, not both")
        if dot is None and graphml is None and not as_json:
            raise typer.BadParameter("--quotient is for --dot FILE, --graphml FILE or --json")
    others = sum(map(bool, (out, as_csv, as_json)))
    if others:
        refuse_idle("a terminal, not for a file, --csv and --json", rows=rows)
    if others > 1:
        raise typer.BadParameter("choose one of --out, --csv and --json")
    if out is not None and out.suffix not in SUFFIXES:
        raise typer.BadParameter(f"--out takes a file that ends with {', '.join(SUFFIXES)}")


def _answer(database: Answering, sql: str | None, shown: Shown) -> None:
    """Show the answer to a question, or the columns of all tables."""
    asked = sql or database.every_column
    if shown.out is not None:
        _write(database, asked, shown.out)
    elif shown.as_json:
        print_json(_as_record(database, asked))
    elif shown.as_csv:
        _write_csv(database, asked, sys.stdout)
    else:
        _show(database, asked, shown.rows or (SHOWN if sql else EVERY_ROW))


def _show(database: Answering, sql: str, most: int) -> None:
    from tierproof.command_line import answer_table

    columns, found = database.columns(sql), list(database.text(sql, most + 1))
    more = database.count(sql) - most if len(found) > most else 0
    answer_table.show_answer(columns, found[:most], more)


def _as_record(database: Answering, sql: str) -> dict[str, Any]:
    columns = [{"name": name, "type": kind} for name, kind in database.columns(sql)]
    return {"columns": columns, "rows": list(database.records(sql))}


def _write(database: Answering, sql: str, path: Path) -> None:
    """Write all rows of an answer to a file, in the format of its ending."""
    import json

    from tierproof.command_line.writing import written_to

    database.columns(sql)  # bad SQL makes no file
    with written_to(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".parquet":
            count = _write_parquet(cast("Database", database), sql, path)  # see _check_engine
        elif path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as file:
                count = _write_csv(database, sql, file)
        else:
            record = _as_record(database, sql)
            path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
            count = len(record["rows"])
    typer.echo(f"{count:,} rows written to {path}")


def _write_parquet(database: Database, sql: str, path: Path) -> int:
    from tierproof.spark_explorer.tables.writing import write_batches

    return write_batches(database.batches(sql), path)


def _write_csv(database: Answering, sql: str, file: TextIO) -> int:
    writer, count = csv.writer(file, lineterminator="\n"), itertools.count()
    writer.writerow(name for name, _ in database.columns(sql))
    writer.writerows(_counted(database.text(sql), count))
    return next(count)


def _counted(rows: Iterable[Any], count: Iterator[int]) -> Iterator[Any]:
    for row in rows:
        next(count)
        yield row


def _show_quotient(
    database: Database, fields: str, dot: Path | None, graphml: Path | None, as_json: bool
) -> None:
    from tierproof import diagrams
    from tierproof.command_line.writing import written_to
    from tierproof.spark_explorer.tables.quotient import quotient

    found = quotient(database, fields).as_dict()
    places, ways = len(found["places"]), len(found["ways"])
    if dot is not None and places > diagrams.MOST_DRAWN:
        raise typer.BadParameter(
            f"{places:,} places are no picture, {diagrams.MOST_DRAWN} at most: name fewer fields, "
            "or write --graphml"
        )
    texts = {dot: diagrams.quotient_as_dot, graphml: diagrams.quotient_as_graphml}
    for path, rendered in texts.items():
        if path is not None:
            with written_to(path.parent):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(rendered(found), encoding="utf-8")
            told = f"{places:,} places and {ways:,} ways between them written to {path}"
            typer.echo(told, err=as_json)
    if as_json:
        print_json(found)
