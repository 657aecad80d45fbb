"""Listings that are lines of text: `aws s3 ls --recursive` and `gsutil ls -l`, in bulk by Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.listing.layouts import Raw
from tierproof.conformance.audit.reading import reasons
from tierproof.conformance.audit.reading.setting_aside import Aside

LINES_AT_ONCE = 50_000


@dataclass(frozen=True)
class Tool:
    """A tool that lists: the pattern of a line for RE2, the form of its times, and other lines.

    The pattern has groups `bytes`, `time` and `key`. Lines that match `ignored` list no object.
    """

    name: str
    pattern: str
    time: str
    ignored: str


AWS = Tool(
    "aws s3 ls --recursive",
    r"^(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) +(?P<bytes>\d{1,18}) (?P<key>.+)$",
    "%Y-%m-%d %H:%M:%S",
    r"^\s*$|^\s*Total (?:Objects|Size): |^\s+PRE ",
)
GSUTIL = Tool(
    "gsutil ls -l",
    r"^ *(?P<bytes>\d{1,18})  (?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)  gs://[^/]+/(?P<key>.+)$",
    "%Y-%m-%dT%H:%M:%SZ",
    r"^\s*$|^TOTAL: |^ *gs://[^ ]*/$|^gs://[^ ]*:$",
)
TOOLS = (AWS, GSUTIL)


def tool_of(path: Path) -> Tool | None:
    """The tool whose lines the beginning of a file has, None if it is none of them."""
    with path.open(encoding="utf-8", errors="replace") as opened:
        lines = pa.array([line.rstrip("\r\n") for line in islice(opened, 200)], pa.string())
    for tool in TOOLS:
        if pc.any(pc.match_substring_regex(lines, tool.pattern)).as_py():
            return tool
    return None


def read_lines(path: Path, tool: Tool, asides: list[Aside]) -> Iterator[Raw]:
    """Objects of a listing. Lines that are not understood are appended to `asides`.

    `aws s3 ls` prints local time without its zone: it is taken as UTC.
    """
    first = 1
    with path.open(encoding="utf-8", errors="replace") as opened:
        while held := [line.rstrip("\r\n") for line in islice(opened, LINES_AT_ONCE)]:
            lines = pa.array(held, pa.string())
            groups = pc.extract_regex(lines, tool.pattern)
            is_object = pc.is_valid(groups)
            is_other = pc.invert(pc.or_(is_object, pc.match_substring_regex(lines, tool.ignored)))
            numbers = pc.indices_nonzero(is_other).to_pylist()
            asides += [_not_understood(path, tool, held, first, number) for number in numbers]
            yield _raw(groups.filter(is_object), tool)
            first += len(held)


def _raw(groups: pa.Array, tool: Tool) -> Raw:
    times = pc.strptime(pc.struct_field(groups, "time"), tool.time, "ms", error_is_null=True)
    return Raw(
        pc.struct_field(groups, "key"),
        pc.cast(pc.struct_field(groups, "bytes"), pa.int64()),
        pc.cast(times, pa.int64()),
    )


def _not_understood(path: Path, tool: Tool, lines: Sequence[str], first: int, number: int) -> Aside:
    return Aside(
        source=str(path),
        position=first + number,
        bytes=len(lines[number].encode()),
        reason=reasons.UNREADABLE_LINE,
        detail=f"The line is none of {tool.name}: {lines[number][:80]!r}.",
    )
