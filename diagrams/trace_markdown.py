"""A trace as Markdown: the numbered steps with what each changed, and the sequence diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.layout import LEFT_OUT
from tierproof.diagrams.mermaid import sequence_as_mermaid
from tierproof.diagrams.records import Message, Sequence
from tierproof.diagrams.sequences import sequence_of, who_acts
from tierproof.diagrams.text import length_of


def trace_as_markdown(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> str:
    """A trace's record as Markdown, with its diagram as Mermaid, which GitHub draws."""
    return "\n".join(_lines(sequence_of(trace, shown))) + "\n"


def _lines(sequence: Sequence) -> Iterator[str]:
    ending = sequence.ending
    if ending:
        yield f"**{ending.word} `{ending.name}`** {length_of(sequence)}: {ending.statement}"
        yield ""
    told = ", ".join(f"`{path}={value}`" for path, value in sequence.initial)
    yield f"Initially ({LEFT_OUT}): {told or 'nothing else'}."
    yield ""
    for number, message in enumerate(sequence.messages):
        if number == sequence.cycle_start:
            yield from ("", f"From here on {sequence.repetition}:", "")
        yield from _step(message)
    if sequence.is_at_rest:
        yield from ("", f"From here on {sequence.repetition}.")
    if sequence.messages:
        yield from ("", "```mermaid", sequence_as_mermaid(sequence).rstrip("\n"), "```")
    if ending:
        yield from ("", f"`{ending.name}` is {ending.where}{':' if ending.why else '.'}")
        if ending.why:
            yield from ("", "```", *ending.why, "```")


def _step(message: Message) -> Iterator[str]:
    margin = " " * (len(str(message.number)) + 2)
    to = f" to {message.target}" if message.target != message.source else ""
    yield f"{message.number}. {who_acts(message)}{to}: `{message.text}`"
    if message.note:
        yield f"{margin}{message.note}"
    yield from (f"{margin}- `{change}`" for change in message.changes)
