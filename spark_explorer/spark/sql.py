"""SQL on the tables of one or more runs, by Spark: for what does not fit one machine.

The tables are those that DuckDB reads. Spark reads Parquet in folders and on HDFS itself; from an
object store its tasks read it through PyArrow, as Spark alone needs jars for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.spark_explorer.kept.store import WITH_FOLDERS, Store, store_at
from tierproof.spark_explorer.spark import session
from tierproof.spark_explorer.tables.database import (
    LEVELS,
    MAIN,
    VERDICTS,
    BadSQL,
    levels_of,
    verdicts_of,
)
from tierproof.spark_explorer.tables.writing import STATES, STEPS, Manifest

ROWS = 1 << 14
"""Rows that a task hands over at once."""
OWN_NAMES = {"VARCHAR": "string", "INTEGER": "int", "BIGINT": "bigint"}
"""Spark's names of types that `database` has by DuckDB's."""
EVERY_COLUMN = "tierproof_columns"


class SparkDatabase:
    """Tables of runs that are added, on a `master`; questions as to `Database`.

    The tables of another run have its name before theirs: `fenced_states`. Each method raises
    BadSQL, and NoSpark where Spark cannot be started.
    """

    every_column = f"SELECT * FROM {EVERY_COLUMN}"
    """What asks for the tables and their columns."""

    def __init__(self, master: str | None) -> None:
        self.context = session.Starting(master, lambda _: None).context
        self.context.setJobDescription("tierproof query")
        self.spark = session.frames(self.context).newSession()
        self.spark.conf.set("spark.sql.runSQLOnFiles", "false")  # no other file is in reach
        self._columns: list[tuple[str, str, str]] = []
        self._views: list[str] = []

    # -- tables

    def add(
        self,
        manifest: Manifest,
        store: Store,
        found: Mapping[str, Any] | None,
        steps: Sequence[int],
        name: str = MAIN,
    ) -> None:
        """Add the tables of a run under a name; see `Database.add`."""
        for table in (STATES, STEPS):
            if table in manifest.files:
                self._view(name, table, self._files(manifest, store, table))
        rows = [] if found is None else list(verdicts_of(found))
        self._view(name, "levels", self._rows(LEVELS, levels_of(manifest, steps)))
        self._view(name, "verdicts", self._rows(VERDICTS, rows))

    def _files(self, manifest: Manifest, store: Store, table: str) -> Any:
        names = [one.name for one in manifest.files[table]]
        kind = store.files.type_name
        if kind in WITH_FOLDERS:
            base = "file://" if kind == "local" else _server(store.address)
            return self.spark.read.parquet(*(base + store.path(name) for name in names))
        schema = _plain(pq.read_schema(store.path(names[0]), filesystem=store.files))
        files = self.spark.createDataFrame([(name,) for name in names], "name string")
        spread = files.repartition(min(len(names), 4 * self.context.defaultParallelism))
        return spread.mapInArrow(partial(read, store.address, schema), _ddl(schema))

    def _rows(self, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> Any:
        kinds = ", ".join(f"{name} {OWN_NAMES[kind]}" for name, kind in columns.items())
        return self.spark.createDataFrame([tuple(row) for row in rows], kinds)

    def _view(self, name: str, table: str, frame: Any) -> None:
        view = table if name == MAIN else f"{name}_{table}"
        frame.createOrReplaceTempView(view)
        self._views.append(view)
        self._columns += [(view, one.name, one.dataType.simpleString()) for one in frame.schema]

    def close_to_others(self) -> None:
        """All tables are added."""
        kinds = "table_name string, column_name string, data_type string"
        self.spark.createDataFrame(self._columns, kinds).createOrReplaceTempView(EVERY_COLUMN)
        self._views.append(EVERY_COLUMN)

    def close(self) -> None:
        """Forget the tables."""
        with suppress(Exception):  # a session that has ended has none
            for view in self._views:
                self.spark.catalog.dropTempView(view)

    # -- questions

    def columns(self, sql: str) -> list[tuple[str, str]]:
        """The name and the type of each column of an answer."""
        with _explained():
            fields = self._answer(sql).schema
            return [(one.name, one.dataType.simpleString().upper()) for one in fields]

    def count(self, sql: str) -> int:
        """The number of rows of an answer."""
        with _explained():
            return int(self._answer(sql).count())

    def text(self, sql: str, most: int | None = None) -> Iterator[tuple[str | None, ...]]:
        """The rows of an answer, at most so many, as text; None is NULL."""
        with _explained():
            found = self._answer(sql)
            columns = [f"CAST(`{name}` AS string)" for name in _unique(found.columns)]
            texts = found.toDF(*_unique(found.columns)).selectExpr(*columns)
            yield from map(tuple, (texts if most is None else texts.limit(most)).toLocalIterator())

    def records(self, sql: str) -> Iterator[dict[str, Any]]:
        """The rows of an answer as JSON has them."""
        with _explained():
            rows = self._answer(sql).selectExpr(f"to_json(struct(*), {KEEP_NULLS}) AS row")
            yield from (json.loads(one["row"]) for one in rows.toLocalIterator())

    def _answer(self, sql: str) -> Any:
        """The one SELECT of `sql`, within another: nothing else can stand there."""
        return self.spark.sql(f"SELECT * FROM (\n{sql.strip().rstrip(';')}\n)")


KEEP_NULLS = "map('ignoreNullFields', 'false')"


def read(
    address: str, schema: pa.Schema, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The rows of the files that are named: a task of Spark."""
    store = store_at(address)
    for batch in batches:
        for name in batch.column(0).to_pylist():
            with pq.ParquetFile(store.path(name), filesystem=store.files) as file:
                for rows in file.iter_batches(ROWS):
                    yield from pa.Table.from_batches([rows]).cast(schema).to_batches()


def _plain(schema: pa.Schema) -> pa.Schema:
    """A schema in types that Spark has: as it reads them from Parquet itself."""
    return pa.schema([pa.field(one.name, _plain_type(one.type)) for one in schema])


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _plain_type(kind.value_type)
    if pa.types.is_uint64(kind):
        return pa.decimal128(20, 0)
    if pa.types.is_map(kind):
        return pa.map_(_plain_type(kind.key_type), _plain_type(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(one.name, _plain_type(one.type)) for one in kind])
    return kind


def _ddl(schema: pa.Schema) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def _server(address: str) -> str:
    found = urlsplit(address)
    return f"{found.scheme}://{found.netloc}"


def _unique(names: Sequence[str]) -> list[str]:
    """Names by which columns can be told apart that have the same one."""
    return [f"{number}_{name}".replace("`", "") for number, name in enumerate(names)]


@contextmanager
def _explained() -> Iterator[None]:
    """Turn an error of Spark into one sentence."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise BadSQL(f"Spark refuses the query: {(lines or ['no reason given'])[0]}") from None
