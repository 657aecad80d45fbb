"""`metadata_cache.jsonl.gz`, asked again: sequences of operations on one RemoteLogMetadataCache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tierproof.conformance.cache import VERBS
from tierproof.conformance.recorders.asking import Answer, Asked, Recorder, expected
from tierproof.conformance.recorders.bridge import CannotRecord, Classes, Thrown
from tierproof.conformance.recorders.segments import SEGMENTS, STARTED, Segments

STORAGE = "org.apache.kafka.server.log.remote.metadata.storage"
CACHE = f"{STORAGE}.RemoteLogMetadataCache"
EPOCH_STATE = f"{STORAGE}.RemoteLogLeaderEpochState"
REFUSALS = ("IllegalArgumentException", "RemoteResourceNotFoundException")


def read(content: Any) -> list[Asked]:
    """The rows of the file."""
    return [Asked(list(row["ops"]), list(row["results"])) for row in content]


def written(before: Any, rows: Sequence[Asked], version: str) -> Any:
    """The content of a new file; each row names the release."""
    return [{"kafka": version, "ops": row.question, "results": row.answer} for row in rows]


class Methods:
    """Methods of the cache, found once."""

    def __init__(self, classes: Classes) -> None:
        self.init = classes.method(CACHE, "markInitialized")
        metadata = f"{SEGMENTS}.RemoteLogSegmentMetadata"
        self.add = classes.method(CACHE, "addCopyInProgressSegment", metadata)
        self.update = classes.method(CACHE, "updateRemoteLogSegmentMetadata", f"{metadata}Update")
        self.lookup = classes.method(CACHE, "remoteLogSegmentMetadata", "int", "long")
        self.highest = classes.method(CACHE, "highestOffsetForEpoch", "int")
        self.list = classes.method(CACHE, "listRemoteLogSegments", "int")
        self.list_all = classes.method(CACHE, "listAllRemoteLogSegments")
        self.referenced = classes.method(EPOCH_STATE, "referencedSegmentIds")
        self.unreferenced = classes.method(EPOCH_STATE, "unreferencedSegmentIds")


class Session:
    """One RemoteLogMetadataCache; each operation has one answer."""

    def __init__(self, classes: Classes, methods: Methods, segments: Segments) -> None:
        self._classes, self._methods, self._segments = classes, methods, segments
        self._cache = classes.kafka.server.log.remote.metadata.storage.RemoteLogMetadataCache()
        self._epochs = classes.field(CACHE, "leaderEpochEntries", self._cache)

    def answer_to(self, operation: str) -> str:
        """Kafka's answer. Raises CannotRecord for an operation that is unknown."""
        verb, *words = operation.split()
        if verb not in VERBS:
            raise CannotRecord(f"there is no operation {operation!r} of a cache")
        try:
            return str(getattr(self, VERBS[verb])(*words))
        except Thrown as thrown:
            return f"EXC {expected(thrown, REFUSALS, operation)}"

    def init(self) -> str:
        """markInitialized."""
        self._call(self._methods.init)
        return "ok"

    def add(self, name: str, start: str, end: str, epochs: str, state: str = STARTED) -> str:
        """addCopyInProgressSegment."""
        made = self._segments.metadata(name, int(start), int(end), epochs, state)
        self._call(self._methods.add, self._classes.arguments(made))
        return "ok"

    def update(self, name: str, state: str) -> str:
        """updateRemoteLogSegmentMetadata."""
        made = self._segments.update(name, state)
        self._call(self._methods.update, self._classes.arguments(made))
        return "ok"

    def lookup(self, epoch: str, offset: str) -> str:
        """remoteLogSegmentMetadata."""
        arguments = self._classes.numbers(int(epoch), int(offset))
        found = self._call(self._methods.lookup, arguments).orElse(None)
        return "null" if found is None else self._segments.name(found.remoteLogSegmentId())

    def highest(self, epoch: str) -> str:
        """highestOffsetForEpoch."""
        found = self._call(self._methods.highest, self._classes.numbers(int(epoch))).orElse(None)
        return "null" if found is None else str(int(found))

    def list(self, epoch: str) -> str:
        """listRemoteLogSegments(epoch): sorted as text, and whether Kafka sorted by start."""
        listed = self._call(self._methods.list, self._classes.numbers(int(epoch)))
        found = [(one.startOffset(), self._segments.described(one)) for one in each(listed)]
        starts = [start for start, _ in found]
        words = sorted(f"{start}@{segment}" for start, segment in found)
        return f"{'sorted' if starts == sorted(starts) else 'UNSORTED'} {' '.join(words)}"

    def list_all(self) -> str:
        """listAllRemoteLogSegments, sorted as text."""
        listed = self._call(self._methods.list_all)
        return " ".join(sorted(map(self._segments.described, each(listed))))

    def referenced(self, epoch: str) -> str:
        """The values of offsetToId in the order of their keys."""
        return " ".join(self._ids(self._methods.referenced, int(epoch)))

    def unreferenced(self, epoch: str) -> str:
        """unreferencedSegmentIds, sorted as text."""
        return " ".join(sorted(self._ids(self._methods.unreferenced, int(epoch))))

    def _ids(self, method: Any, epoch: int) -> Sequence[str]:
        state = self._epochs.get(epoch)
        if state is None:
            return []
        ids = self._classes.call(method, state).iterator()
        return [self._segments.name(id) for id in each(ids)]

    def _call(self, method: Any, arguments: Any = None) -> Any:
        return self._classes.call(method, self._cache, arguments)


def each(iterator: Any) -> Iterator[Any]:
    """The elements of a java.util.Iterator."""
    while iterator.hasNext():
        yield iterator.next()


def asker(classes: Classes) -> Callable[[list[Any]], Answer]:
    """A new cache of the release for each sequence."""
    methods, segments = Methods(classes), Segments(classes)

    def answer(operations: list[Any]) -> Answer:
        session = Session(classes, methods, segments)
        return [session.answer_to(operation) for operation in operations]

    return answer


RECORDER = Recorder(
    file="metadata_cache.jsonl.gz",
    title="The metadata cache",
    asked_of="RemoteLogMetadataCache",
    read=read,
    asker=asker,
    written=written,
)
