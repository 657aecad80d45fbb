"""Records that no broker would write are judged without an error, and what is said stays true."""

import random

import pyarrow as pa
import pytest

from tests.audit.records import DELETED, DELETING, FINISHED, NOW, STARTED, Bucket, Topic, judged
from tierproof import diagrams
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.axis import pictures_of
from tierproof.conformance.audit.judging import judge
from tierproof.conformance.audit.kept import segments_table
from tierproof.conformance.audit.objects import LOCAL, OTHER
from tierproof.conformance.audit.stepped import itf_of
from tierproof.conformance.audit.summary import Audit
from tierproof.conformance.audit.tables import KINDS, RECORDS, SET_ASIDE
from tierproof.conformance.audit.tracing import trace_of

FAR = (-(2**63), -1, 0, 1, 2**31, 2**62, 2**63 - 1)
FIELDS = {
    "start_offset": FAR,
    "end_offset": FAR,
    "segment_bytes": (-1, 0, 2**31 - 1),
    "leader_epochs": ([], [0], [5, 3], [2**31 - 1], [0, 0], None),
    "epoch_starts": ([], [0], [7, 2], [2**63 - 1], None),
    "state": (STARTED, FINISHED, DELETING, DELETED, None, "SOMETHING"),
    "kind": (*KINDS, "other"),
    "segment_id": ("", "short", None),
    "topic": (None, "", "x" * 300),
    "topic_id": (None, ""),
    "partition": (None, -1, 2**31 - 1),
    "appended_ms": FAR,
    "event_ms": (*FAR, None),
    "broker_id": (None, -1),
    "version": (None, 7),
    "record_offset": (0, 3, 2**62),
    "metadata_partition": (0, 9, -1),
    "txn_index_empty": (None, False),
}


def mutated(seed):
    """A history some of whose fields are strange, some of whose records are lost or doubled."""
    chosen = random.Random(seed)
    topic = Topic()
    for n in range(12):
        topic.partition = n % 2
        topic.copied(f"S{n}", 10 * n, 10 * n + 9, {0: 10 * n, 1: 10 * n + 3})
        if n % 3 == 0:
            topic.deleted(f"S{n}")
    rows = [row for row in topic.rows if chosen.random() > 0.1]
    rows += [dict(row) for row in rows if chosen.random() < 0.1]
    for row in rows:
        while chosen.random() < 0.2:
            name = chosen.choice(list(FIELDS))
            row[name] = chosen.choice(FIELDS[name])
    if chosen.random() < 0.5:
        chosen.shuffle(rows)
    topic.rows = rows
    return topic


@pytest.mark.parametrize("first", range(0, 90, 30))
def test_nothing_strange_ends_an_audit(first):
    for seed in range(first, first + 30):
        topic = mutated(seed)
        bucket = Bucket(Topic())
        bucket.put("S1", 10, files=("log",))
        asked = Asked(
            now_ms=NOW,
            layout=LOCAL if seed % 2 else OTHER,
            local_log_starts={("orders", 0): 45},
            log_starts={("orders", 0): 0},
        )
        records = pa.Table.from_pylist(topic.rows, schema=RECORDS.remove_metadata())
        found = judge([records], asked, bucket.table())
        audit = Audit(
            asked,
            found.accusations,
            found.facts,
            SET_ASIDE.empty_table(),
            pictures=pictures_of(found),
        )
        diagrams.audit_as_page(audit.as_dict())
        assert len(segments_table(found)) == len(found.segments)
        places = found.history.places
        for place in range(len(places)) if seed % 5 == 0 else ():
            if places.partition[place] >= 0:
                trace_of(found, places.name(place))
                itf_of(found, places.name(place))


def test_records_in_any_order_and_twice_are_judged_as_in_theirs():
    topic = Topic()
    for n in range(6):
        topic.copied(f"S{n}", 10 * n, 10 * n + 9)
    topic.deleted("S2")
    expected = judged(topic).accusations.to_pylist()
    assert expected
    topic.rows = [*reversed(topic.rows), *topic.rows[::2]]
    assert judged(topic).accusations.to_pylist() == expected
