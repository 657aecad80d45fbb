"""The output of kafka-dump-log.sh with the decoder of remote log metadata, read line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.reading import batches, reasons, transactions
from tierproof.conformance.audit.reading.chunks import Marker
from tierproof.conformance.audit.reading.dumped_lines import records_of
from tierproof.conformance.audit.reading.offsets import SeenOffsets
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.split_reading import Sink, gap_rows
from tierproof.conformance.audit.reading.splits import NotReadable

LINES_AT_ONCE = 20_000
NOT_KNOWN = -1
"""The metadata partition of a file whose folder the output does not name."""

DUMPING = re.compile(r"Dumping (.*)")
OF_PARTITION = re.compile(r"-(\d{1,9})/\d{20}\.log$")
BATCH = re.compile(
    r"baseOffset: (\d+) lastOffset: (\d+) count: (\d+) .*producerId: (-?\d+) .*"
    r"isTransactional: (true|false) isControl: (true|false)"
)
INVALID_BATCH = re.compile(r"(?:baseO|o)ffset: (\d+) .*isvalid: false")
RECORD = re.compile(r"\| offset: (\d{1,18}) .*keySize: (-?\d+) valueSize: (-?\d+)")
MARKER = re.compile(r"endTxnMarker: (\w+)")
TRAILING = re.compile(r"Found (\d+) invalid bytes at the end of")
EXPECTED = re.compile(
    r"(Log starting offset: |baseOffset: |offset: \d+ position: |Starting offset: |\s*$)"
)


@dataclass
class Dump:
    """One output while it is read; `sink` takes its rows."""

    sink: Sink
    source: str = ""
    partition: int = NOT_KNOWN
    producer: int = NOT_KNOWN
    first_line: int = 1
    lines: list[str] = field(default_factory=list)
    seen: dict[int, SeenOffsets] = field(default_factory=dict)
    asides: list[Aside] = field(default_factory=list)
    transactions: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    markers: dict[int, list[Marker]] = field(default_factory=dict)

    def read(self, path: Path) -> None:
        """Read all lines of a file."""
        self.source = str(path)
        with path.open(encoding="utf-8", errors="replace") as opened:
            for number, line in enumerate(opened, start=1):
                begins = DUMPING.match(line)
                if begins or len(self.lines) == LINES_AT_ONCE:
                    self._decode()
                    self.first_line = number
                if begins:
                    self._begin(begins[1].strip())
                self.lines.append(line.rstrip("\n"))
        self._decode()
        self.sink.close()
        for seen in self.seen.values():
            self.asides += gap_rows(seen.missing(None, None), self.source)

    def _begin(self, path: str) -> None:
        """The output goes on with another file."""
        found = OF_PARTITION.search(path)
        self.source = path
        self.partition = int(found[1]) if found else NOT_KNOWN

    def _decode(self) -> None:
        """Decode the lines that are held."""
        understood = np.zeros(len(self.lines), np.bool_)
        found = list(records_of(pa.array(self.lines, pa.string()), self.source, self.partition))
        if found:
            numbers = np.concatenate([one for one, _ in found])
            understood[numbers] = True
            rows = pa.Table.from_batches([rows for _, rows in found]).take(np.argsort(numbers))
            self._keep(rows.combine_chunks())
        for number in np.flatnonzero(~understood):
            self._note(self.lines[number], self.first_line + int(number))
        self.lines = []

    def _keep(self, rows: pa.Table) -> None:
        """Write rows whose offsets were not printed before."""
        offsets = rows["record_offset"].to_numpy()
        repeats = self._admit(offsets)
        for offset in offsets[repeats].tolist():
            detail = "The output has a record with this offset already."
            self.asides.append(self._aside(None, reasons.DUPLICATE_OFFSET, detail, offset))
        rows = rows.filter(pa.array(~repeats))
        if rows.num_rows:
            for batch in rows.to_batches():
                self.sink.write(batch)

    def _admit(self, offsets: np.ndarray) -> np.ndarray:
        """Which offsets were seen before, or come twice; bool[offsets]."""
        table = np.zeros((len(offsets), batches.COLUMNS), np.int64)
        table[:, batches.FIRST] = table[:, batches.LAST] = offsets
        repeats, _ = self.seen.setdefault(self.partition, SeenOffsets()).admit(table)
        return repeats

    def _note(self, line: str, number: int) -> None:
        """A line that prints no record of the four kinds."""
        if batch := BATCH.match(line):
            self._note_batch(batch, line, number)
        elif found := RECORD.match(line):
            self._note_record(found, line, number)
        elif found := TRAILING.search(line):
            detail = "The file ends within a batch: it was cut, or its broker was writing."
            row = self._aside(number, reasons.TRUNCATED, detail)
            self.asides.append(Aside(**{**vars(row), "bytes": int(found[1])}))
        elif not (EXPECTED.match(line) or DUMPING.match(line)):
            detail = f"The line is none that the tool prints: {line[:80]!r}."
            self.asides.append(self._aside(number, reasons.UNREADABLE_LINE, detail))
        if found := INVALID_BATCH.match(line):
            detail = "The tool says that the checksum of this batch is wrong."
            self.asides.append(self._aside(number, reasons.INVALID_CHECKSUM, detail, int(found[1])))

    def _note_batch(self, batch: re.Match[str], line: str, number: int) -> None:
        base, last, _, producer, is_transactional, is_control = batch.groups()
        self.producer = int(producer)
        if is_transactional == "true" and is_control == "false":
            offsets = (self.producer, int(base), int(last))
            self.transactions.setdefault(self.partition, []).append(offsets)

    def _note_record(self, record: re.Match[str], line: str, number: int) -> None:
        """A record that is none of the four kinds, or that the tool could not decode."""
        offset = int(record[1])
        self._admit(np.array([offset]))
        size = max(int(record[2]), 0) + max(int(record[3]), 0)
        if marker := MARKER.search(line):
            aborts = marker[1] == "ABORT"
            self.markers.setdefault(self.partition, []).append((self.producer, offset, aborts))
            reason = reasons.CONTROL_RECORD
            detail = "A marker that ends a transaction; it says nothing of segments."
        elif int(record[2]) >= 0 and int(record[3]) < 0:
            reason = reasons.UNPRINTED_TOMBSTONE
            detail = "A key without value: the tool does not print the key. Read the log file."
        else:
            payload = line.partition("payload: ")[2] or line
            reason = reasons.FOREIGN_RECORD
            detail = f"The tool did not decode the record: {payload[:160]}"
        row = self._aside(number, reason, detail, offset)
        self.asides.append(Aside(**{**vars(row), "bytes": size}))

    def _aside(
        self, line: int | None, reason: str, detail: str, offset: int | None = None
    ) -> Aside:
        is_notice = reason in reasons.NOTICES
        records = None if offset is None else int(not is_notice)
        return Aside(
            source=self.source,
            position=line,
            record_offset=offset,
            records=records,
            reason=reason,
            detail=detail,
        )


def check(path: Path) -> None:
    """Raise NotReadable if a file is no output of the tool."""
    if not looks_dumped(path):
        raise NotReadable(
            f"{path} is no output of kafka-dump-log.sh --remote-log-metadata-decoder: no line "
            "begins with 'Dumping' or '| offset:'"
        )


def read_dump(path: Path, folder: Path, number: int) -> list[Aside]:
    """Read an output into file `number` of `folder`. Returns what was set aside."""
    dump = Dump(Sink(folder, number))
    dump.read(path)
    aborted = [
        offsets
        for partition, found in dump.transactions.items()
        for offsets in transactions.aborted_of(found, dump.markers.get(partition, []))
    ]
    if aborted and dump.sink.path.exists():
        dump.asides += transactions.leave_out(dump.sink.path, sorted(aborted))
    return dump.asides


def looks_dumped(path: Path) -> bool:
    """Whether one of the first lines is one of the tool's."""
    with path.open(encoding="utf-8", errors="replace") as opened:
        return any(line.startswith(("Dumping ", "| offset: ")) for line in _first(opened, 1000))


def _first(lines: Iterator[str], count: int) -> Iterator[str]:
    for _, line in zip(range(count), lines, strict=False):
        yield line
