"""The expectations of an integration test's script: each phrase, in the script's words.

The words are the script's, the numbers the model's. If partitions or replicas differ, all their
answers are given, which matches no script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tierproof.conformance.consuming import consume
from tierproof.conformance.replicas import Replicas
from tierproof.conformance.topic import Topic


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def spans_of(spans: Iterable[Sequence[int]]) -> str:
    """Segments by their offsets: the first and the last, or the only one."""
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in spans)


def joined(answers: Iterable[Any]) -> str:
    """The common answer, or all answers if they differ."""
    return " / ".join(sorted({str(answer) for answer in answers}))


def of_all(topic: Topic, question: Callable[[Replicas], Any]) -> str:
    """The answers of all partitions."""
    return joined(question(partition) for partition in topic.settled())


# -- the facts


def records_read(topic: Topic, found: re.Match[str]) -> str:
    """The number of records that the last consumer got, and how many from the remote tier."""
    return joined(
        f"{counted(read.records, 'record')}, {read.remote}{found['from'] or ''} remote"
        for read in topic.consumed
    )


def reset(topic: Topic, found: re.Match[str]) -> str:
    """The offset to which a consumer is reset that asked for one out of range."""
    topic.consumed = [consume(partition, int(found[1])) for partition in topic.settled()]
    return f"consume {found[1]} -> reset to {joined(read.start_offset for read in topic.consumed)}"


def nothing_remote(topic: Topic, _: re.Match[str]) -> str:
    """The remote store is empty."""
    return f"remote {of_all(topic, lambda partition: spans_of(partition.objects())) or 'empty'}"


def remote_segments(topic: Topic, found: re.Match[str]) -> str:
    """The segments in the remote store."""
    spans = of_all(topic, lambda partition: spans_of(partition.objects()))
    return f"{found['before'] or ''}{spans}{found['after'] or ''}"


def earliest_local(topic: Topic, _: re.Match[str]) -> str:
    """The start of the first local segment, at every replica."""
    return f"local earliest {of_all(topic, lambda partition: joined(partition.earliest_local()))}"


def copied_in_line(topic: Topic, found: re.Match[str]) -> str:
    """The named segments that were copied since the line began, and the brokers that copied.

    Other segments may be copied, too: the tests do not wait for every copy.
    """
    named = re.split(r"(, ?| and )", found["spans"])

    def words(partition: Replicas) -> str:
        by = {spans_of([copied[1:]]): copied.broker for copied in partition.copied}
        copied = "".join(word for word in named if word in by or word in named[1::2])
        brokers = joined(by[word] for word in named if word in by)
        return f"{found['segs']}{copied} offloaded{f' by b{brokers}' if found['by'] else ''}"

    return of_all(topic, words)


def deleted(topic: Topic, _: re.Match[str]) -> str:
    """The number of objects deleted since the line began."""
    return of_all(
        topic, lambda partition: f"{counted(len(partition.deleted), 'remote segment')} deleted"
    )


def deleted_by(topic: Topic, _: re.Match[str]) -> str:
    """The number of objects that each broker deleted, for each partition."""
    told = [
        f"{partition.deleted.count(broker)} by b{broker} for p{number}"
        for number, partition in enumerate(topic.settled())
        for broker in sorted(set(partition.deleted))
    ]
    return " and ".join(told).replace(" by", " DELETE_SEGMENT by", 1)


def first_epoch(topic: Topic, found: re.Match[str]) -> str:
    """The first entry of the leader's lineage."""
    epochs = of_all(topic, lambda partition: partition.first_entry()[0])
    starts = of_all(topic, lambda partition: partition.first_entry()[1])
    if found["starts"]:
        return f"leader epoch checkpoint starts (epoch {epochs}, offset {starts}"
    return f"epoch checkpoint ({epochs},{starts}"


Fact = Callable[[Topic, re.Match[str]], str]
SPANS = r"\d+(?:-\d+)?(?:(?:, ?| and )\d+(?:-\d+)?)*"

FACTS: dict[str, Fact] = {
    r"\d+ records?, \d+(?P<from> from)? remote": records_read,
    r"consume (\d+) -> reset to \d+": reset,
    r"remote empty": nothing_remote,
    rf"(?P<before>remote segs ){SPANS}(?P<after>)": remote_segments,
    rf"(?P<before>segs? )?{SPANS}(?P<after> remote)\b(?! seg)": remote_segments,
    r"local earliest \d+": earliest_local,
    rf"(?P<segs>seg(?:ment)?s? )(?P<spans>{SPANS}) offloaded(?P<by> by b\d+)?": copied_in_line,
    r"\d+ remote segments? deleted": deleted,
    r"\d+ DELETE_SEGMENT by b\d+ for p\d+(?: and \d+ by b\d+ for p\d+)*": deleted_by,
    r"leader epoch checkpoint (?P<starts>starts) \(epoch \d+, offset \d+": first_epoch,
    r"epoch checkpoint(?P<starts>) \(\d+,\d+": first_epoch,
}
"""Phrase -> the same phrase with the model's values."""
