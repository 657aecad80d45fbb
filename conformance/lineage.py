"""`within_leader_epochs.json.gz`: isRemoteSegmentWithinLeaderEpochs, on unchecked lineages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import Row, reading
from tierproof.model.kafka.leader_epoch_lineage import Within, within_leader_epochs
from tierproof.model.kafka.remote_metadata_cache import SegmentMetadata
from tierproof.model.kafka.scope import Lineage, TieredScope
from tierproof.model.language import State

Entries = Mapping[int, int]
"""Epoch -> start offset."""

ANSWERS = {
    Within.IN_LINEAGE: "true",
    Within.OUT_OF_LINEAGE: "false",
    Within.NO_SUCH_ELEMENT: "EXC NoSuchElementException",
}


class LineageQuestion(NamedTuple):
    """The inputs of one row."""

    start_offset: int
    end_offset: int
    segment_lineage: Entries
    log_end_offset: int
    lineage: Entries


class SegmentAndLineage(State):
    """A remote segment, and the lineage of the leader that checks it."""

    segment: SegmentMetadata
    lineage: Lineage


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file."""
    with reading("within_leader_epochs"):
        recorded = content["rows"]
    yield from read_rows(recorded, row_for)


def row_for(number: int, row: Sequence[Any]) -> Row:
    """One question with its answer."""
    start, end, segment_epochs, log_end, leader_epochs, answer = row
    question = question_of(start, end, segment_epochs, log_end, leader_epochs)
    return Row(f"row {number}", row[:-1], answer, answer_to(question, scope_for([question])))


def question_of(
    start: int, end: int, segment_epochs: str, log_end_offset: int, leader_epochs: str
) -> LineageQuestion:
    """A question, from the words of a recording."""
    return LineageQuestion(
        int(start),
        int(end),
        entries_of(segment_epochs),
        int(log_end_offset),
        entries_of(leader_epochs),
    )


def entries_of(words: str) -> dict[int, int]:
    """`0:0,1:20` as epoch -> start offset."""
    pairs = (entry.split(":") for entry in words.split(",") if entry)
    return {int(epoch): int(start) for epoch, start in pairs}


def scope_for(questions: Sequence[LineageQuestion]) -> TieredScope:
    """A scope large enough for all questions; others of their size share it."""
    offsets, epochs = [0], [0]
    for question in questions:
        offsets += [question.start_offset, question.end_offset, question.log_end_offset]
        for lineage in (question.segment_lineage, question.lineage):
            offsets += lineage.values()
            epochs += lineage
    return _scope(1 << max(offsets).bit_length(), max(epochs) + 1)


@cache
def _scope(offsets: int, leader_epochs: int) -> TieredScope:
    return TieredScope(offsets=offsets, leader_epochs=leader_epochs, segment_ids=1)


def state_of(question: LineageQuestion, scope: TieredScope) -> Any:
    """The state that asks the question."""
    state = SegmentAndLineage.at_start(scope).copy_for("the recording")
    state.segment.start_offset = question.start_offset
    state.segment.end_offset = question.end_offset
    fill(state.segment.lineage, question.segment_lineage)
    fill(state.lineage, question.lineage)
    return state


def fill(lineage: Any, entries: Entries) -> None:
    """Put entries into an empty lineage without checks."""
    for epoch, start in entries.items():
        lineage[epoch] = start


def answer_to(question: LineageQuestion, scope: TieredScope, is_filtered: bool = False) -> str:
    """The model's answer, in the words of the recordings."""
    state = state_of(question, scope)
    answer = within_leader_epochs(
        state.segment, state.lineage, question.log_end_offset, is_filtered
    )
    return ANSWERS[answer]
