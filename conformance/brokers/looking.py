"""What can be seen of a tiered partition from outside: offsets, files, objects, metadata."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError

from tierproof.conformance.brokers.client import OFFSETS, Client
from tierproof.conformance.brokers.cluster import METADATA_TOPIC, Cluster
from tierproof.conformance.brokers.errors import NotSeen, Refused

SEGMENT = re.compile(r"(\d{20})(-[\w-]+)?\.log")

OFFLINE = "Shutdown broker because all log dirs in"

DELETED = re.compile(r"Incremented log start offset to (\d+) due to client delete records request")


@dataclass(frozen=True)
class Seen:
    """A partition as its brokers, its store and its metadata topic show it.

    `offsets` by name, None where the leader refuses to tell; `local` has the first offsets of the
    segment files of each broker; `objects` the first offsets of those in the remote store, one
    for each object; `metadata` the states of each remote segment: (first offset, id, states).
    """

    leader: int | None
    offsets: dict[str, int | None]
    local: dict[int, list[int]]
    objects: list[int]
    metadata: list[tuple[int, str, list[str]]]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return vars(self)

    def __str__(self) -> str:
        offsets = ", ".join(f"{name} {value}" for name, value in self.offsets.items())
        files = "; ".join(f"broker {b} {spans(at)}" for b, at in self.local.items())
        return f"{offsets}; local: {files}; remote: {spans(self.objects)}"


def look(cluster: Cluster, topic: str) -> Seen:
    """Look at the partition; what cannot be told now is None or empty."""
    client, leader = cluster.client, None
    with contextlib.suppress(Refused):
        leader = client.leader(topic)
    return Seen(
        leader=leader,
        offsets={name: _offset(client, topic, name) for name in OFFSETS},
        local={i: local_segments(cluster, i, topic) for i in range(len(cluster.brokers))},
        objects=remote_objects(cluster, topic),
        metadata=metadata(cluster, topic),
    )


def local_segments(cluster: Cluster, broker: int, topic: str) -> list[int]:
    """The first offsets of a broker's segment files."""
    files = (cluster.brokers[broker].data / f"{topic}-0").glob("*.log")
    return sorted(int(found[1]) for file in files if (found := SEGMENT.fullmatch(file.name)))


def local_data(cluster: Cluster, broker: int, topic: str) -> list[int]:
    """The offsets of the records in a broker's segment files, without markers of transactions."""
    jvm, found = cluster.client.jvm, []
    for base in local_segments(cluster, broker, topic):
        path = cluster.brokers[broker].data / f"{topic}-0" / f"{base:020d}.log"
        with contextlib.suppress(Py4JJavaError):  # a segment that has just been removed
            file = jvm.records.FileRecords.open(jvm.classes.java.io.File(str(path)), False)
            for batch in jvm.iterated(file.batches()):
                if not batch.isControlBatch():
                    found += [int(one.offset()) for one in jvm.iterated(batch)]
            file.close()
    return found


def cleaner_checkpoint(cluster: Cluster, broker: int, topic: str) -> int:
    """Where a broker's next pass of the log cleaner begins: 0 before the first has ended."""
    return checkpoint(cluster, broker, topic, "cleaner-offset-checkpoint")


def checkpoint(cluster: Cluster, broker: int, topic: str, name: str) -> int:
    """The offset of the partition in a broker's checkpoint file of that name, 0 without one."""
    file = cluster.brokers[broker].data / name
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    offsets = [line.split()[2] for line in lines if line.startswith(f"{topic} 0 ")]
    return int(offsets[0]) if offsets else 0


def has_no_log_directory(cluster: Cluster, broker: int) -> bool:
    """Whether a broker has ended by itself, as its own log of messages tells: no disk is left."""
    node = cluster.brokers[broker]
    has_ended = node.process is not None and node.process.poll() is not None
    return has_ended and OFFLINE in node.log.read_text("utf-8", "replace")


def deleted_up_to(cluster: Cluster, broker: int) -> int:
    """Up to where a broker has deleted records for a user, as its own log of messages tells."""
    said = cluster.brokers[broker].log.read_text("utf-8", "replace")
    return max((int(found) for found in DELETED.findall(said)), default=0)


def remote_objects(cluster: Cluster, topic: str) -> list[int]:
    """The first offsets of the log segments in the store, one for each object."""
    files = cluster.store.rglob("*.log")
    return sorted(
        int(found[1])
        for file in files
        if file.parent.name.split("-")[0] == topic and (found := SEGMENT.fullmatch(file.name))
    )


def metadata(cluster: Cluster, topic: str) -> list[tuple[int, str, list[str]]]:
    """What the metadata topic says: each remote segment's first offset, id and states."""
    kafka = cluster.client.kafka
    serde = kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde()
    found: dict[str, tuple[int, str, list[str]]] = {}
    try:
        values = cluster.client.values(METADATA_TOPIC)
    except (Refused, NotSeen):
        return []
    for value in values:
        record = serde.deserialize(value)
        if not hasattr(record, "remoteLogSegmentId"):
            continue
        segment = record.remoteLogSegmentId()
        if segment.topicIdPartition().topic() != topic:
            continue
        name = segment.id().toString()
        if record.getClass().getSimpleName() == "RemoteLogSegmentMetadata":
            found[name] = (int(record.startOffset()), name, [])
        if name in found:
            found[name][2].append(record.state().toString())
    return sorted(found.values())


def _offset(client: Client, topic: str, name: str) -> int | None:
    with contextlib.suppress(Refused):
        return client.offset(topic, name)
    return None


def spans(offsets: list[int]) -> str:
    """Offsets in few words: "0..6, 8"; each object of an offset that has several is named."""
    spans: list[list[int]] = []
    for offset in offsets:
        if spans and offset == spans[-1][1] + 1:
            spans[-1][1] = offset
        else:
            spans.append([offset, offset])
    told = (f"{first}..{last}" if last > first else f"{first}" for first, last in spans)
    return ", ".join(told) or "nothing"
