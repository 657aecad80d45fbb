"""A trace in plain words, for a terminal, a mail or an issue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from diagrams.layout import BLANK
from diagrams.metrics import Font, wrap
from diagrams.records import Message, Sequence
from diagrams.sequences import sequence_of, who_acts

_COLUMN = Font(1, is_monospace=True)


def trace_as_text(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> str:
    """The steps of a trace's record, numbered, and the property or witness that it shows."""
    return "\n".join(sequence_lines(sequence_of(trace, shown)))


def sequence_lines(sequence: Sequence) -> Iterator[str]:
    """A sequence as lines of text."""
    ending = sequence.ending
    if ending:
        steps = len(sequence.messages)
        yield f"{ending.word} {ending.name} after {steps} steps, the fewest: {ending.statement}"
        yield ""
    yield f"Initially (what is {', '.join(BLANK[:-1])} or {BLANK[-1]} is left out)"
    told = [(path, value) for path, value in sequence.initial if value not in BLANK]
    said = ", ".join(f"{path}={value}" for path, value in told) or "nothing else"
    yield from (f"    {line}" for line in wrap(said, _COLUMN, _COLUMN.width("x" * 92)))
    width = len(str(len(sequence.messages)))
    for message in sequence.messages:
        yield from _step(message, width)
    if ending:
        yield ""
        yield f"{ending.name} is {ending.where}."


def _step(message: Message, width: int) -> Iterator[str]:
    margin = " " * (width + 2)
    to = f" to {message.target}" if message.target != message.source else ""
    yield f"{message.number:>{width}}. {who_acts(message)}{to}: {message.text}"
    if message.note:
        yield f"{margin}{message.note}"
    for change in message.changes:
        yield f"{margin}    {change}"
