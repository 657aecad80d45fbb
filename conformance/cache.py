"""`metadata_cache.jsonl.gz`: operations on one RemoteLogMetadataCache, and all its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from tierproof.conformance.lineage import entries_of, fill
from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import NOT_REPLAYED, Row, row_of_answers
from tierproof.model.kafka.remote_metadata_cache import (
    CacheOutcome,
    MetadataCache,
    SegmentMetadata,
    add,
    highest_offset_for_epoch,
    is_unreferenced,
    lookup,
    next_listed,
    next_tracked,
    update,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import TieredScope
from tierproof.model.language import NONE, Array, State

ANSWERS = {
    CacheOutcome.APPLIED: "ok",
    CacheOutcome.DROPPED: "ok",
    CacheOutcome.ILLEGAL_ARGUMENT: "EXC IllegalArgumentException",
    CacheOutcome.RESOURCE_NOT_FOUND: "EXC RemoteResourceNotFoundException",
}

VERBS = {
    "init": "init",
    "add": "add",
    "upd": "update",
    "lookup": "lookup",
    "highest": "highest",
    "list": "list",
    "listall": "list_all",
    "ref": "referenced",
    "unref": "unreferenced",
}
"""The words of the recordings, and the methods of a session that answer them."""


class CachedSegments(State):
    """One cache, and the segments of its records."""

    cache: MetadataCache
    segment: Annotated[list[SegmentMetadata], Array(TieredScope.segment_ids)]


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file: one for each sequence of operations."""
    return read_rows(
        content,
        lambda number, row: row_for(f"sequence {number}", row["ops"], row["results"]),
    )


def row_for(name: str, operations: Sequence[str], recorded: Sequence[str]) -> Row:
    """One sequence, with the model's answers; its first difference, if it has one."""
    session = Session(operations)
    modelled = [session.answer_to(operation) for operation in operations]
    return row_of_answers(name, operations, recorded, modelled)


class Session:
    """A cache in a scope large enough for `operations`, which name segments."""

    def __init__(self, operations: Sequence[str]) -> None:
        self.names: list[str] = []
        offsets, epochs, added = [0], [0], []
        for operation in operations:
            verb, *words = operation.split()
            if verb in ("add", "upd") and words[0] not in self.names:
                self.names.append(words[0])
            if verb == "add":
                added.append((words[0], int(words[1]), int(words[2]), entries_of(words[3])))
                offsets += [added[-1][1], added[-1][2], *added[-1][3].values()]
                epochs += added[-1][3]
            elif verb in ("lookup", "highest", "list", "ref", "unref"):
                epochs.append(int(words[0]))
        self.scope = TieredScope(
            offsets=max(offsets) + 1,
            leader_epochs=max(epochs) + 1,
            segment_ids=max(1, len(self.names)),
        )
        self.state = CachedSegments.at_start(self.scope).copy_for("the recording")
        self.cache, self.segment = self.state.cache, self.state.segment
        for name, start, end, entries in added:
            mine = self.segment[self.names.index(name)]
            mine.start_offset, mine.end_offset = start, end
            fill(mine.lineage, entries)

    def answer_to(self, operation: str) -> str:
        """The model's answer to one operation, in the words of the recordings."""
        verb, *words = operation.split()
        return str(getattr(self, VERBS[verb])(*words)) if verb in VERBS else NOT_REPLAYED

    def name(self, id: int) -> str:
        """The name of a segment id; `null` for NONE."""
        return "null" if id == NONE else self.names[id]

    def described(self, id: int) -> str:
        """A segment with its state."""
        return f"{self.names[id]}/{self.cache.state[id].name}"

    def listed(self, epoch: int) -> list[int]:
        """listRemoteLogSegments(epoch), in order."""
        found, id = [], next_listed(self.cache, self.segment, epoch, NONE)
        while id != NONE:
            found.append(id)
            id = next_listed(self.cache, self.segment, epoch, id)
        return found

    def init(self) -> str:
        """markInitialized."""
        self.cache.is_initialized = True
        return "ok"

    def add(
        self, name: str, start: str, end: str, epochs: str, state: str = "COPY_SEGMENT_STARTED"
    ) -> str:
        """addCopyInProgressSegment; the session knows the segment from its beginning."""
        id = self.names.index(name)
        return ANSWERS[add(self.cache, self.segment, id, SegmentState[state])]

    def update(self, name: str, state: str) -> str:
        """updateRemoteLogSegmentMetadata."""
        id = self.names.index(name)
        return ANSWERS[update(self.cache, self.segment, id, SegmentState[state])]

    def lookup(self, epoch: str, offset: str) -> str:
        """remoteLogSegmentMetadata."""
        return self.name(lookup(self.cache, self.segment, int(epoch), int(offset)))

    def highest(self, epoch: str) -> str:
        """highestOffsetForEpoch."""
        found = highest_offset_for_epoch(self.cache, int(epoch))
        return "null" if found == NONE else str(found)

    def list(self, epoch: str) -> str:
        """listRemoteLogSegments(epoch): as sorted text, and whether Kafka's order was by start."""
        ids = self.listed(int(epoch))
        starts = [self.segment[id].start_offset for id in ids]
        found = sorted(f"{self.segment[id].start_offset}@{self.described(id)}" for id in ids)
        return f"{'sorted' if starts == sorted(starts) else 'UNSORTED'} {' '.join(found)}"

    def list_all(self) -> str:
        """listAllRemoteLogSegments, which the recordings sort as text."""
        found, id = [], next_tracked(self.cache, NONE)
        while id != NONE:
            found.append(self.described(id))
            id = next_tracked(self.cache, id)
        return " ".join(sorted(found))

    def referenced(self, epoch: str) -> str:
        """The values of offsetToId in the order of their keys."""
        e = int(epoch)
        found = [id for id in self.listed(e) if not is_unreferenced(self.cache, e, id)]
        return " ".join(self.names[id] for id in sorted(found, key=self._start_in(e)))

    def unreferenced(self, epoch: str) -> str:
        """unreferencedSegmentIds, which the recordings sort as text."""
        e = int(epoch)
        found = [self.names[id] for id in self.listed(e) if is_unreferenced(self.cache, e, id)]
        return " ".join(sorted(found))

    def _start_in(self, epoch: int) -> Callable[[int], int]:
        return lambda id: int(self.segment[id].lineage[epoch])
