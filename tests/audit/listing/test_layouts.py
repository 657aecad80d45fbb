"""Keys of the layouts that are built in, and of templates, say whose segment they are."""

import pyarrow as pa
import pytest

from tierproof.conformance.audit.listing.layouts import BUILT_IN, Raw, layout_of
from tierproof.conformance.audit.reading import NotReadable
from tierproof.conformance.audit.tables import OBJECTS

TOPIC_ID = "b9_WLgA_RQWm9nL5uH3yQA"
SEGMENT_ID = "-DJCBs0JQvm5SNvK150s0-"
SAID = ("file", "topic", "topic_id", "partition", "start_offset", "segment_id")


def said(key, layouts=BUILT_IN):
    """What a key says, in the order of SAID."""
    numbers = pa.array([1], pa.int64())
    rows = Raw(pa.array([key]), numbers, numbers).laid_out(layouts)
    assert rows.schema == OBJECTS
    return tuple(rows.to_pylist()[0][name] for name in SAID)


@pytest.mark.parametrize("prefix", ["", "tiered/", "a/deep-1/prefix/"])
@pytest.mark.parametrize(
    ("suffix", "file"), [("log", "log"), ("indexes", "indexes"), ("rsm-manifest", "manifest")]
)
def test_objects_of_aiven_s_plugin(prefix, suffix, file):
    key = f"{prefix}orders-eu-{TOPIC_ID}/12/00000000000000000023-{SEGMENT_ID}.{suffix}"
    assert said(key) == (file, "orders-eu", TOPIC_ID, 12, 23, SEGMENT_ID)


@pytest.mark.parametrize(
    ("suffix", "file"),
    [
        ("log", "log"),
        ("index", "offset_index"),
        ("timeindex", "time_index"),
        ("txnindex", "transaction_index"),
        ("leader_epoch_checkpoint", "leader_epoch_checkpoint"),
        ("snapshot", "producer_snapshot"),
    ],
)
def test_files_of_local_tiered_storage(suffix, file):
    key = f"kafka-tiered-storage/a.b-c-3-{TOPIC_ID}/00000000000000000000-{SEGMENT_ID}.{suffix}"
    assert said(key) == (file, "a.b-c", TOPIC_ID, 3, 0, SEGMENT_ID)


@pytest.mark.parametrize(
    "key",
    [
        "notes.txt",
        f"orders-{TOPIC_ID}/x/00000000000000000023-{SEGMENT_ID}.log",
        f"orders-{TOPIC_ID}/1/00000000000000000023-{SEGMENT_ID}.parquet",
        f"orders-{TOPIC_ID}/1/00000000000000000023-{SEGMENT_ID}.log.tmp",
        f"orders-{TOPIC_ID}/1/99999999999999999999-{SEGMENT_ID}.log",
        f"orders-{TOPIC_ID}/9999999999/00000000000000000023-{SEGMENT_ID}.log",
    ],
)
def test_a_key_of_no_layout_says_nothing(key):
    assert said(key) == (None,) * len(SAID)


def test_a_template_names_the_fields_of_another_store():
    layout = layout_of("{topic_id}.{partition}/{segment_id}_{start_offset}.{file}")
    key = f"x/{TOPIC_ID}.4/{SEGMENT_ID}_77.timeindex"
    assert said(key, (layout,)) == ("time_index", None, TOPIC_ID, 4, 77, SEGMENT_ID)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{segment}/{file}", "no field {segment}: its fields are {topic}"),
        ("{segment_id}{segment_id}.{file}", "names a field twice"),
        ("{topic}/{file}", "needs {segment_id} and {file}"),
        ("{}", "no field {}"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(template, words):
    with pytest.raises(NotReadable, match=words):
        layout_of(template)
