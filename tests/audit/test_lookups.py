"""What an audit says that lookups reach is what the model's cache, and Kafka's, reached."""

from pathlib import Path

import numpy as np
import pytest

from tests.audit.records import Topic
from tierproof.conformance.audit.history import NONE, history_of
from tierproof.conformance.audit.lookups import reached_of
from tierproof.conformance.audit.segments import segments_of
from tierproof.conformance.cache import Session
from tierproof.conformance.files import content_of
from tierproof.conformance.lineage import entries_of
from tierproof.model.kafka.remote_metadata_cache import is_listed, lookup
from tierproof.model.kafka.remote_segment import SegmentState

RECORDING = Path(__file__).parents[2] / "conformance" / "recordings" / "metadata_cache.jsonl.gz"
EVERY = 30


def records_of(operations):
    """The records that a cache was given, and the names of their segments."""
    topic = Topic()
    for operation in operations:
        verb, *words = operation.split()
        if verb == "add":
            state = words[4] if len(words) > 4 else "COPY_SEGMENT_STARTED"
            topic.started(words[0], int(words[1]), int(words[2]), entries_of(words[3]), state=state)
        elif verb == "upd":
            topic.update(words[0], words[1])
    return topic


def is_plain(operations):
    """No id is described twice: the model leaves these out."""
    added = [operation.split()[1] for operation in operations if operation.startswith("add")]
    return len(added) == len(set(added))


def lookups_of(topic, epochs, offsets):
    """[epoch, offset] -> the segment that serves it, by the audit."""
    history = history_of([topic.table()])
    segments = segments_of(history)
    reached = reached_of(history, segments)
    found = np.full((epochs, offsets), NONE)
    stretches = reached.stretches
    for n, segment in enumerate(stretches.segment.tolist()):
        if reached.served_last[n] >= stretches.start[n]:
            served = slice(stretches.start[n], reached.served_last[n] + 1)
            found[stretches.epoch[n], served] = segment
    names = [one.as_py() for one in history.segment_ids]
    return found, names, reached, segments


def test_lookups_of_recorded_caches_are_those_of_the_audit():
    compared = 0
    for row in list(content_of(RECORDING))[::EVERY]:
        operations = [one for one in row["ops"] if one.split()[0] in ("add", "upd", "init")]
        if not is_plain(operations):
            continue
        session = Session(operations)
        for operation in operations:
            session.answer_to(operation)
        found, names, reached, segments = lookups_of(
            records_of(operations), session.scope.leader_epochs, session.scope.offsets
        )
        ids = {known: n for n, known in enumerate(uuids(session.names))}
        for epoch, offset in np.ndindex(found.shape):
            expected = lookup(session.cache, session.segment, epoch, offset)
            segment = found[epoch, offset]
            assert expected == (NONE if segment == NONE else ids[names[segment]]), row["ops"]
        for n, name in enumerate(names):
            if segments.state[n] == SegmentState.COPY_SEGMENT_FINISHED:
                listed = [
                    is_listed(session.cache, epoch, ids[name])
                    for epoch in range(session.scope.leader_epochs)
                ]
                assert reached.is_listed[n] == any(listed)
        compared += 1
    assert compared > 15


def uuids(names):
    """The ids that records have for names."""
    from tests.audit.records import uuid

    return [uuid(name) for name in names]


@pytest.mark.parametrize("count", [2, 40])
def test_equal_copies_replace_each_other_in_their_order(count):
    topic = Topic()
    for n in range(count):
        topic.copied(f"S{n}", 0, 9)
    found, names, _, _ = lookups_of(topic, 1, 10)
    assert {names[n] for n in found[0]} == {uuids([f"S{count - 1}"])[0]}
