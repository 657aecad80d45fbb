"""A history of the cleaner that differs from the model is reported: step, field, both values."""

import copy
from functools import cache
from pathlib import Path

import pytest

from tierproof.conformance import NotARecording
from tierproof.conformance.cleaner import row_for
from tierproof.conformance.files import content_of
from tierproof.model.designs.log_cleaner.repairs import collect_unended, segment_base
from tierproof.model.kafka import cleaner_transactions, log_cleaner, offset_map

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
KINDS = ("plain", "txn", "ckpt", "edge")


@cache
def rows():
    return content_of(RECORDINGS / "cleaner.jsonl.gz")


def is_told(row):
    """It has a pass that was picked and left records, an aborted entry and a horizon."""
    passes = [step for step in row["steps"] if step["op"] == "clean" and step["picked"]]
    logs = [segment for step in passes[:1] for segment in step["log"]]
    batches = [batch for segment in logs for batch in segment["batches"]]
    return (
        any(segment["aborted"] for segment in logs)
        and any(batch["horizon"] for batch in batches)
        and any(batch["records"] for batch in batches)
    )


@pytest.fixture
def row():
    return copy.deepcopy(next(row for row in rows() if is_told(row)))


def first_pass(row):
    return next(step for step in row["steps"] if step["op"] == "clean" and step["picked"])


def differing(row):
    """The row as the model sees it: the place, and the fields on both sides."""
    found = row_for("the row", row)
    assert not found.agrees
    return found


@pytest.mark.parametrize(
    "field",
    [
        "checkpoint",
        "first_dirty",
        "uncleanable_exact",
        "first_uncleanable",
        "clean_bytes",
        "cleanable_bytes",
        "exceeds",
        "delay",
        "need_now",
        "picked",
        "map_latest",
        "end_offset",
        "checkpoint_after",
        "reset",
    ],
)
def test_a_decision_that_differs_is_named(row, field):
    step = first_pass(row)
    theirs = step[field]
    step[field] = not theirs if isinstance(theirs, bool) else 9_999
    found = differing(row)
    assert found.at.endswith(": clean")
    assert list(found.recorded) == [field]
    assert found.modelled == {field: theirs}


@pytest.mark.parametrize("field", ["map", "producers"])
def test_an_entry_that_differs_is_named(row, field):
    step = first_pass(row)
    name, theirs = next(iter(step[field].items()))
    step[field][name] = 77
    found = differing(row)
    assert (found.recorded, found.modelled) == (
        {f"{field}.{name}": 77},
        {f"{field}.{name}": theirs},
    )


def test_groups_that_differ_are_told_whole(row):
    step = first_pass(row)
    theirs = step["groups"]
    step["groups"] = [*theirs, [99]]
    found = differing(row)
    assert (found.recorded, found.modelled) == ({"groups": step["groups"]}, {"groups": theirs})


@pytest.mark.parametrize("field", ["bytes", "max_ts", "mtime", "idx", "tidx"])
def test_a_segment_that_differs_is_named(row, field):
    segment = first_pass(row)["log"][0]
    theirs = segment[field]
    segment[field] = 9_999
    assert differing(row).modelled == {f"log[0].{field}": theirs}


def test_an_entry_of_the_transaction_index_that_differs_is_named(row):
    log = first_pass(row)["log"]
    at = next(n for n, segment in enumerate(log) if segment["aborted"])
    theirs = log[at]["aborted"][0][3]
    log[at]["aborted"][0][3] = 9_999
    (modelled,) = differing(row).modelled.items()
    assert modelled[0] == f"log[{at}].aborted[0]"
    assert modelled[1][3] == theirs


@pytest.mark.parametrize(
    "field",
    ["last", "pid", "epoch", "seq", "tx", "ctl", "horizon", "max_ts", "bytes", "n", "base"],
)
def test_a_batch_that_differs_is_named(row, field):
    log = first_pass(row)["log"]
    at = next(n for n, segment in enumerate(log) if segment["batches"])
    theirs = log[at]["batches"][0][field]
    log[at]["batches"][0][field] = "something else"
    assert differing(row).modelled == {f"log[{at}].batches[0].{field}": theirs}


def test_a_record_that_stays_and_should_not_is_named(row):
    log = first_pass(row)["log"]
    at, of, batch = next(
        (n, of, batch)
        for n, segment in enumerate(log)
        for of, batch in enumerate(segment["batches"])
        if batch["records"]
    )
    batch["records"].append([99, 0, 1, 1_000])
    assert list(differing(row).modelled) == [f"log[{at}].batches[{of}].records"]


@pytest.mark.parametrize("field", ["st", "segs"])
def test_offsets_and_segments_are_compared_after_every_step(row, field):
    step = row["steps"][-2] if "st" in row["steps"][-2] else row["steps"][0]
    step[field] = copy.deepcopy(step[field])
    step[field][0] = 55 if field == "st" else [step[field][0][0], 5_555]
    assert list(differing(row).recorded) == [field]


def test_a_history_is_shown_up_to_its_first_difference(row):
    step = first_pass(row)
    step["map_latest"] = 9_999
    number = row["steps"].index(step) + 1
    found = differing(row)
    assert found.at == f"step {number}: clean"
    assert found.given == [step["op"] for step in row["steps"][:number]]


def test_a_field_that_is_missing_does_not_agree(row):
    del first_pass(row)["map"]
    assert differing(row).recorded == {"map": "nothing"}


def test_what_a_pass_revives_is_compared():
    row = copy.deepcopy(next(row for row in rows() if row.get("revives")))
    theirs = row["revives"]
    assert row_for("the row", row).modelled == theirs
    row["revives"] = []
    found = differing(row)
    assert (found.at, found.recorded, found.modelled) == ("revives", [], theirs)


@pytest.mark.parametrize(
    ("seed", "module", "name", "other"),
    [
        (701, offset_map, "indexed_position", segment_base),
        (701, offset_map, "collect_for_map", collect_unended),
        (400071, cleaner_transactions, "is_marker_deletable", lambda has_type, has_batch: True),
        (58, log_cleaner, "ends_at_high_watermark", lambda last_offset, high_watermark: False),
        (400071, log_cleaner, "is_last_of_producer", lambda *given: False),
        (51, log_cleaner, "is_horizon_over", lambda horizon, now: -1 < horizon < now),
    ],
)
def test_another_rule_is_not_that_of_the_recordings(monkeypatch, seed, module, name, other):
    (row,) = [row for row in rows() if row["seed"] == seed]
    assert row_for("the row", row).agrees
    monkeypatch.setattr(module, name, other)
    assert not row_for("the row", row).agrees


def test_an_operation_that_is_unknown_is_no_recording(row):
    row["steps"].append({"op": "explode"})
    with pytest.raises(NotARecording, match="explode"):
        row_for("the row", row)


def test_an_append_at_another_offset_is_named(row):
    append = next(step for step in row["steps"] if step["op"] == "append")
    row["steps"] = [append, append]
    found = differing(row)
    assert (found.at, list(found.modelled)) == ("step 2: append", ["at"])


def test_a_high_watermark_that_no_log_has_is_what_the_model_cannot_do(row):
    append = next(step for step in row["steps"] if step["op"] == "append")
    row["steps"] = [append, {**append, "op": "hw", "offset": 9_999}]
    found = differing(row)
    assert found.at == "step 2: hw"
    assert "the model cannot" in found.modelled["st"]


def test_the_recordings_are_of_every_kind_and_most_have_passes():
    assert {row["kind"] for row in rows()} == set(KINDS)
    passes = [step for row in rows() for step in row["steps"] if step["op"] == "clean"]
    assert sum(step["picked"] for step in passes) > 1_000
    assert sum(bool(row.get("revives")) for row in rows()) > 20
