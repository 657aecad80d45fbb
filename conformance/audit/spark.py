"""Judging by Spark: the same function, on groups of topic-partitions.

A group holds many topic-partitions, as judging one of ten records costs as much as judging ten
thousand; all records of one lie in one group.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.accusations import ACCUSATIONS, together
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.foresight import Compaction, Facts
from tierproof.conformance.audit.history import COLUMNS
from tierproof.conformance.audit.judging import judge
from tierproof.conformance.audit.reading import NotReadable
from tierproof.conformance.audit.tables import OBJECTS, RECORDS

RECORDS_OF_A_GROUP = 500_000
ROWS = pa.schema([pa.field(one.name, one.type) for one in ACCUSATIONS] + [("facts", pa.string())])
GROUP = "audit_group"


def judge_by_spark(
    session: Any, record_files: Sequence[Path], object_files: Sequence[Path], asked: Asked
) -> tuple[pa.Table, Facts, dict[str, int], dict[str, int]]:
    """Accusations, facts, what was not judged, and what is withheld, of tables in Parquet files.

    There is a file of RECORDS at least, and every one of OBJECTS has passed `check_grouped`.
    """
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_schema

    records = session.read.parquet(*map(str, record_files)).select(*COLUMNS)
    count = records.count()
    groups = max(session.sparkContext.defaultParallelism, -(-count // RECORDS_OF_A_GROUP))
    group = functions.pmod(functions.hash("topic_id", "partition"), functions.lit(groups))
    records = records.withColumn(GROUP, group)
    schema = from_arrow_schema(ROWS)
    if object_files:
        objects = session.read.parquet(*map(str, object_files)).withColumn(GROUP, group)
        judged = (
            records.groupBy(GROUP)
            .cogroup(objects.groupBy(GROUP))
            .applyInArrow(_judging_both(asked), schema)
        )
    else:
        judged = records.groupBy(GROUP).applyInArrow(_judging(asked), schema)
    return _gathered(judged.toArrow())


def check_grouped(objects: pa.Table) -> None:
    """Raise NotReadable if objects cannot be sent to the group that has their records."""
    is_known = pc.is_valid(objects["segment_id"])
    has_place = pc.and_(pc.is_valid(objects["topic_id"]), pc.is_valid(objects["partition"]))
    if pc.any(pc.and_(is_known, pc.invert(has_place))).as_py():
        raise NotReadable(
            "an audit by Spark needs {topic_id} and {partition} in the layout of the bucket: "
            "--engine memory does without"
        )


def _judging(asked: Asked) -> Callable[[pa.Table], pa.Table]:
    def judged(records: pa.Table) -> pa.Table:
        return _rows(records, None, asked)

    return judged


def _judging_both(asked: Asked) -> Callable[[pa.Table, pa.Table], pa.Table]:
    def judged(records: pa.Table, objects: pa.Table) -> pa.Table:
        return _rows(records, objects.select(OBJECTS.names).cast(OBJECTS), asked)

    return judged


def _rows(records: pa.Table, objects: pa.Table | None, asked: Asked) -> pa.Table:
    """Accusations, and a last row that has the facts alone."""
    wanted = pa.schema([RECORDS.field(name).with_nullable(True) for name in COLUMNS])
    found = judge([records.select(list(COLUMNS)).cast(wanted)], asked, objects)
    facts = json.dumps([asdict(found.facts), found.not_judged, found.withheld])
    rows = found.accusations.append_column("facts", pa.nulls(len(found.accusations), pa.string()))
    last = pa.Table.from_pylist([{"class": "", "detail": "", "facts": facts}], schema=ROWS)
    return pa.concat_tables([rows.cast(ROWS), last])


def _gathered(rows: pa.Table) -> tuple[pa.Table, Facts, dict[str, int], dict[str, int]]:
    rows = rows.cast(ROWS)
    is_fact = pc.is_valid(rows["facts"])
    accusations = rows.filter(pc.invert(is_fact)).drop_columns(["facts"]).cast(ACCUSATIONS)
    facts, not_judged, withheld = None, Counter[str](), Counter[str]()
    for text in rows.filter(is_fact)["facts"].to_pylist():
        one, skipped, not_made = json.loads(text)
        found = _facts(one)
        facts = found if facts is None else facts + found
        not_judged.update(skipped)
        withheld.update(not_made)
    if facts is None:
        facts = judge([], Asked(now_ms=0)).facts
    return together([accusations]), facts, dict(not_judged), dict(withheld)


def _facts(found: dict[str, Any]) -> Facts:
    values = {}
    for one in fields(Facts):
        value = found[one.name]
        if one.name == "days":
            value = {int(day): tuple(counts) for day, counts in value.items()}
        elif isinstance(value, dict):
            value = Compaction(**value)
        values[one.name] = value
    return Facts(**values)
