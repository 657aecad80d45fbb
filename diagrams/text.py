"""A trace in plain words, for a terminal, a mail or an issue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.layout import LEFT_OUT
from tierproof.diagrams.metrics import Font, wrap
from tierproof.diagrams.records import Message, Sequence
from tierproof.diagrams.sequences import sequence_of, who_acts

_COLUMN = Font(1, is_monospace=True)


def trace_as_text(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> str:
    """The steps of a trace's record, numbered, and the property or witness that it shows."""
    return "\n".join(sequence_lines(sequence_of(trace, shown)))


def sequence_lines(sequence: Sequence) -> Iterator[str]:
    """A sequence as lines of text."""
    ending = sequence.ending
    if ending:
        yield f"{ending.word} {ending.name} {length_of(sequence)}: {ending.statement}"
        yield ""
    yield f"Initially ({LEFT_OUT})"
    told = sequence.initial
    said = ", ".join(f"{path}={value}" for path, value in told) or "nothing else"
    yield from (f"    {line}" for line in wrap(said, _COLUMN, _COLUMN.width("x" * 92)))
    width = len(str(len(sequence.messages)))
    for number, message in enumerate(sequence.messages):
        if number == sequence.cycle_start:
            yield f"From here on {sequence.repetition}:"
        yield from _step(message, width)
    if sequence.is_at_rest:
        yield f"From here on {sequence.repetition}."
    yield from ending_lines(sequence)


def calls_as_lines(sequence: Sequence) -> Iterator[str]:
    """The steps of a sequence without their states, and why its end is a violation."""
    yield from (f"{one.number}. {who_acts(one)}: {one.text}" for one in sequence.messages)
    yield from ending_lines(sequence)


def ending_lines(sequence: Sequence) -> Iterator[str]:
    """Where the property is broken, and the parts of it that are false there."""
    if ending := sequence.ending:
        yield ""
        yield f"{ending.name} is {ending.where}{':' if ending.why else '.'}"
        yield from (f"    {line}" for line in ending.why)


def length_of(sequence: Sequence) -> str:
    """The length of the trace; a lasso, or what a random walk found, need not be the shortest."""
    steps = counted(len(sequence.messages), "step")
    if sequence.cycle_start is None:
        is_shortest = sequence.ending is None or sequence.ending.is_shortest
        return f"after {steps}, {'the fewest' if is_shortest else 'perhaps not the fewest'}"
    if sequence.is_at_rest:
        return f"after {steps}, at rest"
    before = counted(sequence.cycle_start, "step")
    return f"after {before}, by a cycle of {len(sequence.messages) - sequence.cycle_start}"


def _step(message: Message, width: int) -> Iterator[str]:
    margin = " " * (width + 2)
    to = f" to {message.target}" if message.target != message.source else ""
    yield f"{message.number:>{width}}. {who_acts(message)}{to}: {message.text}"
    if message.note:
        yield f"{margin}{message.note}"
    for change in message.changes:
        yield f"{margin}    {change}"


def counted(number: int, noun: str) -> str:
    """A number of things in words, such as `1 step` and `2 steps`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
