"""A recorded row that cannot be read is named with its place and its field, and costs no other."""

import copy
import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.conformance import REPLAYERS, NotARecording, conform, conform_file
from tierproof.conformance.files import content_of

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"


@cache
def smallest(file, count=2):
    """The smallest rows of a file of JSON lines."""
    return sorted(content_of(RECORDINGS / file), key=lambda row: len(str(row)))[:count]


@cache
def cases():
    return {case["id"]: case for case in content_of(RECORDINGS / "cases.json")["cases"]}


def rows_of(file):
    """Two good rows of a file of JSON lines, to be changed."""
    return copy.deepcopy(smallest(file))


def replayed(file, *rows):
    return list(REPLAYERS[file](list(rows)))


def case_with(name, **changed):
    case = cases()[name]
    return {**case, "input": {**case["input"], **changed}}


def without(row, *path):
    """A copy of the row without one of its fields."""
    row = copy.deepcopy(row)
    within = row
    for part in path[:-1]:
        within = within[part]
    del within[path[-1]]
    return row


def written(path, *lines):
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


@pytest.mark.parametrize(
    ("file", "path", "field"),
    [
        ("cleaner.jsonl.gz", ("seed",), "seed"),
        ("cleaner.jsonl.gz", ("config", "retention.ms"), "config.retention.ms"),
        ("cleaner.jsonl.gz", ("steps", 1, "op"), "steps[1].op"),
        ("producer_state.jsonl.gz", ("pidexp",), "pidexp"),
        ("producer_state.jsonl.gz", ("steps", 0, "result"), "steps[0].result"),
        ("producer_state.jsonl.gz", ("steps", 0, "state", "leo"), "steps[0].state.leo"),
        ("traces.jsonl.gz", ("steps", 2, "op"), "steps[2].op"),
        ("traces.jsonl.gz", ("steps", 0, "state", "meta_records"), "steps[0].state.meta_records"),
        ("metadata_cache.jsonl.gz", ("results",), "results"),
    ],
)
def test_the_missing_field_is_named_and_the_other_row_is_compared(file, path, field):
    bad, good = rows_of(file)
    unread, other = replayed(file, without(bad, *path), good)
    assert unread.modelled == f"cannot be read: the field {field} is missing"
    assert (unread.is_unread, unread.agrees) == (True, False)
    assert other.agrees


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("cleaner.jsonl.gz", ("hard",)),
        ("cleaner.jsonl.gz", ("io_buffer",)),
        ("cleaner.jsonl.gz", ("steps", 1, "ratio")),
        ("producer_state.jsonl.gz", ("third",)),
        ("producer_state.jsonl.gz", ("kafka",)),
        ("traces.jsonl.gz", ("hole_seen",)),
    ],
)
def test_a_field_that_tells_the_model_nothing_may_be_absent(file, path):
    bare, good = rows_of(file)
    assert all(row.agrees for row in replayed(file, without(bare, *path), good))


@pytest.mark.parametrize(
    ("name", "optional"),
    [
        ("retsize-1", "valid_remote"),
        ("lso-find-1", "local_lso"),
        ("stop-partitions-no-delete", "leader_segments"),
        ("stop-partitions-no-delete", "follower_segments"),
        ("stop-partitions-no-delete", "deleteLocal"),
        ("stop-partitions-no-delete", "stopRLMM"),
        ("retention-time-50-0", "expired_first_n(max_ts=now-2)"),
        ("retention-size-50-0", "local_lso"),
        ("cfg-local-invalid-1", "broker_defaults"),
    ],
)
def test_an_input_that_a_case_may_have_may_be_absent(name, optional):
    case = copy.deepcopy(cases()[name])
    case["input"].pop(optional, None)
    for beside in ("source", "verified", "note"):
        case.pop(beside, None)
    (row,) = REPLAYERS["cases.json"]({"cases": [case]})
    assert row.agrees


def test_what_has_no_order_in_kafka_may_be_missing_and_is_shown_as_such():
    row = without(rows_of("traces.jsonl.gz")[0], "steps", 0, "state", "objs")
    (found,) = replayed("traces.jsonl.gz", row)
    assert (found.recorded, found.modelled) == ({"objs": None}, {"objs": []})


def test_a_field_that_the_model_lacks_is_shown():
    row = rows_of("traces.jsonl.gz")[0]
    row["steps"][0]["state"]["colour"] = "red"
    (found,) = replayed("traces.jsonl.gz", row)
    assert (found.recorded, found.modelled) == ({"colour": "red"}, {"colour": None})


def test_a_number_that_is_a_list_costs_none_of_the_other_cases():
    bad = case_with("retention-size-50-0", segments=[[0, 99], [100, 199]])
    good = [cases()[name] for name in ("retention-time-50-0", "retsize-1")]
    found = list(REPLAYERS["cases.json"]({"cases": [good[0], bad, good[1]]}))
    assert [row.agrees for row in found] == [True, False, True]
    assert found[1].at == "case 'retention-size-50-0'"
    assert "the field read last, input.segments, holds [[0, 99], [100, 199]]" in found[1].modelled


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"type": "candidate_log_segments"}, "the field id is missing"),
        ({"id": "x"}, "the field type is missing"),
        ("x", 'it is "x", and not in the format'),
        (None, "it is null, and not in the format"),
    ],
)
def test_a_case_that_is_none_is_named_by_its_place(case, words):
    good = cases()["retsize-1"]
    unread, other = REPLAYERS["cases.json"]({"cases": [case, good]})
    assert words in unread.modelled
    assert unread.at == ("case 'x'" if case == {"id": "x"} else "row 0")
    assert other.agrees


def test_a_case_of_a_type_without_replayer_does_not_agree_and_its_neighbour_does():
    new = {"id": "round-trip", "type": "serde", "input": {"version": 0}, "expect": "equal"}
    found = list(REPLAYERS["cases.json"]({"cases": [new, cases()["retsize-1"]]}))
    assert [row.agrees for row in found] == [False, True]
    assert found[0].modelled == "not replayed yet"


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("within_leader_epochs.json.gz", {"rows": [[1, 2]]}, "expected 6, got 2"),
        ("within_leader_epochs.json.gz", {"rows": [[0, 1, "0-0", 2, "", "t"]]}, "ValueError"),
        ("metadata_cache.jsonl.gz", [{"ops": ["init"], "results": []}], "ValueError"),
        (
            "metadata_cache.jsonl.gz",
            [{"ops": ["highest"], "results": [""]}],
            "read last, ops[0]",
        ),
        (
            "config_validation.json.gz",
            {"outcomes": [], "rows": [[True, "", "", 7]]},
            "read last, [3]",
        ),
        ("scenarios.json", {"scenarios": {"empty": []}}, "cannot be read"),
        ("scenarios.json", {"scenarios": {"none": None}}, "it is null"),
        ("traces.jsonl.gz", [{"steps": []}], "the field id is missing"),
        ("cleaner.jsonl.gz", [[]], "it is [], and not in the format"),
    ],
)
def test_a_row_that_is_none_is_no_reason_to_refuse_its_file(file, content, words):
    (row,) = REPLAYERS[file](content)
    assert row.is_unread
    assert words in row.modelled


def test_an_operation_that_nobody_knows_is_named():
    bad, good = rows_of("cleaner.jsonl.gz")
    bad["steps"].append({"op": "explode"})
    unread, other = replayed("cleaner.jsonl.gz", bad, good)
    assert unread.modelled == "cannot be read: there is no operation 'explode'"
    assert other.agrees


def test_a_line_that_is_not_json_is_named_by_its_number(tmp_path):
    good = json.dumps(rows_of("metadata_cache.jsonl.gz")[0])
    path = written(tmp_path / "metadata_cache.jsonl.gz", good, "", good[:40], good, "[" * 100_000)
    found = conform_file(path)
    assert (found.agreed, found.total) == (2, 4)
    assert [row.at for row in found.unread] == ["line 3", "line 5"]
    assert all("it is not JSON: " in row.modelled for row in found.unread)


def test_a_file_without_any_line_of_json_is_no_recording(tmp_path):
    path = written(tmp_path / "metadata_cache.jsonl.gz", "one", "two")
    with pytest.raises(NotARecording, match="not JSON"):
        conform_file(path)


def test_more_rows_of_a_kind_are_read_from_a_file_beside_it(tmp_path):
    lines = map(json.dumps, rows_of("metadata_cache.jsonl.gz"))
    written(tmp_path / "metadata_cache_more.jsonl.gz", *lines)
    (found,) = conform(tmp_path)
    assert (found.file, found.agreed, found.total) == ("metadata_cache_more.jsonl.gz", 2, 2)


def test_a_file_of_recordings_that_no_replayer_reads_does_not_agree(tmp_path):
    (tmp_path / "cases.json").write_text(json.dumps({"cases": [cases()["retsize-1"]]}))
    (tmp_path / "notes.md").write_text("no recording")
    written(tmp_path / "quorum.jsonl.gz", "{}")
    known, unknown = conform(tmp_path)
    assert known.agrees
    assert (unknown.file, unknown.agrees) == ("quorum.jsonl.gz", False)
    assert unknown.first_disagreement is not None
    assert "no replayer reads a file of this name" in unknown.first_disagreement.modelled


def test_the_command_names_each_row_that_cannot_be_read(tmp_path):
    bad = case_with("retention-size-50-0", segments=[[0, 99]])
    odd = {"cases": [{**bad, "id": "odd"}, {"id": "even"}, cases()["retsize-1"]]}
    (tmp_path / "cases.json").write_text(json.dumps(odd))
    done = tierproof("conform", str(tmp_path))
    assert done.returncode == 1
    assert "cases.json: 2 of its rows cannot be read" in done.stdout
    assert "case 'odd': cannot be read: the field read last, input.segments, holds" in done.stdout
    assert "case 'even': cannot be read: the field type is missing" in done.stdout
    told = json.loads(tierproof("conform", str(tmp_path), "--json").stdout)
    assert [row["at"] for row in told["files"][0]["unread"]] == ["case 'odd'", "case 'even'"]
