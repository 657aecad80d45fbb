"""A recording that differs from the model is reported: the row, the place and both answers."""

import gzip
import json
from pathlib import Path

import pytest

from tierproof.conformance import NotARecording, conform, conform_file
from tierproof.conformance.files import content_of

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"


def written(folder, name, content):
    """A file of recordings with that content."""
    path = folder / name
    lines = content if ".jsonl" in name else [content]
    text = "\n".join(json.dumps(line) for line in lines).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def first_of(found):
    """The first disagreement, which there must be."""
    assert found.first_disagreement is not None
    return found.first_disagreement


def sequence(*pairs):
    return {"ops": [operation for operation, _ in pairs], "results": [r for _, r in pairs]}


def test_a_lineage_that_answers_otherwise(tmp_path):
    content = content_of(RECORDINGS / "within_leader_epochs.json.gz")
    content["rows"] = content["rows"][:20]
    theirs = content["rows"][7][-1]
    content["rows"][7][-1] = "true" if theirs == "false" else "false"
    found = conform_file(written(tmp_path, "within_leader_epochs.json.gz", content))
    assert (found.agreed, found.total) == (19, 20)
    assert first_of(found).name == "row 7"
    assert first_of(found).given == content["rows"][7][:-1]
    assert first_of(found).modelled == theirs


def test_an_exception_of_the_lineage_is_an_answer(tmp_path):
    rows = [[0, 5, "0:0", 9, "", "EXC NoSuchElementException"]]
    content = {"columns": [], "rows": rows}
    assert conform_file(written(tmp_path, "within_leader_epochs.json.gz", content)).agrees


def test_a_cache_that_answers_otherwise_is_shown_up_to_there(tmp_path):
    good = sequence(("init", "ok"), ("listall", ""))
    bad = sequence(
        ("init", "ok"),
        ("add a 0 9 0:0", "ok"),
        ("highest 0", "9"),
        ("upd ghost COPY_SEGMENT_FINISHED", "ok"),
    )
    found = conform_file(written(tmp_path, "metadata_cache.jsonl.gz", [good, bad]))
    assert (found.agreed, found.total) == (1, 2)
    assert first_of(found).as_dict() == {
        "row": "sequence 1",
        "input": ["init", "add a 0 9 0:0", "highest 0"],
        "at": "operation 3: highest 0",
        "recorded": "9",
        "modelled": "null",
    }


def test_a_list_that_kafka_did_not_sort_is_told_from_one_that_it_did(tmp_path):
    row = sequence(
        ("init", "ok"),
        ("add a 0 99 0:0,1:50", "ok"),
        ("upd a COPY_SEGMENT_FINISHED", "ok"),
        ("add b 10 40 1:10", "ok"),
        ("upd b COPY_SEGMENT_FINISHED", "ok"),
        ("list 1", "UNSORTED 0@a/COPY_SEGMENT_FINISHED 10@b/COPY_SEGMENT_FINISHED"),
    )
    found = conform_file(written(tmp_path, "metadata_cache.jsonl.gz", [row]))
    assert found.first_disagreement is None


def test_settings_that_are_judged_otherwise(tmp_path):
    content = {
        "columns": [],
        "outcomes": ["OK", "ConfigException: no"],
        "rows": [[True, "", "remote.storage.enable=true", 0], [True, "", "retention.ms=5", 1]],
    }
    found = conform_file(written(tmp_path, "config_validation.json.gz", content))
    assert (found.agreed, found.total) == (1, 2)
    assert first_of(found).recorded == "ConfigException: no"
    assert first_of(found).modelled == "OK"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("min.insync.replicas=2", "the model knows no setting min.insync.replicas"),
        ("retention.ms=soon", "soon"),
        ("remote.storage.enable=maybe", "maybe is no boolean"),
        ("cleanup.policy=keep", "cleanup.policy is keep"),
    ],
)
def test_settings_that_the_model_does_not_have_do_not_agree(tmp_path, settings, words):
    content = {"outcomes": ["OK"], "rows": [[True, "", settings, 0]]}
    found = conform_file(written(tmp_path, "config_validation.json.gz", content))
    assert found.agreed == 0
    assert words in first_of(found).modelled
    assert first_of(found).modelled.startswith("not replayed yet")


def test_an_operation_that_the_model_does_not_have_does_not_agree(tmp_path):
    row = sequence(("init", "ok"), ("nextWithTxnIndex 0 0", "null"))
    found = conform_file(written(tmp_path, "metadata_cache.jsonl.gz", [row]))
    assert found.agreed == 0
    assert first_of(found).at == "operation 2: nextWithTxnIndex 0 0"
    assert first_of(found).modelled == "not replayed yet"


def test_a_case_of_an_unknown_type_does_not_agree(tmp_path):
    case = {"id": "new", "type": "something_else", "input": 1, "expect": 2}
    found = conform_file(written(tmp_path, "cases.json", {"cases": [case]}))
    assert (found.agreed, found.total) == (0, 1)
    assert first_of(found).as_dict()["modelled"] == "not replayed yet"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("within_leader_epochs.json.gz", [], "not what its name says"),
        ("within_leader_epochs.json.gz", {"rows": 7}, "holds 7, and no list of rows"),
        ("metadata_cache.jsonl.gz", [], "holds no row"),
        ("config_validation.json.gz", {"rows": [], "outcomes": []}, "holds no row"),
        ("config_validation.json.gz", {"rows": [[True, "", "", 0]]}, "outcomes"),
        ("cases.json", {"cases": {}}, "no list of rows"),
        ("cases.json", ["cases"], "not what its name says"),
        ("scenarios.json", {"scenarios": []}, "not what its name says"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path, name, content, words):
    path = written(tmp_path, name, content)
    with pytest.raises(NotARecording, match=words) as refused:
        conform_file(path)
    assert str(path) in str(refused.value)


WHOLE = (RECORDINGS / "traces.jsonl.gz").read_bytes()


@pytest.mark.parametrize(
    "data",
    [b"plain text", gzip.compress(b"no json"), WHOLE[:5000], WHOLE[:500] + b"xyz" + WHOLE[500:]],
    ids=["text", "no_json", "cut", "damaged"],
)
def test_bytes_that_are_no_recording_are_refused(tmp_path, data):
    path = tmp_path / "traces.jsonl.gz"
    path.write_bytes(data)
    with pytest.raises(NotARecording, match="not what its name says"):
        conform_file(path)


def test_a_folder_is_needed_and_something_in_it(tmp_path):
    with pytest.raises(NotARecording, match="there is no folder"):
        conform(tmp_path / "none")
    (tmp_path / "README.md").write_text("nothing to replay")
    with pytest.raises(NotARecording, match="holds no recording"):
        conform(tmp_path)


def test_any_subset_of_the_files_will_do(tmp_path):
    written(tmp_path, "metadata_cache.jsonl.gz", [sequence(("listall", ""))])
    assert [result.as_dict() for result in conform(tmp_path)] == [
        {
            "file": "metadata_cache.jsonl.gz",
            "agreed": 1,
            "total": 1,
            "first_disagreement": None,
            "unread": [],
        }
    ]
