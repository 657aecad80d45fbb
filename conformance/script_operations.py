"""The operations of an integration test's script: each phrase and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable

from tierproof.conformance.consuming import consume
from tierproof.conformance.replaying import MS_BETWEEN_RECORDS
from tierproof.conformance.topic import Topic, expect

LOCAL = ("local.retention.bytes", "local.retention.ms")
FULL_NAMES = {
    "copy.disable": ("remote.log.copy.disable",),
    "delete.on.disable": ("remote.log.delete.on.disable",),
    "local.retention.*": LOCAL,
    "local": LOCAL,
}
"""Abbreviated setting names in scripts."""


def numbers_in(text: str) -> list[int]:
    """All numbers of a text, in order."""
    return [int(number) for number in re.findall(r"\d+", text)]


# -- the topic


def create(topic: Topic, found: re.Match[str]) -> None:
    """Create partitions with this many replicas; brokers lead them in turn."""
    topic.broker_count = int(found[2])
    topic.leaders = [number % topic.broker_count for number in range(int(found[1]))]


def lead_partitions(topic: Topic, found: re.Match[str]) -> None:
    """Create partitions with the given leaders."""
    topic.leaders = numbers_in(found[2])
    expect(found[1], str(len(topic.leaders)))


def size_segments(topic: Topic, found: re.Match[str]) -> None:
    """Set the number of records per segment."""
    topic.records_per_segment = int(found[1])


def change(topic: Topic, found: re.Match[str]) -> None:
    """Set a setting: full name, abbreviation, or both local retentions; tiering is on or off."""
    name, value = found[1], found[2]
    if name == "remote":
        name, value = "remote.storage.enable", str(value == "on").lower()
    topic.settings.update(dict.fromkeys(FULL_NAMES.get(name, (name,)), value))
    topic.has_new_settings = True


def delete_topic(topic: Topic, _: re.Match[str]) -> None:
    """Delete the topic with all partitions."""
    for partition in topic.partitions():
        partition.delete_topic()


# -- records


def produce(topic: Topic, found: re.Match[str]) -> None:
    """Produce records: a number, or named ones, some with a time in ms after the first record."""
    named, partitions = found["records"], topic.partitions()
    if span := re.fullmatch(r"k(\d+)(?:-|\.\.)k(\d+)", named):
        records = [""] * (int(span[2]) - int(span[1]) + 1)
    else:
        records = named.split(",") if named.startswith("k") else [""] * int(named)
    into = numbers_in(found["into"] or "") or range(len(partitions))
    for partition in (partitions[number] for number in into):
        for record in records:
            partition.append(1 if "(ts" in named else MS_BETWEEN_RECORDS)
            if time := re.search(r"\(ts.*\)", record):
                ms = partition.times[-1] - partition.times[0]
                expect(time[0], f"(ts+{ms})" if ms else "(ts)")


def copy_full_segments(topic: Topic, found: re.Match[str]) -> None:
    """Produce records for this many full segments, which are copied, and for the active one."""
    for partition in topic.partitions():
        for _ in range(int(found[1]) * topic.records_per_segment + 1):
            partition.append(MS_BETWEEN_RECORDS)
        partition.settle()
        expect(found[1], str(len(partition.objects())))


def read(topic: Topic, found: re.Match[str]) -> None:
    """Consume up to an offset, or all records."""
    end = int(found["end"]) if found["end"] else None
    topic.consumed = [consume(partition, int(found["start"]), end) for partition in topic.settled()]


def delete_records(topic: Topic, found: re.Match[str]) -> None:
    """Delete the records before an offset."""
    for partition in topic.partitions():
        partition.delete_records_before(found[1])


# -- brokers


def elect(topic: Topic, found: re.Match[str]) -> None:
    """Elect a broker once nothing changes; its epoch must be the script's."""
    for partition in topic.settled():
        expect(found[2], str(partition.elect_broker(int(found[1]))))


def stop_all(topic: Topic, _: re.Match[str]) -> None:
    """Wait until nothing changes; in the model a broker stops and starts in one step."""
    topic.settled()


def erase(topic: Topic, found: re.Match[str]) -> None:
    """Lose a broker's checkpoints except those of leader epochs, whatever the script says.

    Leader epoch checkpoints are in the partitions' folders, which BrokerLocalStorage#eraseStorage
    does not search; the Kafka test does not name them either.
    """
    topic.without_checkpoints = [int(found[1])]


def start(topic: Topic, found: re.Match[str]) -> None:
    """Restart the brokers in this order; the first one leads."""
    for partition in topic.partitions():
        partition.restart_all(numbers_in(found[0]), topic.without_checkpoints)


Operation = Callable[[Topic, re.Match[str]], None]

OPERATIONS: dict[str, Operation] = {
    r"create (?:topicA )?p(\d+) rf(\d+)": create,
    r"(\d+) partitions, leaders ((?:b\d+/?)+)": lead_partitions,
    r"(\d+) rec/seg(?:ment)?\b": size_segments,
    r"(\d+) segs each offloaded": copy_full_segments,
    r"produce (?P<records>k\d+(?:-|\.\.)k\d+|k\d+[^ ;]*|\d+)(?P<into> to p\d+(?: and p\d+)*)?": (
        produce
    ),
    r"(?:set )?([a-z.]+[a-z*])=([-\w]+)": change,
    r"(local) (-?\d+)": change,
    r"(remote) (on|off)": change,
    r"consume (?P<start>\d+)\.\.(?P<end>\d+)": read,
    r"consume from (?P<start>\d+)(?P<end>)": read,
    r"deleteRecords\((\d+)\)": delete_records,
    r"deleteTopic": delete_topic,
    r"leader -> b(\d+) \(?epoch (\d+)": elect,
    r"stop both": stop_all,
    r"erase [\w/-]+ checkpoints on b(\d+)": erase,
    r"start b\d+(?:, b\d+)*": start,
}
"""Phrase -> its operation."""
