"""A batch, a marker or a deletion that a leader refuses is a step of a cleaner's recording."""

import pytest

from tierproof.conformance.cleaner import replay, row_for

CONFIG = {
    "cleanup.policy": "compact",
    "internal.segment.bytes": 600,
    "segment.index.bytes": 96,
    "index.interval.bytes": 1,
    "delete.retention.ms": 10,
    "min.compaction.lag.ms": 0,
    "max.compaction.lag.ms": 1 << 62,
    "min.cleanable.dirty.ratio": 0.5,
    "retention.ms": -1,
    "retention.bytes": -1,
}
BYTES = 70
OUT_OF_ORDER = "OutOfOrderSequenceException"


def history(*steps):
    return {
        "seed": 1,
        "kind": "txn",
        "config": CONFIG,
        "slots": 4,
        "load_factor": 1,
        "producer_id_expiration_ms": 50,
        "hw_mode": "auto",
        "keys": 2,
        "steps": list(steps),
    }


def batch(sequence, *, epoch=0, tx=False, **answer):
    """A batch of one record of producer 1."""
    return {
        "op": "append",
        "pid": 1,
        "epoch": epoch,
        "seq": sequence,
        "tx": tx,
        "ts": 1000,
        "records": [[0, 1]],
        **answer,
    }


def marker(epoch=0, **answer):
    return {"op": "marker", "pid": 1, "epoch": epoch, "type": "COMMIT", "ts": 1000, **answer}


def appended(at, bytes=BYTES):
    """The answer and the log after a record at that offset, none of whose batches is open."""
    sizes = BYTES * at + bytes
    return {"at": [at, at], "bytes": bytes, **log(at + 1, sizes)}


def log(end, bytes, stable=None):
    st = [0, end, end if stable is None else stable, end]
    return {"st": st, "segs": [[0, bytes]]}


def refused(error, end=1, bytes=BYTES, **more):
    return {"error": error, **log(end, bytes, **more)}


def found(*steps):
    return row_for("the row", history(*steps))


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (batch(2), OUT_OF_ORDER),
        (batch(1, epoch=1), OUT_OF_ORDER),
        (marker(epoch=-1), "InvalidProducerEpochException"),
        ({"op": "start", "offset": 2}, "OffsetOutOfRangeException"),
    ],
)
def test_a_step_that_the_leader_refuses_agrees_and_changes_nothing(step, error):
    assert found(batch(0, **appended(0)), {**step, **refused(error)}).agrees
    again = found(batch(0, **appended(0)), {**step, **refused(error)}, batch(1, **appended(1)))
    assert again.agrees


def test_a_batch_of_an_earlier_epoch_is_refused():
    error = "InvalidProducerEpochException"
    row = found(batch(0, epoch=1, **appended(0)), batch(1, epoch=0, **refused(error)))
    assert row.agrees


def test_a_batch_outside_the_open_transaction_is_refused():
    opened = batch(0, tx=True, at=[0, 0], bytes=BYTES, **log(1, BYTES, stable=0))
    row = found(opened, batch(1, **refused("InvalidTxnStateException", stable=0)))
    assert row.agrees


def test_a_producer_that_was_forgotten_may_begin_with_any_sequence():
    tick = {"op": "tick", "ms": 50, "now": 1050}
    expire = {"op": "expire", "producers": {}, **log(1, BYTES)}
    assert found(batch(0, **appended(0)), tick, expire, batch(9, **appended(1))).agrees


def test_a_refusal_that_the_model_does_not_make_is_named():
    row = found(batch(0, **appended(0)), batch(1, **refused(OUT_OF_ORDER)))
    assert (row.at, row.recorded) == ("step 2: append", {"error": OUT_OF_ORDER})
    assert row.modelled == {"error": None}


def test_a_refusal_that_the_recording_does_not_have_is_named():
    row = found(batch(0, **appended(0)), batch(5, **appended(1)))
    assert (row.at, row.recorded) == ("step 2: append", {"error": None})
    assert row.modelled == {"error": OUT_OF_ORDER}


def test_a_refusal_that_is_recorded_as_another_is_named():
    row = found(batch(0, **appended(0)), batch(5, **refused("RecordTooLargeException")))
    assert row.recorded == {"error": "RecordTooLargeException"}
    assert row.modelled == {"error": OUT_OF_ORDER}


@pytest.mark.parametrize("field", ["st", "segs"])
def test_the_log_after_a_refusal_is_compared(field):
    step = batch(5, **refused(OUT_OF_ORDER))
    del step[field]
    row = found(batch(0, **appended(0)), step)
    assert row.recorded == {field: "nothing"}


def test_a_batch_that_was_not_refused_needs_its_bytes():
    step = batch(0, **appended(0))
    del step["bytes"]
    refusal = batch(5, **refused(OUT_OF_ORDER))
    rows = list(replay([history(step), history(batch(0, **appended(0)), refusal)]))
    assert rows[0].modelled == "cannot be read: the field steps[0].bytes is missing"
    assert rows[1].agrees


def test_a_batch_that_is_sent_again_is_not_appended_again():
    row = found(batch(0, **appended(0)), batch(0, **appended(1)))
    assert (row.at, row.recorded) == ("step 2: append", {"at": [1, 1]})
    assert row.modelled == {"at": "taken as a duplicate"}
