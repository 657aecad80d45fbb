"""An audit from its sources to its answer: records, the listing, and what came since."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tierproof.conformance.audit.asked import AGE_MS, Asked, Offsets
from tierproof.conformance.audit.axis import pictures_of
from tierproof.conformance.audit.coverage import known_places, partitions_of_topic
from tierproof.conformance.audit.foresight import Facts
from tierproof.conformance.audit.history import COLUMNS, LAST_MS
from tierproof.conformance.audit.judging import (
    Judgement,
    first_seen,
    judge,
    superseded_ids,
)
from tierproof.conformance.audit.listing import fitting
from tierproof.conformance.audit.objects import layout_of
from tierproof.conformance.audit.reading import METADATA_TOPIC, NotReadable, Reading, read_metadata
from tierproof.conformance.audit.reading.splits import partition_folders
from tierproof.conformance.audit.spark import check_grouped, judge_by_spark
from tierproof.conformance.audit.summary import Audit
from tierproof.conformance.audit.tables import OBJECTS, SET_ASIDE
from tierproof.conformance.audit.withholding import is_whole, not_whole

EMPTY = "no object of the bucket is of any record: is this the right bucket and prefix?"
Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What an audit reads, and what its user knows.

    `bucket` are folders, files with a listing, or URIs, of one store; `as_of_ms` the time at which
    the sources were taken, None for now; `live_ids` the topic ids that exist, None if nobody says.
    """

    metadata: Sequence[Path] = ()
    bootstrap: str = ""
    properties: Path | None = None
    may_create_offsets_topic: bool = False
    bucket: Sequence[str] = ()
    layout: str | None = None
    younger_ms: int = AGE_MS
    as_of_ms: int | None = None
    local_log_starts: Offsets = field(default_factory=dict)
    log_starts: Offsets = field(default_factory=dict)
    live_ids: frozenset[str] | None = None


def audit(
    sources: Sources, into: Path, *, spark: Any = None, say: Say = lambda _: None
) -> tuple[Audit, Judgement | None]:
    """Read and judge; the tables that are read stay below `into`. Raises NotReadable.

    The judgement is None if Spark judged: its rows are the tables' alone.
    """
    now_ms = sources.as_of_ms if sources.as_of_ms is not None else int(time.time() * 1000)
    say("reading the metadata topic")
    before = _sizes(sources)
    reading = _read(sources, into, spark)
    set_aside = [reading.set_aside]
    objects_files, of_listing, listed_ms = _listed(sources, into, now_ms, say)
    if objects_files and _sizes(sources) != before:
        say("reading what the topic has got since")
        set_aside.append(_read_again(sources, reading, into, spark))
    _check_moment(sources, reading)
    asked, lost = _asked(sources, reading, now_ms)
    of_metadata = _each_once(set_aside)
    asked = replace(
        asked,
        not_whole=not_whole(of_metadata) if reading.records.count_rows() else None,
        is_listing_whole=is_whole(of_listing),
    )
    objects = pq.read_table(objects_files, schema=OBJECTS) if objects_files else None
    if objects is not None:
        asked = _with_bucket(asked, sources, reading, objects, listed_ms)
    say("judging")
    found = _judged(reading, asked, objects, objects_files, spark)
    if objects is not None and not asked.is_bucket_theirs:
        if asked.not_whole == frozenset():
            fitting.refuse_another(objects, found.facts.live_segments)
        if found.facts.live_segments:
            lost.append(EMPTY)
        else:
            asked = replace(asked, is_bucket_theirs=True)
            found = _judged(reading, asked, objects, objects_files, spark)
    return Audit(
        asked,
        found.accusations,
        found.facts,
        pa.concat_tables([of_metadata, of_listing]),
        not_judged=found.not_judged,
        withheld=found.withheld,
        lost=lost,
        object_root=_root(sources),
        knows_topics=sources.live_ids is not None,
        has_objects=objects is not None and asked.is_bucket_theirs,
        pictures=[] if found.judgement is None else pictures_of(found.judgement),
    ), found.judgement


def _with_bucket(
    asked: Asked, sources: Sources, reading: Reading, objects: pa.Table, listed_ms: int | None
) -> Asked:
    """What is asked, with how the bucket is laid out. Raises NotReadable if no key fits."""
    fitting.check_layout(objects, sources.layout)
    records = reading.records.to_batches(columns=["segment_id"])
    keys, name = fitting.keys_of(objects, sources.layout)
    return replace(
        asked,
        layout=layout_of(objects, name),
        keys=keys,
        listed_ms=listed_ms,
        is_bucket_theirs=fitting.names_any(objects, records),
    )


class _Found(NamedTuple):
    """What judging found, whoever judged; the judgement is None if Spark did."""

    accusations: pa.Table
    facts: Facts
    not_judged: dict[str, int]
    withheld: dict[str, int]
    judgement: Judgement | None


def _judged(
    reading: Reading, asked: Asked, objects: pa.Table | None, files: list[Path], spark: Any
) -> _Found:
    if spark is not None and objects is not None:
        check_grouped(objects)
    if spark is not None and reading.record_files:
        return _Found(*judge_by_spark(spark, reading.record_files, files, asked), None)
    made = judge(reading.records.to_batches(columns=list(COLUMNS)), asked, objects)
    return _Found(made.accusations, made.facts, made.not_judged, made.withheld, made)


def _check_moment(sources: Sources, reading: Reading) -> None:
    """Raise NotReadable if a record is newer than the time at which sources are said to be taken.

    All that is newer would count as young, and nothing be accused.
    """
    if sources.as_of_ms is None:
        return
    batches = reading.records.to_batches(columns=["appended_ms"])
    newest = max(
        (pc.max(one["appended_ms"]).as_py() or 0 for one in batches if len(one)), default=0
    )
    if newest > sources.as_of_ms:
        moment = datetime.fromtimestamp(min(newest, LAST_MS) / 1000, UTC)
        raise NotReadable(
            f"--as-of is before the newest record, of {moment:%Y-%m-%dT%H:%M:%S} UTC: the sources "
            "were taken later, so give a time behind it"
        )


def _read(sources: Sources, into: Path, spark: Any) -> Reading:
    if not sources.bootstrap:
        return read_metadata(sources.metadata, into, spark=spark)
    from tierproof.conformance.audit.reading.live import read_live

    return read_live(
        sources.bootstrap,
        into,
        properties=sources.properties,
        may_create_offsets_topic=sources.may_create_offsets_topic,
    )


def _sizes(sources: Sources) -> Any:
    """What changes when a broker appends to the files; something else each time for a live read."""
    if sources.bootstrap:
        return object()
    files = (path for source in sources.metadata for path in _files(source))
    return [(str(path), path.stat().st_size) for path in files]


def _files(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
    elif source.is_dir():
        for folder in partition_folders(source, METADATA_TOPIC):
            yield from folder.files


def _listed(
    sources: Sources, into: Path, now_ms: int, say: Say
) -> tuple[list[Path], pa.Table, int | None]:
    """The files of OBJECTS, what of the listing was set aside, and when it was made."""
    if not sources.bucket:
        return [], SET_ASIDE.empty_table(), None
    from tierproof.conformance.audit.listing import list_objects

    say("listing the bucket")
    listing = list_objects(
        [one if "://" in one else Path(one) for one in sources.bucket],
        into=into,
        layout=sources.layout,
    )
    files = (Path(one) for one in sources.bucket if "://" not in one)
    made = [int(path.stat().st_mtime * 1000) for path in files if path.is_file()]
    return listing.object_files, listing.set_aside, min([now_ms, *made])


def _read_again(sources: Sources, reading: Reading, into: Path, spark: Any) -> pa.Table:
    """Read once more, and add what is behind the last offset that the first reading has.

    Returns what was set aside.
    """
    ends: dict[int, int] = {}
    columns = ["metadata_partition", "record_offset"]
    for batch in reading.records.to_batches(columns=columns):
        table = pa.table(batch).group_by("metadata_partition")
        for row in table.aggregate([("record_offset", "max")]).to_pylist():
            partition = row["metadata_partition"]
            ends[partition] = max(ends.get(partition, -1), row["record_offset_max"])
    again = _read(sources, into / "again", spark)
    known = pa.array(sorted(ends), pa.int32())
    last = pa.array([ends[one] for one in sorted(ends)], pa.int64())
    for number, batch in enumerate(again.records.to_batches()):
        at = pc.index_in(batch["metadata_partition"], value_set=known)
        end = pc.fill_null(last.take(at), -1)
        tail = batch.filter(pc.greater(batch["record_offset"], end))
        if len(tail):
            name = f"zz-again-{number:05}.parquet"
            pq.write_table(pa.Table.from_batches([tail]), reading.folder / "records" / name)
    return again.set_aside


def _each_once(tables: Sequence[pa.Table]) -> pa.Table:
    """The rows of some tables, each once."""
    found = pa.concat_tables(tables)
    return found.group_by(found.column_names).aggregate([]).select(SET_ASIDE.names).cast(SET_ASIDE)


def _asked(sources: Sources, reading: Reading, now_ms: int) -> tuple[Asked, list[str]]:
    columns = ["topic", "topic_id", "partition", "metadata_partition", "appended_ms"]
    known, read = known_places(reading.records.to_batches(columns=columns))
    is_of_files = all(source.is_dir() for source in sources.metadata) and not sources.bootstrap
    for source in sources.metadata if is_of_files else ():
        read |= {folder.partition for folder in partition_folders(source, METADATA_TOPIC)}
    count = partitions_of_topic(known, read)
    missing = sorted(set(range(count or 0)) - read) if is_of_files else []
    lost = [f"partitions {_spans(missing)} of the metadata topic are not there"] if missing else []
    young = now_ms - sources.younger_ms
    first = first_seen(reading.records.to_batches(columns=columns))
    gone = superseded_ids(first, young)
    if sources.live_ids is not None:
        gone |= frozenset({topic_id for _, topic_id in first} - sources.live_ids)
    everything = sources.bootstrap != ""
    return Asked(
        now_ms=now_ms,
        younger_ms=sources.younger_ms,
        deleted_ids=gone,
        local_log_starts=sources.local_log_starts,
        log_starts=sources.log_starts,
        read_partitions=None if everything else frozenset(read if count else ()),
        metadata_partitions=count or 1,
    ), lost


def _spans(numbers: Sequence[int]) -> str:
    """Numbers as `1-3, 7`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def _root(sources: Sources) -> str:
    """Where keys of the bucket begin; "" for a listing in a file, which does not say it."""
    if len(sources.bucket) != 1:
        return ""
    (bucket,) = sources.bucket
    if "://" in bucket:
        scheme, _, rest = bucket.partition("://")
        return f"{scheme}://{rest.split('/')[0]}"
    return bucket if Path(bucket).is_dir() else ""
