"""`within_leader_epochs.json.gz`, asked again: isRemoteSegmentWithinLeaderEpochs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tierproof.conformance.recorders.asking import Answer, Asked, Recorder, expected
from tierproof.conformance.recorders.bridge import CannotRecord, Classes, Thrown
from tierproof.conformance.recorders.segments import SEGMENTS, Segments

MANAGER = f"{SEGMENTS}.RemoteLogManager"
MANAGER_BEFORE_4 = "kafka.log.remote.RemoteLogManager"
METHOD = "isRemoteSegmentWithinLeaderEpochs"


def read(content: Any) -> list[Asked]:
    """The rows of the file."""
    return [Asked(row[:-1], row[-1]) for row in content["rows"]]


def written(before: Any, rows: Sequence[Asked], version: str) -> Any:
    """The content of a new file; it names its release."""
    told = [[*row.question, row.answer] for row in rows]
    return {"kafka": version, "columns": before["columns"], "rows": told}


def asker(classes: Classes) -> Callable[[list[Any]], Answer]:
    """RemoteLogManager#isRemoteSegmentWithinLeaderEpochs of the release."""
    kind = MANAGER if classes.release.number >= (4, 0) else MANAGER_BEFORE_4
    types = (f"{SEGMENTS}.RemoteLogSegmentMetadata", "long", "java.util.NavigableMap")
    method = classes.method(kind, METHOD, *types)
    segments = Segments(classes)

    def answer(question: list[Any]) -> str:
        start, end, epochs, log_end_offset, leader_epochs = question
        segment = segments.metadata("segment", start, end, epochs)
        arguments = classes.arguments(segment, log_end_offset, classes.lineage(leader_epochs))
        try:
            found = classes.call(method, None, arguments)
        except Thrown as thrown:
            return f"EXC {expected(thrown, ('NoSuchElementException',), question)}"
        if not isinstance(found, bool):
            raise CannotRecord(f"{found!r} is no boolean, as an answer to {question}")
        return str(found).lower()

    return answer


RECORDER = Recorder(
    file="within_leader_epochs.json.gz",
    title="Segments within a lineage",
    asked_of=f"RemoteLogManager#{METHOD}",
    read=read,
    asker=asker,
    written=written,
)
