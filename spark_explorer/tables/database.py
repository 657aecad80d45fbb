"""SQL on the tables of one or more runs, by DuckDB: read-only, and with no other file in reach.

Tables of the first run are named as they are, those of another one by its name (`fence.states`).
Parquet on this machine is read by DuckDB itself, that of other stores through PyArrow.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from tierproof.model.language.errors import Misused, NonDeterministic
from tierproof.spark_explorer.kept.store import Store
from tierproof.spark_explorer.tables.writing import STATES, STEPS, Manifest

MAIN = "main"
"""The schema of the first run, whose name nobody has to say."""
TAKEN = (MAIN, "temp", "system", "information_schema", "pg_catalog")
"""Schemas that DuckDB has."""
FETCHED = 10_000
"""Rows that are fetched at once."""
LEVELS = {"level": "INTEGER", "states": "BIGINT", "steps": "BIGINT"}
VERDICTS = {
    "property": "VARCHAR",
    "kind": "VARCHAR",
    "verdict": "VARCHAR",
    "occurrences": "BIGINT",
    "trace_length": "INTEGER",
    "premise_states": "BIGINT",
    "statement": "VARCHAR",
    "reason": "VARCHAR",
}
REACHED = {True: "REACHED", False: "NOT REACHED", None: "INCOMPLETE"}
"""What `verdicts` says of a witness."""


class BadSQL(Misused):
    """A question that DuckDB does not understand, or that is none; the message says why."""


class Database:
    """Tables of runs that are added, then `closed` to anything but questions."""

    every_column = (
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_catalog != 'temp' AND "
        "table_name IN ('states', 'steps', 'levels', 'verdicts') "
        "ORDER BY table_schema != 'main', table_schema, table_name, ordinal_position"
    )
    """What asks for the tables and their columns."""

    def __init__(self) -> None:
        self._spilled = tempfile.TemporaryDirectory(prefix="tierproof-sql-")
        self._connection = duckdb.connect(":memory:", config={"temp_directory": self._spilled.name})
        self._paths: list[str] = []
        self._without_steps: list[str] = []

    # -- tables

    def add(
        self,
        manifest: Manifest,
        store: Store,
        found: Mapping[str, Any] | None,
        steps: Sequence[int],
        name: str = MAIN,
    ) -> None:
        """Add the tables of a run under a name.

        `found` is its result as it is kept, None if it has none; `steps` counts those of its
        levels, as far as they are known.
        """
        if name != MAIN:
            self._connection.execute(f"CREATE SCHEMA {_quoted(name)}")
        for table in (STATES, STEPS):
            if table in manifest.files:
                self._add_files(f"{_quoted(name)}.{table}", name, table, manifest, store)
        if STEPS not in manifest.files:
            self._without_steps.append(name)
        self._add_rows(f"{_quoted(name)}.levels", LEVELS, levels_of(manifest, steps))
        rows = [] if found is None else list(verdicts_of(found))
        self._add_rows(f"{_quoted(name)}.verdicts", VERDICTS, rows)

    def _add_files(
        self, view: str, name: str, table: str, manifest: Manifest, store: Store
    ) -> None:
        paths = [store.path(one.name) for one in manifest.files[table]]
        if store.folder is not None:
            self._paths += paths
            source = f"read_parquet([{', '.join(map(_literal, paths))}])"
        else:
            import pyarrow.dataset as ds  # late: it imports pandas, which takes seconds

            known = ds.dataset(paths, filesystem=store.files, format="parquet")
            source = _quoted(f"{name}.{table} in its store")
            self._connection.register(source[1:-1], known)
        self._connection.execute(f"CREATE VIEW {view} AS FROM {source}")

    def add_tables(self, tables: Mapping[str, Sequence[str]]) -> None:
        """Add tables that are no run's: a name, and the Parquet files of this machine it has."""
        for name, paths in tables.items():
            self._paths += paths
            source = f"read_parquet([{', '.join(map(_literal, paths))}])"
            self._connection.execute(f"CREATE VIEW {_quoted(name)} AS FROM {source}")
        names = ", ".join(map(_literal, tables))
        self.every_column = (
            "SELECT table_schema, table_name, column_name, data_type "
            f"FROM information_schema.columns WHERE table_name IN ({names}) "
            "ORDER BY table_name, ordinal_position"
        )

    def _add_rows(self, table: str, columns: dict[str, str], rows: Sequence[Sequence[Any]]) -> None:
        kinds = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        self._connection.execute(f"CREATE TABLE {table} ({kinds})")
        if rows:
            places = ", ".join("?" * len(columns))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)

    def check_steps(self) -> None:
        """Raise NonDeterministic if a step leads to a state that the search never visited."""
        lost = "FROM steps ANTI JOIN states ON target = id WHERE is_inside AND target IS NOT NULL"
        if self.count(f"SELECT 1 {lost} LIMIT 1"):
            (step,) = next(self.rows(f"SELECT step {lost} LIMIT 1"))
            raise NonDeterministic(
                f"{step}, taken again, leads to a state that the search never visited"
            )

    def close_to_others(self) -> None:
        """From now on, no file but those of the tables is read, none is written, and so it stays.

        Questions are SELECT alone, see `_question`: an allowed path could be written to.
        """
        execute = self._connection.execute
        execute(f"SET allowed_paths = [{', '.join(map(_literal, self._paths))}]")
        for setting in ("enable_external_access", "python_enable_replacements"):
            execute(f"SET {setting} = false")
        execute("SET lock_configuration = true")

    def interrupt(self) -> None:
        """End the question that another thread waits for: there, KeyboardInterrupt is raised."""
        self._connection.interrupt()

    def close(self) -> None:
        """Forget the tables."""
        self._connection.close()
        self._spilled.cleanup()

    # -- questions; each method raises BadSQL

    def columns(self, sql: str) -> list[tuple[str, str]]:
        """The name and the type of each column of an answer."""
        with self._explained():
            asked = self._connection.execute(f"FROM ({self._question(sql)}) LIMIT 0")
            return [(str(one[0]), str(one[1])) for one in asked.description]

    def count(self, sql: str) -> int:
        """The number of rows of an answer."""
        return int(next(self.rows(f"SELECT count(*) FROM ({self._question(sql)})"))[0])

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer, as Python values."""
        question = self._question(sql)
        with self._explained():
            asked = self._connection.execute(question)
            while found := asked.fetchmany(FETCHED):
                yield from found

    def text(self, sql: str, most: int | None = None) -> Iterator[tuple[str | None, ...]]:
        """The rows of an answer, at most so many, as text; None is NULL."""
        limit = "" if most is None else f" LIMIT {most}"
        return self.rows(f"SELECT COLUMNS(*)::VARCHAR FROM ({self._question(sql)}){limit}")

    def records(self, sql: str) -> Iterator[dict[str, Any]]:
        """The rows of an answer as JSON has them."""
        rows = self.rows(f"SELECT to_json(row)::VARCHAR FROM ({self._question(sql)}) AS row")
        return (json.loads(row) for (row,) in rows)

    def batches(self, sql: str) -> pa.RecordBatchReader:
        """The rows of an answer for Arrow."""
        question = self._question(sql)
        with self._explained():
            return self._connection.sql(f"FROM ({question})").to_arrow_reader(FETCHED)

    @contextmanager
    def held(self, table: str, sql: str) -> Iterator[None]:
        """For a while, have the answer to a question as a table of this name."""
        question = self._question(sql)
        with self._explained():
            self._connection.execute(f"CREATE TEMP TABLE {_quoted(table)} AS {question}")
        try:
            yield
        finally:
            self._connection.execute(f"DROP TABLE {_quoted(table)}")

    def _question(self, sql: str) -> str:
        """The one statement of `sql`, on lines of its own. Nothing but a SELECT changes nothing."""
        with self._explained():
            found = self._connection.extract_statements(sql)
        if len(found) != 1 or found[0].type != duckdb.StatementType.SELECT:
            raise BadSQL(
                "a query asks one SELECT (or DESCRIBE, SUMMARIZE): a run is read, never changed"
            )
        return f"\n{found[0].query.strip().rstrip(';')}\n"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            raise BadSQL(self._sentence(str(error))) from None

    def _sentence(self, error: str) -> str:
        """What DuckDB says, in one sentence; where steps are missing, what to do."""
        told = " ".join(re.split(r"\n\s*LINE \d+:", error)[0].split())
        if re.search(r"Table with name steps does not exist", told) and self._without_steps:
            return "the run has no table of steps yet: add --steps, which writes it once"
        told = re.sub(r"^\w+(?: \w+)* Error: ", "", told)
        return f"DuckDB refuses the query: {told}"


def levels_of(manifest: Manifest, steps: Sequence[int]) -> list[tuple[int | None, ...]]:
    """The levels that have states: a search ends with one that has none."""
    states = manifest.rows(STATES)
    known = [*steps, *[None] * len(states)]
    return [(level, count, known[level]) for level, count in enumerate(states) if count]


def verdicts_of(found: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The rows of `verdicts`, of a result as it is kept."""
    for one in (*found["properties"], *found["witnesses"]):
        trace = one["trace"]
        said = {**one, "property": one["name"], "trace_length": trace and len(trace["steps"])}
        if "reached" in one:
            said |= {"kind": "witness", "verdict": REACHED[one["reached"]]}
        yield [said.get(name) for name in VERDICTS]


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _literal(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def named_runs(words: Sequence[str]) -> dict[str, str]:
    """Name -> address of the runs given as NAME=ADDRESS. Raises BadSQL for a name that is none."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, address = word.partition("=")
        if not equals or not address or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise BadSQL(f"--with takes NAME=RUN, a name of letters, digits and _, not {word!r}")
        if name.lower() in TAKEN or name.lower() in map(str.lower, found):
            raise BadSQL(f"--with gives the name {name} to a run, which is taken: choose another")
        found[name] = address
    return found
