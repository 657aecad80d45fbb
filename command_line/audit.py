"""`tierproof audit`: what the remote log metadata of a real cluster says, and whether it holds."""

from __future__ import annotations

import re
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tierproof.command_line.exits import HOLDS, INCOMPLETE, VIOLATED, complain, print_json, silent
from tierproof.command_line.options import AsJson, Master, refuse_idle

if TYPE_CHECKING:
    from tierproof.conformance.audit import Sources

UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Judge(StrEnum):
    """What reads and judges."""

    MEMORY = "memory"
    SPARK = "spark"


Metadata = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="SOURCE",
        help="A broker's log directory, a folder __remote_log_metadata-N, or a file with the "
        "output of kafka-dump-log.sh --remote-log-metadata-decoder. Repeatable.",
    ),
]
Bootstrap = Annotated[
    str | None,
    typer.Option("--bootstrap-server", help="Read the topic of this cluster, in place of SOURCE."),
]
Properties = Annotated[
    Path | None,
    typer.Option("--command-config", help="Its TLS and SASL, as Kafka's tools take them."),
]
MayCreate = Annotated[
    bool,
    typer.Option(
        "--may-create-offsets-topic",
        help="With --bootstrap-server: a cluster that no consumer group has used may get its "
        "topic __consumer_offsets by being read.",
    ),
]
Bucket = Annotated[
    list[str] | None,
    typer.Option(
        "--bucket",
        help="The remote store: a folder, s3://..., gs://..., or a file with a listing of it "
        "(aws s3 ls --recursive, gsutil ls -l, an S3 Inventory manifest, list-multipart-uploads). "
        "Repeatable.",
    ),
]
LayoutName = Annotated[
    str | None,
    typer.Option(
        "--layout",
        help="aiven, local-tiered-storage, or a template such as {topic}/{segment_id}.{file}. "
        "Default: both built-in ones.",
    ),
]
Younger = Annotated[
    str,
    typer.Option("--younger-than", help="Accuse nothing younger, as 90s, 30m, 1h, 2d."),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", help="When the sources were taken, as 2026-11-29T13:00. Default: now."),
]
LocalStart = Annotated[
    Path | None,
    typer.Option(
        "--local-log-start",
        help="topic:partition:offset lines: kafka-get-offsets.sh --time earliest-local, taken "
        "before the metadata.",
    ),
]
LogStart = Annotated[
    Path | None,
    typer.Option("--log-start", help="The same of --time earliest."),
]
Topics = Annotated[
    Path | None,
    typer.Option("--topics", help="The output of kafka-topics.sh --describe: others are deleted."),
]
Traced = Annotated[
    str | None,
    typer.Option("--trace", metavar="TOPIC-PARTITION", help="Step its history through the model."),
]
ItfFile = Annotated[
    Path | None,
    typer.Option("--itf", dir_okay=False, help="With --trace: write the steps as ITF, for serve."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep all tables here as Parquet, for `tierproof query`."),
]
Page = Annotated[
    Path | None, typer.Option("--page", dir_okay=False, help="Write a page with pictures.")
]
Engine = Annotated[Judge, typer.Option("--engine", help="spark: for topics beyond this machine.")]


def audit(
    metadata: Metadata = None,
    bootstrap_server: Bootstrap = None,
    command_config: Properties = None,
    may_create_offsets_topic: MayCreate = False,
    bucket: Bucket = None,
    layout: LayoutName = None,
    younger_than: Younger = "1h",
    as_of: AsOf = None,
    local_log_start: LocalStart = None,
    log_start: LogStart = None,
    topics: Topics = None,
    traced: Traced = None,
    itf: ItfFile = None,
    out: Out = None,
    page: Page = None,
    engine: Engine = Judge.MEMORY,
    master: Master = None,
    as_json: AsJson = False,
) -> None:
    """Hold a cluster's remote log metadata against the model, and against its bucket.

    It only reads. It names copies and deletions that never ended, records that may not follow each
    other, offsets that nothing serves, bytes that count twice, and objects without records.

    Exit status: 0 nothing to see to, 1 something is, 2 bad usage, 3 INCOMPLETE: nothing was found
    in what could be read and judged, 4 a fault.

    Examples: tierproof audit /var/kafka/data --bucket s3://tiered/prefix --page audit.html

    tierproof audit --bootstrap-server broker:9092 --command-config client.properties --json
    """
    wanted = Wanted(out, page, traced, itf, as_json)
    wanted.check(engine, master)
    sources = _sources(
        Read(metadata, bootstrap_server, command_config, may_create_offsets_topic, bucket, layout),
        (local_log_start, log_start, topics),
        younger_ms=_milliseconds(younger_than),
        as_of_ms=_moment(as_of),
    )
    try:
        status = _audited(sources, wanted, engine, master)
    except KeyboardInterrupt:
        complain("interrupted before the audit had an answer: INCOMPLETE")
        status = INCOMPLETE
    raise typer.Exit(status)


class Wanted(NamedTuple):
    """Where the answer goes, and how it is shown."""

    out: Path | None
    page: Path | None
    traced: str | None
    itf: Path | None
    as_json: bool

    def check(self, engine: Judge, master: str | None) -> None:
        """Raise BadParameter for options that would do nothing; try the folders."""
        from tierproof.command_line import writing

        refuse_idle("--trace", itf=self.itf if self.traced is None else None)
        if engine is Judge.MEMORY:
            refuse_idle("--engine spark", master=master)
        else:
            refuse_idle("--engine memory", trace=self.traced, page=self.page)
        writing.check(*(path.parent for path in (self.page, self.itf) if path is not None))
        writing.claim(self.out)


class Read(NamedTuple):
    """What is read, as the options say it."""

    metadata: list[Path] | None
    bootstrap: str | None
    properties: Path | None
    may_create_offsets_topic: bool
    bucket: list[str] | None
    layout: str | None

    def check(self) -> None:
        """Raise BadParameter for options that would do nothing, and for no source or two."""
        if bool(self.metadata) == bool(self.bootstrap):
            raise typer.BadParameter("give a SOURCE, or --bootstrap-server in its place")
        if not self.bootstrap:
            refuse_idle(
                "--bootstrap-server",
                command_config=self.properties,
                may_create_offsets_topic=self.may_create_offsets_topic,
            )
        refuse_idle("--bucket", layout=None if self.bucket else self.layout)


def _sources(
    read: Read,
    known: tuple[Path | None, Path | None, Path | None],
    *,
    younger_ms: int,
    as_of_ms: int | None,
) -> Sources:
    """What is read, and what the user knows. Raises BadParameter."""
    from tierproof.conformance.audit import NotReadable, Sources, offsets_in, topic_ids_in

    local, log, topics = known
    read.check()
    if log is not None and local is None:
        raise typer.BadParameter("--log-start is for --local-log-start: give both")
    try:
        return Sources(
            metadata=tuple(read.metadata or ()),
            bootstrap=read.bootstrap or "",
            properties=read.properties,
            may_create_offsets_topic=read.may_create_offsets_topic,
            bucket=tuple(read.bucket or ()),
            layout=read.layout,
            younger_ms=younger_ms,
            as_of_ms=as_of_ms,
            local_log_starts=offsets_in(local) if local else {},
            log_starts=offsets_in(log) if log else {},
            live_ids=topic_ids_in(topics) if topics else None,
        )
    except NotReadable as error:
        raise typer.BadParameter(str(error)) from None


def _audited(sources: Sources, wanted: Wanted, engine: Judge, master: str | None) -> int:
    """Read, judge and show; returns the exit status."""
    from tierproof.command_line import audit_table
    from tierproof.conformance.audit import NotReadable, audit, keep

    say = silent if wanted.as_json else complain
    with ExitStack() as stack:
        into = wanted.out or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="tierproof-audit-"))
        )
        session = _session(master) if engine is Judge.SPARK else None
        try:
            found, judgement = audit(sources, into, spark=session, say=say)
        except NotReadable as error:
            raise typer.BadParameter(str(error)) from None
        answer = found.as_dict()
        steps = _traced(judgement, wanted) if judgement is not None else None
        if steps is not None:
            answer["trace"] = steps
        if wanted.out is not None:
            keep(into, answer, found.accusations, judgement)
    if wanted.page is not None:
        _write_page(answer, wanted.page)
    print_json(answer) if wanted.as_json else audit_table.show(answer, wanted.out, wanted.page)
    statuses = {"CLEAN": HOLDS, "SEE TO": VIOLATED, "INCOMPLETE": INCOMPLETE}
    return statuses[answer["verdict"]]


def _traced(judgement: Any, wanted: Wanted) -> dict[str, Any] | None:
    """The steps of the traced partition, written as ITF if that is asked. Raises BadParameter."""
    if wanted.traced is None:
        return None
    from tierproof.conformance.audit import NotReadable, itf_of, trace_of

    try:
        found = trace_of(judgement, wanted.traced)
        if wanted.itf is not None:
            text = itf_of(judgement, wanted.traced)
            wanted.itf.write_text(text, "utf-8")
    except NotReadable as error:
        raise typer.BadParameter(str(error)) from None
    return found


def _session(master: str | None) -> Any:
    """A SparkSession. Raises NoSpark, and NotInstalled without its packages."""
    from tierproof.spark_explorer import engines

    engines.check_installed("an audit by Spark", "spark", engines.OF_SPARK)
    from tierproof.spark_explorer.spark import session

    context = session.Starting(master, lambda _: None).context
    context.setJobDescription("tierproof audit")
    return session.frames(context)


def _write_page(answer: dict[str, Any], path: Path) -> None:
    from tierproof import diagrams
    from tierproof.command_line.writing import written_to

    with written_to(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(diagrams.audit_as_page(answer), encoding="utf-8")


def _milliseconds(words: str) -> int:
    found = re.fullmatch(r"(\d+)([smhd])", words)
    if found is None:
        raise typer.BadParameter(f"--younger-than takes 90s, 30m, 1h or 2d, not {words!r}")
    return int(found[1]) * UNITS_MS[found[2]]


def _moment(words: str | None) -> int | None:
    """Epoch milliseconds of a time, UTC unless it says otherwise."""
    if words is None:
        return None
    try:
        moment = datetime.fromisoformat(words)
    except ValueError:
        raise typer.BadParameter(
            f"--as-of takes a time as 2026-11-29T13:00, not {words!r}"
        ) from None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return int(moment.timestamp() * 1000)
