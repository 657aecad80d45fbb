"""Scripts of Kafka's integration tests: lines of operations, and lines of expectations.

After each line all brokers run until nothing changes, as the tests wait for what they expect;
time passes only between records. A line of expectations asks questions; the answer repeats
its words with the model's values. Not modelled: consumer groups, log directories, files that
wait for their deletion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tierproof.conformance.consuming import list_offset
from tierproof.conformance.script_facts import FACTS
from tierproof.conformance.script_operations import OPERATIONS
from tierproof.conformance.topic import Topic, UnknownWords, expect

BETWEEN = re.compile(r"(?:\s|->|[;:,()])+")
"""The separator of two phrases."""


def integration(lines: Sequence[str], recorded: Sequence[Any]) -> list[Any]:
    """integration: the answers to the expectations of each line.

    A script with alternatives is run for each; if their answers differ, all are given.
    """
    runs = []
    for chosen in product(*(line.split(" or ") for line in lines)):
        topic = Topic()
        answers = zip(chosen, recorded, strict=True)
        runs.append([answer_to(topic, line, asked) for line, asked in answers])
    return runs[0] if all(run == runs[0] for run in runs) else runs


def answer_to(topic: Topic, line: str, asked: Any) -> Any:
    """Run the operations of a line, wait, and answer its expectations."""
    topic.begin_line()
    for found in phrases(line, [*OPERATIONS, *FACTS]):
        if found.re.pattern in OPERATIONS:
            OPERATIONS[found.re.pattern](topic, found)
        else:
            expect(found[0], FACTS[found.re.pattern](topic, found))
    topic.settled()
    return answer_of(topic, asked)


def answer_of(topic: Topic, asked: Any) -> Any:
    """The answer to the expectations of a line that has run."""
    if isinstance(asked, Mapping):
        return {what: offset_of(topic, what) for what in asked}
    return said(topic, str(asked))


def said(topic: Topic, asked: str) -> str:
    """The words of an expectation with the values of the model."""
    answer, done = "", 0
    for found in phrases(asked, FACTS):
        answer += asked[done : found.start()] + FACTS[found.re.pattern](topic, found)
        done = found.end()
    return answer + asked[done:]


def offset_of(topic: Topic, what: str) -> Any:
    """ListOffsets of all partitions; `ts` is the time of the first record."""
    answers = [list_offset(partition, what, partition.times[0]) for partition in topic.partitions()]
    return answers[0] if all(answer == answers[0] for answer in answers) else answers


def phrases(text: str, known: Iterable[str]) -> Iterator[re.Match[str]]:
    """The match of each phrase of a text, in order. Raises UnknownWords."""
    at = 0
    while at < len(text):
        if between := BETWEEN.match(text, at):
            at = between.end()
            continue
        matches = (re.compile(phrase).match(text, at) for phrase in known)
        found = next((match for match in matches if match), None)
        if found is None:
            raise UnknownWords(f"no phrase for {text[at:]!r}")
        yield found
        at = found.end()
