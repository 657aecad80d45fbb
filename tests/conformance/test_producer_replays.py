"""A history of producers that differs from the model is reported: step, field, both values."""

import copy
from functools import cache
from pathlib import Path

import pytest

from tests.conformance.producer_rules import OTHERS
from tierproof.conformance import NotARecording
from tierproof.conformance.files import content_of
from tierproof.conformance.producers import row_for

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"


@cache
def rows():
    return content_of(RECORDINGS / "producer_state.jsonl.gz")


def row_called(name):
    (row,) = [row for row in rows() if row["id"] == name]
    return copy.deepcopy(row)


def is_told(state):
    """Some producer has a batch and an open transaction, and some snapshot has producers."""
    return (
        state is not None
        and any(one["txn"] is not None and one["batches"] for one in state["prod"].values())
        and any(count for _, count, _ in state["snaps"])
    )


@pytest.fixture
def row():
    return copy.deepcopy(
        next(row for row in rows() if any(is_told(step["state"]) for step in row["steps"]))
    )


def told_step(row):
    """The number of the step that is changed, and the step."""
    return next(
        (number, step)
        for number, step in enumerate(row["steps"], start=1)
        if is_told(step["state"])
    )


def told_producer(step):
    return next(
        producer
        for producer in step["state"]["prod"].values()
        if producer["txn"] is not None and producer["batches"]
    )


def differing(row):
    """The row as the model sees it: the place, and the fields on both sides."""
    found = row_for("the row", row)
    assert not found.agrees
    return found


@pytest.mark.parametrize("field", ["now", "lso", "leo", "stable", "map_end"])
def test_an_offset_or_a_clock_that_differs_is_named(row, field):
    number, step = told_step(row)
    theirs = step["state"][field]
    step["state"][field] += 1
    found = differing(row)
    assert found.at == f"step {number}: {step['op']}"
    assert (found.recorded, found.modelled) == ({field: theirs + 1}, {field: theirs})
    assert len(found.given) == number


def test_a_segment_that_differs_is_named(row):
    _, step = told_step(row)
    step["state"]["segs"].append(99)
    assert list(differing(row).modelled) == ["segs"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_snapshot_that_differs_in_offset_producers_or_registration_is_named(row, place):
    _, step = told_step(row)
    step["state"]["snaps"][0][place] = 77
    found = differing(row)
    assert list(found.modelled) == ["snaps"]
    assert found.recorded["snaps"][0][place] == 77


@pytest.mark.parametrize("field", ["epoch", "seq", "off", "ts", "ce", "txn"])
def test_a_field_of_a_producer_that_differs_is_named(row, field):
    _, step = told_step(row)
    told_producer(step)[field] = 77
    assert list(differing(row).modelled) == ["prod"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_remembered_batch_that_differs_is_named(row, place):
    _, step = told_step(row)
    told_producer(step)["batches"][0][place] += 1
    assert list(differing(row).modelled) == ["prod"]


def test_a_producer_that_is_missing_is_named(row):
    _, step = told_step(row)
    step["state"]["prod"].popitem()
    assert list(differing(row).modelled) == ["prod"]


def test_an_answer_that_differs_is_named(row):
    _, step = told_step(row)
    theirs, step["result"] = step["result"], "OK 99"
    found = differing(row)
    assert (found.recorded, found.modelled) == ({"result": "OK 99"}, {"result": theirs})


@pytest.mark.parametrize(
    ("start", "other"),
    [
        ("DUP ", "DUP 0 0"),
        ("EXC OutOfOrderSequenceException", "EXC InvalidProducerEpochException"),
        ("EXC InvalidProducerEpochException", "OK 0"),
        ("EXC InvalidTxnStateException", "OK 0"),
        ("EXC TransactionCoordinatorFencedException", "OK 0"),
        ("EXC OffsetOutOfRangeException", "OK false"),
        ("EXC KafkaStorageException", "OK true"),
    ],
)
def test_every_kind_of_answer_is_compared(start, other):
    row = copy.deepcopy(
        next(r for r in rows() if any(s["result"].startswith(start) for s in r["steps"]))
    )
    step = next(step for step in row["steps"] if step["result"].startswith(start))
    theirs, step["result"] = step["result"], other
    assert differing(row).modelled["result"] == theirs


def test_a_row_that_goes_on_where_the_model_is_offline_does_not_agree():
    row = copy.deepcopy(next(r for r in rows() if r["steps"][-1]["state"] is None))
    assert row_for("the row", row).agrees
    row["steps"][-1]["state"] = row["steps"][-2]["state"]
    assert differing(row).modelled["now"] is None


@pytest.mark.parametrize(("where", "what"), OTHERS.values(), ids=OTHERS)
def test_another_rule_is_not_that_of_the_recordings(monkeypatch, where, what):
    name, module = where
    assert row_for(name, row_called(name)).agrees
    monkeypatch.setattr(module, *what)
    assert not row_for(name, row_called(name)).agrees


def test_an_operation_that_is_unknown_is_no_recording(row):
    row["steps"].append({"op": "explode", "args": {}, "result": "OK", "state": None})
    with pytest.raises(NotARecording, match="explode"):
        row_for("the row", row)


def test_what_the_design_does_not_allow_is_what_the_model_cannot_do(row):
    row["steps"].insert(0, {**row["steps"][0], "op": "tick", "args": {"ms": 0}})
    assert "the model cannot" in differing(row).modelled["result"]


def test_the_recordings_are_of_every_third_and_have_every_operation():
    assert {row["third"] for row in rows()} == {"idempotent", "restart", "rebuild"}
    operations = {step["op"] for row in rows() for step in row["steps"]}
    assert len(operations) == 19
