"""Metadata of remote segments, made and read: records have names, Kafka has ids."""

from __future__ import annotations

from functools import cache
from typing import Any

from tierproof.conformance.recorders.bridge import CannotRecord, Classes

SEGMENTS = "org.apache.kafka.server.log.remote.storage"
STARTED = "COPY_SEGMENT_STARTED"
BROKER, TIME_MS, BYTES = 1, 0, 1
"""What no answer depends on: the broker, the times and the size."""


class Segments:
    """Remote segments of one partition by their names."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        topic = classes.kafka.common.TopicPartition("topic", 0)
        self._partition = classes.kafka.common.TopicIdPartition(self._uuid(1, 1), topic)
        self._nothing = classes.java.util.Optional.empty()
        self._names: dict[str, str] = {}
        self.id = cache(self._id)
        self.state = cache(self._state)

    def metadata(self, name: str, start: int, end: int, epochs: str, state: str = STARTED) -> Any:
        """RemoteLogSegmentMetadata."""
        return self._classes.segments.RemoteLogSegmentMetadata(
            self.id(name),
            int(start),
            int(end),
            TIME_MS,
            BROKER,
            TIME_MS,
            BYTES,
            self._nothing,
            self.state(state),
            self._classes.lineage(epochs),
        )

    def update(self, name: str, state: str) -> Any:
        """RemoteLogSegmentMetadataUpdate."""
        return self._classes.segments.RemoteLogSegmentMetadataUpdate(
            self.id(name), TIME_MS, self._nothing, self.state(state), BROKER
        )

    def name(self, id: Any) -> str:
        """The name of a RemoteLogSegmentId. Raises CannotRecord for one that nobody gave."""
        found = id.id().toString()
        if found not in self._names:
            raise CannotRecord(f"Kafka names a segment {found} that no operation gave to it")
        return self._names[found]

    def described(self, metadata: Any) -> str:
        """A segment with its state."""
        return f"{self.name(metadata.remoteLogSegmentId())}/{metadata.state().name()}"

    def _id(self, name: str) -> Any:
        uuid = self._uuid(2, len(self._names) + 1)
        self._names[uuid.toString()] = name
        return self._classes.segments.RemoteLogSegmentId(self._partition, uuid)

    def _state(self, name: str) -> Any:
        return self._classes.segments.RemoteLogSegmentState.valueOf(name)

    def _uuid(self, most: int, least: int) -> Any:
        return self._classes.kafka.common.Uuid(most, least)
