"""The answer of an audit as one self-contained page: bytes and ages by class, partitions drawn.

What is given is the answer as `tierproof audit --json` prints it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from tierproof.diagrams.audit_axis import AUDIT_CSS, axis_as_svg
from tierproof.diagrams.palette import variables
from tierproof.diagrams.report import STYLE, environment

AGES = (
    ("1 min", 60_000),
    ("1 h", 3_600_000),
    ("1 day", 86_400_000),
    ("1 month", 2_592_000_000),
    ("1 year", 31_536_000_000),
    ("", 315_360_000_000),
)
"""The marks of the axis of ages, which is logarithmic."""


@dataclass(frozen=True)
class ClassBar:
    """A class on the page: its share of the largest bytes, and its ages, in percent of the axis."""

    name: str
    severity: str
    count: int
    bytes: str
    share: float
    newest: float
    oldest: float
    ages: str


def audit_as_page(answer: Mapping[str, Any]) -> str:
    """The page of an answer."""
    return (
        environment()
        .get_template("audit.html.j2")
        .render(
            answer=answer,
            bars=class_bars(answer),
            marks=[(words, _at(age)) for words, age in AGES],
            pictures=[
                {**one, "svg": Markup(axis_as_svg(one, number))}
                for number, one in enumerate(answer["pictures"])
            ],
            bytes_in_words=bytes_in_words,
            moment=moment,
            row_in_words=row_in_words,
            style=Markup(variables(":root") + STYLE + AUDIT_CSS),
        )
    )


def class_bars(answer: Mapping[str, Any]) -> list[ClassBar]:
    """A bar for each class."""
    most = max((one["bytes"] for one in answer["classes"]), default=0) or 1
    found = []
    for one in answer["classes"]:
        ages = [answer["now_ms"] - one[end] for end in ("newest_ms", "oldest_ms") if one[end]]
        newest, oldest = (ages[0], ages[-1]) if ages else (0, 0)
        found.append(
            ClassBar(
                one["name"],
                one["severity"],
                one["count"],
                bytes_in_words(one["bytes"]) if one["bytes"] else "",
                round(100 * one["bytes"] / most, 1),
                _at(newest),
                _at(oldest),
                _span(newest, oldest) if ages else "",
            )
        )
    return found


def _at(age_ms: float) -> float:
    """The place of an age on the axis, in percent."""
    low, high = math.log(AGES[0][1]), math.log(AGES[-1][1])
    place = (math.log(max(age_ms, AGES[0][1])) - low) / (high - low)
    return round(100 * min(1.0, place), 2)


def _span(newest: int, oldest: int) -> str:
    first, last = age_in_words(newest), age_in_words(oldest)
    return first if first == last else f"{first} to {last}"


def age_in_words(age_ms: float) -> str:
    """An age in its largest unit."""
    units = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000))
    for unit, size in units:
        if age_ms >= size:
            return f"{age_ms / size:,.0f} {unit}"
    return f"{max(age_ms, 0) / 1000:.0f} s"


def bytes_in_words(count: float) -> str:
    """A number of bytes in its largest unit."""
    for unit, power in (("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if count >= 1 << power:
            return f"{count / (1 << power):.1f} {unit}"
    return f"{count:.0f} B"


def moment(milliseconds: int | None) -> str:
    """A time to the minute, UTC."""
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def row_in_words(row: Mapping[str, Any]) -> str:
    """Where an accusation is, and of which segment or object."""
    words = [f"{row['topic']}-{row['partition']}"] if row["topic"] else []
    if row["start_offset"] is not None:
        end = row["end_offset"]
        words.append(f"{row['start_offset']:,}" + (f"–{end:,}" if end is not None else ""))
    words += [row[name] for name in ("segment_id", "object_key") if row[name]]
    if row["record_offset"] is not None:
        words.append(f"record {row['metadata_partition']}:{row['record_offset']}")
    return " · ".join(words)
